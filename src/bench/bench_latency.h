/*
 * The parts of `clreshape bench --latency` that need no device: what is timed on the host alone,
 * and how times are printed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_BENCH_LATENCY_H
#define CLRESHAPE_CLI_BENCH_LATENCY_H

#include "bench.h"

enum { CLI_LATENCY_MOST_ROWS = 24 };

typedef struct cli_latency_row {
  const char *name, *what;
  double median, least, most; /* seconds */
} cli_latency_row;

typedef struct cli_latency_report {
  size_t row_count;
  cli_latency_row rows[CLI_LATENCY_MOST_ROWS];
  size_t batch_moves, batch_launches;
  size_t new_shapes, programs_built; /* how many were moved, and what was compiled for them */
} cli_latency_report;

/* A pattern of 4 values. */
clrs_status cli_latency_resolve(clrs_error *error);
/* Head split: a dense view, a reshape and a permutation. */
clrs_status cli_latency_view(clrs_view *view, clrs_error *error);
/* The plan of the move of that view to a dense buffer. */
clrs_status cli_latency_plan(const clrs_view *view, clrs_plan *plan, clrs_error *error);
/* Both. */
clrs_status cli_latency_view_and_plan(clrs_plan *plan, clrs_error *error);
/* Eight operations and the plan of the move that they come to. */
clrs_status cli_latency_chain_and_plan(clrs_plan *plan, clrs_error *error);

void cli_latency_print(const cli_bench_device *device, const cli_latency_report *report,
                       enum cli_bench_format format);

#endif /* CLRESHAPE_CLI_BENCH_LATENCY_H */
