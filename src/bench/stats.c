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
  return (bench_spread){middle, values[0]};
}

double bench_percentile(size_t count, double *values, size_t percent) {
  qsort(values, count, sizeof *values, compare);
  return values[count * percent / 100];
}

double bench_geomean(size_t count, const double *values) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += log(values[i]);
  }
  return count > 0 ? exp(sum / (double)count) : 0;
}
