/*
 * The formats in which `run` writes a result, one row each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_header.h"

typedef struct cli_format {
  const char *name;   /* of --to, or NULL */
  const char *ending; /* end of names that have the format without --to, or NULL */
  /* Checks that the format can hold the elements. NULL: all elements of whole bytes. */
  clrs_status (*check)(const cli_npy_type *type, const clrs_shape *shape, clrs_error *error);
  /* Writes the header and returns its length. NULL: no header. */
  size_t (*format)(const cli_npy_type *type, const clrs_shape *shape, char text[CLI_NPY_WRITTEN]);
  bool has_high_first; /* are elements of 16 bits written with the high byte first? */
} cli_format;

/* Finds the format of that name. Files of safetensors have the format by their ending only. */
clrs_status cli_format_parse(const char *name, const cli_format **format, clrs_error *error);

/* Returns the format by the ending of the path, or of the archive that the path names, or NULL. */
const cli_format *cli_format_of(const char *path);

/* The format of files whose name says nothing. */
const cli_format *cli_format_npy(void);
