/*
 * Lists of names of files, and of arrays in archives.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

typedef struct cli_names {
  size_t count, capacity;
  char **list;
} cli_names;

/* Adds the path, or, if `member` is not NULL, the name of an array of the archive: path:member. A
 * member with a byte 0 is refused, because path:member would name another array. */
clrs_status cli_names_add(cli_names *names, const char *path, const char *member, size_t size,
                          clrs_error *error);
void cli_names_free(cli_names *names);
