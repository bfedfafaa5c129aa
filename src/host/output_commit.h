/*
 * How output files take their names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "output.h"

/* The path through which a file without a name can be given one. */
typedef struct cli_descriptor {
  char text[32];
} cli_descriptor;

cli_descriptor cli_descriptor_path(int fd);

/* Gives the files their names, replacing files of these names: all of them or none. After a failure
 * the names stand for what they stood for before, unless that fails too; then the message says
 * under which name the old file is. No file system does several files in one step: whoever looks
 * meanwhile may see new ones beside old ones, and so does everybody after a SIGKILL or a power
 * failure in between. Ends in the state of CLI_OUTPUT_INIT, also on failure. */
clrs_status cli_output_commit(cli_output *outputs, size_t count, clrs_error *error);
