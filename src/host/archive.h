/*
 * Names of arrays in .npz archives: "A.npz:name", or "A.npz" for the only one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

typedef struct cli_archive_name {
  char path[PATH_MAX]; /* of the archive */
  const char *member;  /* in the name; NULL if it names none */
} cli_archive_name;

/* False if the name is none of an archive, or too long for one. */
bool cli_archive_find(const char *name, cli_archive_name *found);
