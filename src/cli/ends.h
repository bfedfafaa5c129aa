/*
 * The two ends of a run: .npy files, arrays in .npz archives, bare elements, or standard input and
 * output. A stream is read or written directly if the boxes allow the order. Otherwise the bytes
 * pass through a spool, a file without a name. Arrays of archives always pass through a spool.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "archive.h"
#include "npy.h"
#include "output.h"
#include "runs.h"

/* ---- where elements come from ---- */

typedef struct cli_source {
  cli_npy_file file;
  int spool;         /* -1 if there is no spool */
  uint64_t position; /* position in the data of a stream */
} cli_source;

#define CLI_SOURCE_INIT                                                                            \
  { .file.fd = -1, .spool = -1 }

/* `raw` is as in cli_npy_open_as. */
clrs_status cli_source_open(const char *path, const cli_npy_header *raw, cli_source *source,
                            clrs_error *error);

/* Copies all data of a stream to a spool in the folder of the file `near`, or as cli_spool_open
 * chooses. Does nothing if the source is no stream. */
clrs_status cli_source_spool(cli_source *source, const char *near, clrs_error *error);

/* Returns the place from which elements are read. The result lives as long as the source. */
cli_run_file cli_source_elements(cli_source *source);

/* Call after the last read. If a stream continues behind the data, prints a note, or fails if the
 * elements are bare. */
clrs_status cli_source_finish(cli_source *source, clrs_error *error);
void cli_source_close(cli_source *source);

/* ---- where they go ---- */

typedef struct cli_sink {
  cli_output output; /* used for a file or archive */
  bool is_standard;
  bool is_archive;
  cli_archive_kind kind; /* of an archive */
  const char *member;    /* member of the archive, inside the path */
  uint64_t kept;         /* bytes of an archive whose other members are kept, or 0 */
  size_t array_count, array_capacity;
  cli_archive_array *arrays; /* complete arrays for the archive */
  uint64_t at;               /* byte of the spool at which the present array begins */
  int spool;
  uint64_t position; /* position in a stream, counting all written bytes */
  uint64_t header_bytes, data_bytes;
  bool swaps; /* a spool's elements get their bytes exchanged */
  clrs_dtype dtype;
  clrs_shape shape;
} cli_sink;

#define CLI_SINK_INIT                                                                              \
  { .output = CLI_OUTPUT_INIT, .spool = -1 }

/* Opens the sink as cli_output_open does. Standard output must be neither a terminal nor a listed
 * input. The path must live until the sink is finished. A sink that is an archive may be opened
 * again, for another array of the same archive. */
clrs_status cli_sink_open(const char *path, const cli_inputs *inputs, cli_sink *sink,
                          clrs_error *error);

/* Announces that elements are written in any order. A stream then uses a spool. */
clrs_status cli_sink_spool(cli_sink *sink, clrs_error *error);

/* A header, and the number of bytes of elements that follow. */
typedef struct cli_sink_content {
  char header[CLI_NPY_WRITTEN];
  uint64_t header_bytes, data_bytes;
  bool swaps; /* exchange the bytes of each element of 16 bits? */
  clrs_dtype dtype;
  clrs_shape shape;
} cli_sink_content;

/* Checks for room for both, as far as the file system tells. */
clrs_status cli_sink_check(const cli_sink *sink, const cli_sink_content *content,
                           clrs_error *error);
/* Writes the header. */
clrs_status cli_sink_begin(cli_sink *sink, const cli_sink_content *content, clrs_error *error);
cli_run_file cli_sink_elements(cli_sink *sink);

/* Completes the output: gives the file the name, or copies the spool to standard output. An array
 * for an archive only becomes complete. */
clrs_status cli_sink_finish(cli_sink *sink, clrs_error *error);

/* Writes the archive with all complete arrays. Does nothing for any other sink. */
clrs_status cli_sink_end(cli_sink *sink, clrs_error *error);
void cli_sink_close(cli_sink *sink);
