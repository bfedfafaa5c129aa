/*
 * The contents of a benchmark case's buffers: the source, and the destination as it must be after
 * the move. The destination is computed from the case's numbers by nested counting. The computation
 * judges the library's views and plans, and therefore shares no code with views and plans.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "case.h"

/* Bytes from the start of a buffer to the end of the highest element of the layout. */
clrs_status bench_storage_bytes(const clrs_layout *layout, uint64_t *bytes, clrs_error *error);

/* Fills `bytes` bytes with elements from position 0 on. Each element depends only on its position,
 * and neighbours differ strongly. */
void bench_fill_source(clrs_dtype dtype, void *image, uint64_t bytes);

/* Writes every element of the destination into its image, and nothing else. */
void bench_write_expected(const bench_case *given, void *image);
