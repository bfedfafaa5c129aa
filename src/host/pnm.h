/*
 * PGM and PPM images in binary, P5 and P6, of 8 or 16 bits: headers, a strict reader and a writer.
 * An image is [H,W] or [H,W,3], of u8 or u16.
 *
 * A file has the high byte of 16 bits first, so such elements pass through a spool that exchanges
 * the bytes. Elements are not scaled, also if the image's largest value is not the type's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_header.h"

/* Does an image of this family (P1 to P7) begin here? Two bytes suffice. */
bool cli_pnm_begins(const void *bytes, size_t size);

/* As cli_npy_prefix, for an image. Only the header's last byte tells the header's length, so the
 * answer is one byte more until then. */
size_t cli_pnm_prefix(const void *bytes, size_t size);

/* As cli_npy_parse. Images other than P5 and P6 are refused. */
clrs_status cli_pnm_parse(const void *bytes, size_t size, uint64_t file_size,
                          cli_npy_header *header, clrs_error *error);

/* Checks that a PGM, or a PPM, can hold the elements. */
clrs_status cli_pgm_check(const cli_npy_type *type, const clrs_shape *shape, clrs_error *error);
clrs_status cli_ppm_check(const cli_npy_type *type, const clrs_shape *shape, clrs_error *error);

/* Writes the header of a checked image. Returns the length. */
size_t cli_pnm_format(const cli_npy_type *type, const clrs_shape *shape,
                      char text[CLI_NPY_WRITTEN]);
