/*
 * Headers of NumPy's .npy files: a strict reader and a writer. The reader compares every claim of a
 * header with the file's real size.
 *
 * Supported: versions 1.0, 2.0 and 3.0, C and Fortran order, every type of a fixed width. Python
 * objects, and files with fewer bytes than the shape needs, are refused with a message.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_type.h"

#define CLI_NPY_MAX_HEADER 10000 /* bytes of the header's text; NumPy's own limit */
#define CLI_NPY_MAX_PREFIX (12 + CLI_NPY_MAX_HEADER)
#define CLI_NPY_WRITTEN 9856 /* bytes of the longest header that is written */

typedef struct cli_npy_header {
  cli_npy_type type;
  bool fortran_order;
  clrs_shape shape;
  uint64_t data_offset, data_bytes; /* in the file */
  uint64_t rest_bytes;              /* behind the data; ignored, as in NumPy */
  bool has_high_first;              /* are elements of 16 bits stored with the high byte first? */
  uint32_t largest;                 /* an image's largest value if it is not the type's, else 0 */
} cli_npy_header;

/* The size of a file of unknown size. */
#define CLI_NPY_ANY_SIZE UINT64_MAX

/* Returns how many bytes from the beginning of the file to read next: the whole header, or as many
 * as tell the header's length. The first `size` bytes are known. The first answer needs no bytes
 * and is 10. */
size_t cli_npy_prefix(const void *bytes, size_t size);

/* Parses the first `size` bytes of a file of `file_size` bytes. The bytes must hold the whole
 * header. The whole file, or CLI_NPY_MAX_PREFIX bytes, suffice. */
clrs_status cli_npy_parse(const void *bytes, size_t size, uint64_t file_size,
                          cli_npy_header *header, clrs_error *error);

/* Prints notes on standard error: if bytes behind the array are not read, and about an image's
 * largest value. */
void cli_npy_note(const char *name, const cli_npy_header *header);

/* Finds the layout of the elements, in units of the type's dtype. Fortran order becomes strides. */
clrs_status cli_npy_layout(const cli_npy_header *header, clrs_layout *layout, clrs_error *error);

/* Writes a header for row-major data of that type: version 1.0, or 3.0 for names in UTF-8. Returns
 * the length, a multiple of 64. */
size_t cli_npy_format(const cli_npy_type *type, const clrs_shape *shape,
                      char text[CLI_NPY_WRITTEN]);
