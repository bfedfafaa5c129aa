/*
 * NumPy's types of elements, as .npy headers write the types: all types of a fixed width.
 *
 * If the library has the same number type, an element gets the library's type. All other elements
 * are moved as bits: big-endian numbers, long doubles, dates, bytes, strings, raw bytes such as
 * bfloat16's `V2`, and structures. An element is then one unit of 8 to 128 bits, or several units
 * if the width is no power of two.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_text.h"

#define CLI_NPY_MOST_DESCR 9000 /* bytes that fit into a header with any shape */

typedef struct cli_npy_type {
  char descr[CLI_NPY_MOST_DESCR + 1]; /* a type string such as <f4, as NumPy spells it, or a list */
  bool is_utf8;                       /* are names in UTF-8? Otherwise names are Latin-1 */
  clrs_dtype dtype;                   /* type of an element, or of each unit of an element */
  uint32_t units;                     /* units per element, at least 1 */
  uint32_t element_bytes;
} cli_npy_type;

/* Reads the value of 'descr'. Sets all of *type but is_utf8. */
clrs_status cli_npy_read_type(cli_npy_text *text, cli_npy_type *type, clrs_error *error);

/* Puts the type's name into a message that names the units of the elements, such as bits32. The
 * message then also says why the program does not compute with the type. Other messages stay. */
clrs_status cli_npy_name_type(const cli_npy_type *type, clrs_error *error);

/* Finds NumPy's type for elements of `dtype`. Fails if NumPy has no such type. */
clrs_status cli_npy_type_of(clrs_dtype dtype, cli_npy_type *type, clrs_error *error);
