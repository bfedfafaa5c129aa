/*
 * The two ends of a run: .npy files, arrays in .npz archives, or standard input and output. What is
 * a stream is read or written as it comes where the boxes allow it; otherwise it passes through a
 * spool, a file without a name, and so does what goes to an archive or comes from one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy.h"
#include "output.h"
#include "runs.h"

/* ---- where elements come from ---- */

typedef struct cli_source {
  cli_npy_file file;
  int spool;         /* -1 if there is none */
  uint64_t position; /* in the data of a stream */
} cli_source;

#define CLI_SOURCE_INIT                                                                            \
  { .file.fd = -1, .spool = -1 }

clrs_status cli_source_open(const char *path, cli_source *source, clrs_error *error);

/* Takes all of a stream's data into a spool in the folder of the file `near`, or as cli_spool_open
 * has it. Of what is no stream it does nothing. */
clrs_status cli_source_spool(cli_source *source, const char *near, clrs_error *error);

/* From now on its elements are read from here. Lives as long as the source. */
cli_run_file cli_source_elements(cli_source *source);

/* Behind the last read: says so if a stream goes on behind its data. */
clrs_status cli_source_finish(cli_source *source, clrs_error *error);
void cli_source_close(cli_source *source);

/* ---- where they go ---- */

typedef struct cli_sink {
  cli_output output; /* of a file */
  bool is_standard;
  bool is_archive;
  const char *member; /* of an archive: in the path */
  uint64_t kept;      /* bytes of the archive whose other members are kept; 0: there is none */
  int spool;
  uint64_t position; /* of a stream, in all that is written */
  uint64_t header_bytes, data_bytes;
} cli_sink;

#define CLI_SINK_INIT                                                                              \
  { .output = CLI_OUTPUT_INIT, .spool = -1 }

/* As cli_output_open. Standard output must be neither a terminal nor a file that is on the list.
 * The path must live as long as the sink. */
clrs_status cli_sink_open(const char *path, const cli_inputs *inputs, cli_sink *sink,
                          clrs_error *error);

/* Elements will be written in any order: a stream takes a spool. */
clrs_status cli_sink_spool(cli_sink *sink, clrs_error *error);

/* A header, and so many bytes of elements that will follow. */
typedef struct cli_sink_content {
  char header[CLI_NPY_WRITTEN];
  uint64_t header_bytes, data_bytes;
} cli_sink_content;

/* Is there room for both, as far as anybody can tell? */
clrs_status cli_sink_check(const cli_sink *sink, const cli_sink_content *content,
                           clrs_error *error);
/* Writes the header. */
clrs_status cli_sink_begin(cli_sink *sink, const cli_sink_content *content, clrs_error *error);
cli_run_file cli_sink_elements(cli_sink *sink);

/* Gives the file its name, or standard output what is in the spool. */
clrs_status cli_sink_finish(cli_sink *sink, clrs_error *error);
void cli_sink_close(cli_sink *sink);
