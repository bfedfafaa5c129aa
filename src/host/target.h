/*
 * The target of an output file. Links in the path are followed, and an existing file is checked
 * before the file is replaced.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "inputs.h"

typedef struct cli_target {
  char *path; /* path of the file itself: the last part is no link */
  bool exists;
  cli_file_info info; /* valid if the file exists */
} cli_target;

/* Finds the target. Fails if `path` is empty, a folder or anything but a regular file. Fails if the
 * existing file may not be written, or is an input, by any name or link. A link to a missing file
 * is followed to the place of the missing file. Free *target with cli_target_free in any case.
 * After a failure target->path is NULL. */
clrs_status cli_target_find(const char *path, const cli_inputs *inputs, cli_target *target,
                            clrs_error *error);
void cli_target_free(cli_target *target);

/* Writes the file's folder to `folder`. Returns false if `size` bytes (at least 2) are too few. */
bool cli_target_folder(const cli_target *target, char *folder, size_t size);

/* Are both targets the same file, or will be? For targets of one command. Returns false if the
 * folder is gone. */
bool cli_target_is_same(const cli_target *a, const cli_target *b);
