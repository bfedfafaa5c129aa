/*
 * Built programs in a file: for a start without compiling.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "host.h"
#include "inputs.h"

/* What a command that moves begins with: the programs of a file that `clreshape warm -o` wrote for
 * this device, or else those of the user's cache, which gets what the command has built. */
typedef struct cli_programs {
  const char *file; /* or NULL */
  bool no_cache;
  cli_inputs *inputs; /* of the command: what is read here goes on the list */
  size_t known;       /* how many there were at the beginning */
} cli_programs;

/* Messages begin with the file's path. Without a file it
 * fails only if there is no memory. */
clrs_status cli_programs_begin(const cli_host *host, cli_programs *programs, clrs_error *error);
/* `status` is that of the command. */
void cli_programs_end(const cli_host *host, const cli_programs *programs, clrs_status status);

/* For a command that is there for nothing else: what it has built is in the user's cache, or the
 * message says why not. */
clrs_status cli_programs_keep(const cli_host *host, const cli_programs *programs,
                              clrs_error *error);

/* Those that the host's library has built, to a file. */
clrs_status cli_programs_save(const cli_host *host, const char *path, clrs_error *error);
