/*
 * Patterns that live in a buffer: read, after their wait list, while the calling thread waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "poison.h"

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

/* A blocking read would hide a failed producer on some drivers; the event's status does not. *over
 * tells that nothing is written any more, even if waiting failed. */
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

/* A read of so many bytes, and what it waits for. */
typedef struct pattern_read {
  cl_command_queue queue;
  const clrs_storage *storage;
  uint64_t size;
  cl_uint wait_count;
  const cl_event *wait_list;
} pattern_read;

static void CL_CALLBACK free_memory(cl_event event, cl_int status, void *memory) {
  (void)event;
  (void)status;
  free(memory);
}

/* A driver that cannot wait for a command may still carry it out; if it cannot tell either when it
 * has, the memory stays its own. */
static void leave_memory(clrs_context *context, cl_event event, clrs__kept *host) {
  if (clSetEventCallback(event, CL_COMPLETE, free_memory, host) != CL_SUCCESS) {
    CLRS__ABANDON(host);
    clrs__context_count_abandoned(context);
  }
}

static clrs_status enqueue(const pattern_read *read, unsigned char *bytes, cl_event *event,
                           clrs_error *error) {
  CLRS_TRY_OPENCL("clEnqueueReadBuffer",
                  clEnqueueReadBuffer(read->queue, read->storage->buffer, CL_FALSE,
                                      (size_t)read->storage->byte_offset, (size_t)read->size, bytes,
                                      read->wait_count, read->wait_list, event),
                  error);
  return CLRS_OK;
}

/* Into memory of its own, which outlives this call where the read may. */
static clrs_status read_pattern(clrs_context *context, const pattern_read *read,
                                unsigned char *bytes, clrs_error *error) {
  CLRS_TRY(clrs__context_check_abandoned(context, error));
  clrs__kept *host = calloc(1, sizeof *host);
  cl_event event = NULL;
  bool over = false;
  if (host == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a pattern");
  }
  clrs_status status = enqueue(read, host->bytes, &event, error);
  if (status != CLRS_OK) {
    clrs__context_keep(context, host);
    return status;
  }
  status = wait_for(event, &over, error);
  if (over) {
    memcpy(bytes, host->bytes, (size_t)read->size);
    free(host);
  } else {
    leave_memory(context, event, host);
  }
  clReleaseEvent(event);
  return status;
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
  unsigned char bytes[CLRS_MAX_RANK * sizeof(int64_t)] = {0};
  const pattern_read read = {queue, storage, pattern_bytes(tensor), num_events_in_wait_list,
                             event_wait_list};
  if (read.size > 0) {
    CLRS_TRY(check_inside(clrs__context_opencl(context), storage, read.size, error));
    CLRS_TRY(read_pattern(context, &read, bytes, error));
  }
  clrs_pattern_tensor host = *tensor;
  host.data = bytes;
  return clrs_pattern_read(rules->dialect, rules->zero_mode, &host, pattern, error);
}
