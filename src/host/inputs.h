/*
 * The files that a command reads. No output of the command may be an input.
 *
 * A command has one list. Each file is added to the list before the file is read. An output is
 * compared with the list when the output is opened, and again before the output gets a name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "system.h"

struct cli_input;

/* {0} is the empty list. */
typedef struct cli_inputs {
  size_t count, capacity;
  struct cli_input *list;
} cli_inputs;

/* Adds the file of that path, or the archive if the path names an array of an archive. A path
 * without a file adds nothing, because a missing file cannot be overwritten. */
clrs_status cli_inputs_add(cli_inputs *inputs, const char *path, clrs_error *error);

/* Adds a file that is open. `name` is for messages and is copied. */
clrs_status cli_inputs_add_opened(cli_inputs *inputs, int fd, const char *name, clrs_error *error);

/* Returns CLRS_INVALID_ARGUMENT if the file of `info` is on the list, by any name or link. `path`
 * is the name of the output. */
clrs_status cli_inputs_check(const cli_inputs *inputs, const char *path, const cli_file_info *info,
                             clrs_error *error);

void cli_inputs_free(cli_inputs *inputs);
