/*
 * Warming up. A kernel that was built is not ready: PoCL compiles it for the size of a work-group
 * when it is first launched, and only then is its binary complete. So each kernel that a first move
 * could need is launched once, with the work-groups that its moves have, on four units of memory
 * that is made for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

enum { SIDE = 2, UNITS = 4, BUFFER_BYTES = 64 /* UNITS of the widest */ };

/* Rows of SIDE columns, transposed: every class but the packed tile takes what this nest says
 * without reading past it, and that one is given a single row. A fill has no strides of a source.
 */
static void make_nest(const clrs_launch *launch, clrs_nest *nest) {
  const clrs_nest moves = {.axis_count = 2, .axes = {{SIDE, 1, SIDE}, {SIDE, SIDE, 1}}};
  const clrs_nest fills = {.axis_count = 2, .axes = {{SIDE, 0, SIDE}, {SIDE, 0, 1}}};
  *nest = launch->fills ? fills : moves;
}

/* What a launch of the class is, with the least to do. */
static clrs_launch tiny_launch(const clrs_device_limits *limits, clrs_class kernel_class,
                               uint32_t unit_bits) {
  const bool core = limits->execution == CLRS_EXECUTION_CORE;
  const bool general = kernel_class < CLRS_CLASS_ROWS; /* of either execution */
  const bool shares =
      general ? core && kernel_class != CLRS_CLASS_GATHER : kernel_class != CLRS_CLASS_LOCAL_VOLUME;
  clrs_launch launch = {.kernel_class = kernel_class,
                        .unit_bits = unit_bits,
                        .index_bits = limits->min_index_bits,
                        .follows_stack = kernel_class == CLRS_CLASS_COMPOSED,
                        .fills = kernel_class == CLRS_CLASS_FILL,
                        .outer_axis_count = kernel_class == CLRS_CLASS_PACKED,
                        .block_extents = {SIDE, SIDE},
                        .blocks_per_item = shares};
  make_nest(&launch, &launch.nest);
  return launch;
}

/* ---- what is asked for ---- */

static clrs_status check_kernel(const clrs_device_limits *limits, clrs_class kernel_class,
                                uint32_t unit_bits, clrs_error *error) {
  const bool packed = unit_bits == 1 || unit_bits == 2 || unit_bits == 4;
  const bool lanes =
      kernel_class == CLRS_CLASS_COMPOSED && limits->execution == CLRS_EXECUTION_CORE;
  bool fits = unit_bits == 8 || unit_bits == 16 || unit_bits == 32 || unit_bits == 64 ||
              unit_bits == 128 || (packed && lanes);
  if (kernel_class == CLRS_CLASS_BITS) {
    fits = packed;
  } else if (kernel_class == CLRS_CLASS_NIBBLES) {
    fits = unit_bits == 4;
  } else if (kernel_class == CLRS_CLASS_TILE) {
    fits = fits && unit_bits != 128;
  }
  if (!fits || kernel_class == CLRS_CLASS_ANY || (unsigned)kernel_class >= CLRS_CLASS_COUNT) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "class %d has no kernel for units of %u bits",
                      (int)kernel_class, unit_bits);
  }
  return CLRS_OK;
}

/* ---- launches ---- */

/* Where the launches go, and a view of four units for those that follow a stack. */
typedef struct ground {
  clrs_context *context;
  cl_command_queue queue;
  cl_mem source, destination;
  clrs_view stack;
} ground;

static clrs_status launch_once(const ground *on, const clrs_launch *launch, clrs_error *error) {
  clrs__command room;
  clrs__commands commands = {.context = on->context, .capacity = 1, .list = &room};
  cl_event event = NULL;
  const clrs__tail tail = {on->queue, 0, NULL, &event};
  CLRS_TRY(
      clrs__commands_add_launch(&commands, launch, &on->stack, on->source, on->destination, error));
  CLRS_TRY(clrs__commands_enqueue(&commands, &tail, error));
  const cl_int code = clWaitForEvents(1, &event);
  clReleaseEvent(event);
  CLRS_TRY_OPENCL("clWaitForEvents", code, error);
  return CLRS_OK;
}

/* Also for the other order of bits within a byte, which one type of 1 bit has. */
static clrs_status launch_in_each_order(const ground *on, clrs_launch launch, clrs_error *error) {
  CLRS_TRY(launch_once(on, &launch, error));
  launch.msb_first = true;
  return launch.unit_bits == 1 ? launch_once(on, &launch, error) : CLRS_OK;
}

/* One class of packed units is several kernels, and which one a move takes shows only in its plan:
 * its axes may interleave, and in wide execution it may follow a stack. */
static clrs_status launch_all(const ground *on, clrs_launch launch, clrs_error *error) {
  const bool wide = clrs__context_limits(on->context)->execution == CLRS_EXECUTION_WIDE;
  CLRS_TRY(launch_in_each_order(on, launch, error));
  if (launch.kernel_class != CLRS_CLASS_BITS) {
    return CLRS_OK;
  }
  launch.interleaves = true;
  CLRS_TRY(launch_in_each_order(on, launch, error));
  if (wide) {
    launch.follows_stack = true;
    CLRS_TRY(launch_in_each_order(on, launch, error));
    launch.interleaves = false;
    CLRS_TRY(launch_in_each_order(on, launch, error));
  }
  return CLRS_OK;
}

static clrs_status make_buffer(const ground *on, cl_mem *buffer, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  *buffer = clrs__context_make_buffer(on->context, BUFFER_BYTES, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  return CLRS_OK;
}

static clrs_status prepare_ground(ground *on, clrs_error *error) {
  const int64_t units = UNITS;
  clrs_shape shape;
  clrs_layout layout;
  cl_int code = CL_SUCCESS;
  CLRS_TRY(clrs_shape_init(1, &units, &shape, error));
  CLRS_TRY(clrs_layout_init(CLRS_U8, &shape, NULL, 0, &layout, error));
  CLRS_TRY(clrs_view_from_layout(&layout, &on->stack, error));
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

clrs_status clrs_context_warm_up(clrs_context *context, clrs_class kernel_class, uint32_t unit_bits,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  const clrs_device_limits *limits = clrs__context_limits(context);
  CLRS_TRY(check_kernel(limits, kernel_class, unit_bits, error));
  ground on = {.context = context};
  clrs_status status = prepare_ground(&on, error);
  if (status == CLRS_OK) {
    status = launch_all(&on, tiny_launch(limits, kernel_class, unit_bits), error);
  }
  leave_ground(&on);
  return status;
}
