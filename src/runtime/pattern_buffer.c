/*
 * Patterns that live in a buffer: read, after their wait list, while the calling thread waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "context.h"

enum { MAX_PATTERN_BYTES = CLRS_MAX_RANK * (int)sizeof(int64_t) };

/* Bytes of the pattern; what is too long for any dialect is read as nothing and refused later. */
static uint64_t pattern_bytes(const clrs_pattern_tensor *tensor) {
  const uint64_t width = clrs_dtype_bits(tensor->dtype) / 8;
  const int64_t length = tensor->rank == 0 ? 1 : tensor->dims[0];
  return length < 0 || length > CLRS_MAX_RANK ? 0 : (uint64_t)length * width;
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

/* A blocking read would hide a failed producer on some drivers; the event's status does not. */
static clrs_status wait_for(cl_event event, clrs_error *error) {
  const cl_int waited = clWaitForEvents(1, &event);
  cl_int execution = CL_COMPLETE;
  const cl_int asked =
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof execution, &execution, NULL);
  clReleaseEvent(event);
  CLRS_TRY_OPENCL("clWaitForEvents", waited, error);
  CLRS_TRY_OPENCL("clGetEventInfo", asked, error);
  CLRS_TRY_OPENCL("reading the pattern", execution < 0 ? execution : CL_SUCCESS, error);
  return CLRS_OK;
}

clrs_status clrs_pattern_read_buffer(clrs_context *context, const clrs_pattern *rules,
                                     const clrs_storage *storage, const clrs_pattern_tensor *tensor,
                                     clrs_pattern *pattern, cl_command_queue queue,
                                     cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(rules, "rules", error));
  CLRS_TRY(clrs__require(storage, "storage", error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(pattern, "pattern", error));
  if (tensor->rank > 0) {
    CLRS_TRY(clrs__require(tensor->dims, "dims", error));
  }
  CLRS_TRY(
      clrs__context_check_queue(context, queue, num_events_in_wait_list, event_wait_list, error));
  unsigned char bytes[MAX_PATTERN_BYTES] = {0};
  const uint64_t size = pattern_bytes(tensor);
  if (size > 0) {
    cl_event event = NULL;
    CLRS_TRY(check_inside(clrs__context_opencl(context), storage, size, error));
    CLRS_TRY_OPENCL("clEnqueueReadBuffer",
                    clEnqueueReadBuffer(queue, storage->buffer, CL_FALSE,
                                        (size_t)storage->byte_offset, (size_t)size, bytes,
                                        num_events_in_wait_list, event_wait_list, &event),
                    error);
    CLRS_TRY(wait_for(event, error));
  }
  clrs_pattern_tensor host = *tensor;
  host.data = bytes;
  return clrs_pattern_read(rules->dialect, rules->zero_mode, &host, pattern, error);
}
