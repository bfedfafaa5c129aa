/*
 * Shares a piece of a mapped move among work-items: chunks of rows for CPUs, or single elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pass.h"

/* The piece in the form of a kernel. */
typedef struct clrs__mapped_share {
  const clrs__mapped_pass *pass;
  clrs__nest nest;
  uint32_t run_axes;
  uint32_t mixes;  /* as in the launch's key */
  uint32_t colors; /* number of a mixed pixel, 0 for grey. Colours fix the run */
  int64_t run, rows, period, chunk_rows, chunk_columns, row_chunks, column_chunks;
  int64_t reach; /* elements of the run that is cut into rows, 0 if rows are whole */
  int64_t work, per_item;
  int64_t starts[CLRS__MOST_OPERANDS]; /* elements from the start in the buffer */
} clrs__mapped_share;

/* Shares the piece by rows, and returns the kind of rows. */
clrs__mapped_geometry clrs__share_rows(clrs__mapped_share *share);

void clrs__share_elements(clrs__mapped_share *share);

/* Orders the axes, the fastest first. */
void clrs__share_reverse(clrs__mapped_share *share);
/* Splits a loop into two. The inner loop takes `steps` steps, and the last step of the outer loop
 * may lead beyond the end. */
void clrs__split_loop(clrs__nest *nest, uint32_t at, int64_t steps);
