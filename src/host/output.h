/*
 * Output files that appear complete or not at all. A file is written without a name, or under a
 * temporary name in the same folder, and gets the real name in one step. All files of a command
 * appear together or not at all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <clreshape/plan.h>

#include "target.h"
#include "temporary.h"

typedef struct cli_output {
  int fd;
  cli_target target;
  const cli_inputs *inputs;
  cli_temporary *temporary; /* the name until the commit */
  cli_temporary *old;       /* during a commit: the replaced file, under a second name */
  bool is_named;            /* has the file the temporary name yet? */
  bool is_moved;            /* has the old file only the second name? */
  bool is_placed;
} cli_output;

#define CLI_OUTPUT_INIT                                                                            \
  { .fd = -1 }

/* Fails as cli_target_find does, or if the folder cannot be written. A new file gets the
 * permissions of the file that will be replaced before the first byte is written. The list of
 * inputs may grow until the output is committed or closed, and must live until then. */
clrs_status cli_output_open(const char *path, const cli_inputs *inputs, cli_output *output,
                            clrs_error *error);
/* Opens a file that only the caller may read and write, in a folder that only the caller may use.
 * Any file of that name is replaced, except a folder. */
clrs_status cli_output_open_private(const char *path, cli_output *output, clrs_error *error);
clrs_status cli_output_write(const cli_output *output, const void *bytes, size_t size,
                             clrs_error *error);
/* Checks that the file system has room for `size` bytes. The answer may be wrong a moment later. */
clrs_status cli_output_check_room(const cli_output *output, uint64_t size, clrs_error *error);

/* Gives all files the real names, or none, and replaces files of these names. A file that has
 * become an input is not replaced. After a failure the names lead to the old files. If restoring an
 * old file fails too, the message says under which name the old file is.
 *
 * No file system renames several files in one step. Meanwhile, new files may be visible beside old
 * files, and the mixture stays after a SIGKILL or a power failure. The outputs end in the state of
 * CLI_OUTPUT_INIT, also on failure. */
clrs_status cli_output_commit(cli_output *outputs, size_t count, clrs_error *error);

/* Discards an output that was not committed. Allowed at any time after CLI_OUTPUT_INIT. */
void cli_output_close(cli_output *output);
