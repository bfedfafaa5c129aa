/*
 * Elements of a resized picture: sums over taps, which are elements of the picture with weights.
 * The words of the launch are in a buffer, and the taps of all rows and then of all columns are
 * behind the words. The host has computed the taps (src/map/resample.c), so that a kernel divides
 * nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RESAMPLE_CL
#define CLRS_RESAMPLE_CL
#ifndef CLRS_PICTURE_CL
#include "picture.cl"
#endif

#if RESAMPLES
/* An element of the result. `rows` and `columns` are the taps of the row and of the column.
 * `column` and `color` are the digits of the element's number. `at` is the place of the colour in
 * the pixel [0,0] of the picture. */
typedef struct sampled_t {
  place_t at;
  index_t column, color;
  taps_ref rows, columns;
} sampled_t;

/* Splits the number of a result element into digits, the fastest first: colour, column, row, and
 * the two axes outside of a picture. Example: number 100 of a result of 5 rows, 7 columns and 3
 * colours is colour 1 (100 = 33 * 3 + 1) of column 5 (33 = 4 * 7 + 5) of row 4. With 2 taps for
 * each row and column, the row's taps begin at tap 4 * 2, and the column's at tap 5 * 2 + 5 * 2. */
INLINED sampled_t find_sampled(mapped_ref move, index_t number) {
  const taps_ref taps = (taps_ref)(move + 1);
  count_t rest = (count_t)number;
  sampled_t found;
  found.color = take_digit(&rest, move->inner, move->inner_divisor);
  found.column = take_digit(&rest, move->picture_columns, move->picture_columns_divisor);
  const index_t row = take_digit(&rest, move->picture_rows, move->picture_rows_divisor);
  const index_t outer = take_digit(&rest, move->outer, move->outer_divisor) * move->outer_stride;
  found.at = place_in_pixel(outer + (index_t)rest * move->outermost_stride, found.color,
                            move->inner_stride);
  found.rows = taps + row * move->row_taps;
  found.columns = taps + move->picture_rows * move->row_taps + found.column * move->column_taps;
  return found;
}

/* ---- sums of integers ---- */

#if RESAMPLES == CLRS_COMBINE_PILLOW
#define SUMS_ROWS_FIRST(move) ((move)->sums_rows_first)
#else
#define SUMS_ROWS_FIRST(move) false
#endif
#if RESAMPLES <= CLRS_COMBINE_PILLOW
/* A line holds the sums of a source row along the columns. An element is a sum of lines. The
 * nearest element is in a line itself. */
#if RESAMPLES == CLRS_COMBINE_NEAREST
typedef FROM_T line_t;
#elif RESAMPLES == CLRS_COMBINE_PILLOW
typedef uchar line_t;
#define TAPS(count) (count)
#define EACH_TAP
#define LINES 32 /* a power of two */
#define HALF (1 << 21)
#define CLIP(x) ((x) < 0 ? 0 : (x) > 255 ? 255 : (x))
#define LINE_START HALF
#define LINE_OF(sum) CLIP((sum) >> 22)
#define PART_OF(line, weight) ((line) * (weight))
#define RESULT_OF(sum) CLIP((sum) >> 22)
#else
typedef ushort line_t;
#define TAPS(count) 2
#define EACH_TAP _Pragma("unroll")
#define LINES 2
#define LINE_START 0
#if RESAMPLES == CLRS_COMBINE_EXACT
#define HALF (1 << 15)
#define LINE_OF(sum) (sum)
#define PART_OF(line, weight) ((line) * (weight))
#define RESULT_OF(sum) ((sum) >> 16)
#else
#define HALF 2
#define LINE_OF(sum) ((sum) >> 4)
#define PART_OF(line, weight) ((ushort)((uint)(line) * (ushort)(weight) >> 16))
#define RESULT_OF(sum) ((sum) >> 2)
#endif
#endif

#if RESAMPLES == CLRS_COMBINE_NEAREST
INLINED line_t sum_columns(const picture_t source, mapped_ref move, const place_t at,
                           taps_ref taps) {
  return load_sampled(source, at + place_along(source, taps->at, move->column_stride));
}
INLINED FROM_T combine(const picture_t source, mapped_ref move, const sampled_t of) {
  return sum_columns(source, move, of.at + place_along(source, of.rows->at, move->row_stride),
                     of.columns);
}
#else
INLINED line_t sum_taps(const picture_t source, const place_t at, taps_ref taps, index_t count,
                        index_t stride) {
  int sum = LINE_START;
  EACH_TAP for (index_t k = 0; k < TAPS(count); k++) {
    sum += (int)load_sampled(source, at + place_along(source, taps[k].at, stride)) * taps[k].weight;
  }
  return (line_t)LINE_OF(sum);
}

INLINED line_t sum_columns(const picture_t source, mapped_ref move, const place_t at,
                           taps_ref taps) {
  return sum_taps(source, at, taps, move->column_taps, move->column_stride);
}

/* The taps along the axis that is summed first, and along the other axis. */
typedef struct order_t {
  taps_ref inner, outer;
  index_t count, stride, outer_count, outer_stride;
} order_t;

INLINED order_t find_order(mapped_ref move, const sampled_t of) {
  const bool rows_first = SUMS_ROWS_FIRST(move);
  order_t order;
  order.inner = rows_first ? of.rows : of.columns;
  order.outer = rows_first ? of.columns : of.rows;
  order.count = rows_first ? move->row_taps : move->column_taps;
  order.stride = rows_first ? move->row_stride : move->column_stride;
  order.outer_count = rows_first ? move->column_taps : move->row_taps;
  order.outer_stride = rows_first ? move->column_stride : move->row_stride;
  return order;
}

/* Sums along one axis, then along the other axis. */
INLINED FROM_T combine(const picture_t source, mapped_ref move, const sampled_t of) {
  const order_t order = find_order(move, of);
  int sum = HALF;
  EACH_TAP for (index_t i = 0; i < TAPS(order.outer_count); i++) {
    const tap_t tap = order.outer[i];
    const place_t at = of.at + place_along(source, tap.at, order.outer_stride);
    const int line =
        tap.weight == 0 ? 0 : sum_taps(source, at, order.inner, order.count, order.stride);
    sum += PART_OF(line, tap.weight);
  }
  return (FROM_T)RESULT_OF(sum);
}
#endif
#endif

/* ---- sums of floats ---- */

#if RESAMPLES > CLRS_COMBINE_PILLOW
/* The places and the weights of an element's taps along one axis. */
typedef struct pair_t {
  place_t first, second;
  int weight, second_weight;
} pair_t;

INLINED pair_t take_pair(const picture_t source, taps_ref taps, index_t stride) {
  const pair_t pair = {place_along(source, taps[0].at, stride),
                       place_along(source, taps[1].at, stride), taps[0].weight, taps[1].weight};
  return pair;
}

INLINED float load_float(const picture_t source, const place_t at) {
  return as_float((uint)load_sampled(source, at));
}

/* The formula of the package, with fma where the package has one, of one element (float) or of
 * several (T). The elements a and b are in the upper row, and c and d in the lower row. */
#if RESAMPLES == CLRS_COMBINE_ONNX
#define COMBINED(T)                                                                                \
  (((left * upper * a + right * upper * b) + left * lower * c) + right * lower * d)
#elif RESAMPLES == CLRS_COMBINE_TORCH
#define COMBINED(T)                                                                                \
  fma((T)(lower * right), d, fma((T)(lower * left), c, fma((T)(upper * left), a, upper *right *b)))
#else
#define COMBINED(T) fma((T)lower, fma((T)left, c, right *d), upper *fma((T)left, a, right *b))
#endif
#define DECLARE_PAIRS(T, load)                                                                     \
  const float left = as_float(column.weight), right = as_float(column.second_weight);              \
  const float upper = as_float(row.weight), lower = as_float(row.second_weight);                   \
  const T a = load(source, at + row.first + column.first);                                         \
  const T b = load(source, at + row.first + column.second);                                        \
  const T c = load(source, at + row.second + column.first);                                        \
  const T d = load(source, at + row.second + column.second);

INLINED FROM_T combine_pairs(const picture_t source, const place_t at, const pair_t row,
                             const pair_t column) {
  DECLARE_PAIRS(float, load_float)
  return as_uint(COMBINED(float));
}

#if HAS_PIXELS && COLORED
#define load_floats(source, at) as_float4(load_pixel(source, at))
/* Combines the three colours of pixels, and a fourth number without a meaning. */
INLINED from4_t combine_pixels(const picture_t source, const place_t at, const pair_t row,
                               const pair_t column) {
  DECLARE_PAIRS(float4, load_floats)
  return as_uint4(COMBINED(float4));
}
#endif

INLINED FROM_T combine(const picture_t source, mapped_ref move, const sampled_t of) {
  return combine_pairs(source, of.at, take_pair(source, of.rows, move->row_stride),
                       take_pair(source, of.columns, move->column_stride));
}
#endif

/* ---- elements ---- */

INLINED FROM_T sample(global const uchar *source, mapped_ref move, index_t number) {
  return combine(picture_of(source, move), move, find_sampled(move, number));
}

#define LOAD_FROM(source, move, place) sample(source, move, place)
#else
#define LOAD_FROM(source, move, place) load_code(ELEMENT(FROM), source, place)
#endif

#endif
