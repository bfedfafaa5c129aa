/*
 * What the times of a benchmark say: speeds, fractions of the copy, and means of many cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static double gbps(uint64_t bytes, double seconds) {
  return seconds > 0 ? (double)bytes / seconds * 1e-9 : 0;
}

double cli_bench_gbps(const cli_bench_result *result) {
  return gbps(result->bytes_read + result->bytes_written, result->total[CLI_BENCH_MOVE].median);
}

double cli_bench_copy_gbps(const cli_bench_result *result) {
  const double buffer = result->total[CLI_BENCH_COPY_BUFFER].median;
  const double kernel = result->total[CLI_BENCH_COPY_KERNEL].median;
  return gbps(result->copy_bytes, buffer < kernel ? buffer : kernel);
}

double cli_bench_fraction(const cli_bench_result *result) {
  const double copy = cli_bench_copy_gbps(result), move = cli_bench_gbps(result);
  return move > 0 && copy > 0 ? move / copy : (double)NAN;
}

bool cli_bench_counts(const cli_bench_row *row) {
  return !row->failed && row->result.verified && row->result.launches > 0;
}

const char *cli_bench_group_name(const cli_bench_row *row, enum cli_bench_group group) {
  switch (group) {
  case CLI_BENCH_SUITE:
    return row->given->suite;
  case CLI_BENCH_CLASS:
    return row->failed ? "failed" : row->result.class_name;
  default:
    return "all";
  }
}

cli_bench_summary cli_bench_summarise(const cli_bench_report *report, enum cli_bench_group group,
                                      const char *name) {
  cli_bench_summary summary = {0};
  double *fractions = calloc(report->count + 1, sizeof *fractions);
  if (fractions == NULL) {
    return summary;
  }
  for (size_t i = 0; i < report->count; i++) {
    const cli_bench_row *row = &report->rows[i];
    if (!cli_bench_counts(row) ||
        (name != NULL && strcmp(cli_bench_group_name(row, group), name) != 0)) {
      continue;
    }
    const double fraction = cli_bench_fraction(&row->result);
    if (summary.count == 0 || fraction < summary.least) {
      summary.least = fraction;
      summary.worst = row;
    }
    fractions[summary.count++] = fraction;
  }
  summary.geomean = cli_bench_geomean(summary.count, fractions);
  summary.fifth = summary.count > 0 ? cli_bench_percentile(summary.count, fractions, 5) : 0;
  free(fractions);
  return summary;
}

bool cli_bench_is_first_of(const cli_bench_report *report, size_t row, enum cli_bench_group group) {
  const char *name = cli_bench_group_name(&report->rows[row], group);
  for (size_t i = 0; i < row; i++) {
    if (strcmp(cli_bench_group_name(&report->rows[i], group), name) == 0) {
      return false;
    }
  }
  return true;
}
