/*
 * The results of a benchmark: speeds, fractions of the copy and means of many cases, printed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include "measure.h"

/* One case after its run. */
typedef struct bench_row {
  const bench_case *given;
  bench_result result;
  bool failed; /* only `message` is valid */
  char message[1024];
} bench_row;

typedef struct bench_report {
  cli_device_facts device;
  cli_device_features features;
  char date[32]; /* ISO 8601, UTC */
  size_t count;
  bench_row *rows;
} bench_report;

/* The times for GB/s and fractions, one for each of BENCH_KINDS. */
const bench_spread *bench_times(const bench_result *result);
double bench_gbps(const bench_result *result);
double bench_copy_gbps(const bench_result *result);
double bench_fraction(const bench_result *result);

/* A summary of the rows whose suite or class is `name`, or of all rows if `name` is NULL. */
typedef struct bench_summary {
  size_t count;
  double geomean, least;  /* 0 if count is 0 */
  double fifth;           /* percentile: 5 of 100 rows are below. Few rows: the least */
  const bench_row *worst; /* NULL if count is 0 */
} bench_summary;

enum bench_group { BENCH_ALL, BENCH_SUITE, BENCH_CLASS };

const char *bench_group_name(const bench_row *row, enum bench_group group);
bench_summary bench_summarize(const bench_report *report, enum bench_group group, const char *name);
/* Returns true if the row is the first of its suite or class. Callers use the function to walk the
 * groups. */
bool bench_is_first_of(const bench_report *report, size_t row, enum bench_group group);

/* ---- printing: each row after the case, the end after all cases ---- */

enum bench_format { BENCH_TEXT, BENCH_TSV, BENCH_JSON };

void bench_print_begin(const bench_report *report, enum bench_format format);
void bench_print_row(const bench_row *row, enum bench_format format);
void bench_print_end(const bench_report *report, enum bench_format format);
/* Prints one JSON object with all measurements. */
void bench_print_json(FILE *file, const bench_report *report);
