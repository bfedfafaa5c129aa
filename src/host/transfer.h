/*
 * Bytes from the device: into memory, or a chunk at a time to whatever takes them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "host.h"

/* A new buffer, with its memory. */
clrs_status cli_host_buffer(const cli_host *host, uint64_t size, cl_mem *buffer, clrs_error *error);

/* The elements of a tensor, dense and row-major, in new memory of `size` bytes, which must be those
 * of all elements; *bytes is to be freed. Every command that writes the tensor must have completed.
 * On failure *bytes is not written. */
clrs_status cli_host_fetch(cli_host *host, clrs_tensor *tensor, size_t size, void **bytes,
                           clrs_error *error);

/* What takes one chunk after the other, such as a file. `chunk` consumes exactly `size` bytes, or
 * fails. */
typedef clrs_status (*cli_chunk_fn)(void *user_data, void *bytes, size_t size, clrs_error *error);

typedef struct cli_stream {
  cli_chunk_fn chunk;
  void *user_data;
  uint64_t size; /* bytes in all */
} cli_stream;

/* Copies the bytes of a tensor, which must be as many as the stream takes. Its layout is dense and
 * begins at a whole byte, wherever that is; anything else is CLRS_INVALID_ARGUMENT: materialize it
 * with CLRS_COPY_ALWAYS first. Every command that writes the tensor must have completed. */
clrs_status cli_host_download_stream(cli_host *host, clrs_tensor *tensor,
                                     const cli_stream *destination, clrs_error *error);

/* Is the tensor's layout dense row-major from a whole byte on, so that it can be downloaded? */
bool cli_host_is_dense(const clrs_tensor *tensor);
