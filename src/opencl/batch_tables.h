/*
 * The tables of a batch: each is one launch and says what every row of its grid moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_BATCH_TABLES_H
#define CLRS_RUNTIME_BATCH_TABLES_H

#include "submit.h"

typedef struct clrs__table {
  clrs__batch_dispatch dispatch;       /* but queue and wait list */
  size_t entry_bytes, count, capacity; /* capacity in entries */
  unsigned char *entries;              /* until they have been uploaded */
} clrs__table;

typedef struct clrs__tables {
  clrs_context *context;
  size_t count, capacity;
  clrs__table *tables;
} clrs__tables;

/* Adds launch `index` of the target's plan to the table of its variant, or to a new one if that is
 * full. */
clrs_status clrs__tables_add(clrs__tables *tables, const clrs__target *target, uint32_t index,
                             clrs_error *error);

/* Builds the kernels and puts the tables into device memory. */
clrs_status clrs__tables_prepare(clrs__tables *tables, clrs_error *error);
void clrs__tables_destroy(clrs__tables *tables);

#endif
