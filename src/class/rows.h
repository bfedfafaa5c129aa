/*
 * Rows, as other classes cut and judge them too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_ROWS_H
#define CLRS_CLASS_ROWS_H

#include "chunks.h"

/* For a CPU: cuts a nest whose last two axes are rows and columns, these the fastest ones, into
 * chunks of whole or long rows, of at most so many bytes and rows. */
void clrs__cut_rows(clrs__cut *cut, int64_t most_bytes, int64_t most_rows);

/* For a GPU: has the nest runs that both sides share, be it backwards or of one repeated unit, and
 * that are long enough for either? */
bool clrs__has_long_runs(const clrs__job *job);
/* Per mille, at least 1: how much of the chunks of so many rows and columns is there. */
int64_t clrs__part_in_use(int64_t rows, int64_t chunk_rows, int64_t columns, int64_t chunk_columns);

#endif
