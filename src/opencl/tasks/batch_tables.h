/*
 * The tables of a batch. Each table is one launch, and each row of the table describes what one row
 * of the grid moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "plan_command.h"

typedef struct clrs__table {
  clrs__variant variant;
  clrs__fill_value value; /* value of a table that fills */
  uint32_t buffer_count;  /* at least 1 */
  cl_mem buffers[CLRS_BATCH_BUFFERS];
  size_t global[2], group[2];
  uint64_t bytes_written;
  size_t entry_bytes, count, capacity; /* capacity in entries */
  unsigned char *entries;              /* freed after the upload */
  cl_mem uploaded;
} clrs__table;

typedef struct clrs__tables {
  size_t count, capacity;
  size_t closed; /* the first `closed` tables are commands already and take no more rows */
  clrs__table *tables;
} clrs__tables;

/* A larger move gains nothing from sharing a launch, and its work-items would delay the other
 * moves. */
enum { CLRS__TABLE_MOST_BYTES = 1 << 20 };

/* Adds each launch of the plan to a table. A plan that gains nothing from sharing a launch is added
 * to the commands. A fill reads no source and writes the value of the commands. */
clrs_status clrs__tables_add(clrs__tables *tables, clrs__commands *commands, const clrs_plan *plan,
                             const clrs_plan_buffers *buffers, clrs_error *error);

/* Uploads the tables that were added since the last call. Each table becomes a command. The tables
 * must outlive the commands. */
clrs_status clrs__tables_close(clrs__tables *tables, clrs__commands *commands, clrs_error *error);
void clrs__tables_destroy(clrs__tables *tables);
