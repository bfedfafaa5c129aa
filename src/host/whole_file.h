/*
 * A whole file in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

typedef struct cli_contents {
  uint8_t *bytes; /* to be freed */
  size_t size;
} cli_contents;

/* A regular file of less than 2 GiB, as a protobuf message is. Messages begin with the path. */
clrs_status cli_read_whole(const char *path, cli_contents *file, clrs_error *error);
/* The same of one that is open, and stays so. */
clrs_status cli_read_opened(int fd, const char *path, cli_contents *file, clrs_error *error);
