/*
 * A clock, and the median of measurements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SPEED_H
#define CLRS_TEST_SPEED_H

#include <stdlib.h>
#include <time.h>

/* Time in seconds. Needs _POSIX_C_SOURCE. */
static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static inline int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median of an odd number of values, which are sorted in place. */
static inline double median(double *values, size_t count) {
  qsort(values, count, sizeof *values, ascending);
  return values[count / 2];
}

#endif
