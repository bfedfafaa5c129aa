/*
 * What `clreshape bench --preprocess` found: maps of elements, on the way of a move.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "report.h"
#include "setup.h"

/* Where a map's scales are. */
typedef enum preprocess_scales {
  SCALES_OF_CHAIN,   /* numbers of the chain */
  SCALES_OF_BLOCKS,  /* an f32 for each block of 32 in a row */
  SCALES_OF_COLUMNS, /* an f32 for each column */
  SCALES_OF_Q4_0     /* an f16 in front of each block, as in GGUF's Q4_0 */
} preprocess_scales;

/* A map, and the elements that it is given. */
typedef struct preprocess_case {
  const char *name, *what;
  clrs_dtype from;
  uint32_t rank;
  int64_t dims[4];
  const char *chain; /* NULL: by scales, to the type below */
  preprocess_scales scales;
  clrs_dtype to;
  int64_t apart; /* from element to element of the result; 0: neighbours */
  int64_t room;  /* elements behind each row of the result */
} preprocess_case;

typedef struct preprocess_row {
  const preprocess_case *given;
  uint64_t bytes;                  /* read plus written */
  bench_spread total[BENCH_KINDS]; /* seconds, enqueue to finish */
} preprocess_row;

/* The fraction of the faster copy of as many bytes, by medians. */
double preprocess_fraction(const preprocess_row *row);

void preprocess_print_begin(const cli_device_facts *device, enum bench_format format);
void preprocess_print_row(const preprocess_row *row, enum bench_format format, bool is_first);
void preprocess_print_end(enum bench_format format);

/* Measures every case, against the faster of two copies of as many bytes that run in turn with it,
 * and compares every element with clrs_map_apply. Fails if a result is wrong. */
clrs_status bench_preprocess(bench_setup *setup, enum bench_format format, clrs_error *error);
