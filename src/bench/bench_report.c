/*
 * What came of a benchmark, as a table for people and as tab-separated values.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "bench.h"
#include "print.h"
#include "text.h"

/* ---- tab-separated values ---- */

static void print_tsv_row(const cli_bench_row *row) {
  const cli_bench_result *result = &row->result;
  const cli_bench_spread *time = &result->total[CLI_BENCH_MOVE];
  if (row->failed) {
    return; /* standard error says why */
  }
  printf("%s\t%s\t%s\t%u\t%" PRIu64, row->given->id, result->class_name, result->outcome,
         result->launches, result->bytes_read + result->bytes_written);
  printf("\t%.6f\t%.6f\t%.6g\t%.6g\t%.6g\t%.0f\t%s\n", time->median * 1e3, time->least * 1e3,
         cli_bench_gbps(result), cli_bench_copy_gbps(result), cli_bench_fraction(result),
         result->plan * 1e9, result->verified ? "yes" : "no");
}

static void print_tsv_end(const cli_bench_report *report) {
  const cli_bench_summary all = cli_bench_summarise(report, CLI_BENCH_ALL, NULL);
  printf("# geomean_fraction %.6g min_fraction %.6g cases %zu\n", all.geomean, all.least,
         all.count);
}

/* ---- the table ---- */

static void print_text_begin(const cli_bench_report *report) {
  const cli_bench_device *device = &report->device;
  printf("%s (%s, driver %s, %u compute units), clreshape %d.%d.%d, %s\n",
         clrs__show(device->name).text, clrs__show(device->platform).text,
         clrs__show(device->driver).text, device->compute_units, CLRS_VERSION_MAJOR,
         CLRS_VERSION_MINOR, CLRS_VERSION_PATCH, report->date);
  printf("%-30s %-10s %-8s %8s %10s %8s %8s  %s\n", "case", "class", "outcome", "MiB", "ms", "GB/s",
         "copy", "of the copy");
}

/* A fraction as a bar of which ten characters are the copy. */
static void print_bar(double fraction) {
  const int length = fraction < 3 ? (int)(fraction * 10 + 0.5) : 30;
  printf("  %5.2f ", fraction);
  for (int i = 0; i < length; i++) {
    putchar(i < 10 ? '=' : '+');
  }
}

static void print_text_row(const cli_bench_row *row) {
  const cli_bench_result *result = &row->result;
  if (row->failed) {
    printf("%-30s failed: ", row->given->id);
    cli_print_escaped(stdout, row->message);
    putchar('\n');
    return;
  }
  const uint64_t bytes = result->bytes_read + result->bytes_written;
  printf("%-30s %-10s %-8s %8.1f %10.4f", row->given->id, result->class_name, result->outcome,
         (double)bytes / (1 << 20), result->total[CLI_BENCH_MOVE].median * 1e3);
  if (!result->verified) {
    printf("  WRONG: %s\n", result->wrong);
    return;
  }
  if (bytes > 0) {
    printf(" %8.2f %8.2f", cli_bench_gbps(result), cli_bench_copy_gbps(result));
    print_bar(cli_bench_fraction(result));
  }
  putchar('\n');
}

static void print_groups(const cli_bench_report *report, enum cli_bench_group group,
                         const char *title) {
  for (size_t i = 0; i < report->count; i++) {
    const char *name = cli_bench_group_name(&report->rows[i], group);
    if (!cli_bench_is_first_of(report, i, group)) {
      continue;
    }
    const cli_bench_summary summary = cli_bench_summarise(report, group, name);
    if (summary.count > 0) {
      printf("%-8s %-16s %4zu cases, geometric mean %.3f of the copy, least %.3f\n", title, name,
             summary.count, summary.geomean, summary.least);
    }
  }
}

static void print_text_end(const cli_bench_report *report) {
  const cli_bench_summary all = cli_bench_summarise(report, CLI_BENCH_ALL, NULL);
  putchar('\n');
  print_groups(report, CLI_BENCH_CLASS, "class");
  print_groups(report, CLI_BENCH_SUITE, "suite");
  printf("%-25s %4zu cases, geometric mean %.3f of the copy, least %.3f\n", "all", all.count,
         all.geomean, all.least);
}

/* ---- by format ---- */

void cli_bench_print_begin(const cli_bench_report *report, enum cli_bench_format format) {
  if (format == CLI_BENCH_TEXT) {
    print_text_begin(report);
  } else if (format == CLI_BENCH_TSV) {
    puts("id\tclass\toutcome\tlaunches\tbytes\tmedian_ms\tmin_ms\tgbps\tcopy_gbps\tfraction\t"
         "plan_ns\tverified");
  }
}

void cli_bench_print_row(const cli_bench_row *row, enum cli_bench_format format) {
  if (format == CLI_BENCH_TEXT) {
    print_text_row(row);
  } else if (format == CLI_BENCH_TSV) {
    print_tsv_row(row);
  }
  (void)fflush(stdout); /* main asks at the end whether all was written */
}

void cli_bench_print_end(const cli_bench_report *report, enum cli_bench_format format) {
  if (format == CLI_BENCH_TEXT) {
    print_text_end(report);
  } else if (format == CLI_BENCH_TSV) {
    print_tsv_end(report);
  } else {
    cli_bench_print_json(report);
  }
}
