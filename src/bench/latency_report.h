/*
 * What `clreshape bench --latency` found, and what of it has a file of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "report.h"
#include "setup.h"

enum { LATENCY_MOST_ROWS = 32 };

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

/* A row of so many samples, which are sorted. */
void latency_add(latency_report *report, const char *name, const char *what, size_t count,
                 double *seconds);
void latency_print(const cli_device_facts *device, const latency_report *report,
                   enum bench_format format);

/* What a thousand small moves cost: as a batch, in one call, one by one, and as one copy of the
 * same bytes. Adds rows, and the number of launches. Fails also if a result is wrong. */
clrs_status latency_batch(const bench_setup *setup, latency_report *report, clrs_error *error);

/* What enqueuing 64 appends to caches costs the host, kept and otherwise; and one, and an empty
 * kernel. Adds rows. Fails also if a result is wrong. */
clrs_status latency_appends(const bench_setup *setup, cl_kernel empty, latency_report *report,
                            clrs_error *error);

/* What a result costs with the context's pool and without one, beside a destination that is there.
 * Adds rows. Fails also if a result is wrong. */
clrs_status latency_results(const bench_setup *setup, latency_report *report, clrs_error *error);

/* What a call of two launches costs the host while few calls, or many, are pending. Adds rows.
 * Fails also if a result is wrong. */
clrs_status latency_pending(const bench_setup *setup, latency_report *report, clrs_error *error);

/* Host times of the small things: resolve, views, plans, an alias, small moves, new shapes. */
clrs_status bench_latency(bench_setup *setup, enum bench_format format, clrs_error *error);
