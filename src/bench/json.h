/*
 * What came of a benchmark, as one JSON object with all that was measured.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_BENCH_JSON_H
#define CLRESHAPE_BENCH_JSON_H

#include "figures.h"

void bench_print_json(const bench_report *report);

#endif /* CLRESHAPE_BENCH_JSON_H */
