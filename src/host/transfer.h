/*
 * Copies bytes from the device into memory, or chunk by chunk to a function.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "host.h"

/* Creates a buffer of `size` bytes. */
clrs_status cli_host_buffer(const cli_host *host, uint64_t size, cl_mem *buffer, clrs_error *error);

/* Reads the elements of a tensor, dense and row-major, into new memory of `size` bytes. `size` must
 * be the bytes of all elements. The caller frees *bytes. All commands that write the tensor must
 * have completed. On failure *bytes is unchanged. */
clrs_status cli_host_fetch(cli_host *host, clrs_tensor *tensor, size_t size, void **bytes,
                           clrs_error *error);

/* Takes one chunk after the other, for example into a file. `chunk` consumes exactly `size` bytes
 * or fails. */
typedef clrs_status (*cli_chunk_fn)(void *user_data, void *bytes, size_t size, clrs_error *error);

typedef struct cli_stream {
  cli_chunk_fn chunk;
  void *user_data;
  uint64_t size; /* bytes in all */
} cli_stream;

/* Copies the bytes of a tensor to the stream. The tensor must have exactly the stream's number of
 * bytes. The layout must be dense and begin at a whole byte, at any offset. Returns
 * CLRS_INVALID_ARGUMENT for other layouts: materialize the tensor with CLRS_COPY_ALWAYS first. All
 * commands that write the tensor must have completed. */
clrs_status cli_host_download_stream(cli_host *host, clrs_tensor *tensor,
                                     const cli_stream *destination, clrs_error *error);

/* Is the tensor's layout dense and row-major from a whole byte on, as a download needs? */
bool cli_host_is_dense(const clrs_tensor *tensor);
