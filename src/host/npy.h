/*
 * An open .npy file or image, at the first byte of the data. The file may also be standard input,
 * whose name is "-", or an array of an archive, whose name is as in archive.h. An array of an .npz
 * archive is extracted.
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
  bool is_found;    /* was the header found in a file of safetensors or GGUF? */
  bool is_raw;      /* bare elements, behind which nothing may follow */
  cli_npy_header header;
} cli_npy_file;

/* Is `path` "-" or the name that the system has for standard input or output? */
bool cli_is_standard_input(const char *path);
bool cli_is_standard_output(const char *path);

/* Opens a regular file and parses the header. fd stands at the first byte of the data. Messages
 * begin with the name. On failure nothing stays open. Standard input may be anything but a
 * terminal. Reading from a stream stops behind the header. `path` must live as long as the file. */
clrs_status cli_npy_open(const char *path, cli_npy_file *file, clrs_error *error);

/* The same for a file of bare elements as `raw` describes the elements (see raw.h), which is no
 * archive. If `raw` is NULL, the file is a .npy file. */
clrs_status cli_npy_open_as(const char *path, const cli_npy_header *raw, cli_npy_file *file,
                            clrs_error *error);

/* Call after all data of a stream was read. If the stream goes on, prints a note, or fails if the
 * elements are bare. */
clrs_status cli_npy_finish(const cli_npy_file *file, clrs_error *error);
void cli_npy_close(cli_npy_file *file);
