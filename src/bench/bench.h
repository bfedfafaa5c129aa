/*
 * What the parts of `clreshape bench` share.
 *
 * Method. A case is a move into a destination of its own (or an alias, where the case allows one).
 * Its yardstick is the faster of clEnqueueCopyBuffer and the library's own move from one dense
 * buffer to another, with as many bytes read plus written (from 4 KiB on rounded up to a multiple
 * of 64). All three run in turn, in changing order, in buffers that have been written before.
 * Buffers come in sets that are used in rotation: as many as reach twice the device's last cache,
 * at most 51. Small cases therefore stay in a cache, and so does their yardstick.
 *
 * Before the runs of a round every destination is poisoned, after it each is compared with what it
 * must hold, to the last byte, with the bytes between and behind its elements.
 *
 * Times are from before the enqueue to after the wait, on the host's clock: what a caller waits.
 * GB/s and fractions come from their medians. The device's own times, by profiling, are reported
 * beside them (in JSON), and so is the first run, which builds what has not been built.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_BENCH_H
#define CLRESHAPE_CLI_BENCH_H

#include <stdio.h>

#include "bench_case.h"
#include "bench_stats.h"
#include "host.h"

typedef struct cli_bench_device {
  char name[256], platform[256], driver[256];
  cl_uint compute_units;
  cl_ulong cache_bytes, memory_bytes, largest_buffer;
} cli_bench_device;

typedef struct cli_bench_setup {
  cli_host host;
  cl_command_queue queue; /* in order, with profiling */
  cli_bench_device device;
  size_t repetitions;        /* 0: as many as there are sets of buffers, but at least 7 */
  clrs_class required_class; /* of the moves; the yardstick is as always */
  const char *filter;        /* NULL: all; otherwise a part of the id, the suite or the class */
} cli_bench_setup;

/* On failure there is nothing to close. `device` as cli_host_open has it. */
clrs_status cli_bench_setup_open(const char *device, cli_bench_setup *setup, clrs_error *error);
void cli_bench_setup_close(cli_bench_setup *setup);

/* The three that run in turn. */
enum { CLI_BENCH_MOVE, CLI_BENCH_COPY_BUFFER, CLI_BENCH_COPY_KERNEL, CLI_BENCH_KINDS };

typedef struct cli_bench_result {
  bool filtered;       /* the filter does not want it: it did not run */
  char class_name[24]; /* of the first launch; "none" without one */
  const char *outcome;
  uint32_t launches;
  uint64_t bytes_read, bytes_written;
  uint64_t copy_bytes; /* read plus written by the yardstick */
  size_t buffer_sets, repetitions;
  double first, plan;                      /* seconds */
  cli_bench_spread total[CLI_BENCH_KINDS]; /* seconds, enqueue to finish */
  cli_bench_spread device[CLI_BENCH_KINDS];
  bool has_device_time; /* not for an alias, nor for several launches */
  bool verified;
  char wrong[160];        /* where the result is wrong, if it is */
  char explanation[1024]; /* of the plan */
} cli_bench_result;

/* Whether it fails or not, result->filtered is set. */
clrs_status cli_bench_measure(cli_bench_setup *setup, const cli_bench_case *given,
                              cli_bench_result *result, clrs_error *error);

/* One case after its run. */
typedef struct cli_bench_row {
  const cli_bench_case *given;
  cli_bench_result result;
  bool failed; /* only `message` is set */
  char message[1024];
} cli_bench_row;

typedef struct cli_bench_report {
  cli_bench_device device;
  char date[32]; /* ISO 8601, UTC */
  size_t count;
  cli_bench_row *rows;
} cli_bench_report;

double cli_bench_gbps(const cli_bench_result *result);
double cli_bench_copy_gbps(const cli_bench_result *result);
double cli_bench_fraction(const cli_bench_result *result);
/* Does the row count in means? It moved bytes, and every one was right. */
bool cli_bench_counts(const cli_bench_row *row);

/* Over the rows whose suite or class is `name`; over all for NULL. */
typedef struct cli_bench_summary {
  size_t count;
  double geomean, least;      /* 0 if count is 0 */
  double fifth;               /* percentile: 5 of 100 rows are below; of few rows the least */
  const cli_bench_row *worst; /* NULL if count is 0 */
} cli_bench_summary;

enum cli_bench_group { CLI_BENCH_ALL, CLI_BENCH_SUITE, CLI_BENCH_CLASS };

const char *cli_bench_group_name(const cli_bench_row *row, enum cli_bench_group group);
cli_bench_summary cli_bench_summarise(const cli_bench_report *report, enum cli_bench_group group,
                                      const char *name);
/* Is the row the first of its suite or class? So one walks the groups. */
bool cli_bench_is_first_of(const cli_bench_report *report, size_t row, enum cli_bench_group group);

/* Printing. A row of a table is printed when it is there, the end when all are. */
enum cli_bench_format { CLI_BENCH_TEXT, CLI_BENCH_TSV, CLI_BENCH_JSON };

void cli_bench_print_begin(const cli_bench_report *report, enum cli_bench_format format);
void cli_bench_print_row(const cli_bench_row *row, enum cli_bench_format format);
void cli_bench_print_end(const cli_bench_report *report, enum cli_bench_format format);
void cli_bench_print_json(const cli_bench_report *report);

/* An SVG picture: one bar per case, grouped by class, the copy as a line. */
void cli_bench_plot(FILE *file, const cli_bench_report *report);

/* Host times of the small things: resolve, views, plans, an alias, small moves, new shapes. */
clrs_status cli_bench_latency(cli_bench_setup *setup, enum cli_bench_format format,
                              clrs_error *error);

#endif /* CLRESHAPE_CLI_BENCH_H */
