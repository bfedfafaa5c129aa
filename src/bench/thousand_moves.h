/*
 * What a thousand small moves cost: as a batch, in one call, one by one, and as one copy of the
 * same bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "latency_print.h"
#include "setup.h"

/* Adds rows to the report, and the number of launches. Fails also if a result is wrong. */
clrs_status latency_batch(const bench_setup *setup, latency_report *report, clrs_error *error);
