/* SPDX-License-Identifier: Apache-2.0 */
#include "latency_report.h"

#include <stdio.h>

#include "text.h"

static void print_text(const cli_device_facts *device, const latency_report *report) {
  printf("%s (%s, driver %s), clreshape %d.%d.%d; microseconds\n", clrs__show(device->name).text,
         clrs__show(device->platform).text, clrs__show(device->driver).text, CLRS_VERSION_MAJOR,
         CLRS_VERSION_MINOR, CLRS_VERSION_PATCH);
  printf("%-20s %12s %12s %12s\n", "", "median", "least", "most");
  for (size_t i = 0; i < report->row_count; i++) {
    const latency_row *row = &report->rows[i];
    printf("%-20s %12.3f %12.3f %12.3f  %s\n", row->name, row->median * 1e6, row->least * 1e6,
           row->most * 1e6, row->what);
  }
  printf("launches of the batch of %zu moves: %zu\n", report->batch_moves, report->batch_launches);
  printf("programs built for %zu new shapes: %zu\n", report->new_shapes, report->programs_built);
}

static void print_tsv(const latency_report *report) {
  puts("name\tmedian_ns\tmin_ns\tmax_ns");
  for (size_t i = 0; i < report->row_count; i++) {
    const latency_row *row = &report->rows[i];
    printf("%s\t%.1f\t%.1f\t%.1f\n", row->name, row->median * 1e9, row->least * 1e9,
           row->most * 1e9);
  }
  printf("# batch_moves %zu batch_launches %zu new_shapes %zu programs_built %zu\n",
         report->batch_moves, report->batch_launches, report->new_shapes, report->programs_built);
}

static void print_json(const latency_report *report) {
  fputs("{\"latency\":[", stdout);
  for (size_t i = 0; i < report->row_count; i++) {
    const latency_row *row = &report->rows[i];
    printf("%s\n{\"name\":\"%s\",\"what\":\"%s\",\"median_ns\":%.1f,\"min_ns\":%.1f,"
           "\"max_ns\":%.1f}",
           i > 0 ? "," : "", row->name, row->what, row->median * 1e9, row->least * 1e9,
           row->most * 1e9);
  }
  printf(
      "],\n\"batch_moves\":%zu,\"batch_launches\":%zu,\"new_shapes\":%zu,\"programs_built\":%zu}\n",
      report->batch_moves, report->batch_launches, report->new_shapes, report->programs_built);
}

void latency_print(const cli_device_facts *device, const latency_report *report,
                   enum bench_format format) {
  switch (format) {
  case BENCH_TEXT:
    print_text(device, report);
    break;
  case BENCH_TSV:
    print_tsv(report);
    break;
  case BENCH_JSON:
    print_json(report);
    break;
  }
}
