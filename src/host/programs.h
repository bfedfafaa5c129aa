/*
 * Built programs in files, for a start without compiling: blobs, as clrs_context_export_programs
 * writes these. A file is one that `clreshape warm -o` wrote, or the program's own in the user's
 * cache folder. There it has one for each device, processor, version of its driver and version of
 * the library: a home folder may be that of many machines.
 *
 * A file is code that the driver will run. So one of the cache is read only if the user owns it and
 * the folder, and nobody else may write either. Whatever is not so, is missing, damaged or cannot
 * be written, is as if there were no cache: nothing fails because of it.
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

/* Messages begin with the file's path. Without a file it fails only if there is no memory. */
clrs_status cli_programs_begin(const cli_host *host, cli_programs *programs, clrs_error *error);
/* `status` is that of the command. After programs that did not build the next run does without what
 * is in the cache. */
void cli_programs_end(const cli_host *host, const cli_programs *programs, clrs_status status);

/* For a command that is there for nothing else: what it has built is in the file, or, if that is
 * NULL, in the user's cache, or the message says why not. */
clrs_status cli_programs_keep(const cli_host *host, const cli_programs *programs, const char *file,
                              clrs_error *error);
