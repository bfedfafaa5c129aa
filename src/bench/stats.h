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

/* Sorts the values. There must be at least one value. */
bench_spread bench_spread_of(size_t count, double *values);

/* Sorts the values, and returns the value above `percent` of a hundred values, rounded down to an
 * existing value. */
double bench_percentile(size_t count, double *values, size_t percent);

/* The geometric mean of values > 0, or 0 if there are no values. */
double bench_geomean(size_t count, const double *values);
