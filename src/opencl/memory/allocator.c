/* SPDX-License-Identifier: Apache-2.0 */
#include "allocator.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 }; /* a line of a CPU's cache, and the longest vector of a kernel */

/* ---- making ---- */

cl_mem clrs__memory_make_buffer(const clrs__memory *memory, size_t bytes, cl_int *code) {
  return clCreateBuffer(memory->context, memory->buffer_flags, bytes, NULL, code);
}

/* If memory is short, idle memory of the pool is released and the allocation is tried again. */
static cl_mem create_pooled(clrs__memory *memory, size_t bytes, cl_int *code) {
  const cl_mem buffer = clrs__memory_make_buffer(memory, bytes, code);
  return buffer == NULL && clrs__pool_trim(&memory->pool, 0)
             ? clrs__memory_make_buffer(memory, bytes, code)
             : buffer;
}

static clrs_status get_memory(clrs__memory *memory, cl_command_queue queue,
                              clrs__allocation *allocation, clrs_error *error) {
  const clrs_allocator *allocator = &memory->allocator;
  const clrs_memory_request request = {memory->context, queue, (size_t)allocation->bytes,
                                       ALIGNMENT};
  clrs_storage storage = {NULL, 0};
  cl_int code = CL_SUCCESS;
  if (allocator->allocate != NULL) {
    code = allocator->allocate(allocator->user_data, &request, &storage);
  } else {
    storage.buffer = create_pooled(memory, request.bytes, &code);
  }
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

static clrs_status make_new(clrs__memory *memory, cl_command_queue queue,
                            clrs__allocation *allocation, clrs_error *error) {
  if (allocation->is_tracked && queue != NULL) {
    CLRS_TRY(clrs__allocation_enter(allocation, queue, error));
  }
  return get_memory(memory, queue, allocation, error);
}

static bool is_pooled(const clrs__memory *memory, cl_command_queue queue) {
  return queue != NULL && memory->allocator.allocate == NULL && memory->pool.limit > 0;
}

clrs_status clrs__allocate(clrs__memory *memory, cl_command_queue queue, uint64_t bytes,
                           clrs__allocation **allocation, clrs_error *error) {
  const bool pooled = is_pooled(memory, queue);
  if (bytes > SIZE_MAX) {
    return clrs__fail(error, CLRS_OVERFLOW, "a buffer of %" PRIu64 " bytes does not fit in size_t",
                      bytes);
  }
  if (pooled && clrs__pool_take(&memory->pool, queue, bytes, allocation)) {
    return CLRS_OK;
  }
  clrs__allocation *made = calloc(1, sizeof *made);
  CLRS_TRY_MEMORY(made, error, "no memory for a tensor");
  made->bytes = bytes;
  made->is_tracked = pooled || memory->allocator.release != NULL;
  const clrs_status status = make_new(memory, queue, made, error);
  if (status != CLRS_OK) {
    clrs__allocation_free(made);
    return status;
  }
  if (pooled) {
    clrs__pool_count_new(&memory->pool, bytes);
  }
  *allocation = made;
  return CLRS_OK;
}

/* ---- using ---- */

/* Returns true if the pool will not keep the memory, because no marker can tell when the queues
 * have finished. The list of queues then does not matter. */
static bool is_given_up(const clrs__memory *memory, const clrs__allocation *allocation) {
  return memory->allocator.release == NULL && !memory->pool.may_mark &&
         allocation->others.count > 0;
}

clrs_status clrs__allocation_use(clrs__memory *memory, clrs__allocation *allocation,
                                 cl_command_queue queue, clrs_error *error) {
  if (!allocation->is_tracked || queue == allocation->home) {
    return CLRS_OK;
  }
  clrs__queues gone = {.count = 0};
  clrs_status status = CLRS_OK;
  clrs__lock_take(&memory->pool.lock);
  if (!is_given_up(memory, allocation)) {
    status = clrs__allocation_add_queue(allocation, queue, &gone, error);
  }
  clrs__lock_leave(&memory->pool.lock);
  clrs__queues_release(&gone);
  return status;
}

clrs_status clrs__allocation_use_until(clrs__memory *memory, clrs__allocation *allocation,
                                       cl_uint count, const cl_event *events, clrs_error *error) {
  if (!allocation->is_tracked) {
    return CLRS_OK; /* OpenCL keeps the buffer for its commands */
  }
  clrs__lock_take(&memory->pool.lock);
  const clrs_status status = clrs__allocation_await(allocation, count, events, error);
  clrs__lock_leave(&memory->pool.lock);
  return status;
}

/* ---- the end ---- */

/* Gives memory back to the caller's allocator. If the driver refuses a marker, waits for the queues
 * instead. */
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

void clrs__allocation_end(clrs__memory *memory, clrs__allocation *allocation) {
  if (memory->allocator.release != NULL) {
    give_back(&memory->allocator, allocation);
  } else if (allocation->home == NULL) {
    clrs__allocation_destroy(allocation);
  } else {
    clrs__pool_keep(&memory->pool, allocation);
  }
}
