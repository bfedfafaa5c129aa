/*
 * The tables of a batch: each is one launch and says what every row of its grid moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "plan_command.h"

typedef struct clrs__table {
  clrs__variant variant;
  clrs__fill_value value; /* of one that fills */
  uint32_t buffer_count;  /* at least 1 */
  cl_mem buffers[CLRS_BATCH_BUFFERS];
  size_t global[2], group[2];
  uint64_t bytes_written;
  size_t entry_bytes, count, capacity; /* capacity in entries */
  unsigned char *entries;              /* until they have been uploaded */
  cl_mem uploaded;
} clrs__table;

typedef struct clrs__tables {
  size_t count, capacity;
  size_t closed; /* how many of them, from the first on, are commands and take no more rows */
  clrs__table *tables;
} clrs__tables;

/* A move of more bytes gains nothing from company, and its work-items would keep others waiting. */
enum { CLRS__TABLE_MOST_BYTES = 1 << 20 };

/* Adds each launch of the plan as a row of a table, or, of a plan that gains nothing from company,
 * to the commands. A fill reads no source, and writes the value of the commands. */
clrs_status clrs__tables_add(clrs__tables *tables, clrs__commands *commands, const clrs_plan *plan,
                             const clrs_plan_buffers *buffers, clrs_error *error);

/* Puts the tables since the last call into device memory; each is then one of the commands, and
 * must outlive them. */
clrs_status clrs__tables_close(clrs__tables *tables, clrs__commands *commands, clrs_error *error);
void clrs__tables_destroy(clrs__tables *tables);
