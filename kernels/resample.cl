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

/* An element of the result. `rows` and `columns` are the taps of the row and of the column.
 * `column` and `color` are the digits of the element's number. `at` is the place of the colour in
 * the pixel [0,0] of the picture. */
typedef struct sampled_t {
  index_t at, column, color;
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
  found.at = found.color * move->inner_stride;
  found.at += take_digit(&rest, move->outer, move->outer_divisor) * move->outer_stride;
  found.at += (index_t)rest * move->outermost_stride;
  found.rows = taps + row * move->row_taps;
  found.columns = taps + move->picture_rows * move->row_taps + found.column * move->column_taps;
  return found;
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

INLINED FROM_T sample(global const uchar *source, mapped_ref move, index_t number) {
  return combine(source, move, find_sampled(move, number));
}

/* Stages `count` elements whose numbers are `stride` apart. */
INLINED void sample_piece(global const uchar *source, mapped_ref move, index_t at, index_t stride,
                          index_t count, FROM_T *staged) {
  for (index_t i = 0; i < count; i++) {
    staged[i] = sample(source, move, at + i * stride);
  }
}
#else
/* The places and the weights of an element's taps along one axis. */
typedef struct pair_t {
  index_t first, second;
  int weight, second_weight;
} pair_t;

INLINED pair_t take_pair(taps_ref taps, index_t stride) {
#if RESAMPLES == CLRS_COMBINE_NEAREST
  const pair_t pair = {taps[0].at * stride, 0, 0, 0};
#else
  const pair_t pair = {taps[0].at * stride, taps[1].at * stride, taps[0].weight, taps[1].weight};
#endif
  return pair;
}

INLINED FROM_T load_sampled(global const uchar *source, index_t at) {
  return (FROM_T)load_code(ELEMENT(FROM), source, at);
}

#if RESAMPLES == CLRS_COMBINE_NEAREST
INLINED FROM_T combine(global const uchar *source, index_t at, const pair_t row,
                       const pair_t column) {
  return load_sampled(source, at + row.first + column.first);
}
#elif RESAMPLES == CLRS_COMBINE_OPENCV || RESAMPLES == CLRS_COMBINE_EXACT
/* The sum of two rows, each a sum of two columns. */
INLINED FROM_T combine(global const uchar *source, index_t at, const pair_t row,
                       const pair_t column) {
  const index_t upper = at + row.first, lower = at + row.second;
  const int first = (int)load_sampled(source, upper + column.first) * column.weight +
                    (int)load_sampled(source, upper + column.second) * column.second_weight;
  const int second = (int)load_sampled(source, lower + column.first) * column.weight +
                     (int)load_sampled(source, lower + column.second) * column.second_weight;
#if RESAMPLES == CLRS_COMBINE_EXACT
  return (FROM_T)((first * row.weight + second * row.second_weight + (1 << 15)) >> 16);
#else
  return (
      FROM_T)(((row.weight * (first >> 4) >> 16) + (row.second_weight * (second >> 4) >> 16) + 2) >>
              2);
#endif
}
#else
INLINED float load_float(global const uchar *source, index_t at) {
  return as_float((uint)load_sampled(source, at));
}

/* The formula of the package, with fma where the package has one. */
INLINED FROM_T combine(global const uchar *source, index_t at, const pair_t row,
                       const pair_t column) {
  const float left = as_float(column.weight), right = as_float(column.second_weight);
  const float upper = as_float(row.weight), lower = as_float(row.second_weight);
  const float a = load_float(source, at + row.first + column.first);
  const float b = load_float(source, at + row.first + column.second);
  const float c = load_float(source, at + row.second + column.first);
  const float d = load_float(source, at + row.second + column.second);
#if RESAMPLES == CLRS_COMBINE_ONNX
  const float result =
      ((left * upper * a + right * upper * b) + left * lower * c) + right * lower * d;
#elif RESAMPLES == CLRS_COMBINE_TORCH
  const float of_upper = fma(upper * left, a, upper * right * b);
  const float result = fma(lower * right, d, fma(lower * left, c, of_upper));
#else
  const float first = fma(left, a, right * b), second = fma(left, c, right * d);
  const float result = fma(lower, second, upper * first);
#endif
  return as_uint(result);
}
#endif

INLINED FROM_T sample(global const uchar *source, mapped_ref move, index_t number) {
  const sampled_t of = find_sampled(move, number);
  return combine(source, of.at, take_pair(of.rows, move->row_stride),
                 take_pair(of.columns, move->column_stride));
}

/* Stages elements of one row and one colour, in neighbouring columns, forwards or backwards. */
INLINED void sample_columns(global const uchar *source, mapped_ref move, const sampled_t of,
                            index_t step, index_t count, FROM_T *staged) {
  const pair_t row = take_pair(of.rows, move->row_stride);
  const index_t stride = move->column_stride, taps = step * move->column_taps;
  PLAIN_LOOP
  for (index_t i = 0; i < count; i++) {
    staged[i] = combine(source, of.at, row, take_pair(of.columns + i * taps, stride));
  }
}

/* Stages whole pixels of one row. */
INLINED void sample_pixels(global const uchar *source, mapped_ref move, const sampled_t of,
                           index_t colors, index_t pixels, FROM_T *staged) {
  const pair_t row = take_pair(of.rows, move->row_stride);
  const index_t stride = move->column_stride, taps = move->column_taps;
  const index_t color_stride = move->inner_stride;
  PLAIN_LOOP
  for (index_t i = 0; i < pixels; i++) {
    const pair_t column = take_pair(of.columns + i * taps, stride);
    for (index_t k = 0; k < colors; k++) {
      staged[i * colors + k] = combine(source, of.at + k * color_stride, row, column);
    }
  }
}

/* Stages the first elements of a piece in one loop, and returns the number of these elements. The
 * stride tells the loop. Example with pixels of 3 colours: stride 3 is the same colour of the next
 * column, -3 of the column before, and stride 1 from colour 0 on is whole pixels. A loop ends with
 * the row. Any other stride is a loop of one element. */
INLINED index_t sample_some(global const uchar *source, mapped_ref move, const sampled_t of,
                            index_t stride, index_t count, FROM_T *staged) {
  const index_t inner = move->inner, columns = move->picture_columns;
  const index_t left = columns - of.column, pixels = min(left, count / inner);
  if (stride == inner) {
    sample_columns(source, move, of, 1, min(left, count), staged);
    return min(left, count);
  }
  if (stride == -inner) {
    sample_columns(source, move, of, -1, min(of.column + 1, count), staged);
    return min(of.column + 1, count);
  }
  if (stride == 1 && of.color == 0 && pixels > 0) {
    if (inner == 3) {
      sample_pixels(source, move, of, 3, pixels, staged);
    } else {
      sample_pixels(source, move, of, inner, pixels, staged);
    }
    return pixels * inner;
  }
  sample_columns(source, move, of, 0, 1, staged);
  return 1;
}

/* Stages `count` elements whose numbers are `stride` apart. */
INLINED void sample_piece(global const uchar *source, mapped_ref move, index_t at, index_t stride,
                          index_t count, FROM_T *staged) {
  for (index_t i = 0; i < count;) {
    const sampled_t of = find_sampled(move, at + i * stride);
    i += sample_some(source, move, of, stride, count - i, staged + i);
  }
}
#endif

#define LOAD_FROM(source, move, place) sample(source, move, place)
#else
#define LOAD_FROM(source, move, place) load_code(ELEMENT(FROM), source, place)
#endif

#endif
