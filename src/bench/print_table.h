/*
 * What came of a benchmark, as a table for people and as tab-separated values.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "figures.h"

/* Printing. A row of a table is printed when it is there, the end when all are. */
enum bench_format { BENCH_TEXT, BENCH_TSV, BENCH_JSON };

void bench_print_begin(const bench_report *report, enum bench_format format);
void bench_print_row(const bench_row *row, enum bench_format format);
void bench_print_end(const bench_report *report, enum bench_format format);
