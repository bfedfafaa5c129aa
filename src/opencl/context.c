/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "table.h"
#include "work_size.h"

struct clrs_context {
  atomic_size_t references, abandoned;
  cl_device_id device; /* of the queues: the one that programs are for, or a part of it */
  clrs_allocate_fn allocate;
  void *user_data;
  cl_mem_flags buffer_flags; /* of buffers that the library creates */
  bool markers_wait_for_one;
  clrs_device_limits limits;
  pthread_mutex_t lock; /* guards what follows, and every kernel object */
  clrs__kernel_store kernels;
  clrs__plan_cache plans;
  clrs__held_events held;
  clrs__kept *kept; /* a list */
};

/* ---- life ---- */

static clrs_status check_options(const clrs_context_options *options, cl_device_id *listed,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(options, "options", error));
  if (options->struct_size != sizeof *options) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "options->struct_size is %zu; it must be %zu (CLRS_CONTEXT_OPTIONS_INIT)",
                      options->struct_size, sizeof *options);
  }
  CLRS_TRY(clrs__limits_check(&options->limits, error));
  return clrs__check_device(options->context, options->device, listed, error);
}

/* All that a driver is asked about, before anything of it is retained. */
static clrs_status choose_settings(const clrs_context_options *options, clrs_context *made,
                                   clrs_error *error) {
  cl_device_id listed = NULL;
  clrs__quirks quirks;
  CLRS_TRY(check_options(options, &listed, error));
  CLRS_TRY(clrs__quirks_of(options->device, &quirks, error));
  made->limits = options->limits;
  CLRS_TRY(clrs__choose_execution(options->device, options->limits.execution,
                                  &made->limits.execution, error));
  CLRS_TRY(clrs__limit_groups(options->device, &made->limits, error));
  made->kernels.target = (clrs__program_target){options->context, listed, quirks.compile_path};
  made->device = options->device;
  made->allocate = options->allocate;
  made->user_data = options->user_data;
  made->buffer_flags = quirks.buffer_flags;
  made->markers_wait_for_one = quirks.markers_wait_for_one;
  return CLRS_OK;
}

static clrs_status start(clrs_context *made, clrs_error *error) {
  const cl_context opencl = made->kernels.target.context;
  CLRS_TRY_OPENCL("clRetainContext", clRetainContext(opencl), error);
  if (pthread_mutex_init(&made->lock, NULL) != 0) {
    clReleaseContext(opencl);
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a lock");
  }
  atomic_init(&made->references, 1);
  atomic_init(&made->abandoned, 0);
  return CLRS_OK;
}

clrs_status clrs_context_create(const clrs_context_options *options, clrs_context **context,
                                clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  clrs_context *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a context");
  }
  clrs_status status = choose_settings(options, made, error);
  if (status == CLRS_OK) {
    status = start(made, error);
  }
  if (status != CLRS_OK) {
    free(made);
    return status;
  }
  *context = made;
  return CLRS_OK;
}

static void free_kept(clrs__kept *kept) {
  while (kept != NULL) {
    clrs__kept *next = kept->next;
    free(kept);
    kept = next;
  }
}

void clrs__context_keep(clrs_context *context, clrs__kept *memory) {
  enum { MOST_KEPT = 256 };
  clrs__kept *last = memory;
  pthread_mutex_lock(&context->lock);
  memory->next = context->kept;
  context->kept = memory;
  for (int i = 1; i < MOST_KEPT && last != NULL; i++) {
    last = last->next;
  }
  if (last != NULL) {
    free_kept(last->next);
    last->next = NULL;
  }
  pthread_mutex_unlock(&context->lock);
}

void clrs__context_count_abandoned(clrs_context *context) {
  atomic_fetch_add(&context->abandoned, 1);
}

clrs_status clrs__context_check_abandoned(clrs_context *context, clrs_error *error) {
  enum { MOST_ABANDONED = 256 };
  const size_t count = atomic_load(&context->abandoned);
  return count < MOST_ABANDONED
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "%zu reads of this context could neither be waited for nor be watched; "
                          "its device is lost",
                          count);
}

void clrs_context_retain(clrs_context *context) {
  if (context != NULL) {
    atomic_fetch_add(&context->references, 1);
  }
}

void clrs_context_release(clrs_context *context) {
  if (context == NULL || atomic_fetch_sub(&context->references, 1) > 1) {
    return;
  }
  clrs__kernel_store_destroy(&context->kernels);
  clrs__held_events_destroy(&context->held);
  free_kept(context->kept);
  pthread_mutex_destroy(&context->lock);
  clReleaseContext(context->kernels.target.context);
  free(context);
}

clrs_device_limits clrs_context_limits(const clrs_context *context) {
  return context != NULL ? context->limits : (clrs_device_limits){0};
}

size_t clrs_context_program_count(clrs_context *context) {
  if (context == NULL) {
    return 0;
  }
  pthread_mutex_lock(&context->lock);
  const size_t count = context->kernels.count;
  pthread_mutex_unlock(&context->lock);
  return count;
}

clrs_status clrs_context_export_programs(clrs_context *context, void *blob, size_t capacity,
                                         size_t *size, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(size, "size", error));
  size_t needed = 0;
  pthread_mutex_lock(&context->lock);
  const clrs_status status =
      clrs__kernel_store_export(&context->kernels, blob, capacity, &needed, error);
  pthread_mutex_unlock(&context->lock);
  CLRS_TRY(status);
  *size = needed;
  if (blob != NULL && needed > capacity) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the programs take %zu bytes; the blob has room for %zu", needed, capacity);
  }
  return CLRS_OK;
}

clrs_status clrs_context_import_programs(clrs_context *context, const void *blob, size_t size,
                                         clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(blob, "blob", error));
  pthread_mutex_lock(&context->lock);
  const clrs_status status = clrs__kernel_store_import(&context->kernels, blob, size, error);
  pthread_mutex_unlock(&context->lock);
  return status;
}

/* ---- what the other modules ask ---- */

cl_command_queue clrs__context_make_queue(const clrs_context *context, cl_int *code) {
  return clCreateCommandQueue(context->kernels.target.context, context->device, 0, code);
}

cl_mem clrs__context_make_buffer(const clrs_context *context, size_t bytes, cl_int *code) {
  return clCreateBuffer(context->kernels.target.context, context->buffer_flags, bytes, NULL, code);
}

bool clrs__context_marks_last_only(const clrs_context *context, cl_command_queue queue) {
  cl_command_queue_properties properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  return context->markers_wait_for_one &&
         clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL) ==
             CL_SUCCESS &&
         (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

cl_context clrs__context_opencl(const clrs_context *context) {
  return context->kernels.target.context;
}

const clrs_device_limits *clrs__context_limits(const clrs_context *context) {
  return &context->limits;
}

clrs_status clrs__context_check_queue(const clrs_context *context, cl_command_queue queue,
                                      cl_uint event_count, const cl_event *events,
                                      clrs_error *error) {
  CLRS_TRY(clrs__check_queue(queue, context->kernels.target.context, context->device, error));
  return clrs__check_events(context->kernels.target.context, event_count, events, error);
}

clrs_status clrs__context_allocate(const clrs_context *context, uint64_t bytes, cl_mem *buffer,
                                   clrs_error *error) {
  cl_int code = CL_SUCCESS;
  if (bytes > SIZE_MAX) {
    return clrs__fail(error, CLRS_OVERFLOW, "a buffer of %" PRIu64 " bytes does not fit in size_t",
                      bytes);
  }
  cl_mem created = context->allocate != NULL
                       ? context->allocate(context->user_data, context->kernels.target.context,
                                           (size_t)bytes, &code)
                       : clrs__context_make_buffer(context, (size_t)bytes, &code);
  if (created == NULL || code != CL_SUCCESS) {
    if (created != NULL) {
      clReleaseMemObject(created);
    }
    const clrs_status status =
        clrs__fail_opencl(error, code != CL_SUCCESS ? code : CL_MEM_OBJECT_ALLOCATION_FAILURE,
                          context->allocate != NULL ? "the allocator callback" : "clCreateBuffer");
    clrs__append(error, "; it was asked for a buffer of %" PRIu64 " bytes", bytes);
    return status;
  }
  *buffer = created;
  return CLRS_OK;
}

clrs_status clrs__context_plan(clrs_context *context, const clrs_move *move, clrs_plan *plan,
                               clrs_error *error) {
  pthread_mutex_lock(&context->lock);
  const bool found = clrs__plan_cache_find(&context->plans, move, plan);
  pthread_mutex_unlock(&context->lock);
  if (found) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs_plan_move(move, &context->limits, plan, error));
  if (plan->launch_count > 0) { /* an alias is planned faster than it is found */
    pthread_mutex_lock(&context->lock);
    clrs__plan_cache_keep(&context->plans, move, plan);
    pthread_mutex_unlock(&context->lock);
  }
  return CLRS_OK;
}

void clrs__context_hold_events(clrs_context *context, size_t count, const cl_event *events) {
  pthread_mutex_lock(&context->lock);
  clrs__held_events_sweep(&context->held);
  for (size_t i = 0; i < count; i++) {
    clrs__held_events_add(&context->held, events[i]);
  }
  pthread_mutex_unlock(&context->lock);
}

/* ---- kernels; the lock is held ---- */

/* In the order of the kernels: what is read, what is written, how. */
static clrs_status set_arguments(cl_kernel kernel, const clrs__dispatch *dispatch,
                                 clrs_error *error) {
  clrs__arguments arguments;
  clrs__cut_encode(dispatch->cut, dispatch->stack, clrs__cut_nest_room(dispatch->cut), &arguments);
  const bool fills = dispatch->cut->from == CLRS__FROM_VALUE;
  const struct {
    bool is_taken;
    size_t size;
    const void *value;
  } list[] = {
      {fills, sizeof dispatch->value, &dispatch->value},
      {!fills, sizeof dispatch->source, &dispatch->source},
      {!fills, sizeof arguments.source_start, &arguments.source_start},
      {true, sizeof dispatch->destination, &dispatch->destination},
      {true, sizeof arguments.destination_start, &arguments.destination_start},
      {true, arguments.move.bytes, &arguments.move.as},
  };
  cl_uint next = 0;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (list[i].is_taken) {
      CLRS_TRY_OPENCL("clSetKernelArg", clSetKernelArg(kernel, next++, list[i].size, list[i].value),
                      error);
    }
  }
  return CLRS_OK;
}

static clrs_status dispatch_locked(clrs_context *context, const clrs__dispatch *dispatch,
                                   cl_event *event, clrs_error *error) {
  cl_kernel kernel = NULL;
  CLRS_TRY(
      clrs__kernel_store_find(&context->kernels, clrs__cut_variant(dispatch->cut), &kernel, error));
  CLRS_TRY(set_arguments(kernel, dispatch, error));
  const clrs__range range = clrs__cut_range(dispatch->cut, &context->limits);
  const size_t global[] = {(size_t)range.global[0], (size_t)range.global[1]};
  const size_t group[] = {(size_t)range.group[0], (size_t)range.group[1]};
  CLRS_TRY_OPENCL("clEnqueueNDRangeKernel",
                  clEnqueueNDRangeKernel(dispatch->queue, kernel, 2, NULL, global, group,
                                         dispatch->wait_count, dispatch->wait_list, event),
                  error);
  return CLRS_OK;
}

clrs_status clrs__context_dispatch(clrs_context *context, const clrs__dispatch *dispatch,
                                   cl_event *event, clrs_error *error) {
  pthread_mutex_lock(&context->lock);
  const clrs_status status = dispatch_locked(context, dispatch, event, error);
  pthread_mutex_unlock(&context->lock);
  return status;
}

static clrs_status set_batch_arguments(cl_kernel kernel, const clrs__batch_dispatch *dispatch,
                                       clrs_error *error) {
  for (cl_uint i = 0; i < CLRS_BATCH_BUFFERS; i++) { /* every argument must be set */
    const cl_mem *buffer = &dispatch->buffers[i < dispatch->buffer_count ? i : 0];
    CLRS_TRY_OPENCL("clSetKernelArg", clSetKernelArg(kernel, i, sizeof *buffer, buffer), error);
  }
  CLRS_TRY_OPENCL(
      "clSetKernelArg",
      clSetKernelArg(kernel, CLRS_BATCH_BUFFERS, sizeof dispatch->table, &dispatch->table), error);
  return CLRS_OK;
}

static clrs_status dispatch_batch_locked(clrs_context *context,
                                         const clrs__batch_dispatch *dispatch, cl_event *event,
                                         clrs_error *error) {
  cl_kernel kernel = NULL;
  CLRS_TRY(clrs__kernel_store_find(&context->kernels, dispatch->variant, &kernel, error));
  CLRS_TRY(set_batch_arguments(kernel, dispatch, error));
  CLRS_TRY_OPENCL("clEnqueueNDRangeKernel",
                  clEnqueueNDRangeKernel(dispatch->queue, kernel, 2, NULL, dispatch->global,
                                         dispatch->group, dispatch->wait_count, dispatch->wait_list,
                                         event),
                  error);
  return CLRS_OK;
}

clrs_status clrs__context_dispatch_batch(clrs_context *context,
                                         const clrs__batch_dispatch *dispatch, cl_event *event,
                                         clrs_error *error) {
  pthread_mutex_lock(&context->lock);
  const clrs_status status = dispatch_batch_locked(context, dispatch, event, error);
  pthread_mutex_unlock(&context->lock);
  return status;
}

clrs_status clrs__context_prepare(clrs_context *context, clrs__variant variant, clrs_error *error) {
  cl_kernel kernel = NULL;
  pthread_mutex_lock(&context->lock);
  const clrs_status status = clrs__kernel_store_find(&context->kernels, variant, &kernel, error);
  pthread_mutex_unlock(&context->lock);
  return status;
}
