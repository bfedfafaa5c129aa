/*
 * A .npy file that is open, at its data.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_header.h"

typedef struct cli_npy_file {
  int fd;
  cli_npy_header header;
} cli_npy_file;

/* Opens a regular file and parses its header; fd stands at the first byte of the data. Messages
 * begin with the path. On failure nothing stays open. */
clrs_status cli_npy_open(const char *path, cli_npy_file *file, clrs_error *error);
void cli_npy_close(cli_npy_file *file);
