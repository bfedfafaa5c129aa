/*
 * What a thousand small moves cost: as a batch, in one call, one by one, and as one copy of the
 * same bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_BENCH_BATCH_H
#define CLRESHAPE_CLI_BENCH_BATCH_H

#include "bench_latency.h"

/* Adds rows to the report, and the number of launches. Fails also if a result is wrong. */
clrs_status cli_latency_batch(const cli_bench_setup *setup, cli_latency_report *report,
                              clrs_error *error);

#endif /* CLRESHAPE_CLI_BENCH_BATCH_H */
