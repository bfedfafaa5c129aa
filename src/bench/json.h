/*
 * What came of a benchmark, as one JSON object with all that was measured.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "figures.h"

void bench_print_json(const bench_report *report);
