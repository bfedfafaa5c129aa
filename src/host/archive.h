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

/* An array for an archive: a part of a file. */
typedef struct cli_archive_array {
  char *name;        /* or NULL for the name that the format has for a single array */
  uint64_t at, size; /* bytes: a .npy file for an .npz archive, else the elements */
  clrs_dtype dtype;
  clrs_shape shape;
} cli_archive_array;

/* A new archive: arrays, and the arrays of other names of the archive `kept`. */
typedef struct cli_archive_made {
  const char *path; /* for messages */
  int file;         /* the new archive, empty */
  int elements;     /* the file of the arrays */
  const char *kept; /* or NULL */
  size_t count;     /* at least 1. The names differ */
  const cli_archive_array *arrays;
} cli_archive_made;
