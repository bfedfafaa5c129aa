/* SPDX-License-Identifier: Apache-2.0 */
#include "allocator.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 }; /* a line of a CPU's cache, and the longest vector of a kernel */

/* ---- making ---- */

static cl_int create_buffer(clrs_context *context, size_t bytes, cl_mem *buffer) {
  cl_int code = CL_SUCCESS;
  *buffer = clrs__context_make_buffer(context, bytes, &code);
  return code;
}

/* Where memory is short, what the pool keeps may be what is missing. */
static cl_int create_pooled(clrs_context *context, size_t bytes, cl_mem *buffer) {
  const cl_int code = create_buffer(context, bytes, buffer);
  return *buffer == NULL && clrs__pool_trim(&context->pool, 0)
             ? create_buffer(context, bytes, buffer)
             : code;
}

static clrs_status get_memory(clrs_context *context, cl_command_queue queue,
                              clrs__allocation *allocation, clrs_error *error) {
  const clrs_allocator *allocator = &context->allocator;
  const clrs_memory_request request = {clrs__context_opencl(context), queue,
                                       (size_t)allocation->bytes, ALIGNMENT};
  clrs_storage storage = {NULL, 0};
  const cl_int code = allocator->allocate != NULL
                          ? allocator->allocate(allocator->user_data, &request, &storage)
                          : create_pooled(context, request.bytes, &storage.buffer);
  if (code == CL_SUCCESS && storage.buffer != NULL) {
    allocation->storage = storage;
    return CLRS_OK;
  }
  const clrs_status status =
      clrs__fail_opencl(error, code != CL_SUCCESS ? code : CL_MEM_OBJECT_ALLOCATION_FAILURE,
                        allocator->allocate != NULL ? "the allocator callback" : "clCreateBuffer");
  clrs__append(error, "; it was asked for a buffer of %" PRIu64 " bytes", allocation->bytes);
  return status;
}

static clrs_status make_new(clrs_context *context, cl_command_queue queue,
                            clrs__allocation *allocation, clrs_error *error) {
  if (allocation->is_tracked && queue != NULL) {
    CLRS_TRY(clrs__allocation_enter(allocation, queue, error));
  }
  return get_memory(context, queue, allocation, error);
}

static bool is_pooled(const clrs_context *context, cl_command_queue queue) {
  return queue != NULL && context->allocator.allocate == NULL && context->pool.limit > 0;
}

clrs_status clrs__allocate(clrs_context *context, cl_command_queue queue, uint64_t bytes,
                           clrs__allocation **allocation, clrs_error *error) {
  const bool pooled = is_pooled(context, queue);
  if (bytes > SIZE_MAX) {
    return clrs__fail(error, CLRS_OVERFLOW, "a buffer of %" PRIu64 " bytes does not fit in size_t",
                      bytes);
  }
  if (pooled && clrs__pool_take(&context->pool, queue, bytes, allocation)) {
    return CLRS_OK;
  }
  clrs__allocation *made = calloc(1, sizeof *made);
  CLRS_TRY_MEMORY(made, error, "no memory for a tensor");
  made->bytes = bytes;
  made->is_tracked = pooled || context->allocator.release != NULL;
  const clrs_status status = make_new(context, queue, made, error);
  if (status != CLRS_OK) {
    clrs__allocation_free(made);
    return status;
  }
  if (pooled) {
    clrs__pool_count_new(&context->pool, bytes);
  }
  *allocation = made;
  return CLRS_OK;
}

/* ---- using ---- */

/* Will the pool not keep it, as no marker may tell when its queues are through? Which queues these
 * are then does not matter. */
static bool is_given_up(const clrs_context *context, const clrs__allocation *allocation) {
  return context->allocator.release == NULL && !context->pool.may_mark &&
         allocation->others.count > 0;
}

clrs_status clrs__allocation_use(clrs_context *context, clrs__allocation *allocation,
                                 cl_command_queue queue, clrs_error *error) {
  if (!allocation->is_tracked || queue == allocation->home) {
    return CLRS_OK;
  }
  clrs__queues gone = {.count = 0};
  clrs_status status = CLRS_OK;
  pthread_mutex_lock(&context->pool.lock);
  if (!is_given_up(context, allocation)) {
    status = clrs__allocation_add_queue(allocation, queue, &gone, error);
  }
  pthread_mutex_unlock(&context->pool.lock);
  clrs__queues_release(&gone);
  return status;
}

clrs_status clrs__allocation_use_until(clrs_context *context, clrs__allocation *allocation,
                                       cl_uint count, const cl_event *events, clrs_error *error) {
  if (!allocation->is_tracked) {
    return CLRS_OK; /* OpenCL keeps the buffer for its commands */
  }
  pthread_mutex_lock(&context->pool.lock);
  const clrs_status status = clrs__allocation_await(allocation, count, events, error);
  pthread_mutex_unlock(&context->pool.lock);
  return status;
}

/* ---- the end ---- */

/* To the caller's allocator. A driver that refuses a marker is waited for. */
static void give_back(const clrs_allocator *allocator, clrs__allocation *allocation) {
  if (!clrs__allocation_mark(allocation)) {
    for (size_t i = 0; i < allocation->others.count; i++) {
      clFinish(allocation->others.list[i]);
    }
    if (allocation->home != NULL) {
      clFinish(allocation->home);
    }
  }
  allocator->release(allocator->user_data, &allocation->storage, (cl_uint)allocation->event_count,
                     allocation->event_count > 0 ? allocation->events : NULL);
  clrs__allocation_free(allocation);
}

void clrs__allocation_end(clrs_context *context, clrs__allocation *allocation) {
  if (context->allocator.release != NULL) {
    give_back(&context->allocator, allocation);
  } else if (allocation->home == NULL) {
    clrs__allocation_destroy(allocation);
  } else {
    clrs__pool_keep(&context->pool, allocation);
  }
}
