/*
 * What the small things cost, on the host's clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_BENCH_LATENCY_H
#define CLRESHAPE_BENCH_LATENCY_H

#include "print_table.h"
#include "setup.h"

/* Host times of the small things: resolve, views, plans, an alias, small moves, new shapes. */
clrs_status bench_latency(bench_setup *setup, enum bench_format format, clrs_error *error);

#endif /* CLRESHAPE_BENCH_LATENCY_H */
