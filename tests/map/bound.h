/*
 * Shared by the tests of bind and apply: views and small maps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_BOUND_H
#define CLRS_TEST_BOUND_H

#include "harness/check.h"

static inline clrs_view view_of(clrs_dtype dtype, size_t rank, const int64_t *dims) {
  clrs_shape shape;
  clrs_view view;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_view_dense(dtype, &shape, &view, &error), error);
  return view;
}

static inline clrs_map cast_of(clrs_dialect dialect, clrs_dtype from, clrs_dtype to) {
  clrs_map map;
  CHECK_OK(clrs_map_cast(dialect, from, to, &map, &error), error);
  return map;
}

/* Appends a step in f32 with numbers of the map's own, or, without numbers, a tensor. */
static inline void add_step(clrs_map *map, clrs_step_kind kind, size_t count, const double *values,
                            clrs_spread spread) {
  CHECK_OK(clrs_map_step(map, kind, CLRS_F32, &(clrs_numbers){count, values, spread}, &error),
           error);
}

static inline void add_round(clrs_map *map, clrs_dtype to) {
  CHECK_OK(clrs_map_round(map, to, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE, &error), error);
}

#define NUMBERS(...) ((const double[]){__VA_ARGS__})

#endif
