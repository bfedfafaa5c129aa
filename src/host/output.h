/*
 * Output files that appear complete or not at all: each is written without a name, or under a
 * temporary one in the same folder, and takes its real name in one step. Those of one command
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
  cli_temporary *temporary; /* its name until it has its real one */
  cli_temporary *old;       /* during a commit: what it replaces, under a name of its own */
  bool is_named;            /* has it the temporary name yet? */
  bool is_moved;            /* is the old file only there, not also where it was? */
  bool is_placed;
} cli_output;

#define CLI_OUTPUT_INIT                                                                            \
  { .fd = -1 }

/* Fails as cli_target_find does, or if the folder cannot be written. A file that is replaced leaves
 * its permissions to the new one, which has them before its first byte. The list of inputs may grow
 * until the output is committed or closed, and lives until then. */
clrs_status cli_output_open(const char *path, const cli_inputs *inputs, cli_output *output,
                            clrs_error *error);
/* For a file that the caller alone may read and write, in a folder that is the caller's alone. What
 * has the name is replaced whatever it is, but a folder. */
clrs_status cli_output_open_private(const char *path, cli_output *output, clrs_error *error);
clrs_status cli_output_write(const cli_output *output, const void *bytes, size_t size,
                             clrs_error *error);
/* Has the file system room for so many bytes? It may say so and be wrong a moment later. */
clrs_status cli_output_check_room(const cli_output *output, uint64_t size, clrs_error *error);

/* Gives the files their names, replacing files of these names: all of them or none. A file that has
 * become an input is not replaced. After a failure
 * the names stand for what they stood for before, unless that fails too; then the message says
 * under which name the old file is. No file system does several files in one step: whoever looks
 * meanwhile may see new ones beside old ones, and so does everybody after a SIGKILL or a power
 * failure in between. Ends in the state of CLI_OUTPUT_INIT, also on failure. */
clrs_status cli_output_commit(cli_output *outputs, size_t count, clrs_error *error);

/* Drops what was not committed. Allowed at any time after CLI_OUTPUT_INIT. */
void cli_output_close(cli_output *output);
