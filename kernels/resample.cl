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

/* A run of elements in one row of the result: whole pixels, or one colour of neighbouring columns,
 * forwards or backwards. */
typedef struct run_t {
  index_t colors, pixels;
  index_t step; /* taps from one column to the next */
} run_t;

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
#define PART_OF(line, weight) ((line) * (weight) >> 16)
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

/* Sums along one axis, then along the other axis. */
INLINED FROM_T combine(const picture_t source, mapped_ref move, const sampled_t of) {
  const bool rows_first = SUMS_ROWS_FIRST(move);
  const taps_ref inner = rows_first ? of.rows : of.columns,
                 outer = rows_first ? of.columns : of.rows;
  const index_t count = rows_first ? move->row_taps : move->column_taps;
  const index_t stride = rows_first ? move->row_stride : move->column_stride;
  const index_t outer_count = rows_first ? move->column_taps : move->row_taps;
  const index_t outer_stride = rows_first ? move->column_stride : move->row_stride;
  int sum = HALF;
  EACH_TAP for (index_t i = 0; i < TAPS(outer_count); i++) {
    const place_t at = of.at + place_along(source, outer[i].at, outer_stride);
    const int line = outer[i].weight == 0 ? 0 : sum_taps(source, at, inner, count, stride);
    sum += PART_OF(line, outer[i].weight);
  }
  return (FROM_T)RESULT_OF(sum);
}
#endif

INLINED void sum_pixels(const picture_t source, mapped_ref move, const place_t at, taps_ref columns,
                        const run_t run, index_t colors, line_t *line) {
  PLAIN_LOOP
  for (index_t i = 0; i < run.pixels; i++) {
    _Pragma("unroll") for (index_t k = 0; k < colors; k++) {
      line[i * colors + k] = sum_columns(
          source, move, at + place_in_pixel(0, k, move->inner_stride), columns + i * run.step);
    }
  }
}

#if NATIVE_CODE
typedef line_t line4_t __attribute__((ext_vector_type(4)));
typedef struct ANY_BYTES any_line4_t {
  line4_t value;
} any_line4_t;

INLINED line4_t sum_pixel(const picture_t source, const place_t at, taps_ref taps, index_t count,
                          index_t stride) {
#if RESAMPLES == CLRS_COMBINE_NEAREST
  (void)count;
  return load_pixel(source, at + place_along(source, taps->at, stride));
#else
  int4 sum = LINE_START;
  EACH_TAP for (index_t k = 0; k < TAPS(count); k++) {
    const place_t pixel = at + place_along(source, taps[k].at, stride);
    sum += __builtin_convertvector(load_pixel(source, pixel), int4) * taps[k].weight;
  }
  return __builtin_convertvector(LINE_OF(sum), line4_t);
#endif
}

/* Sums pixels of three colours with the element behind each, as far as there is one. Returns the
 * number of pixels. */
INLINED index_t sum_fours(const picture_t source, mapped_ref move, const place_t at,
                          taps_ref columns, const run_t run, line_t *line) {
  const index_t stride = move->column_stride, count = move->column_taps;
  index_t pixels = run.pixels;
#if !COLORED
  const taps_ref all = (taps_ref)(move + 1) + move->picture_rows * move->row_taps;
  const index_t last = all[(move->picture_columns - 1) * count].at;
  while (pixels > 0 && columns[(pixels - 1) * count].at + count > last) {
    pixels--;
  }
#endif
  PLAIN_LOOP
  for (index_t i = 0; i < pixels; i++) {
    ((any_line4_t *)(line + i * 3))->value =
        sum_pixel(source, at, columns + i * count, count, stride);
  }
  return pixels;
}
#endif

INLINED void sum_line(const picture_t source, mapped_ref move, const place_t at, taps_ref columns,
                      run_t run, line_t *line) {
#if NATIVE_CODE
  if (run.colors == 3 && move->inner_stride == 1 && move->column_stride >= 3) {
    const index_t done = sum_fours(source, move, at, columns, run, line);
    run.pixels -= done;
    columns += done * move->column_taps;
    line += done * 3;
  }
#endif
  if (run.colors == 1) {
    sum_pixels(source, move, at, columns, run, 1, line);
  } else if (run.colors == 3) {
    sum_pixels(source, move, at, columns, run, 3, line);
  } else {
    sum_pixels(source, move, at, columns, run, run.colors, line);
  }
}

#if RESAMPLES == CLRS_COMBINE_NEAREST
typedef int lines_t;
#define START_LINES(lines) (lines) = 0;
INLINED void sample_run(const picture_t source, mapped_ref move, const sampled_t of,
                        const run_t run, lines_t *lines, FROM_T *staged) {
  (void)lines;
  sum_line(source, move, of.at + place_along(source, of.rows->at, move->row_stride), of.columns,
           run, staged);
}
#else
/* Lines that later rows use again, each at its source row's number, as far as there is room. */
#define LINE_ROOM (CLRS_MAPPED_PLANES * CLRS_MAPPED_STAGE)
typedef struct lines_t {
  line_t sums[LINES][LINE_ROOM + 1];
  place_t places[LINES];
  taps_ref columns[LINES];
  run_t runs[LINES]; /* no pixels: no line yet */
} lines_t;

#define START_LINES(lines)                                                                         \
  for (int k = 0; k < LINES; k++) {                                                                \
    (lines).runs[k].pixels = 0;                                                                    \
  }

INLINED const line_t *find_line(const picture_t source, mapped_ref move, const sampled_t of,
                                index_t row, const run_t run, lines_t *lines) {
  const place_t at = of.at + place_along(source, row, move->row_stride);
  const index_t k = row % LINES;
  const run_t has = lines->runs[k];
  if (has.pixels != run.pixels || has.colors != run.colors || has.step != run.step ||
      lines->columns[k] != of.columns || !are_equal(lines->places[k], at)) {
    lines->places[k] = at;
    lines->columns[k] = of.columns;
    lines->runs[k] = run;
    sum_line(source, move, at, of.columns, run, lines->sums[k]);
  }
  return lines->sums[k];
}

INLINED void sample_run(const picture_t source, mapped_ref move, const sampled_t of,
                        const run_t run, lines_t *lines, FROM_T *staged) {
  const index_t count = run.colors * run.pixels;
  int sums[LINE_ROOM];
  for (index_t i = 0; i < count; i++) {
    sums[i] = HALF;
  }
  for (index_t k = 0; k < TAPS(move->row_taps); k++) {
    const tap_t tap = of.rows[k];
    if (tap.weight != 0) {
      const line_t *line = find_line(source, move, of, tap.at, run, lines);
      for (index_t i = 0; i < count; i++) {
        sums[i] += PART_OF(line[i], tap.weight);
      }
    }
  }
  for (index_t i = 0; i < count; i++) {
    staged[i] = (FROM_T)RESULT_OF(sums[i]);
  }
}
#endif
#endif

/* ---- sums of floats ---- */

#if RESAMPLES > CLRS_COMBINE_PILLOW
/* The places and the weights of an element's taps along one axis. */
typedef struct pair_t {
  index_t first, second;
  int weight, second_weight;
} pair_t;

INLINED pair_t take_pair(taps_ref taps, index_t stride) {
  const pair_t pair = {taps[0].at * stride, taps[1].at * stride, taps[0].weight, taps[1].weight};
  return pair;
}

INLINED float load_float(global const uchar *source, index_t at) {
  return as_float((uint)load_sampled(source, at));
}

/* The formula of the package, with fma where the package has one. */
INLINED FROM_T combine_pairs(global const uchar *source, index_t at, const pair_t row,
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

INLINED FROM_T combine(const picture_t source, mapped_ref move, const sampled_t of) {
  return combine_pairs(source, of.at, take_pair(of.rows, move->row_stride),
                       take_pair(of.columns, move->column_stride));
}

typedef int lines_t;
#define START_LINES(lines) (lines) = 0;
INLINED void sample_run(const picture_t source, mapped_ref move, const sampled_t of,
                        const run_t run, lines_t *lines, FROM_T *staged) {
  const pair_t row = take_pair(of.rows, move->row_stride);
  const index_t stride = move->column_stride, color_stride = move->inner_stride;
  PLAIN_LOOP
  for (index_t i = 0; i < run.pixels; i++) {
    const pair_t column = take_pair(of.columns + i * run.step, stride);
    for (index_t k = 0; k < run.colors; k++) {
      staged[i * run.colors + k] = combine_pairs(source, of.at + k * color_stride, row, column);
    }
  }
  (void)lines;
}
#endif

/* ---- elements ---- */

INLINED FROM_T sample(global const uchar *source, mapped_ref move, index_t number) {
  return combine(picture_of(source, move), move, find_sampled(move, number));
}

/* Returns the longest run from an element on, of at most `count` elements. The stride of their
 * numbers tells the kind. Example with pixels of 3 colours: stride 3 is the same colour of the next
 * column, -3 of the column before, and stride 1 from colour 0 on is whole pixels. A run ends with
 * the row. Any other stride is a run of one element. */
INLINED run_t find_run(mapped_ref move, const sampled_t of, index_t stride, index_t count) {
  const index_t inner = move->inner, taps = move->column_taps;
  const index_t left = move->picture_columns - of.column;
  run_t run = {1, 1, 0};
  if (stride == inner) {
    run = (run_t){1, min(left, count), taps};
  } else if (stride == -inner) {
    run = (run_t){1, min(of.column + 1, count), -taps};
  } else if (stride == 1 && of.color == 0 && count >= inner) {
    run = (run_t){inner, min(left, count / inner), taps};
  }
  return run;
}

/* Stages `count` elements whose numbers are `stride` apart. */
INLINED void sample_piece(global const uchar *source, mapped_ref move, index_t at, index_t stride,
                          index_t count, lines_t *lines, FROM_T *staged) {
  const picture_t picture = picture_of(source, move);
  for (index_t i = 0; i < count;) {
    const sampled_t of = find_sampled(move, at + i * stride);
    if (SUMS_ROWS_FIRST(move)) {
      staged[i++] = combine(picture, move, of);
    } else {
      const run_t run = find_run(move, of, stride, count - i);
      sample_run(picture, move, of, run, lines, staged + i);
      i += run.colors * run.pixels;
    }
  }
}

#define LOAD_FROM(source, move, place) sample(source, move, place)
#else
#define LOAD_FROM(source, move, place) load_code(ELEMENT(FROM), source, place)
#endif

#endif
