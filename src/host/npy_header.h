/*
 * The header of NumPy's .npy files: a strict reader which trusts nothing in it before comparing
 * it with the file's real size, and a writer of headers.
 *
 * Read: versions 1.0, 2.0 and 3.0, C and Fortran order, every type of a fixed width. Refused with a
 * sentence: Python objects, and files with fewer bytes than the shape needs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_type.h"

#define CLI_NPY_MAX_HEADER 10000 /* bytes of the header's text; NumPy's own limit */
#define CLI_NPY_MAX_PREFIX (12 + CLI_NPY_MAX_HEADER)
#define CLI_NPY_WRITTEN 9856 /* no header that we write is longer */

typedef struct cli_npy_header {
  cli_npy_type type;
  bool fortran_order;
  clrs_shape shape;
  uint64_t data_offset, data_bytes; /* in the file */
  uint64_t rest_bytes; /* behind the data: NumPy leaves them, and so does this reader */
} cli_npy_header;

/* Of a file whose size nobody knows. */
#define CLI_NPY_ANY_SIZE UINT64_MAX

/* How many bytes of a file, of which the first `size` are known, its header goes on to: all of
 * them, or those that tell. At least 10 bytes do for the first answer. */
size_t cli_npy_prefix(const void *bytes, size_t size);

/* Parses the first `size` bytes of a file of `file_size` bytes. They must hold the whole header:
 * all of the file or CLI_NPY_MAX_PREFIX bytes do. */
clrs_status cli_npy_parse(const void *bytes, size_t size, uint64_t file_size,
                          cli_npy_header *header, clrs_error *error);

/* Says on standard error that bytes behind the array are not read, if there are any. */
void cli_npy_note_rest(const char *name, const cli_npy_header *header);

/* Of the elements, in elements, of the type's dtype. Fortran order is a layout like any other. */
clrs_status cli_npy_layout(const cli_npy_header *header, clrs_layout *layout, clrs_error *error);

/* Writes a header for row-major data of that type, of version 1.0, or 3.0 for names in UTF-8.
 * Returns its length, a multiple of 64. */
size_t cli_npy_format(const cli_npy_type *type, const clrs_shape *shape,
                      char text[CLI_NPY_WRITTEN]);
