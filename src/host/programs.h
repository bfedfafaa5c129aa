/*
 * Built programs in files, so that a start needs no compiling. A file is a blob of
 * clrs_context_export_programs. `clreshape warm -o` writes such a file, and the program keeps files
 * in the user's cache folder. The cache folder has one file for each device, processor, driver
 * version and library version, because many machines may share a home folder.
 *
 * The driver runs the code in a file. A file of the cache is therefore read only if the user owns
 * the file and the folder, and nobody else may write to either. Any other file, and a missing,
 * damaged or unwritable cache, is ignored. No command fails because of the cache.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "host.h"
#include "inputs.h"

/* The programs that a command which moves elements loads first: a file of `clreshape warm -o` for
 * this device, or else the user's cache. New programs of the command go to the cache. */
typedef struct cli_programs {
  const char *file; /* of `clreshape warm -o`, or NULL */
  bool no_cache;
  cli_inputs *inputs; /* the command's list, which gets every file that is read here */
  size_t known;       /* number of programs after loading */
} cli_programs;

/* Loads the programs. Messages begin with the file's path. Without a file, fails only if memory is
 * exhausted. */
clrs_status cli_programs_begin(const cli_host *host, cli_programs *programs, clrs_error *error);
/* Saves new programs to the cache. `status` is the result of the command. After a build failure the
 * cache's file is removed, so that the next run builds anew. */
void cli_programs_end(const cli_host *host, const cli_programs *programs, clrs_status status);

/* Saves the built programs to `file`, or to the user's cache if `file` is NULL. For commands whose
 * only purpose is saving: fails if saving fails. */
clrs_status cli_programs_keep(const cli_host *host, const cli_programs *programs, const char *file,
                              clrs_error *error);
