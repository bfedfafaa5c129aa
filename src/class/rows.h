/*
 * Rows, and functions for other classes that cut or judge rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_ROWS_H
#define CLRS_CLASS_ROWS_H

#include "chunks.h"

/* For a CPU: cuts a nest into chunks of whole or long rows, of at most `most_bytes` bytes and
 * `most_rows` rows. The last two axes of the nest are rows and columns, and columns are the fastest
 * axis. */
void clrs__cut_rows(clrs__cut *cut, int64_t most_bytes, int64_t most_rows);

/* For a GPU: returns true if the nest has runs that both sides share and that are long enough for
 * either side. A run may be backward, or repeat one unit. */
bool clrs__has_long_runs(const clrs__job *job);
/* The used share of chunks of so many rows and columns, per mille, at least 1. */
int64_t clrs__part_in_use(int64_t rows, int64_t chunk_rows, int64_t columns, int64_t chunk_columns);

#endif
