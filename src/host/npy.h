/*
 * A .npy file that is open, at its data; or standard input, whose name is "-"; or an array that was
 * taken out of an .npz archive, whose name is as in archive.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_header.h"

typedef struct cli_npy_file {
  int fd;
  const char *name; /* for messages: the path, or "standard input" */
  bool is_standard; /* is it standard input? */
  bool is_stream;   /* is it one that can only be read on? Its size is not known then */
  cli_npy_header header;
} cli_npy_file;

/* Is it "-", which stands for standard input and output? */
bool cli_is_standard(const char *path);

/* Opens a regular file and parses its header; fd stands at the first byte of the data. Messages
 * begin with the name. On failure nothing stays open. Standard input may be anything but a
 * terminal; of a stream nothing behind the header is read. `path` must live as long as the file. */
clrs_status cli_npy_open(const char *path, cli_npy_file *file, clrs_error *error);
void cli_npy_close(cli_npy_file *file);
