/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fail.h"
#include "progress.h"

enum { CHUNK_BYTES = 8 << 20 };

typedef struct transfer {
  cl_command_queue queue;
  cl_mem buffer;
  uint64_t begin; /* byte offset in the buffer */
  const cli_stream *stream;
} transfer;

clrs_status cli_host_buffer(const cli_host *host, uint64_t size, cl_mem *buffer,
                            clrs_error *error) {
  char call[64];
  cl_int code = CL_SUCCESS;
  CLRS_TRY(clrs__check_buffer_size(size, host->report.max_buffer_bytes, error));
  snprintf(call, sizeof call, "clCreateBuffer of %" PRIu64 " bytes", size);
  *buffer = clCreateBuffer(host->context, host->report.buffer_flags, (size_t)size, NULL, &code);
  return *buffer != NULL ? CLRS_OK : clrs__fail_opencl(error, code, call);
}

static clrs_status fetch_into(cli_host *host, clrs_tensor *tensor, size_t size, void *memory,
                              clrs_error *error) {
  cl_event event = NULL;
  CLRS_TRY(
      clrs_enqueue_read(tensor, memory, size, &(clrs_on){.queue = host->queue}, &event, error));
  return cli_host_wait(event, "reading from the device", error);
}

clrs_status cli_host_fetch(cli_host *host, clrs_tensor *tensor, size_t size, void **bytes,
                           clrs_error *error) {
  void *memory = malloc(size > 0 ? size : 1);
  if (memory == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory for %zu bytes", size);
  }
  const clrs_status status = fetch_into(host, tensor, size, memory, error);
  if (status == CLRS_OK) {
    *bytes = memory;
  } else if (cli_host_is_idle(host->queue)) {
    free(memory);
  }
  return status;
}

/* Reads a chunk without the blocking flag, because a blocking read does not report a failed
 * command. */
static clrs_status read_chunk(const transfer *move, uint64_t done, void *staging, size_t size,
                              clrs_error *error) {
  cl_event event = NULL;
  const cl_int code =
      clEnqueueReadBuffer(move->queue, move->buffer, CL_FALSE, (size_t)(move->begin + done), size,
                          staging, 0, NULL, &event);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clEnqueueReadBuffer");
  }
  CLRS_TRY(cli_host_wait(event, "reading from the device", error));
  return move->stream->chunk(move->stream->user_data, staging, size, error);
}

static clrs_status read_chunks(const transfer *move, void *staging, size_t most,
                               clrs_error *error) {
  const uint64_t total = move->stream->size;
  cli_progress progress;
  cli_progress_start(&progress, total);
  for (uint64_t done = 0; done < total;) {
    const size_t size = total - done < most ? (size_t)(total - done) : most;
    CLRS_TRY(read_chunk(move, done, staging, size, error));
    done += size;
    cli_progress_add(&progress, size);
  }
  return CLRS_OK;
}

static clrs_status run_transfer(const transfer *move, clrs_error *error) {
  const uint64_t total = move->stream->size;
  const size_t most = total < CHUNK_BYTES ? (size_t)total : CHUNK_BYTES;
  if (total == 0) {
    return CLRS_OK;
  }
  void *staging = malloc(most);
  if (staging == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory for %zu bytes", most);
  }
  const clrs_status status = read_chunks(move, staging, most, error);
  if (status == CLRS_OK || cli_host_is_idle(move->queue)) {
    free(staging);
  }
  return status;
}

bool cli_host_is_dense(const clrs_tensor *tensor) {
  const clrs_view *view = clrs_tensor_view(tensor);
  const uint64_t bits = clrs_dtype_bits(view->dtype);
  clrs_layout layout;
  int64_t count = 0;
  if (clrs_shape_count(&view->shape, &count, NULL) != CLRS_OK || count == 0) {
    return count == 0;
  }
  return clrs_view_layout(view, &layout, NULL) == CLRS_OK && clrs_layout_is_dense(&layout) &&
         (uint64_t)layout.offset * bits % 8 == 0;
}

clrs_status cli_host_download_stream(cli_host *host, clrs_tensor *tensor,
                                     const cli_stream *destination, clrs_error *error) {
  clrs_byte_range bytes;
  if (!cli_host_is_dense(tensor)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the tensor is not dense in its buffer, so it cannot be read as it is");
  }
  CLRS_TRY(clrs_tensor_bytes(tensor, &bytes, error));
  if (bytes.size != destination->size) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%" PRIu64 " bytes were asked of a tensor of %zu", destination->size,
                      bytes.size);
  }
  const transfer move = {host->queue, bytes.buffer, bytes.offset, destination};
  return run_transfer(&move, error);
}
