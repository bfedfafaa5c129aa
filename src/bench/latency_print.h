/*
 * What `clreshape bench --latency` found, printed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "print_table.h"
#include "setup.h"

enum { LATENCY_MOST_ROWS = 24 };

typedef struct latency_row {
  const char *name, *what;
  double median, least, most; /* seconds */
} latency_row;

typedef struct latency_report {
  size_t row_count;
  latency_row rows[LATENCY_MOST_ROWS];
  size_t batch_moves, batch_launches;
  size_t new_shapes, programs_built; /* how many were moved, and what was compiled for them */
} latency_report;

void latency_print(const bench_device *device, const latency_report *report,
                   enum bench_format format);
