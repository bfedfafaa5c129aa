/*
 * An open .npy file, at the first byte of the data. The file may also be standard input, whose name
 * is "-", or an array extracted from an .npz archive, whose name is as in archive.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_header.h"

typedef struct cli_npy_file {
  int fd;
  const char *name; /* for messages: the path, or "standard input" */
  bool is_standard; /* is the file standard input? */
  bool is_stream;   /* can the file only be read in order? The size is then unknown */
  cli_npy_header header;
} cli_npy_file;

/* Is `path` "-", the name of standard input and output? */
bool cli_is_standard(const char *path);

/* Opens a regular file and parses the header. fd stands at the first byte of the data. Messages
 * begin with the name. On failure nothing stays open. Standard input may be anything but a
 * terminal. Reading from a stream stops behind the header. `path` must live as long as the file. */
clrs_status cli_npy_open(const char *path, cli_npy_file *file, clrs_error *error);
void cli_npy_close(cli_npy_file *file);
