/*
 * The program's own files of built kernels, in the user's cache folder: a second run compiles
 * nothing. There is a file for each device, processor, version of its driver and version of the
 * library: a home folder may be that of many machines.
 *
 * A file is code that the driver will run. So it is read only if the user owns it and the folder,
 * and nobody else may write either; it appears whole or not at all. Whatever is not so, is missing,
 * damaged or cannot be written, is as if there were no cache: nothing fails because of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "host.h"
#include "inputs.h"

/* Gives the host's library the programs of its file, if there is one, and puts the file on the
 * list. Fails only if there is no memory for the list. */
clrs_status cli_program_cache_load(const cli_host *host, cli_inputs *inputs, clrs_error *error);
/* Writes those that the library has now, if they are more than `known`. Who has another purpose
 * ignores a failure. */
clrs_status cli_program_cache_save(const cli_host *host, size_t known, clrs_error *error);
/* After programs did not build: the next run does without what is in the file. */
void cli_program_cache_remove(const cli_host *host);
