/*
 * Which layouts go through a class. See first_row.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "first_row.h"

enum { ROWS = 60, COLUMNS = 70 };

/* A shape with the strides of both sides. */
typedef struct candidate {
  uint32_t rank;
  int64_t dims[4], source[4], destination[4];
} candidate;

static const candidate candidates[] = {
    /* turned: columns lie in order in the source, rows in the destination */
    {2, {ROWS, COLUMNS}, {1, ROWS}, {COLUMNS, 1}},
    /* rows of an odd pitch, so that neighbouring rows do not merge */
    {2, {ROWS + 1, COLUMNS + 1}, {COLUMNS + 3, 1}, {COLUMNS + 1, 1}},
    /* short axes in another order */
    {4, {5, 3, 7, 6}, {1, 210, 5, 35}, {126, 42, 6, 1}},
    /* every other element, so that a fill's units do not grow together */
    {2, {ROWS, COLUMNS}, {2 * COLUMNS, 2}, {2 * COLUMNS + 1, 2}},
};
enum { CANDIDATES = sizeof candidates / sizeof candidates[0], SHORT_AXES = 2 };

static clrs_dtype dtype_of(uint32_t unit_bits) {
  static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U2,  CLRS_U4,  CLRS_U8,
                                      CLRS_F16,   CLRS_F32, CLRS_F64, CLRS_C128};
  int power = 0;
  while (unit_bits >> power > 1)
    power++;
  return dtypes[power];
}

static bool make_layout(clrs_dtype dtype, const candidate *c, const int64_t *strides,
                        clrs_layout *layout) {
  clrs_shape shape = {.rank = c->rank};
  memcpy(shape.dims, c->dims, sizeof c->dims);
  return clrs_layout_init(dtype, &shape, strides, 0, layout, NULL) == CLRS_OK;
}

static clrs_status plan_it(const first_row *row, const clrs_device_limits *limits,
                           first_case *given) {
  clrs_view source, destination;
  clrs_error error;
  const clrs_operand to = {&destination, 0, 128};
  const clrs_move move = {{&source, 0, 128}, to, CLRS_COPY_ALWAYS};
  if (clrs_view_from_layout(&given->source, &source, &error) != CLRS_OK ||
      clrs_view_from_layout(&given->destination, &destination, &error) != CLRS_OK)
    return CLRS_INVALID_ARGUMENT;
  return row->kernel_class == CLRS__CLASS_FILL
             ? clrs_plan_fill(&to, limits, &given->plan, &error)
             : clrs_plan_move(&move, limits, &given->plan, &error);
}

static bool is_of(const first_row *row, const clrs_plan *plan) {
  return plan->launch_count == 1 &&
         plan->launches[0].kernel_class == clrs_class_name(row->kernel_class) &&
         plan->launches[0].unit_bits == row->unit_bits;
}

bool first_row_case(const first_row *row, const clrs_device_limits *limits, first_case *found) {
  const int first = row->kernel_class == CLRS__CLASS_GPU_SHORT ? SHORT_AXES : 0;
  clrs_device_limits wanted = *limits;
  wanted.execution = row->execution;
  if (row->kernel_class != CLRS__CLASS_FILL)
    wanted.required_class = clrs_class_name(row->kernel_class);
  for (int i = 0; i < CANDIDATES; i++) {
    const candidate *c = &candidates[(first + i) % CANDIDATES];
    if (make_layout(dtype_of(row->unit_bits), c, c->source, &found->source) &&
        make_layout(dtype_of(row->unit_bits), c, c->destination, &found->destination) &&
        plan_it(row, &wanted, found) == CLRS_OK && is_of(row, &found->plan))
      return true;
  }
  return false;
}
