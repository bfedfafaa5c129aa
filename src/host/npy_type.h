/*
 * NumPy's types of elements, as .npy headers write them: any of a fixed width.
 *
 * Those whose numbers the library knows have a type of it. All others - big-endian numbers, long
 * doubles, dates, bytes, strings, raw bytes such as bfloat16's `V2`, and structures of these - are
 * moved by their width: as one unit of 8 to 128 bits, or as several where the width is no such
 * power of two.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_text.h"

#define CLI_NPY_MOST_DESCR 9000 /* bytes; with a shape of any rank it fits into a header */

typedef struct cli_npy_type {
  char descr[CLI_NPY_MOST_DESCR + 1]; /* a type string such as <f4, as NumPy spells it, or a list */
  bool is_utf8;                       /* has it names in UTF-8? Otherwise they are Latin-1 */
  clrs_dtype dtype;                   /* of an element, or of each of its units */
  uint32_t units;                     /* of an element, at least 1 */
  uint32_t element_bytes;
} cli_npy_type;

/* Reads the value of 'descr'. Sets all of *type but is_utf8. */
clrs_status cli_npy_read_type(cli_npy_text *text, cli_npy_type *type, clrs_error *error);

/* Puts the type's name into a message that names the units of the elements, such as bits32. The
 * message then also says why the program does not compute with the type. Other messages stay. */
clrs_status cli_npy_name_type(const cli_npy_type *type, clrs_error *error);

/* NumPy's type of that dtype's elements, if it has one of its own. */
clrs_status cli_npy_type_of(clrs_dtype dtype, cli_npy_type *type, clrs_error *error);
