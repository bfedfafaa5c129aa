/*
 * What the small things cost, on the host's clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "report.h"
#include "setup.h"

/* Host times of the small things: resolve, views, plans, an alias, small moves, new shapes. */
clrs_status bench_latency(bench_setup *setup, enum bench_format format, clrs_error *error);
