/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "print.h"

static void print_number(const char *key, double value) {
  printf("\"%s\":%.9g,", key, value);
}

static void print_count(const char *key, uint64_t value) {
  printf("\"%s\":%" PRIu64 ",", key, value);
}

static void print_spread(const char *key, const bench_spread *spread, bool is_known) {
  if (is_known) {
    printf("\"%s\":{\"median_ms\":%.9g,\"min_ms\":%.9g},", key, spread->median * 1e3,
           spread->least * 1e3);
  } else {
    printf("\"%s\":null,", key);
  }
}

/* Prints a case as a line for a case file. */
static void print_case(const bench_case *given) {
  cli_print_field(stdout, "id", given->id);
  cli_print_field(stdout, "suite", given->suite);
  cli_print_field(stdout, "note", given->note);
  cli_print_field(stdout, "line", given->line);
  cli_print_field(stdout, "dtype", clrs_dtype_name(given->dtype, CLRS_TYPES_CLRESHAPE));
  fputs("\"dims\":", stdout);
  cli_print_list(stdout, given->source.rank, given->source.dims);
  fputs(",\"result_dims\":", stdout);
  cli_print_list(stdout, given->destination.rank, given->destination.dims);
  putchar(',');
}

static void print_times(const bench_result *result) {
  static const char *const keys[BENCH_KINDS][2] = {{"total", "device"},
                                                   {"copy_buffer_total", "copy_buffer_device"},
                                                   {"copy_kernel_total", "copy_kernel_device"}};
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    const bench_spread *device = &result->device[kind];
    print_spread(keys[kind][0], &result->total[kind], true);
    print_spread(keys[kind][1], device,
                 kind == BENCH_MOVE ? result->has_device_time : device->least > 0);
  }
}

static void print_figures(const bench_result *result) {
  const bench_spread *time = &bench_times(result)[BENCH_MOVE];
  cli_print_field(stdout, "times", result->is_by_device ? "device" : "host");
  print_number("median_ms", time->median * 1e3);
  print_number("min_ms", time->least * 1e3);
  print_number("gbps", bench_gbps(result));
  print_number("copy_gbps", bench_copy_gbps(result));
  if (result->bytes_written > 0) {
    print_number("fraction", bench_fraction(result));
  } else {
    fputs("\"fraction\":null,", stdout);
  }
  print_number("plan_ns", result->plan * 1e9);
  print_number("first_ms", result->first * 1e3);
}

static void print_row(const bench_row *row) {
  const bench_result *result = &row->result;
  putchar('{');
  print_case(row->given);
  cli_print_field(stdout, "class", result->class_name);
  cli_print_field(stdout, "outcome", result->outcome);
  print_count("launches", result->launches);
  print_count("bytes", result->bytes_read + result->bytes_written);
  print_count("bytes_read", result->bytes_read);
  print_count("bytes_written", result->bytes_written);
  print_count("copy_bytes", result->copy_bytes);
  print_figures(result);
  print_times(result);
  print_count("repetitions", result->repetitions);
  print_count("buffer_sets", result->buffer_sets);
  cli_print_field(stdout, "plan", result->explanation);
  cli_print_field(stdout, "wrong", result->wrong);
  printf("\"verified\":%s}", result->verified ? "true" : "false");
}

static void print_failure(const bench_row *row) {
  putchar('{');
  cli_print_field(stdout, "id", row->given->id);
  fputs("\"message\":", stdout);
  cli_print_string(stdout, row->message);
  putchar('}');
}

/* Prints the rows that failed, or the other rows, one on each line. */
static void print_rows(const bench_report *report, bool failed) {
  const char *before = "\n";
  for (size_t i = 0; i < report->count; i++) {
    if (report->rows[i].failed == failed) {
      fputs(before, stdout);
      (failed ? print_failure : print_row)(&report->rows[i]);
      before = ",\n";
    }
  }
}

static void print_summary(const bench_summary *summary) {
  printf("\"geomean_fraction\":%.9g,\"p5_fraction\":%.9g,\"min_fraction\":%.9g,\"counted\":%zu",
         summary->geomean, summary->fifth, summary->least, summary->count);
}

static void print_groups(const bench_report *report, enum bench_group group) {
  const char *before = "";
  for (size_t i = 0; i < report->count; i++) {
    if (!bench_is_first_of(report, i, group)) {
      continue;
    }
    const char *name = bench_group_name(&report->rows[i], group);
    const bench_summary summary = bench_summarize(report, group, name);
    printf("%s{", before);
    cli_print_field(stdout, "name", name);
    print_summary(&summary);
    putchar('}');
    before = ",";
  }
}

void bench_print_json(const bench_report *report) {
  const bench_summary all = bench_summarize(report, BENCH_ALL, NULL);
  printf("{\"clreshape\":\"%d.%d.%d\",", CLRS_VERSION_MAJOR, CLRS_VERSION_MINOR,
         CLRS_VERSION_PATCH);
  cli_print_field(stdout, "date", report->date);
  fputs("\"device\":{", stdout);
  cli_print_field(stdout, "name", report->device.name);
  cli_print_field(stdout, "platform", report->device.platform);
  cli_print_field(stdout, "driver", report->device.driver);
  print_count("cache_bytes", report->device.cache);
  printf("\"compute_units\":%u},\"cases\":[", report->device.compute_units);
  print_rows(report, false);
  fputs("],\"failed\":[", stdout);
  print_rows(report, true);
  fputs("],\n\"classes\":[", stdout);
  print_groups(report, BENCH_CLASS);
  fputs("],\"suites\":[", stdout);
  print_groups(report, BENCH_SUITE);
  fputs("],\n", stdout);
  print_summary(&all);
  puts("}");
}
