/*
 * Bare elements: files and streams without a header. The command line says the type and the shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_header.h"

/* Parses a type and dims, such as "f32,6,8,10". Fails if the elements are no whole bytes, or if
 * their bytes do not fit in 64 bits. The data of the header begins at byte 0. */
clrs_status cli_raw_parse(const char *text, cli_npy_header *header, clrs_error *error);

/* Finds NumPy's type for elements of `dtype`, or else a type named as the library names `dtype`.
 * Fails if the elements are no whole bytes. */
clrs_status cli_raw_type(clrs_dtype dtype, cli_npy_type *type, clrs_error *error);

/* Checks that NumPy has the type, so that a .npy file can hold the elements. */
clrs_status cli_raw_check_npy(const cli_npy_type *type, clrs_error *error);

/* Checks that a file of `size` bytes holds the elements and nothing else. */
clrs_status cli_raw_check_size(const cli_npy_header *header, uint64_t size, clrs_error *error);
