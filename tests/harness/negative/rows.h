/*
 * Rows that several functions share: of a shape, a view, a layout, a pattern, limits. matrix.h says
 * how to read rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_NEGATIVE_ROWS_H
#define CLRS_TEST_NEGATIVE_ROWS_H

#include "matrix.h"

/* A list that lives in the arguments. */
#define SET_LIST(parameter, ...)                                                                   \
  (memcpy(a->one_list, LIST(__VA_ARGS__), sizeof LIST(__VA_ARGS__)), a->parameter = a->one_list)

#define FOREIGN_VIEW "not made by this library"
#define UNKNOWN_DTYPE "clrs_dtype has 0 to 40"

#define DTYPE_ROWS(dtype)                                                                          \
  ROW(dtype, -1, CLRS_INVALID_ARGUMENT, UNKNOWN_DTYPE)                                             \
  ROW(dtype, CLRS_DTYPE_COUNT, CLRS_INVALID_ARGUMENT, "element type 41 is unknown")                \
  ROW(dtype, INT32_MAX, CLRS_INVALID_ARGUMENT, "element type 2147483647 is unknown")

#define SHAPE_ROWS(shape)                                                                          \
  ROW(shape, NULL, CLRS_INVALID_ARGUMENT, "shape is NULL")                                         \
  ROW(shape->rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims")                \
  ROW(shape->rank, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "rank 4294967295")                             \
  ROW(shape->dims[0], -1, CLRS_INVALID_ARGUMENT, "dimension 0 of a shape is -1")                   \
  ROW(shape->dims[1], INT64_MIN, CLRS_INVALID_ARGUMENT, "-9223372036854775808; it must be at")     \
  ROW(shape->dims[1], INT64_MAX, CLRS_OVERFLOW, "multiply to more than 64 bits")                   \
  ROW_IF(a->shape->dims[0] = 0, shape->dims[0], (a->shape->dims[1] = INT64_MAX, INT64_MAX),        \
         CLRS_OVERFLOW, "more than 64 bits")

/* Every function with a view argument checks each level of the view. */
#define VIEW_ROWS(view)                                                                            \
  ROW(view, NULL, CLRS_INVALID_ARGUMENT, "view is NULL")                                           \
  DTYPE_ROWS(view->dtype)                                                                          \
  ROW(view->depth, 0, CLRS_INVALID_ARGUMENT, "a stack of 0 walks")                                 \
  ROW(view->depth, 2, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                                         \
  ROW(view->depth, CLRS_MAX_DEPTH + 1, CLRS_INVALID_ARGUMENT, "a stack of 9 walks")                \
  ROW(view->depth, UINT32_MAX, CLRS_INVALID_ARGUMENT, "a stack of 4294967295 walks")               \
  ROW(view->shape.rank, 0, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                                    \
  ROW(view->shape.rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims")           \
  ROW(view->shape.rank, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "rank 4294967295")                        \
  ROW(view->shape.dims[0], -1, CLRS_INVALID_ARGUMENT, "dimension 0 of a shape is -1")              \
  ROW(view->shape.dims[0], 0, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                                 \
  ROW(view->shape.dims[0], 1000, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                              \
  ROW_IF(a->view->shape.dims[0] = INT64_MAX, view->shape.dims[1], INT64_MAX, CLRS_OVERFLOW,        \
         "more than 64 bits")                                                                      \
  ROW(view->levels[0].offset, INT64_MAX, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                      \
  ROW(view->levels[0].axis_count, 0, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                          \
  ROW(view->levels[0].axis_count, CLRS_VIEW_AXES + 1, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)         \
  ROW(view->levels[0].axis_count, UINT32_MAX, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                 \
  ROW(view->axes[0].extent, 0, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                                \
  ROW(view->axes[0].extent, -1, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                               \
  ROW(view->axes[0].extent, INT64_MAX, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                        \
  ROW(view->axes[0].stride, INT64_MAX, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                        \
  ROW(view->axes[0].stride, INT64_MIN, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)

/* Rows of a map from f32 to u8: a division by two numbers, and as many zero points added. */
#define MAP_ROWS(map)                                                                              \
  ROW(map, NULL, CLRS_INVALID_ARGUMENT, "map is NULL")                                             \
  DTYPE_ROWS(map->from)                                                                            \
  DTYPE_ROWS(map->to)                                                                              \
  ROW(map->reinterprets, true, CLRS_INVALID_ARGUMENT, "the widths must be equal")                  \
  ROW(map->to, CLRS_I8, CLRS_INVALID_ARGUMENT, "a map to i8 whose last step gives u8")             \
  ROW(map->steps[1].rounding, -1, CLRS_INVALID_ARGUMENT, "clrs_rounding has 0 to 4")               \
  ROW(map->steps[1].rounding, CLRS_ROUND_UP + 1, CLRS_INVALID_ARGUMENT, "rounding 5 is unknown")   \
  ROW(map->steps[1].overflow, -1, CLRS_INVALID_ARGUMENT, "clrs_overflow has 0 to 2")               \
  ROW(map->steps[1].overflow, CLRS_OVERFLOW_IEEE, CLRS_INVALID_ARGUMENT, "u8 has no infinity")     \
  DTYPE_ROWS(map->steps[0].dtype)                                                                  \
  ROW(map->steps[0].dtype, CLRS_U8, CLRS_INVALID_ARGUMENT, "steps in u8")                          \
  ROW(map->steps[1].kind, CLRS_STEP_SUBTRACT, CLRS_INVALID_ARGUMENT, "steps in u8")                \
  ROW(map->steps[1].parameter.count, 3, CLRS_INVALID_ARGUMENT,                                     \
      "the 3 numbers of the zero point begin at 2")                                                \
  ROW(map->steps[1].parameter.first, 3, CLRS_INVALID_ARGUMENT, "begin at 3; the map has 4")        \
  ROW(map->steps[1].parameter.spread.kind, -1, CLRS_INVALID_ARGUMENT, "spread -1 is unknown")      \
  ROW(map->steps[1].parameter.spread.block, -1, CLRS_INVALID_ARGUMENT, "a block of -1")            \
  ROW(map->step_count, CLRS_MAP_STEPS + 1, CLRS_LIMIT_EXCEEDED, "17 steps; a map has at most 16")  \
  ROW(map->step_count, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "4294967295 steps")                        \
  ROW(map->steps[0].kind, -1, CLRS_INVALID_ARGUMENT, "step kind -1 is unknown")                    \
  ROW(map->steps[0].parameter.count, 5, CLRS_INVALID_ARGUMENT, "the 5 numbers of step 0 (divide)")

/* An index of a dim, for a view of rank 2. */
#define AXIS_ROWS(axis)                                                                            \
  ROW(axis, 2, CLRS_INVALID_ARGUMENT, "2 is out of range for rank 2; it must be in [-2, 1]")       \
  ROW(axis, -3, CLRS_INVALID_ARGUMENT, "-3 is out of range")                                       \
  ROW(axis, INT64_MAX, CLRS_INVALID_ARGUMENT, "9223372036854775807 is out of range")               \
  ROW(axis, INT64_MIN, CLRS_INVALID_ARGUMENT, "-9223372036854775808 is out of range")              \
  TAKES(axis, -1)

#define PATTERN_MODE_ROWS(dialect, zero_mode)                                                      \
  ROW(dialect, -1, CLRS_INVALID_ARGUMENT, "clrs_dialect has 0 to 3")                               \
  ROW(dialect, CLRS_NUMPY + 1, CLRS_INVALID_ARGUMENT, "dialect 4 is unknown")                      \
  ROW(dialect, INT32_MAX, CLRS_INVALID_ARGUMENT, "dialect 2147483647 is unknown")                  \
  ROW(zero_mode, -1, CLRS_INVALID_ARGUMENT, "it must be 0 or 1")                                   \
  ROW(zero_mode, 2, CLRS_INVALID_ARGUMENT, "is 2; it must be 0 or 1")

#define PATTERN_ROWS(pattern)                                                                      \
  ROW(pattern, NULL, CLRS_INVALID_ARGUMENT, "pattern is NULL")                                     \
  PATTERN_MODE_ROWS(pattern->dialect, pattern->zero_mode)                                          \
  ROW(pattern->length, 33, CLRS_LIMIT_EXCEEDED, "the pattern has 33 values")                       \
  ROW(pattern->length, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "4294967295 values")                       \
  ROW(pattern->values[0], -2, CLRS_INVALID_PATTERN, "is -2; only -1 and values >= 0")              \
  ROW(pattern->values[0], INT64_MIN, CLRS_INVALID_PATTERN, "-9223372036854775808; only -1 and")    \
  ROW(pattern->values[0], -1, CLRS_INVALID_PATTERN, "only one may be inferred")                    \
  ROW(pattern->values[0], 7, CLRS_INVALID_PATTERN, "7, which does not divide 24")                  \
  ROW(pattern->values[0], INT64_MAX, CLRS_INVALID_PATTERN, "does not divide 24 elements")

/* `limits` ends in the dot or arrow before the fields. */
#define LIMITS_ROWS(limits)                                                                        \
  ROW(limits min_index_bits, 0, CLRS_INVALID_ARGUMENT, "min_index_bits is 0; it must be 32")       \
  ROW(limits min_index_bits, 33, CLRS_INVALID_ARGUMENT, "min_index_bits is 33")                    \
  ROW(limits min_index_bits, UINT32_MAX, CLRS_INVALID_ARGUMENT, "is 4294967295; it must be 32")    \
  ROW(limits max_work_items, 0, CLRS_INVALID_ARGUMENT, "max_work_items is 0; it must be at")       \
  TAKES(limits max_work_items, 1)                                                                  \
  TAKES(limits max_work_items, UINT64_MAX)                                                         \
  ROW(limits execution, -1, CLRS_INVALID_ARGUMENT, "clrs_execution has 0 to 2")                    \
  ROW(limits execution, CLRS_EXECUTION_GPU + 1, CLRS_INVALID_ARGUMENT, "execution 3 is")           \
  TAKES(limits max_group_items, UINT32_MAX)                                                        \
  TAKES(limits local_bytes, UINT64_MAX)                                                            \
  TAKES(limits launch_bytes, UINT64_MAX)                                                           \
  TAKES(limits required_class, NULL)                                                               \
  TAKES(limits required_class, "any")                                                              \
  ROW(limits required_class, "no_rows", CLRS_INVALID_ARGUMENT, "required_class is \'no_rows\'")

#define LAYOUT_ROWS(layout)                                                                        \
  ROW(layout, NULL, CLRS_INVALID_ARGUMENT, "layout is NULL")                                       \
  DTYPE_ROWS(layout->dtype)                                                                        \
  ROW(layout->rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims")               \
  ROW(layout->rank, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "rank 4294967295")                            \
  ROW(layout->dims[0], -1, CLRS_INVALID_ARGUMENT, "dimension 0 of a shape is -1")                  \
  ROW(layout->dims[1], INT64_MAX, CLRS_OVERFLOW, "multiply to more than 64 bits")                  \
  ROW(layout->strides[0], INT64_MAX, CLRS_OVERFLOW, "dimension 0 (extent 4, stride 92233720368")   \
  ROW(layout->strides[1], INT64_MIN, CLRS_OVERFLOW, "dimension 1 (extent 6, stride -9223372036")   \
  ROW(layout->offset, INT64_MAX, CLRS_OVERFLOW, "does not fit in 64 bits")

#endif
