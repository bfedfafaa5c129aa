/*
 * The negative matrix: clreshape/map.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core.h"

#include <stdlib.h>

/* A list of two numbers for the dim of six: three neighbours share a number. */
static void set_numbers(arguments *a) {
  a->two_values[0] = 1, a->two_values[1] = 2;
  a->one_spread = (clrs_spread){CLRS_SPREAD_AXIS, 1, 3};
  a->one_numbers = a->other_numbers = (clrs_numbers){2, a->two_values, a->one_spread};
  a->numbers = a->scale = &a->one_numbers;
  a->zero = &a->other_numbers;
  a->spread = &a->one_spread;
}

/* f32 to u8, quantized with numbers of the map's own. */
static void set_map(arguments *a) {
  set_numbers(a);
  memset(&a->one_map, 0, sizeof a->one_map);
  if (clrs_map_quantize(CLRS_F32, CLRS_U8, a->scale, a->zero, &a->one_map, NULL) != CLRS_OK)
    abort();
  a->map = &a->one_map;
}

static void set_types(arguments *a) {
  set_numbers(a);
  a->from__dtype = CLRS_F32;
  a->to__dtype = CLRS_U8;
}

#define TYPE_ROWS                                                                                  \
  DTYPE_ROWS(from__dtype)                                                                          \
  DTYPE_ROWS(to__dtype)                                                                            \
  ROW(map_out, NULL, CLRS_INVALID_ARGUMENT, "map is NULL")

/* ---- casts ---- */

FUNCTION(clrs_map_cast, set_types(a), a->dialect, a->from__dtype, a->to__dtype, a->map_out) {
  TYPE_ROWS;
  ROW(dialect, -1, CLRS_INVALID_ARGUMENT, "clrs_dialect has 0 to 3");
  ROW(dialect, CLRS_NUMPY + 1, CLRS_INVALID_ARGUMENT, "dialect 4 is unknown");
  ROW(dialect, INT32_MAX, CLRS_INVALID_ARGUMENT, "dialect 2147483647 is unknown");
  ROW(from__dtype, CLRS_U1, CLRS_INVALID_ARGUMENT, "ONNX has no element type u1");
  ROW(to__dtype, CLRS_C64, CLRS_UNSUPPORTED, "elements of c64 have no value");
}

FUNCTION(clrs_map_bitcast, (a->from__dtype = CLRS_F32, a->to__dtype = CLRS_U32), a->from__dtype,
         a->to__dtype, a->map_out) {
  TYPE_ROWS;
  ROW(to__dtype, CLRS_U64, CLRS_INVALID_ARGUMENT, "from f32 of 32 bits to u64 of 64");
  ROW(from__dtype, CLRS_STRING, CLRS_INVALID_ARGUMENT, "BitCast-26 has none of strings");
  ROW_IF(a->from__dtype = CLRS_C128, to__dtype, CLRS_STRING, CLRS_INVALID_ARGUMENT, "of strings");
}

/* ---- numbers ---- */

/* Rows of a list of two that a step uses. `name` is the name in messages. */
#define NUMBERS_ROWS(numbers, name)                                                                \
  ROW(numbers->count, 0, CLRS_INVALID_ARGUMENT, name " has 0 values")                              \
  ROW(numbers->count, 65, CLRS_LIMIT_EXCEEDED, name " has 65 values")                              \
  ROW(numbers->count, SIZE_MAX, CLRS_LIMIT_EXCEEDED, "a map holds 64, and more are a tensor")      \
  TAKES(numbers->count, 1)                                                                         \
  ROW(numbers->values, NULL, CLRS_INVALID_ARGUMENT, "has 2 values, which are NULL")                \
  ROW(numbers->spread.kind, -1, CLRS_INVALID_ARGUMENT, "clrs_spread_kind has 0 to 2")              \
  ROW(numbers->spread.kind, 3, CLRS_INVALID_ARGUMENT, "spread 3 is unknown")                       \
  TAKES(numbers->spread.axis, INT64_MIN) /* no shape is known yet */                               \
  ROW(numbers->spread.block, -1, CLRS_INVALID_ARGUMENT, "a block of -1 elements")                  \
  ROW(numbers->spread.block, INT64_MIN, CLRS_INVALID_ARGUMENT, "a block of -9223372036854775808")  \
  TAKES(numbers->spread.block, INT64_MAX)

FUNCTION(clrs_map_quantize, set_types(a), a->from__dtype, a->to__dtype, a->scale, a->zero,
         a->map_out) {
  TYPE_ROWS;
  ROW(scale, NULL, CLRS_INVALID_ARGUMENT, "scale is NULL");
  TAKES(zero, NULL);
  NUMBERS_ROWS(scale, "scale");
  NUMBERS_ROWS(zero, "zero");
  ROW_IF(a->two_values[0] = 0, zero, NULL, CLRS_INVALID_ARGUMENT, "nothing is divided by 0");
  ROW_IF(a->two_values[1] = 256, zero, &a->other_numbers, CLRS_INVALID_ARGUMENT,
         "the zero point 256 is no number of u8");
}

FUNCTION(clrs_map_dequantize, (set_types(a), a->from__dtype = CLRS_U8, a->to__dtype = CLRS_F32),
         a->from__dtype, a->to__dtype, a->scale, a->zero, a->map_out) {
  TYPE_ROWS;
  ROW(scale, NULL, CLRS_INVALID_ARGUMENT, "scale is NULL");
  TAKES(zero, NULL);
  NUMBERS_ROWS(scale, "scale");
  NUMBERS_ROWS(zero, "zero");
  ROW_IF(a->two_values[1] = 0, zero, NULL, CLRS_INVALID_ARGUMENT, "scale 1 is 0");
}

FUNCTION(clrs_map_step, (set_map(a), a->kind = CLRS_STEP_ADD, a->dtype = CLRS_F32), a->map, a->kind,
         a->dtype, a->numbers) {
  ROW(map, NULL, CLRS_INVALID_ARGUMENT, "map is NULL");
  ROW(kind, -1, CLRS_INVALID_ARGUMENT, "clrs_step_kind has 0 to 12");
  ROW(kind, CLRS_STEP_RESAMPLE + 1, CLRS_INVALID_ARGUMENT, "step kind 13 is unknown");
  ROW(kind, CLRS_STEP_RESAMPLE, CLRS_INVALID_ARGUMENT, "a map has no picture to resize");
  ROW(kind, CLRS_STEP_ADD_TERM, CLRS_INVALID_ARGUMENT, "no term stands before");
  ROW(kind, CLRS_STEP_SHIFT_LEFT, CLRS_INVALID_ARGUMENT, "only i32 is shifted");
  ROW(kind, CLRS_STEP_ROUND, CLRS_INVALID_ARGUMENT, "clrs_map_round appends it");
  ROW(kind, CLRS_STEP_ROUND_AND_ADD, CLRS_INVALID_ARGUMENT, "a zero point of f32");
  DTYPE_ROWS(dtype);
  ROW(dtype, CLRS_I16, CLRS_INVALID_ARGUMENT, "steps in i16");
  ROW(numbers, NULL, CLRS_INVALID_ARGUMENT, "numbers is NULL");
  NUMBERS_ROWS(numbers, "numbers");
}

FUNCTION(clrs_map_round,
         (set_map(a), a->dtype = CLRS_F16, a->rounding = CLRS_ROUND_UP,
          a->overflow = CLRS_OVERFLOW_IEEE),
         a->map, a->dtype, a->rounding, a->overflow) {
  ROW(map, NULL, CLRS_INVALID_ARGUMENT, "map is NULL");
  DTYPE_ROWS(dtype);
  ROW(dtype, CLRS_U8, CLRS_INVALID_ARGUMENT, "u8 has no infinity");
  ROW(dtype, CLRS_C64, CLRS_UNSUPPORTED, "elements of c64 have no value");
  ROW(rounding, -1, CLRS_INVALID_ARGUMENT, "clrs_rounding has 0 to 4");
  ROW(rounding, CLRS_ROUND_UP + 1, CLRS_INVALID_ARGUMENT, "rounding 5 is unknown");
  ROW(overflow, -1, CLRS_INVALID_ARGUMENT, "clrs_overflow has 0 to 2");
  ROW(overflow, CLRS_OVERFLOW_IEEE + 1, CLRS_INVALID_ARGUMENT, "overflow 3 is unknown");
}

/* ---- whole maps ---- */

FUNCTION(clrs_map_check, set_map(a), a->map) {
  MAP_ROWS(map);
  TAKES(map->steps[1].parameter.spread.axis, INT64_MAX); /* no shape is known yet */
}

ANSWER(clrs_map_keeps_bits, "%d", clrs_map_keeps_bits(a->map)) {
  ANSWERS(map, NULL, "0");
}

/* ---- bound maps ---- */

static void set_source(arguments *a) {
  set_map(a);
  a->source__view = &a->one_view;
  memset(&a->one_tensors, 0, sizeof a->one_tensors);
  a->tensors = &a->one_tensors;
}

FUNCTION(clrs__spread_view, (set_numbers(a), a->one_view = core_view(1, LIST(2))), a->spread,
         a->shape, a->view) {
  ROW(spread, NULL, CLRS_INVALID_ARGUMENT, "spread is NULL");
  ROW(spread->kind, -1, CLRS_INVALID_ARGUMENT, "clrs_spread_kind has 0 to 2");
  ROW(spread->kind, CLRS_SPREAD_BLOCKS + 1, CLRS_INVALID_ARGUMENT, "spread 3 is unknown");
  ROW(spread->axis, 2, CLRS_INVALID_ARGUMENT, "2 is out of range for rank 2");
  ROW(spread->axis, INT64_MIN, CLRS_INVALID_ARGUMENT, "-9223372036854775808 is out of range");
  TAKES(spread->axis, -1);
  ROW(spread->block, 2, CLRS_COUNT_MISMATCH, "in blocks of 2, for 3 numbers; the parameter has 2");
  ROW(spread->block, -1, CLRS_INVALID_ARGUMENT, "a block of -1");
  ROW(spread->block, INT64_MAX, CLRS_COUNT_MISMATCH, "9223372036854775807, for 1 numbers");
  SHAPE_ROWS(shape);
  ROW(view, NULL, CLRS_INVALID_ARGUMENT, "view is NULL");
}

FUNCTION(clrs_map_bind, set_source(a), a->map, a->source__view, a->tensors, a->views_out) {
  ROW(map, NULL, CLRS_INVALID_ARGUMENT, "map is NULL");
  ROW(source__view, NULL, CLRS_INVALID_ARGUMENT, "view is NULL");
  ROW_IF(a->one_view.dtype = CLRS_I32, source__view, &a->one_view, CLRS_INVALID_ARGUMENT,
         "the source is of i32; the map is from f32");
  TAKES(tensors, NULL); /* none is needed */
  ROW_IF(a->one_map.steps[0].parameter.count = 0, tensors, NULL, CLRS_INVALID_ARGUMENT,
         "a parameter that is a tensor is NULL");
  ROW_IF(a->one_map.steps[0].parameter.count = 0, tensors->steps[0], NULL, CLRS_INVALID_ARGUMENT,
         "a parameter that is a tensor is NULL");
  ROW_IF(a->one_map.steps[0].parameter.count = 0, tensors->steps[0], &a->bad_view,
         CLRS_INVALID_ARGUMENT, FOREIGN_VIEW);
  ROW_IF(a->one_map.steps[1].parameter.count = 0, tensors->steps[1], NULL, CLRS_INVALID_ARGUMENT,
         "a parameter that is a tensor is NULL");
  ROW_IF(a->one_map.steps[1].parameter.count = 0, tensors->steps[1], &a->one_view,
         CLRS_INVALID_ARGUMENT, "zero points of f32");
  ROW(views_out, NULL, CLRS_INVALID_ARGUMENT, "views is NULL");
}

static void set_bound(arguments *a) {
  set_source(a);
  if (clrs_map_bind(a->map, a->source__view, NULL, &a->one_views, NULL) != CLRS_OK)
    abort();
  memset(&a->one_data, 0, sizeof a->one_data);
  memset(a->source_bytes, 0, sizeof a->source_bytes);
  a->one_data.source = (clrs_bytes){a->source_bytes, sizeof a->source_bytes};
  a->views = &a->one_views;
  a->data = &a->one_data;
  a->destination__host = a->made.bytes;
  a->destination_size = 24;
}

/* The zero points are in a tensor of two 32-bit integers, with memory of that many bytes. */
static void zero_in_tensor(arguments *a, size_t size) {
  clrs_map_views *views = &a->one_views;
  a->one_map.steps[1].parameter.count = 0;
  a->one_data.steps[1].size = size;
  views->views[1] = views->views[0];
  views->views[1].dtype = CLRS_I32;
  views->of_step[1] = 1;
  views->count = 2;
}

FUNCTION(clrs_map_apply, set_bound(a), a->map, a->views, a->data, a->destination__host,
         a->destination_size) {
  ROW(map, NULL, CLRS_INVALID_ARGUMENT, "map is NULL");
  ROW(views, NULL, CLRS_INVALID_ARGUMENT, "views is NULL");
  ROW(views->count, CLRS_MAP_VIEWS + 1, CLRS_INVALID_ARGUMENT, "views of 5 parameters");
  ROW(views->count, 0, CLRS_INVALID_ARGUMENT, "has view 0; clrs_map_bind made 0");
  ROW(views->views[0].depth, 0, CLRS_INVALID_ARGUMENT, "a stack of 0 walks");
  ROW(views->of_step[0], 1, CLRS_INVALID_ARGUMENT, "has view 1; clrs_map_bind made 1");
  ROW(views->of_step[1], 1, CLRS_INVALID_ARGUMENT, "has view 1; clrs_map_bind made 1");
  ROW(views->of_step[1], CLRS_MAP_SCALAR, CLRS_INVALID_ARGUMENT, "a parameter of 2 numbers");
  ROW(views->views[0].levels[0].offset, 1, CLRS_OUT_OF_BOUNDS, "reads its numbers 1 to ");
  ROW(views->views[0].levels[0].offset, -1, CLRS_OUT_OF_BOUNDS, "reads its numbers -1 to ");
  ROW(views->views[0].dtype, CLRS_F32, CLRS_INVALID_ARGUMENT, "own numbers is of f64");
  ROW(views->views[0].dtype, CLRS_C64, CLRS_INVALID_ARGUMENT, "own numbers is of f64");
  ROW(views->source.dtype, CLRS_I8, CLRS_INVALID_ARGUMENT, "clrs_map_bind makes at most");
  ROW(views->source.shape.rank, 99, CLRS_LIMIT_EXCEEDED, "rank 99");
  ROW(views->resample.by, CLRS_OPENCV_LINEAR, CLRS_INVALID_ARGUMENT,
      "a map that resamples nothing");
  ROW(data, NULL, CLRS_INVALID_ARGUMENT, "data is NULL");
  ROW(data->source.data, NULL, CLRS_INVALID_ARGUMENT, "the source is NULL");
  ROW(data->source.size, 95, CLRS_OUT_OF_BOUNDS, "the source has 95 bytes");
  ROW_IF(a->one_map.steps[0].parameter.count = 0, data->steps[0].size, 15, CLRS_OUT_OF_BOUNDS,
         "the memory of a parameter has 15 bytes");
  ROW_IF(zero_in_tensor(a, 8), data->steps[1].size, 7, CLRS_OUT_OF_BOUNDS, "has 7 bytes");
  ROW_IF(zero_in_tensor(a, 8), data->steps[1].data, NULL, CLRS_INVALID_ARGUMENT,
         "the memory of a parameter is NULL");
  ROW_IF(zero_in_tensor(a, 8), views->views[1].dtype, CLRS_F64, CLRS_INVALID_ARGUMENT,
         "zero points of f64; they must be integers of up to 32 bits");
  ROW(destination__host, NULL, CLRS_INVALID_ARGUMENT, "the destination is NULL");
  ROW(destination_size, 23, CLRS_OUT_OF_BOUNDS, "the destination has 23 bytes");
}
