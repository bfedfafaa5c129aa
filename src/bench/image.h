/*
 * What the buffers of a benchmark case hold: the source's content, and the destination's as it must
 * be after the move. The second is computed from the case's own numbers with nested counting, and
 * shares nothing with the views and plans of the library, which it judges.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "case.h"

/* Bytes from the start of a buffer to the end of the highest element of the layout. */
clrs_status bench_storage_bytes(const clrs_layout *layout, uint64_t *bytes, clrs_error *error);

/* Fills `bytes` bytes with elements from position 0 on; each depends on its position only, and
 * nearby ones are unlike each other. */
void bench_fill_source(clrs_dtype dtype, void *image, uint64_t bytes);

/* Writes every element of the destination into its image, and nothing else. */
void bench_write_expected(const bench_case *given, void *image);
