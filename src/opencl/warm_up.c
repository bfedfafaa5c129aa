/*
 * Warming up. A kernel that was built is not ready: PoCL compiles it for the size of a work-group
 * when it is first launched, and only then is its binary complete. So each kernel that a first move
 * could need is launched once, with the work-groups that its moves have, on a few units of
 * memory that is made for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

enum { BUFFER_BYTES = CLRS__EXAMPLE_UNITS * 16 /* bytes of the widest */ };

/* ---- launches ---- */

/* Where the launches go, and a view of so many units for those that follow a stack. */
typedef struct ground {
  clrs_context *context;
  cl_command_queue queue;
  cl_mem source, destination;
  clrs_view stack;
} ground;

static clrs_status launch_once(const ground *on, const clrs__cut *cut, clrs_error *error) {
  clrs__command room;
  clrs__commands commands = {.context = on->context, .capacity = 1, .list = &room};
  cl_event event = NULL;
  const clrs__tail tail = {on->queue, 0, NULL, &event};
  clrs_status status =
      clrs__commands_add_cut(&commands, cut, &on->stack, on->source, on->destination, error);
  if (status == CLRS_OK) {
    status = clrs__commands_enqueue(&commands, &tail, error);
  }
  clrs__commands_release(&commands);
  CLRS_TRY(status);
  const cl_int code = clWaitForEvents(1, &event);
  clReleaseEvent(event);
  CLRS_TRY_OPENCL("clWaitForEvents", code, error);
  return CLRS_OK;
}

static clrs_status make_buffer(const ground *on, cl_mem *buffer, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  *buffer = clrs__context_make_buffer(on->context, BUFFER_BYTES, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  return CLRS_OK;
}

static clrs_status prepare_ground(ground *on, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  CLRS_TRY(make_buffer(on, &on->source, error));
  CLRS_TRY(make_buffer(on, &on->destination, error));
  on->queue =
      clCreateCommandQueue(clrs__context_opencl(on->context), on->context->device, 0, &code);
  CLRS_TRY_OPENCL("clCreateCommandQueue", code, error);
  return CLRS_OK;
}

static void leave_ground(ground *on) {
  if (on->queue != NULL) {
    clReleaseCommandQueue(on->queue);
  }
  if (on->source != NULL) {
    clReleaseMemObject(on->source);
  }
  if (on->destination != NULL) {
    clReleaseMemObject(on->destination);
  }
}

/* A class by its name. A number that is no class has none. */
static clrs_status fail_class(clrs_class kernel_class, uint32_t unit_bits, clrs_error *error) {
  const clrs__class *found = clrs__class_of(kernel_class);
  if (found == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "class %d has no kernel for units of %u bits",
                      (int)kernel_class, unit_bits);
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "class %s has no kernel for units of %u bits",
                    found->name, unit_bits);
}

clrs_status clrs_context_warm_up(clrs_context *context, clrs_class kernel_class, uint32_t unit_bits,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  ground on = {.context = context};
  clrs__cut cuts[CLRS__MOST_EXAMPLES];
  const clrs_shape units = {1, {CLRS__EXAMPLE_UNITS}};
  CLRS_TRY(clrs_view_dense(CLRS_U8, &units, &on.stack, error));
  const size_t count =
      clrs__class_examples(kernel_class, unit_bits, clrs__context_limits(context), &on.stack, cuts);
  if (count == 0) {
    return fail_class(kernel_class, unit_bits, error);
  }
  clrs_status status = prepare_ground(&on, error);
  for (size_t i = 0; status == CLRS_OK && i < count; i++) {
    status = cuts[i].loops ? CLRS_OK : launch_once(&on, &cuts[i], error);
  }
  leave_ground(&on);
  return status;
}
