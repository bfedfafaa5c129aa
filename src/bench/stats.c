/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double bench_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_spread bench_spread_of(size_t count, double *values) {
  qsort(values, count, sizeof *values, compare);
  double middle = values[count / 2];
  if (count % 2 == 0) {
    middle = (middle + values[count / 2 - 1]) / 2;
  }
  return (bench_spread){middle, values[0], values[count - 1]};
}

double bench_percentile(size_t count, double *values, size_t percent) {
  qsort(values, count, sizeof *values, compare);
  return values[count * percent / 100];
}

/* Is the product of all values / guess more than 1? The exponent is kept apart, so that no number
 * of values leaves the range of a double. */
static bool is_below_mean(double guess, size_t count, const double *values) {
  double product = 1;
  int exponent = 0;
  for (size_t i = 0; i < count; i++) {
    int shift = 0;
    product = frexp(product * (values[i] / guess), &shift);
    exponent += shift;
  }
  return ldexp(product, exponent) > 1;
}

/* By bisection: the C library proper has no logarithm, and a benchmark is no reason to link one. */
double bench_geomean(size_t count, const double *values) {
  double low = count > 0 ? values[0] : 0, high = low;
  for (size_t i = 1; i < count; i++) {
    low = values[i] < low ? values[i] : low;
    high = values[i] > high ? values[i] : high;
  }
  for (int round = 0; round < 60; round++) {
    const double middle = low + (high - low) / 2;
    if (is_below_mean(middle, count, values)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low + (high - low) / 2;
}
