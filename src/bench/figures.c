/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double gbps(uint64_t bytes, double seconds) {
  return seconds > 0 ? (double)bytes / seconds * 1e-9 : 0;
}

const bench_spread *bench_times(const bench_result *result) {
  return result->is_by_device ? result->device : result->total;
}

double bench_gbps(const bench_result *result) {
  return gbps(result->bytes_read + result->bytes_written, bench_times(result)[BENCH_MOVE].median);
}

double bench_copy_gbps(const bench_result *result) {
  const bench_spread *times = bench_times(result);
  const double buffer = times[BENCH_COPY_BUFFER].median, kernel = times[BENCH_COPY_KERNEL].median;
  return gbps(result->copy_bytes, buffer < kernel ? buffer : kernel);
}

double bench_fraction(const bench_result *result) {
  const double copy = bench_copy_gbps(result), move = bench_gbps(result);
  return move > 0 && copy > 0 ? move / copy : (double)NAN;
}

/* Returns true if the row counts in means: the case moved bytes, and every byte was right. */
static bool counts(const bench_row *row) {
  return !row->failed && row->result.verified && row->result.launches > 0;
}

const char *bench_group_name(const bench_row *row, enum bench_group group) {
  switch (group) {
  case BENCH_SUITE:
    return row->given->suite;
  case BENCH_CLASS:
    return row->failed ? "failed" : row->result.class_name;
  default:
    return "all";
  }
}

bench_summary bench_summarize(const bench_report *report, enum bench_group group,
                              const char *name) {
  bench_summary summary = {0};
  double *fractions = calloc(report->count + 1, sizeof *fractions);
  if (fractions == NULL) {
    return summary;
  }
  for (size_t i = 0; i < report->count; i++) {
    const bench_row *row = &report->rows[i];
    if (!counts(row) || (name != NULL && strcmp(bench_group_name(row, group), name) != 0)) {
      continue;
    }
    const double fraction = bench_fraction(&row->result);
    if (summary.count == 0 || fraction < summary.least) {
      summary.least = fraction;
      summary.worst = row;
    }
    fractions[summary.count++] = fraction;
  }
  summary.geomean = bench_geomean(summary.count, fractions);
  summary.fifth = summary.count > 0 ? bench_percentile(summary.count, fractions, 5) : 0;
  free(fractions);
  return summary;
}

bool bench_is_first_of(const bench_report *report, size_t row, enum bench_group group) {
  const char *name = bench_group_name(&report->rows[row], group);
  for (size_t i = 0; i < row; i++) {
    if (strcmp(bench_group_name(&report->rows[i], group), name) == 0) {
      return false;
    }
  }
  return true;
}
