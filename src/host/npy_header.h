/*
 * The header of NumPy's .npy files: a strict reader which trusts nothing in it before comparing
 * it with the file's real size, and a writer of headers.
 *
 * Read: versions 1.0, 2.0 and 3.0, little-endian, C and Fortran order, every fixed-size numeric
 * type. Refused with a sentence: big-endian, structured, object, string and date types, and files
 * with fewer or more bytes than the shape needs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/core.h>

#define CLI_NPY_MAX_HEADER 10000 /* bytes of the header's text; NumPy's own limit */
#define CLI_NPY_MAX_PREFIX (12 + CLI_NPY_MAX_HEADER)
#define CLI_NPY_WRITTEN 1024 /* no header that we write is longer */

typedef struct cli_npy_header {
  char descr[8]; /* NumPy's type string, such as "<f4" */
  clrs_dtype dtype;
  uint32_t element_bytes;
  bool fortran_order;
  clrs_shape shape;
  uint64_t data_offset, data_bytes; /* in the file */
} cli_npy_header;

/* Parses the first `size` bytes of a file of `file_size` bytes. They must hold the whole header:
 * all of the file or CLI_NPY_MAX_PREFIX bytes do. */
clrs_status cli_npy_parse(const void *bytes, size_t size, uint64_t file_size,
                          cli_npy_header *header, clrs_error *error);

/* Fortran order is a layout like any other. */
clrs_status cli_npy_layout(const cli_npy_header *header, clrs_layout *layout, clrs_error *error);

/* NumPy's type string for elements of this type, if it has one of its own. */
clrs_status cli_npy_descr(clrs_dtype dtype, char descr[8], clrs_error *error);

/* Writes a version 1.0 header for row-major data of type `descr`; its length, a multiple of 64. */
size_t cli_npy_format(const char *descr, const clrs_shape *shape, char text[CLI_NPY_WRITTEN]);
