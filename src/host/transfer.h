/*
 * Bytes to the device and back, a chunk at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "host.h"

/* A new buffer, with its memory. */
clrs_status cli_host_buffer(const cli_host *host, uint64_t size, cl_mem *buffer, clrs_error *error);

/* Copies `size` bytes, which must be those of all elements, of a tensor whose layout is dense and
 * begins at a whole byte, wherever that is. Anything else is CLRS_INVALID_ARGUMENT: materialize it
 * with CLRS_COPY_ALWAYS first. Every command that writes the tensor must have completed. */
clrs_status cli_host_download(cli_host *host, clrs_tensor *tensor, void *bytes, size_t size,
                              clrs_error *error);

/* What gives or takes one chunk after the other, such as a file. `chunk` fills, or consumes,
 * exactly `size` bytes, or fails. */
typedef clrs_status (*cli_chunk_fn)(void *user_data, void *bytes, size_t size, clrs_error *error);

typedef struct cli_stream {
  cli_chunk_fn chunk;
  void *user_data;
  uint64_t size; /* bytes in all */
} cli_stream;

/* A new tensor with a copy of the stream's bytes in a new buffer of its size, which may be 0 for a
 * layout without elements (then there is no buffer). Returns when the bytes are on the device. */
clrs_status cli_host_upload_stream(cli_host *host, const clrs_layout *layout,
                                   const cli_stream *source, clrs_tensor **tensor,
                                   clrs_error *error);
/* As cli_host_download. */
clrs_status cli_host_download_stream(cli_host *host, clrs_tensor *tensor,
                                     const cli_stream *destination, clrs_error *error);

/* Is the tensor's layout dense row-major from a whole byte on, so that it can be downloaded? */
bool cli_host_is_dense(const clrs_tensor *tensor);
