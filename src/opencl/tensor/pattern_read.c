/*
 * Reads patterns that lie in a buffer. Waits for the wait list on the calling thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "tail.h"

/* Bytes of the pattern. Returns 0 for a pattern that is too long or too wide for any dialect, which
 * is refused later. */
static uint64_t pattern_bytes(const clrs_pattern_tensor *tensor) {
  const uint64_t width = clrs_dtype_bits(tensor->dtype) / 8;
  const int64_t length = tensor->rank == 0 ? 1 : tensor->dims[0];
  return length < 0 || length > CLRS_MAX_RANK || width > sizeof(int64_t) ? 0
                                                                         : (uint64_t)length * width;
}

static clrs_status check_inside(cl_context context, const clrs_storage *storage, uint64_t bytes,
                                clrs_error *error) {
  clrs__buffer buffer;
  CLRS_TRY(clrs__require(storage->buffer, "storage->buffer", error));
  CLRS_TRY(clrs__buffer_query(context, storage->buffer, &buffer, error));
  const uint64_t size = buffer.end - buffer.begin;
  if (storage->byte_offset > size || bytes > size - storage->byte_offset) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "a pattern of %" PRIu64 " bytes at offset %" PRIu64
                      " leaves its buffer of %" PRIu64 " bytes",
                      bytes, storage->byte_offset, size);
  }
  return CLRS_OK;
}

/* Waits, then checks the event's status, because a blocking read hides a failed producer on some
 * drivers. *over is true once nothing is being written, even if waiting failed. */
static clrs_status wait_for(cl_event event, bool *over, clrs_error *error) {
  const cl_int waited = clWaitForEvents(1, &event);
  cl_int execution = CL_COMPLETE;
  const cl_int asked =
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof execution, &execution, NULL);
  *over = waited == CL_SUCCESS || (asked == CL_SUCCESS && execution <= CL_COMPLETE);
  CLRS_TRY_OPENCL("clWaitForEvents", waited, error);
  CLRS_TRY_OPENCL("clGetEventInfo", asked, error);
  CLRS_TRY_OPENCL("reading the pattern", execution < 0 ? execution : CL_SUCCESS, error);
  return CLRS_OK;
}

static clrs_status take_slot(clrs_context *context, clrs__read_slot **slot, clrs_error *error) {
  clrs__lock_take(&context->lock);
  *slot = clrs__read_slots_take(&context->reads);
  clrs__lock_leave(&context->lock);
  return *slot != NULL
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "%d reads of this context are under way or could not be waited for, and "
                          "no more may be",
                          CLRS__READ_SLOTS);
}

static void give_back(clrs_context *context, clrs__read_slot *slot, cl_event lost) {
  clrs__lock_take(&context->lock);
  clrs__read_slots_give_back(&context->reads, slot, lost);
  clrs__lock_leave(&context->lock);
}

/* A driver that fails to enqueue a read may still have read. That slot is the last to be used
 * again. */
static clrs_status read_bytes(clrs_context *context, const clrs_storage *storage, size_t size,
                              const clrs__tail *tail, unsigned char *bytes, clrs_error *error) {
  clrs__read_slot *slot = NULL;
  cl_event event = NULL;
  bool over = false;
  CLRS_TRY(take_slot(context, &slot, error));
  const cl_int code =
      clEnqueueReadBuffer(tail->queue, storage->buffer, CL_FALSE, (size_t)storage->byte_offset,
                          size, slot->bytes, tail->wait_count, tail->wait_list, &event);
  if (code != CL_SUCCESS) {
    give_back(context, slot, NULL);
    return clrs__fail_opencl(error, code, "clEnqueueReadBuffer");
  }
  const clrs_status status = wait_for(event, &over, error);
  if (over) {
    memcpy(bytes, slot->bytes, size);
    clReleaseEvent(event);
  }
  give_back(context, slot, over ? NULL : event);
  return status;
}

clrs_status clrs_pattern_read_buffer(clrs_context *context, const clrs_rules *rules,
                                     const clrs_storage *storage, clrs_dtype dtype, size_t rank,
                                     const int64_t *dims, clrs_pattern *pattern, const clrs_on *on,
                                     clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, NULL);
  unsigned char bytes[CLRS__READ_BYTES] = {0};
  const clrs_pattern_tensor tensor = {dtype, rank, dims, bytes};
  CLRS_TRY(clrs__require(rules, "rules", error));
  CLRS_TRY(clrs__require(storage, "storage", error));
  CLRS_TRY(clrs__require(pattern, "pattern", error));
  if (rank > 0) {
    CLRS_TRY(clrs__require(dims, "dims", error));
  }
  CLRS_TRY(clrs__tail_check(context, &tail, error));
  const uint64_t size = pattern_bytes(&tensor);
  if (size > 0) {
    CLRS_TRY(check_inside(context->opencl, storage, size, error));
    CLRS_TRY(read_bytes(context, storage, (size_t)size, &tail, bytes, error));
  }
  return clrs_pattern_read(rules->dialect, rules->zero_mode, &tensor, pattern, error);
}
