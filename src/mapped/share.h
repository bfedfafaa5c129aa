/*
 * How a piece of a mapped move is shared out among work-items: by rows in chunks for CPUs, or an
 * element at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pass.h"

/* The piece as a kernel takes it. */
typedef struct clrs__mapped_share {
  const clrs__mapped_pass *pass;
  clrs__nest nest;
  uint32_t run_axes;
  int64_t run, rows, period, chunk_rows, chunk_columns, row_chunks, column_chunks;
  int64_t reach; /* elements of the run that the rows are parts of; 0: rows are whole */
  int64_t work, per_item;
  int64_t starts[CLRS__MOST_OPERANDS]; /* elements from where the buffer is entered */
} clrs__mapped_share;

/* By rows of which kind? */
clrs__mapped_geometry clrs__share_rows(clrs__mapped_share *share);

void clrs__share_elements(clrs__mapped_share *share);
