/*
 * What the times of a benchmark say: speeds, fractions of the copy, and means of many cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "measure.h"

/* One case after its run. */
typedef struct bench_row {
  const bench_case *given;
  bench_result result;
  bool failed; /* only `message` is set */
  char message[1024];
} bench_row;

typedef struct bench_report {
  bench_device device;
  char date[32]; /* ISO 8601, UTC */
  size_t count;
  bench_row *rows;
} bench_report;

double bench_gbps(const bench_result *result);
double bench_copy_gbps(const bench_result *result);
double bench_fraction(const bench_result *result);
/* Does the row count in means? It moved bytes, and every one was right. */
bool bench_counts(const bench_row *row);

/* Over the rows whose suite or class is `name`; over all for NULL. */
typedef struct bench_summary {
  size_t count;
  double geomean, least;  /* 0 if count is 0 */
  double fifth;           /* percentile: 5 of 100 rows are below; of few rows the least */
  const bench_row *worst; /* NULL if count is 0 */
} bench_summary;

enum bench_group { BENCH_ALL, BENCH_SUITE, BENCH_CLASS };

const char *bench_group_name(const bench_row *row, enum bench_group group);
bench_summary bench_summarize(const bench_report *report, enum bench_group group, const char *name);
/* Is the row the first of its suite or class? So one walks the groups. */
bool bench_is_first_of(const bench_report *report, size_t row, enum bench_group group);
