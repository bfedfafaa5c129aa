/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* isatty, fileno */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail.h"
#include "transfer.h"

enum { CHUNK_BYTES = 8 << 20 };
#define SHOW_PROGRESS_FROM ((uint64_t)128 << 20) /* bytes; less is over before one can read it */

typedef struct transfer {
  cl_command_queue queue;
  cl_mem buffer;
  uint64_t begin; /* of the bytes in the buffer */
  const cli_stream *stream;
  bool to_device;
} transfer;

static void show_progress(const transfer *move, uint64_t done) {
  if (move->stream->size < SHOW_PROGRESS_FROM || !isatty(fileno(stderr))) {
    return;
  }
  fprintf(stderr, "\r%s: %3u%% of %" PRIu64 " MiB%s", move->to_device ? "to device" : "from device",
          (unsigned)(done / (move->stream->size / 100)), move->stream->size >> 20,
          done == move->stream->size ? "\n" : "");
}

/* Not the blocking form: it says nothing of a command that failed. */
static clrs_status read_chunk(const transfer *move, uint64_t done, void *staging, size_t size,
                              clrs_error *error) {
  cl_event event = NULL;
  cl_int code = clEnqueueReadBuffer(move->queue, move->buffer, CL_FALSE,
                                    (size_t)(move->begin + done), size, staging, 0, NULL, &event);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clEnqueueReadBuffer");
  }
  CLRS_TRY(cli_host_wait(event, "reading from the device", error));
  return move->stream->chunk(move->stream->user_data, staging, size, error);
}

static clrs_status write_chunk(const transfer *move, uint64_t done, void *staging, size_t size,
                               clrs_error *error) {
  cl_event event = NULL;
  CLRS_TRY(move->stream->chunk(move->stream->user_data, staging, size, error));
  cl_int code = clEnqueueWriteBuffer(move->queue, move->buffer, CL_FALSE,
                                     (size_t)(move->begin + done), size, staging, 0, NULL, &event);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clEnqueueWriteBuffer");
  }
  return cli_host_wait(event, "writing to the device", error);
}

static clrs_status run_transfer(const transfer *move, clrs_error *error) {
  clrs_status status = CLRS_OK;
  uint64_t total = move->stream->size;
  size_t most = total < CHUNK_BYTES ? (size_t)total : CHUNK_BYTES;
  if (total == 0) {
    return CLRS_OK;
  }
  void *staging = malloc(most);
  if (staging == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory for %zu bytes", most);
  }
  for (uint64_t done = 0; done < total && status == CLRS_OK;) {
    size_t size = total - done < most ? (size_t)(total - done) : most;
    status = move->to_device ? write_chunk(move, done, staging, size, error)
                             : read_chunk(move, done, staging, size, error);
    done += size;
    if (status == CLRS_OK) {
      show_progress(move, done);
    }
  }
  if (status == CLRS_OK || cli_host_is_idle(move->queue)) {
    free(staging);
  }
  return status;
}

static clrs_status upload_to(cli_host *host, cl_mem buffer, const clrs_layout *layout,
                             const cli_stream *source, clrs_tensor **tensor, clrs_error *error) {
  transfer move = {host->queue, buffer, 0, source, true};
  clrs_storage storage = {buffer, 0};
  CLRS_TRY(run_transfer(&move, error));
  return clrs_tensor_wrap(host->clreshape, &storage, layout, tensor, error);
}

clrs_status cli_host_buffer(const cli_host *host, uint64_t size, cl_mem *buffer,
                            clrs_error *error) {
  char call[64];
  cl_int code = CL_SUCCESS;
  CLRS_TRY(clrs__check_buffer_size(size, host->report.max_buffer_bytes, error));
  snprintf(call, sizeof call, "clCreateBuffer of %" PRIu64 " bytes", size);
  *buffer = clCreateBuffer(host->context, host->report.buffer_flags, (size_t)size, NULL, &code);
  return *buffer != NULL ? CLRS_OK : clrs__fail_opencl(error, code, call);
}

clrs_status cli_host_upload_stream(cli_host *host, const clrs_layout *layout,
                                   const cli_stream *source, clrs_tensor **tensor,
                                   clrs_error *error) {
  cl_mem buffer = NULL;
  if (source->size == 0) {
    return upload_to(host, NULL, layout, source, tensor, error);
  }
  CLRS_TRY(cli_host_buffer(host, source->size, &buffer, error));
  clrs_status status = upload_to(host, buffer, layout, source, tensor, error);
  clReleaseMemObject(buffer); /* the tensor has its own reference */
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
  const transfer move = {host->queue, bytes.buffer, bytes.offset, destination, false};
  return run_transfer(&move, error);
}

/* Chunks to plain memory. */

static clrs_status put_into_memory(void *user_data, void *bytes, size_t size, clrs_error *error) {
  char **next = user_data;
  (void)error;
  memcpy(*next, bytes, size);
  *next += size;
  return CLRS_OK;
}

clrs_status cli_host_download(cli_host *host, clrs_tensor *tensor, void *bytes, size_t size,
                              clrs_error *error) {
  char *next = bytes;
  cli_stream destination = {put_into_memory, &next, size};
  return cli_host_download_stream(host, tensor, &destination, error);
}
