/*
 * Runs of a resized picture, for map_rows. A line is a row of the source, summed along the columns.
 * Lines are kept for all rows of the result that share the source row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_LINES_CL
#define CLRS_MAP_LINES_CL
#ifndef CLRS_RESAMPLE_CL
#include "resample.cl"
#endif
#ifndef CLRS_MAP_SOURCE_CL
#include "map_source.cl"
#endif

#if RESAMPLES
/* A run of elements in one row of the result: whole pixels, or one colour of neighbouring columns,
 * forwards or backwards. */
typedef struct run_t {
  index_t colors, pixels;
  index_t step;  /* taps from one column to the next */
  index_t ahead; /* elements of the source to the row that is read next, for prefetching. Behind the
                    last row, any number */
} run_t;

#if RESAMPLES > CLRS_COMBINE_PILLOW
typedef int lines_t;
#define START_LINES(lines) (lines) = 0;
INLINED void sample_run(const picture_t source, mapped_ref move, const sampled_t of,
                        const run_t run, lines_t *lines, FROM_T *staged) {
  const pair_t row = take_pair(source, of.rows, move->row_stride);
  PLAIN_LOOP
  for (index_t i = 0; i < run.pixels; i++) {
    const pair_t column = take_pair(source, of.columns + i * run.step, move->column_stride);
#if HAS_PIXELS && COLORED
    if (run.colors == MOST_OF_PIXEL && move->inner_stride == 1) {
      ((any_pixel_t *)(staged + i * run.colors))->value =
          combine_pixels(source, of.at, row, column);
      continue;
    }
#endif
    for (index_t k = 0; k < run.colors; k++) {
      const place_t at = of.at + place_in_pixel(0, k, move->inner_stride);
      staged[i * run.colors + k] = combine_pairs(source, at, row, column);
    }
  }
  (void)lines;
}
#else
/* Sums one colour after the other. */
INLINED void sum_colors(const picture_t source, mapped_ref move, const place_t at, taps_ref columns,
                        const run_t run, line_t *line) {
  for (index_t k = 0; k < run.colors; k++) {
    PLAIN_LOOP
    for (index_t i = 0; i < run.pixels; i++) {
      line[i * run.colors + k] = sum_columns(
          source, move, at + place_in_pixel(0, k, move->inner_stride), columns + i * run.step);
    }
  }
}

/* ---- pixels of three or four colours ---- */

#if HAS_PIXELS
#if defined(__SSSE3__) && !COLORED &&                                                              \
    (RESAMPLES == CLRS_COMBINE_OPENCV || RESAMPLES == CLRS_COMBINE_EXACT)
#define HAS_PAIRS 1
typedef struct ANY_BYTES any_line8_t {
  ushort8 value;
} any_line8_t;
#endif
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
    if (IS_READ(taps[k].weight)) {
      const place_t pixel = at + place_along(source, taps[k].at, stride);
      sum += __builtin_convertvector(load_pixel(source, pixel), int4) * taps[k].weight;
    }
  }
  return __builtin_convertvector(LINE_OF(sum), line4_t);
#endif
}

/* Returns how many pixels have whole pixels up to `ahead` pixels behind the first tap. Colours of a
 * frame are not loaded as a whole. */
INLINED index_t pixels_before(mapped_ref move, taps_ref columns, index_t pixels, index_t ahead) {
#if !COLORED
  const taps_ref all = (taps_ref)(move + 1) + move->picture_rows * move->row_taps;
  const index_t last = all[(move->picture_columns - 1) * move->column_taps].at;
  while (pixels > 0 && columns[(pixels - 1) * move->column_taps].at + ahead > last) {
    pixels--;
  }
#endif
  return pixels;
}

/* Sums pixels of four colours, or of three with the element behind each, as far as there is one.
 * Returns the number of pixels. */
INLINED index_t sum_fours(const picture_t source, mapped_ref move, const place_t at,
                          taps_ref columns, const run_t run, line_t *line) {
  const index_t stride = move->column_stride, count = move->column_taps;
  const index_t pixels = pixels_before(move, columns, run.pixels, count);
  PLAIN_LOOP
  for (index_t i = 0; i < pixels; i++) {
    ((any_line4_t *)(line + i * run.colors))->value =
        sum_pixel(source, at, columns + i * count, count, stride);
  }
  return pixels;
}
#endif

#if HAS_PAIRS
/* ---- pixels that are sums of two neighbours ---- */

/* The pixels of a row of the result: the place of the first neighbour, and both weights. */
typedef struct pairs_t {
  taps_ref columns;
  index_t pixels; /* 0: none yet */
  index_t count;  /* of those whose loads stay in the picture */
  index_t places[CLRS_MAPPED_STAGE];
  uint weights[CLRS_MAPPED_STAGE];
} pairs_t;

INLINED void list_pairs(mapped_ref move, taps_ref columns, index_t pixels, pairs_t *pairs) {
  const index_t count = pixels_before(move, columns, pixels, 2);
  pairs->columns = columns;
  pairs->pixels = pixels;
  pairs->count = count - count % 2;
  for (index_t i = 0; i < count; i++) {
    pairs->places[i] = columns[2 * i].at * move->column_stride;
    pairs->weights[i] = (uint)columns[2 * i].weight | (uint)columns[2 * i + 1].weight << 16;
  }
}

#define SUM_PAIRS(colors, weights)                                                                 \
  as_int4(__builtin_ia32_pmaddwd128(as_short8(__builtin_convertvector(colors, ushort8)),           \
                                    as_short8(weights)))
/* Sums two pixels at a time. Each load has two neighbours of three or four elements, and each has
 * three or four colours, forwards or backwards. */
INLINED index_t sum_twos(global const uchar *source, mapped_ref move, const run_t run,
                         const pairs_t *pairs, line_t *line) {
  const index_t count = pairs->count, low = move->inner_stride < 0 ? -2 : 0;
  const uchar16 forwards = {0, 0, 1, 1, 2, 2, 3, 3, 8, 8, 9, 9, 10, 10, 11, 11};
  const uchar16 backwards = {2, 2, 1, 1, 0, 0, 3, 3, 10, 10, 9, 9, 8, 8, 11, 11};
  const uchar16 second = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  const uchar16 order = (low < 0 ? backwards : forwards) + second * (uchar)move->column_stride;
  PLAIN_LOOP
  for (index_t i = 0; i < count; i += 2) {
    global const uchar *one = source + pairs->places[i] + low;
    global const uchar *next = source + pairs->places[i + 1] + low;
    PREFETCH(one + run.ahead);
    const ulong2 loaded = {((global const any_8_t *)one)->value,
                           ((global const any_8_t *)next)->value};
    const uchar16 colors =
        as_uchar16(__builtin_ia32_pshufb128(as_char16(loaded), as_char16(order)));
    const int8 sums = (int8)(SUM_PAIRS(colors.lo, (uint4)(pairs->weights[i])),
                             SUM_PAIRS(colors.hi, (uint4)(pairs->weights[i + 1])));
    const ushort8 made = __builtin_convertvector(LINE_OF(sums), ushort8);
    ((any_line8_t *)(line + i * run.colors))->value = run.colors == 4 ? made : made.s01245637;
  }
  return count;
}

/* Sums eight elements of one colour at a time. */
#define LOAD_PAIR(k) ((global const any_2_t *)(source + pairs->places[i + (k)]))->value
#define WEIGHTS_FROM(k) ((const any_16_t *)(pairs->weights + (k)))->value
INLINED index_t sum_eights(global const uchar *source, const pairs_t *pairs, line_t *line) {
  const index_t count = pairs->count / 8 * 8;
  PLAIN_LOOP
  for (index_t i = 0; i < count; i += 8) {
    const uchar16 loaded =
        as_uchar16((ushort8)(LOAD_PAIR(0), LOAD_PAIR(1), LOAD_PAIR(2), LOAD_PAIR(3), LOAD_PAIR(4),
                             LOAD_PAIR(5), LOAD_PAIR(6), LOAD_PAIR(7)));
    const int8 sums =
        (int8)(SUM_PAIRS(loaded.lo, WEIGHTS_FROM(i)), SUM_PAIRS(loaded.hi, WEIGHTS_FROM(i + 4)));
    ((any_line8_t *)(line + i))->value = __builtin_convertvector(LINE_OF(sums), ushort8);
  }
  return count;
}
#endif

#if RESAMPLES == CLRS_COMBINE_NEAREST
typedef int lines_t;
#define START_LINES(lines) (lines) = 0;
#else
/* Lines that later rows use again, each at its source row's number, as far as there is room. */
#define LINE_ROOM (CLRS_MAPPED_PLANES * CLRS_MAPPED_STAGE)
typedef struct lines_t {
  line_t sums[LINES][LINE_ROOM + 2];
  place_t places[LINES];
  taps_ref columns[LINES];
  run_t runs[LINES]; /* no pixels: no line yet */
#if HAS_PAIRS
  pairs_t pairs;
#endif
} lines_t;

#if HAS_PAIRS
#define START_PAIRS(lines) (lines).pairs.pixels = 0;
#else
#define START_PAIRS(lines)
#endif
#define START_LINES(lines)                                                                         \
  START_PAIRS(lines)                                                                               \
  for (int k = 0; k < LINES; k++) {                                                                \
    (lines).runs[k].pixels = 0;                                                                    \
  }
#endif

INLINED void sum_line(const picture_t source, mapped_ref move, const place_t at, taps_ref columns,
                      run_t run, lines_t *lines, line_t *line) {
  index_t done = 0;
#if HAS_PAIRS
  const bool are_pixels =
      (run.colors == 3 || run.colors == 4) &&
      (move->column_stride == 4 || move->column_stride == run.colors) &&
      (move->inner_stride == 1 || (move->inner_stride == -1 && run.colors == 3));
  const bool is_dense = run.colors == 1 && move->column_stride == 1 && run.step > 0;
  if (are_pixels || is_dense) {
    if (lines->pairs.pixels != run.pixels || lines->pairs.columns != columns) {
      list_pairs(move, columns, run.pixels, &lines->pairs);
    }
    done = are_pixels ? sum_twos(source + at, move, run, &lines->pairs, line)
                      : sum_eights(source + at, &lines->pairs, line);
  }
#endif
#if HAS_PIXELS
  const bool are_fours = run.colors >= 3 && run.colors <= MOST_OF_PIXEL;
  if (done == 0 && are_fours && move->inner_stride == 1 && move->column_stride >= run.colors) {
    done = sum_fours(source, move, at, columns, run, line);
  }
#endif
  (void)lines;
  run.pixels -= done;
  sum_colors(source, move, at, columns + done * run.step, run, line + done * run.colors);
}

#if RESAMPLES == CLRS_COMBINE_NEAREST
INLINED void sample_run(const picture_t source, mapped_ref move, const sampled_t of,
                        const run_t run, lines_t *lines, FROM_T *staged) {
  sum_line(source, move, of.at + place_along(source, of.rows->at, move->row_stride), of.columns,
           run, lines, staged);
}
#else
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
    sum_line(source, move, at, of.columns, run, lines, lines->sums[k]);
  }
  return lines->sums[k];
}

INLINED void sample_run(const picture_t source, mapped_ref move, const sampled_t of,
                        const run_t run, lines_t *lines, FROM_T *staged) {
  const index_t count = run.colors * run.pixels;
#if RESAMPLES == CLRS_COMBINE_PILLOW
  int sums[LINE_ROOM];
  for (index_t i = 0; i < count; i++) {
    sums[i] = HALF;
  }
  for (index_t k = 0; k < move->row_taps; k++) {
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
#else
  const tap_t upper = of.rows[0], lower = of.rows[of.rows[1].weight != 0];
  const uint weight = (uint)of.rows[1].weight;
  const line_t *above = find_line(source, move, of, upper.at, run, lines);
  const line_t *below = find_line(source, move, of, lower.at, run, lines);
  for (index_t i = 0; i < count; i++) {
    const uint sum = PART_OF(above[i], upper.weight) + PART_OF(below[i], weight) + HALF;
    staged[i] = (FROM_T)RESULT_OF(sum);
  }
#endif
}
#endif
#endif

/* Returns the longest run from an element on, of at most `count` elements. The stride of their
 * numbers tells the kind. Example with pixels of 3 colours: stride 3 is the same colour of the next
 * column, -3 of the column before, and stride 1 from colour 0 on is whole pixels. A run ends with
 * the row. Any other stride is a run of one element. */
INLINED run_t find_run(mapped_ref move, const sampled_t of, index_t stride, index_t count) {
  const index_t inner = move->inner, taps = move->column_taps;
  const index_t left = min(move->picture_columns - of.column, (index_t)CLRS_MAPPED_STAGE);
  const index_t ahead = (of.rows[move->row_taps].at - of.rows[0].at) * move->row_stride;
  run_t run = {1, 1, 0, ahead};
  if (stride == inner) {
    run = (run_t){1, min(left, count), taps, ahead};
  } else if (stride == -inner) {
    run = (run_t){1, min(of.column + 1, count), -taps, ahead};
  } else if (stride == 1 && of.color == 0 && count >= inner) {
    run = (run_t){inner, min(left, count / inner), taps, ahead};
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
#endif

#endif
