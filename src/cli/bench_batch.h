/*
 * What a thousand small moves cost: as a batch, one by one, and as one copy of the same bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_BENCH_BATCH_H
#define CLRESHAPE_CLI_BENCH_BATCH_H

#include "bench.h"

enum { CLI_BENCH_BATCH_MOVES = 1000 };

typedef struct cli_bench_batch {
  size_t launches;           /* of the batch */
  cli_bench_spread copy;     /* seconds, enqueue to finish; the faster of the two ways */
  cli_bench_spread prepared; /* clrs_enqueue_batch */
  cli_bench_spread device;   /* what the device took of that; zeros if it does not say */
  cli_bench_spread at_once;  /* clrs_enqueue_moves */
  cli_bench_spread one_by_one;
} cli_bench_batch;

/* Fails also if a result is wrong. */
clrs_status cli_bench_batch_measure(const cli_bench_setup *setup, cli_bench_batch *result,
                                    clrs_error *error);

#endif /* CLRESHAPE_CLI_BENCH_BATCH_H */
