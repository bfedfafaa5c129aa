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
#ifndef CLRS_PARAMETERS_CL
#include "parameters.cl"
#endif

#if RESAMPLES
typedef struct tap_t {
  int at, weight; /* the weight may be the bits of a float */
} tap_t;
typedef global const tap_t *taps_ref;

/* An element of the result: the taps of its row and of its column, and the place of its colour in
 * the picture's element [0,0]. */
typedef struct sampled_t {
  index_t at;
  taps_ref rows, columns;
} sampled_t;

INLINED sampled_t find_sampled(mapped_ref move, index_t number) {
  const taps_ref taps = (taps_ref)(move + 1);
  count_t rest = (count_t)number;
  sampled_t found;
  found.at = take_digit(&rest, move->inner, move->inner_divisor) * move->inner_stride;
  const index_t column = take_digit(&rest, move->picture_columns, move->picture_columns_divisor);
  const index_t row = take_digit(&rest, move->picture_rows, move->picture_rows_divisor);
  found.at += take_digit(&rest, move->outer, move->outer_divisor) * move->outer_stride;
  found.at += (index_t)rest * move->outermost_stride;
  found.rows = taps + row * move->row_taps;
  found.columns = taps + move->picture_rows * move->row_taps + column * move->column_taps;
  return found;
}

INLINED FROM_T load_sampled(global const uchar *source, mapped_ref move, const sampled_t of,
                            index_t row, index_t column) {
  return (FROM_T)load_code(ELEMENT(FROM), source,
                           of.at + of.rows[row].at * move->row_stride +
                               of.columns[column].at * move->column_stride);
}

#if RESAMPLES == CLRS_COMBINE_PILLOW
#define PILLOW_BITS 22

/* The taps along an axis, and the axis' stride. */
typedef struct line_t {
  taps_ref taps;
  index_t count, stride;
} line_t;

/* Sums along one axis and rounds to bytes, then along the other axis. */
INLINED FROM_T combine(global const uchar *source, mapped_ref move, const sampled_t of) {
  const line_t rows = {of.rows, move->row_taps, move->row_stride};
  const line_t columns = {of.columns, move->column_taps, move->column_stride};
  const line_t inner = move->sums_rows_first ? rows : columns;
  const line_t outer = move->sums_rows_first ? columns : rows;
  int sum = 1 << (PILLOW_BITS - 1);
  for (index_t i = 0; i < outer.count; i++) {
    const int weight = outer.taps[i].weight;
    const index_t at = of.at + outer.taps[i].at * outer.stride;
    int line = 1 << (PILLOW_BITS - 1);
    for (index_t k = 0; weight != 0 && k < inner.count; k++) {
      line += (int)source[at + inner.taps[k].at * inner.stride] * inner.taps[k].weight;
    }
    sum += clamp(line >> PILLOW_BITS, 0, 255) * weight;
  }
  return (FROM_T)clamp(sum >> PILLOW_BITS, 0, 255);
}
#elif RESAMPLES == CLRS_COMBINE_NEAREST
INLINED FROM_T combine(global const uchar *source, mapped_ref move, const sampled_t of) {
  return load_sampled(source, move, of, 0, 0);
}
#elif RESAMPLES == CLRS_COMBINE_OPENCV || RESAMPLES == CLRS_COMBINE_EXACT
/* The sum of two rows, each a sum of two columns. */
INLINED int sum_of_rows(int first, int second, int upper, int lower) {
#if RESAMPLES == CLRS_COMBINE_EXACT
  return (first * upper + second * lower + (1 << 15)) >> 16;
#else
  return ((upper * (first >> 4) >> 16) + (lower * (second >> 4) >> 16) + 2) >> 2;
#endif
}

INLINED FROM_T combine(global const uchar *source, mapped_ref move, const sampled_t of) {
  const int left = of.columns[0].weight, right = of.columns[1].weight;
  const int first = (int)load_sampled(source, move, of, 0, 0) * left +
                    (int)load_sampled(source, move, of, 0, 1) * right;
  const int second = (int)load_sampled(source, move, of, 1, 0) * left +
                     (int)load_sampled(source, move, of, 1, 1) * right;
  return (FROM_T)sum_of_rows(first, second, of.rows[0].weight, of.rows[1].weight);
}
#else
INLINED float load_float(global const uchar *source, mapped_ref move, const sampled_t of,
                         index_t row, index_t column) {
  return as_float((uint)load_sampled(source, move, of, row, column));
}

/* The formula of the package, with fma where the package has one. */
INLINED FROM_T combine(global const uchar *source, mapped_ref move, const sampled_t of) {
  const float left = as_float(of.columns[0].weight), right = as_float(of.columns[1].weight);
  const float upper = as_float(of.rows[0].weight), lower = as_float(of.rows[1].weight);
  const float a = load_float(source, move, of, 0, 0), b = load_float(source, move, of, 0, 1);
  const float c = load_float(source, move, of, 1, 0), d = load_float(source, move, of, 1, 1);
#if RESAMPLES == CLRS_COMBINE_ONNX
  const float result =
      ((left * upper * a + right * upper * b) + left * lower * c) + right * lower * d;
#else
  const float first = fma(left, a, right * b), second = fma(left, c, right * d);
  const float result = RESAMPLES == CLRS_COMBINE_TORCH ? fma(upper, first, lower * second)
                                                       : fma(lower, second, upper * first);
#endif
  return as_uint(result);
}
#endif

#define LOAD_FROM(source, move, place) combine(source, move, find_sampled(move, place))
#else
#define LOAD_FROM(source, move, place) load_code(ELEMENT(FROM), source, place)
#endif

#endif
