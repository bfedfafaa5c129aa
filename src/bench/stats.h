/*
 * The arithmetic of measurements: a clock, medians, geometric means.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Seconds on a clock that only runs forward. */
double bench_now(void);

typedef struct bench_spread {
  double median, least;
} bench_spread;

/* Sorts the values, of which there must be at least one. */
bench_spread bench_spread_of(size_t count, double *values);

/* The value below which so many of a hundred lie, rounded down to one that is there. Sorts them. */
double bench_percentile(size_t count, double *values, size_t percent);

/* Of values > 0; 0 if there is none. */
double bench_geomean(size_t count, const double *values);
