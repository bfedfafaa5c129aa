/*
 * Names of arrays in .npz archives, files of safetensors and GGUF files: "A.npz:name", or "A.npz"
 * for the only array.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "system.h"

typedef enum cli_archive_kind { CLI_NPZ, CLI_SAFETENSORS, CLI_GGUF } cli_archive_kind;

typedef struct cli_archive_name {
  cli_archive_kind kind;
  char path[CLI_PATH_BYTES]; /* path of the archive */
  const char *member;        /* inside `name`, or NULL if `name` names no member */
} cli_archive_name;

/* Returns false if the name names no archive, or is too long for a path. */
bool cli_archive_find(const char *name, cli_archive_name *found);
