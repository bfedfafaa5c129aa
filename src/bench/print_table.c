/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "print.h"
#include "text.h"

/* ---- tab-separated values ---- */

static void print_tsv_row(const bench_row *row) {
  const bench_result *result = &row->result;
  const bench_spread *time = &bench_times(result)[BENCH_MOVE];
  if (row->failed) {
    return; /* the reason is on standard error */
  }
  printf("%s\t%s\t%s\t%u\t%" PRIu64, row->given->id, result->class_name, result->outcome,
         result->launches, result->bytes_read + result->bytes_written);
  printf("\t%.6f\t%.6f\t%.6g\t%.6g\t%.6g\t%.0f\t%s\n", time->median * 1e3, time->least * 1e3,
         bench_gbps(result), bench_copy_gbps(result), bench_fraction(result), result->plan * 1e9,
         result->verified ? "yes" : "no");
}

static void print_tsv_end(const bench_report *report) {
  const bench_summary all = bench_summarize(report, BENCH_ALL, NULL);
  printf("# geomean_fraction %.6g min_fraction %.6g cases %zu\n", all.geomean, all.least,
         all.count);
}

/* ---- the table ---- */

static void print_text_begin(const bench_report *report) {
  const cli_device_facts *device = &report->device;
  printf("%s (%s, driver %s, %u compute units), clreshape %d.%d.%d, %s\n",
         clrs__show(device->name).text, clrs__show(device->platform).text,
         clrs__show(device->driver).text, device->compute_units, CLRS_VERSION_MAJOR,
         CLRS_VERSION_MINOR, CLRS_VERSION_PATCH, report->date);
  printf("%-30s %-10s %-8s %8s %10s %8s %8s  %s\n", "case", "class", "outcome", "MiB", "ms", "GB/s",
         "copy", "of the copy");
}

/* Prints a fraction as a bar. Ten characters are the copy. */
static void print_bar(double fraction) {
  const int length = fraction < 3 ? (int)(fraction * 10 + 0.5) : 30;
  printf("  %5.2f ", fraction);
  for (int i = 0; i < length; i++) {
    putchar(i < 10 ? '=' : '+');
  }
}

static void print_text_row(const bench_row *row) {
  const bench_result *result = &row->result;
  if (row->failed) {
    printf("%-30s failed: ", row->given->id);
    cli_print_escaped(stdout, row->message);
    putchar('\n');
    return;
  }
  const uint64_t bytes = result->bytes_read + result->bytes_written;
  printf("%-30s %-10s %-8s %8.1f %10.4f", row->given->id, result->class_name, result->outcome,
         (double)bytes / (1 << 20), bench_times(result)[BENCH_MOVE].median * 1e3);
  if (!result->verified) {
    printf("  WRONG: %s\n", result->wrong);
    return;
  }
  if (bytes > 0) {
    printf(" %8.2f %8.2f", bench_gbps(result), bench_copy_gbps(result));
    print_bar(bench_fraction(result));
  }
  putchar('\n');
}

static void print_summary(const char *title, const char *name, const bench_summary *summary) {
  printf(
      "%-8s %-16s %4zu cases, geometric mean %.3f of the copy, 5th percentile %.3f, least %.3f\n",
      title, name, summary->count, summary->geomean, summary->fifth, summary->least);
}

static void print_groups(const bench_report *report, enum bench_group group, const char *title) {
  for (size_t i = 0; i < report->count; i++) {
    const char *name = bench_group_name(&report->rows[i], group);
    if (!bench_is_first_of(report, i, group)) {
      continue;
    }
    const bench_summary summary = bench_summarize(report, group, name);
    if (summary.count > 0) {
      print_summary(title, name, &summary);
    }
  }
}

static void print_worst(const bench_report *report) {
  puts("\nthe worst case of each suite:");
  for (size_t i = 0; i < report->count; i++) {
    const char *name = bench_group_name(&report->rows[i], BENCH_SUITE);
    if (bench_is_first_of(report, i, BENCH_SUITE)) {
      const bench_summary summary = bench_summarize(report, BENCH_SUITE, name);
      if (summary.count > 0) {
        puts(summary.worst->given->line); /* as read, to be used in another file */
      }
    }
  }
}

static void print_text_end(const bench_report *report) {
  const bench_summary all = bench_summarize(report, BENCH_ALL, NULL);
  putchar('\n');
  print_groups(report, BENCH_CLASS, "class");
  print_groups(report, BENCH_SUITE, "suite");
  print_summary("all", "", &all);
  print_worst(report);
}

/* ---- by format ---- */

void bench_print_begin(const bench_report *report, enum bench_format format) {
  if (format == BENCH_TEXT) {
    print_text_begin(report);
  } else if (format == BENCH_TSV) {
    puts("id\tclass\toutcome\tlaunches\tbytes\tmedian_ms\tmin_ms\tgbps\tcopy_gbps\tfraction\t"
         "plan_ns\tverified");
  }
}

void bench_print_row(const bench_row *row, enum bench_format format) {
  if (format == BENCH_TEXT) {
    print_text_row(row);
  } else if (format == BENCH_TSV) {
    print_tsv_row(row);
  }
  (void)fflush(stdout); /* main checks at the end that everything was written */
}

void bench_print_end(const bench_report *report, enum bench_format format) {
  if (format == BENCH_TEXT) {
    print_text_end(report);
  } else if (format == BENCH_TSV) {
    print_tsv_end(report);
  } else {
    bench_print_json(stdout, report);
  }
}
