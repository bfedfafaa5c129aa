/* SPDX-License-Identifier: Apache-2.0 */
#include "preprocess_report.h"

#include <stdio.h>

#include "text.h"

static double fastest_copy(const preprocess_row *row) {
  const double buffer = row->total[BENCH_COPY_BUFFER].median;
  const double kernel = row->total[BENCH_COPY_KERNEL].median;
  return buffer < kernel ? buffer : kernel;
}

double preprocess_fraction(const preprocess_row *row) {
  return fastest_copy(row) / row->total[BENCH_MOVE].median;
}

static double elements_of(const preprocess_row *row) {
  double count = 1;
  for (uint32_t i = 0; i < row->given->rank; i++) {
    count *= (double)row->given->dims[i];
  }
  return count;
}

void preprocess_print_begin(const cli_device_facts *device, enum bench_format format) {
  if (format == BENCH_TEXT) {
    printf("%s (%s, driver %s), clreshape %d.%d.%d\n", clrs__show(device->name).text,
           clrs__show(device->platform).text, clrs__show(device->driver).text, CLRS_VERSION_MAJOR,
           CLRS_VERSION_MINOR, CLRS_VERSION_PATCH);
    printf("%-20s %8s %10s %10s %11s\n", "", "MiB", "ms", "Melem/s", "of the copy");
  } else if (format == BENCH_TSV) {
    puts("name\tbytes\tmedian_ms\tmin_ms\tcopy_buffer_ms\tcopy_kernel_ms\tfraction");
  } else {
    fputs("{\"preprocess\":[", stdout);
  }
}

static void print_text(const preprocess_row *row) {
  const double seconds = row->total[BENCH_MOVE].median;
  printf("%-20s %8.1f %10.3f %10.0f %11.2f  %s\n", row->given->name, (double)row->bytes / (1 << 20),
         seconds * 1e3, elements_of(row) / seconds * 1e-6, preprocess_fraction(row),
         row->given->what);
}

void preprocess_print_row(const preprocess_row *row, enum bench_format format, bool is_first) {
  const bench_spread *move = &row->total[BENCH_MOVE];
  const double buffer = row->total[BENCH_COPY_BUFFER].median * 1e3;
  const double kernel = row->total[BENCH_COPY_KERNEL].median * 1e3;
  if (format == BENCH_TEXT) {
    print_text(row);
  } else if (format == BENCH_TSV) {
    printf("%s\t%llu\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n", row->given->name,
           (unsigned long long)row->bytes, move->median * 1e3, move->least * 1e3, buffer, kernel,
           preprocess_fraction(row));
  } else {
    printf("%s\n{\"name\":\"%s\",\"what\":\"%s\",\"bytes\":%llu,\"median_ms\":%.4f,\"min_ms\":%.4f,"
           "\"copy_buffer_ms\":%.4f,\"copy_kernel_ms\":%.4f,\"fraction\":%.4f}",
           is_first ? "" : ",", row->given->name, row->given->what, (unsigned long long)row->bytes,
           move->median * 1e3, move->least * 1e3, buffer, kernel, preprocess_fraction(row));
  }
  (void)fflush(stdout); /* main asks whether all was written */
}

void preprocess_print_end(enum bench_format format) {
  if (format == BENCH_JSON) {
    puts("]}");
  }
}
