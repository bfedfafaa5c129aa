/*
 * Warming up. A built kernel is not ready yet: PoCL compiles a kernel for the size of a work-group
 * at the first launch, and the binary is complete only then. Each kernel is therefore launched once
 * on temporary memory, with one work-group of the size that moves use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "warm_up.h"

#include <inttypes.h>
#include <string.h>

#include "examples.h"
#include "plan_command.h"
#include "table.h"
#include "text.h"
#include "view.h"

/* ---- launches ---- */

/* The temporary memory of the launches. A buffer is made when a command first needs the buffer. */
typedef struct ground {
  clrs_context *context;
  cl_command_queue queue;
  size_t bytes;
  cl_mem buffers[CLRS_BATCH_BUFFERS];
} ground;

/* In place of a buffer that a warm-up replaces. */
static cl_mem mark_buffer(void) {
  static const char mark;
  return (cl_mem)(uintptr_t)&mark;
}

static clrs_status make_buffer(const ground *on, cl_mem *buffer, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  if (*buffer != NULL) {
    return CLRS_OK;
  }
  *buffer = clrs__memory_make_buffer(&on->context->memory, on->bytes, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  return CLRS_OK;
}

/* Launches only the first work-group. That group touches nothing that the whole command would not
 * touch. */
static clrs_status replace_buffers(ground *on, clrs__command *command, clrs_error *error) {
  memcpy(command->global, command->group, sizeof command->global);
  for (uint32_t i = 0; i < command->entrance_count; i++) {
    const clrs__entrance *entrance = &command->entrances[i];
    CLRS_TRY(make_buffer(on, &on->buffers[i], error));
    memcpy(&command->arguments[entrance->buffer_word], &on->buffers[i], sizeof on->buffers[i]);
    command->arguments[entrance->start_word] = entrance->start;
  }
  return CLRS_OK;
}

static clrs_status launch_once(ground *on, const clrs__command *given, clrs_error *error) {
  clrs__command command = *given;
  const clrs__commands commands = {.context = on->context, .count = 1, .list = &command};
  CLRS_TRY(replace_buffers(on, &command, error));
  return clrs__commands_run(&commands, on->queue, error);
}

static clrs_status prepare_ground(ground *on, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  on->queue = clCreateCommandQueue(on->context->opencl, on->context->device, 0, &code);
  CLRS_TRY_OPENCL("clCreateCommandQueue", code, error);
  return CLRS_OK;
}

static void leave_ground(ground *on) {
  for (size_t i = 0; i < CLRS_BATCH_BUFFERS; i++) {
    if (on->buffers[i] != NULL) {
      clReleaseMemObject(on->buffers[i]);
    }
  }
  if (on->queue != NULL) {
    clReleaseCommandQueue(on->queue);
  }
}

clrs_status clrs__commands_warm_up(const clrs__commands *commands, uint64_t bytes,
                                   clrs_error *error) {
  ground on = {.context = commands->context, .bytes = (size_t)bytes};
  if (bytes > SIZE_MAX) {
    return clrs__fail(error, CLRS_OVERFLOW, "a buffer of %" PRIu64 " bytes does not fit in size_t",
                      bytes);
  }
  if (commands->count == 0) {
    return CLRS_OK;
  }
  clrs_status status = prepare_ground(&on, error);
  for (size_t i = 0; status == CLRS_OK && i < commands->count; i++) {
    status = launch_once(&on, &commands->list[i], error);
  }
  leave_ground(&on);
  return status;
}

/* Runs the commands once if `status` is CLRS_OK, and destroys the commands. */
static clrs_status finish(clrs__commands *commands, clrs_status status, uint64_t bytes,
                          clrs_error *error) {
  if (status == CLRS_OK) {
    status = clrs__commands_warm_up(commands, bytes, error);
  }
  clrs__commands_destroy(commands);
  return status;
}

/* ---- of a class ---- */

enum { EXAMPLE_BYTES = CLRS__EXAMPLE_UNITS * 16 /* bytes of the widest */ };

static clrs_status warm_up_once(clrs_context *context, const char *kernel_class, uint32_t unit_bits,
                                clrs_error *error) {
  clrs__commands commands = {.context = context};
  const cl_mem mark = mark_buffer();
  clrs__cut cuts[CLRS__MOST_EXAMPLES];
  clrs_view stack;
  const clrs_shape units = {1, {CLRS__EXAMPLE_UNITS}};
  clrs__view_make_dense(CLRS_U8, &units, &stack);
  const clrs_device_limits limits = clrs_context_limits(context);
  const size_t count =
      clrs__class_examples(clrs__class_named(kernel_class), unit_bits, &limits, &stack, cuts);
  if (count == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "class %s has no kernel for units of %u bits",
                      clrs__show(kernel_class).text, unit_bits);
  }
  clrs_status status = CLRS_OK;
  for (size_t i = 0; status == CLRS_OK && i < count; i++) {
    if (!cuts[i].loops) {
      status = clrs__commands_add_cut(&commands, &cuts[i], &stack, mark, mark, error);
    }
  }
  return finish(&commands, status, EXAMPLE_BYTES, error);
}

clrs_status clrs_context_warm_up(clrs_context *context, const char *kernel_class,
                                 uint32_t unit_bits, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(kernel_class, "kernel_class", error));
  uint32_t groups = clrs__context_groups(context);
  clrs_status status;
  do {
    status = warm_up_once(context, kernel_class, unit_bits, error);
  } while (clrs__context_plans_again(context, status, &groups, error));
  return status;
}

/* ---- of a plan ---- */

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The largest number of bytes that the plan touches in any buffer. */
static uint64_t most_bytes(const clrs_plan *plan) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  uint64_t most = larger(plan->source.end, plan->destination.end);
  for (uint32_t i = 0; plan->outcome == CLRS_OUTCOME_MAPPED && i < CLRS_MAPPED_STEPS; i++) {
    most = larger(most, data->mapped.read[i].end);
  }
  return clrs__plan_has_indices(plan)
             ? larger(most, larger(data->indices.read.end, data->indices.flag.end))
             : most;
}

clrs_status clrs_context_warm_up_plan(clrs_context *context, const clrs_plan *plan,
                                      clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  clrs__commands commands = {.context = context};
  const cl_mem mark = mark_buffer();
  clrs_plan_buffers marks = {.source = mark, .destination = mark, .indices = mark, .flag = mark};
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    marks.steps[i] = mark;
  }
  const clrs_status status = clrs__commands_add(&commands, plan, &marks, error);
  return finish(&commands, status, most_bytes(plan), error);
}
