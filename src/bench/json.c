/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "print.h"

static void print_number(FILE *file, const char *key, double value) {
  fprintf(file, "\"%s\":%.9g,", key, value);
}

static void print_count(FILE *file, const char *key, uint64_t value) {
  fprintf(file, "\"%s\":%" PRIu64 ",", key, value);
}

static void print_spread(FILE *file, const char *key, const bench_spread *spread, bool is_known) {
  if (is_known) {
    fprintf(file, "\"%s\":{\"median_ms\":%.9g,\"min_ms\":%.9g},", key, spread->median * 1e3,
            spread->least * 1e3);
  } else {
    fprintf(file, "\"%s\":null,", key);
  }
}

/* Prints a case as a line for a case file. */
static void print_case(FILE *file, const bench_case *given) {
  cli_print_field(file, "id", given->id);
  cli_print_field(file, "suite", given->suite);
  cli_print_field(file, "note", given->note);
  cli_print_field(file, "line", given->line);
  cli_print_field(file, "dtype", clrs_dtype_name(given->dtype, CLRS_TYPES_CLRESHAPE));
  fputs("\"dims\":", file);
  cli_print_list(file, given->source.rank, given->source.dims);
  fputs(",\"result_dims\":", file);
  cli_print_list(file, given->destination.rank, given->destination.dims);
  putc(',', file);
}

static void print_times(FILE *file, const bench_result *result) {
  static const char *const keys[BENCH_KINDS][2] = {{"total", "device"},
                                                   {"copy_buffer_total", "copy_buffer_device"},
                                                   {"copy_kernel_total", "copy_kernel_device"}};
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    const bench_spread *device = &result->device[kind];
    print_spread(file, keys[kind][0], &result->total[kind], true);
    print_spread(file, keys[kind][1], device,
                 kind == BENCH_MOVE ? result->has_device_time : device->least > 0);
  }
}

static void print_figures(FILE *file, const bench_result *result) {
  const bench_spread *time = &bench_times(result)[BENCH_MOVE];
  cli_print_field(file, "times", result->is_by_device ? "device" : "host");
  print_number(file, "median_ms", time->median * 1e3);
  print_number(file, "min_ms", time->least * 1e3);
  print_number(file, "gbps", bench_gbps(result));
  print_number(file, "copy_gbps", bench_copy_gbps(result));
  if (result->bytes_written > 0) {
    print_number(file, "fraction", bench_fraction(result));
  } else {
    fputs("\"fraction\":null,", file);
  }
  print_number(file, "plan_ns", result->plan * 1e9);
  print_number(file, "first_ms", result->first * 1e3);
}

static void print_row(FILE *file, const bench_row *row) {
  const bench_result *result = &row->result;
  putc('{', file);
  print_case(file, row->given);
  cli_print_field(file, "class", result->class_name);
  cli_print_field(file, "outcome", result->outcome);
  print_count(file, "launches", result->launches);
  print_count(file, "bytes", result->bytes_read + result->bytes_written);
  print_count(file, "bytes_read", result->bytes_read);
  print_count(file, "bytes_written", result->bytes_written);
  print_count(file, "copy_bytes", result->copy_bytes);
  print_figures(file, result);
  print_times(file, result);
  print_count(file, "repetitions", result->repetitions);
  print_count(file, "buffer_sets", result->buffer_sets);
  cli_print_field(file, "plan", result->explanation);
  cli_print_field(file, "wrong", result->wrong);
  fprintf(file, "\"verified\":%s}", result->verified ? "true" : "false");
}

static void print_failure(FILE *file, const bench_row *row) {
  putc('{', file);
  cli_print_field(file, "id", row->given->id);
  fputs("\"message\":", file);
  cli_print_string(file, row->message);
  putc('}', file);
}

/* Prints the rows that failed, or the other rows, one on each line. */
static void print_rows(FILE *file, const bench_report *report, bool failed) {
  const char *before = "\n";
  for (size_t i = 0; i < report->count; i++) {
    if (report->rows[i].failed == failed) {
      fputs(before, file);
      (failed ? print_failure : print_row)(file, &report->rows[i]);
      before = ",\n";
    }
  }
}

static void print_summary(FILE *file, const bench_summary *summary) {
  fprintf(file,
          "\"geomean_fraction\":%.9g,\"p5_fraction\":%.9g,\"min_fraction\":%.9g,\"counted\":%zu",
          summary->geomean, summary->fifth, summary->least, summary->count);
}

static void print_groups(FILE *file, const bench_report *report, enum bench_group group) {
  const char *before = "";
  for (size_t i = 0; i < report->count; i++) {
    if (!bench_is_first_of(report, i, group)) {
      continue;
    }
    const char *name = bench_group_name(&report->rows[i], group);
    const bench_summary summary = bench_summarize(report, group, name);
    fprintf(file, "%s{", before);
    cli_print_field(file, "name", name);
    print_summary(file, &summary);
    putc('}', file);
    before = ",";
  }
}

void bench_print_json(FILE *file, const bench_report *report) {
  const bench_summary all = bench_summarize(report, BENCH_ALL, NULL);
  fprintf(file, "{\"clreshape\":\"%d.%d.%d\",", CLRS_VERSION_MAJOR, CLRS_VERSION_MINOR,
          CLRS_VERSION_PATCH);
  cli_print_field(file, "date", report->date);
  fputs("\"device\":{", file);
  cli_device_print_json(file, &report->device, &report->features);
  fputs("},\"cases\":[", file);
  print_rows(file, report, false);
  fputs("],\"failed\":[", file);
  print_rows(file, report, true);
  fputs("],\n\"classes\":[", file);
  print_groups(file, report, BENCH_CLASS);
  fputs("],\"suites\":[", file);
  print_groups(file, report, BENCH_SUITE);
  fputs("],\n", file);
  print_summary(file, &all);
  fputs("}\n", file);
}
