/*
 * Reads a whole file into memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

typedef struct cli_contents {
  uint8_t *bytes; /* to be freed */
  size_t size;
} cli_contents;

/* Reads a regular file of less than 2 GiB, protobuf's limit. Messages begin with the path. */
clrs_status cli_read_whole(const char *path, cli_contents *file, clrs_error *error);
/* Reads an open file in the same way. The file stays open. */
clrs_status cli_read_opened(int fd, const char *path, cli_contents *file, clrs_error *error);
