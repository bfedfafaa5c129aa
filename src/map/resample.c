/*
 * Pictures of another size: the checks, and the host's sums over taps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "resample.h"

#include <string.h>

#include "checked.h"
#include "dtype.h"
#include "elements.h"
#include "view.h"

enum {
  MOST_EXTENT = 1 << 24, /* a float counts to 2^24 */
  MOST_TAPS = 1 << 24
};

/* ---- pictures ---- */

clrs__tap_axis clrs__resample_axis(const clrs_resample *of, bool is_row) {
  const int64_t from = of->axes[is_row ? CLRS__PICTURE_ROWS : CLRS__PICTURE_COLUMNS].extent;
  return (clrs__tap_axis){of->by,
                          is_row,
                          from,
                          is_row ? of->rows : of->columns,
                          of->coordinates,
                          of->nearest,
                          (float)of->scales[is_row ? 0 : 1]};
}

/* ---- frames ---- */

static bool has_frame(const clrs_resample *of) {
  return of->frame.format != 0;
}

/* Returns true if the rows of the picture are columns of the frame. */
static bool is_turned(const clrs_resample *of) {
  const int64_t row = of->axes[CLRS__PICTURE_ROWS].stride, whole = of->frame.axes[1].extent;
  const int64_t column = of->axes[CLRS__PICTURE_COLUMNS].stride;
  return row % whole != 0 || (column != 0 && column % whole == 0);
}

/* The digit of the frame's pixel that changes along an axis of the picture. */
static int64_t digit_at(const clrs_resample *of, bool is_row, int64_t at) {
  const clrs_frame *frame = &of->frame;
  const int64_t stride = of->axes[is_row ? CLRS__PICTURE_ROWS : CLRS__PICTURE_COLUMNS].stride;
  const bool is_frame_row = is_row != is_turned(of);
  return clrs__exact_multiply_add(is_frame_row ? frame->pixel / frame->axes[1].extent
                                               : frame->pixel % frame->axes[1].extent,
                                  at, is_frame_row ? stride / frame->axes[1].extent : stride);
}

static int64_t place_at(const clrs_resample *of, bool is_row, uint32_t plane, int64_t at) {
  const int64_t digit = digit_at(of, is_row, at);
  return is_row != is_turned(of) ? clrs__camera_row(&of->frame, plane, digit)
                                 : clrs__camera_column(&of->frame, plane, digit);
}

static int64_t color_at(const clrs_resample *of, int64_t at) {
  return clrs__exact_multiply_add(of->frame.color, at, of->axes[4].stride);
}

/* ---- tables ---- */

/* The rows for a frame: the head, a colour's numbers for each element of a pixel, and the places of
 * the picture's rows and columns in the three planes. */
typedef struct table_row {
  int32_t of_plane[CLRS__PLANES], other;
} table_row;

static int64_t count_taps(const clrs_resample *of) {
  const clrs__tap_axis rows = clrs__resample_axis(of, true);
  const clrs__tap_axis columns = clrs__resample_axis(of, false);
  return clrs__exact_multiply_add(clrs__exact_multiply(rows.to, clrs__taps_most(&rows)), columns.to,
                                  clrs__taps_most(&columns));
}

size_t clrs__resample_table_bytes(const clrs_resample *of) {
  const int64_t places =
      clrs__resample_first_place(of, false) + of->axes[CLRS__PICTURE_COLUMNS].extent;
  const int64_t taps = clrs__exact_multiply(count_taps(of), sizeof(clrs__tap));
  return (size_t)clrs__exact_multiply_add(taps, has_frame(of) ? places : 0, sizeof(table_row));
}

static unsigned char *put(unsigned char *to, const void *row, size_t size) {
  memcpy(to, row, size);
  return to + size;
}

/* Writes the taps of all result elements of an axis, `most` for each, and returns the end. Missing
 * taps have weight 0. Example: 3 elements of 2 taps each are 6 taps, and element 2 has taps 4 and
 * 5. */
static unsigned char *put_taps(const clrs__tap_axis *axis, unsigned char *to) {
  const int64_t most = clrs__taps_most(axis);
  for (int64_t at = 0; at < axis->to; at++) {
    clrs__taps taps;
    clrs__taps_start(axis, at, &taps);
    for (int64_t k = 0; k < most; k++) {
      const clrs__tap tap = clrs__taps_at(&taps, k);
      to = put(to, &tap, sizeof tap);
    }
  }
  return to;
}

static unsigned char *put_places(const clrs_resample *of, bool is_row, unsigned char *to) {
  const int64_t extent = of->axes[is_row ? CLRS__PICTURE_ROWS : CLRS__PICTURE_COLUMNS].extent;
  for (int64_t at = 0; at < extent; at++) {
    table_row row = {{0}, 0};
    for (uint32_t plane = 0; plane < CLRS__PLANES; plane++) {
      row.of_plane[plane] = (int32_t)place_at(of, is_row, plane, at);
    }
    to = put(to, &row, sizeof row);
  }
  return to;
}

static unsigned char *put_frame(const clrs_resample *of, unsigned char *to) {
  const clrs__color_sum *by = clrs__camera_sum(&of->frame);
  const table_row head = {{(int32_t)by->offsets[0], (int32_t)by->shift, 0}, 0};
  to = put(to, &head, sizeof head);
  for (int64_t k = 0; k < of->axes[4].extent; k++) {
    const clrs__color_row row = clrs__camera_color_row(&of->frame, color_at(of, k));
    to = put(to, &row, sizeof row);
  }
  return put_places(of, false, put_places(of, true, to));
}

int64_t clrs__resample_first_place(const clrs_resample *of, bool is_row) {
  return 1 + of->axes[4].extent + (is_row ? 0 : of->axes[CLRS__PICTURE_ROWS].extent);
}

void clrs__resample_table(const clrs_resample *of, unsigned char *to) {
  const clrs__tap_axis rows = clrs__resample_axis(of, true);
  const clrs__tap_axis columns = clrs__resample_axis(of, false);
  unsigned char *behind = put_taps(&columns, put_taps(&rows, to));
  if (has_frame(of)) {
    put_frame(of, behind);
  }
}

/* ---- checks ---- */

void clrs__resample_layout(const clrs_resample *of, clrs_dtype dtype, clrs_layout *layout) {
  *layout = (clrs_layout){.dtype = dtype, .rank = CLRS__PICTURE_AXES, .offset = of->offset};
  for (uint32_t i = 0; i < CLRS__PICTURE_AXES; i++) {
    layout->dims[i] = of->axes[i].extent;
    layout->strides[i] = of->axes[i].stride;
  }
  for (uint32_t i = 0; has_frame(of) && i < 3; i++) {
    layout->dims[CLRS__PICTURE_ROWS + i] = of->frame.axes[i].extent;
    layout->strides[CLRS__PICTURE_ROWS + i] = of->frame.axes[i].stride;
  }
}

clrs_status clrs__resample_view(const clrs_resample *of, clrs_dtype dtype, clrs_view *view,
                                clrs_error *error) {
  clrs_layout layout;
  clrs__resample_layout(of, dtype, &layout);
  return clrs_view_from_layout(&layout, view, error);
}

static clrs_status check_sizes(const clrs_resample *of, clrs_error *error) {
  for (int is_row = 0; is_row < 2; is_row++) {
    const clrs__tap_axis axis = clrs__resample_axis(of, is_row != 0);
    const char *what = is_row != 0 ? "rows" : "columns";
    if (axis.from < 1 || axis.to < 1) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "%lld %s resized to %lld; both must be at least 1", (long long)axis.from,
                        what, (long long)axis.to);
    }
    if (axis.from > MOST_EXTENT || axis.to > MOST_EXTENT ||
        axis.to > MOST_TAPS / clrs__taps_most(&axis)) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                        "%lld %s resized to %lld; at most %d of each, and of the weights",
                        (long long)axis.from, what, (long long)axis.to, MOST_EXTENT);
    }
    CLRS_TRY(clrs__taps_check(&axis, error));
  }
  return CLRS_OK;
}

/* The elements of the result, which the check of a view counts. */
static clrs_status check_result(const clrs_resample *of, const clrs_view *shown,
                                clrs_error *error) {
  const clrs_bounds bounds = clrs__view_bounds(shown);
  const clrs_shape shape = {
      5, {of->axes[0].extent, of->axes[1].extent, of->rows, of->columns, of->axes[4].extent}};
  int64_t count;
  CLRS_TRY(clrs_shape_count(&shape, &count, error));
  return bounds.empty || (bounds.lowest >= 0 && bounds.highest < count)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                          "a view of elements %lld to %lld of a resized picture with %lld",
                          (long long)bounds.lowest, (long long)bounds.highest, (long long)count);
}

static bool is_between(int64_t first, int64_t last, int64_t end) {
  return first >= 0 && first < end && last >= 0 && last < end;
}

bool clrs__resample_is_within_frame(const clrs_resample *of) {
  const clrs_frame *frame = &of->frame;
  bool all = of->axes[4].extent >= 1 && of->axes[4].extent <= MOST_EXTENT &&
             clrs__magnitude(of->axes[4].stride) < CLRS__COLORS &&
             is_between(frame->pixel, frame->pixel, (int64_t)1 << 48) &&
             is_between(frame->color, frame->color, CLRS__COLORS);
  for (int is_row = 0; all && is_row < 2; is_row++) {
    const clrs_axis *axis = &of->axes[is_row != 0 ? CLRS__PICTURE_ROWS : CLRS__PICTURE_COLUMNS];
    const bool is_frame_row = (is_row != 0) != is_turned(of);
    all = clrs__magnitude(axis->stride) < (uint64_t)1 << 38 &&
          (!is_frame_row || axis->stride % frame->axes[1].extent == 0) &&
          is_between(digit_at(of, is_row != 0, 0), digit_at(of, is_row != 0, axis->extent - 1),
                     is_frame_row ? clrs__camera_rows(frame) : frame->axes[1].extent);
  }
  return all && is_between(frame->color, color_at(of, of->axes[4].extent - 1),
                           frame->result == CLRS__GREY ? 1 : CLRS__COLORS);
}

static clrs_status check_frame(const clrs_resample *of, clrs_dtype dtype, clrs_error *error) {
  CLRS_TRY(clrs__camera_check(&of->frame, error));
  if (dtype != CLRS_U8) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "a picture of a frame is of u8, not of %s",
                      clrs__dtype_text(dtype));
  }
  return clrs__resample_is_within_frame(of)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                          "a picture with pixels or colours that its frame does not have");
}

clrs_status clrs__resample_check(const clrs_resample *of, const clrs_view *shown, clrs_dtype to,
                                 clrs_error *error) {
  clrs_view picture;
  CLRS_TRY(clrs__resampling_check(of->by, to, error));
  CLRS_TRY(check_sizes(of, error));
  CLRS_TRY(has_frame(of) ? check_frame(of, shown->dtype, error) : CLRS_OK);
  CLRS_TRY(clrs__resample_view(of, shown->dtype, &picture, error));
  return check_result(of, shown, error);
}

/* ---- the host's reference ---- */

bool clrs__resample_sums_rows_first(const clrs_resample *of) {
  const int64_t rows = of->axes[CLRS__PICTURE_ROWS].extent - of->rows;
  const int64_t columns = of->axes[CLRS__PICTURE_COLUMNS].extent - of->columns;
  return rows > 0 && rows > clrs__exact_multiply(columns, 2);
}

/* The taps of one element along both axes, and the position of the picture's element [0,0] of its
 * colour. */
typedef struct pixel {
  clrs__taps rows, columns;
  int64_t at, color;
} pixel;

/* Takes the fastest digit off a number. Example: 33 with extent 7 gives digit 5, and leaves 4. */
static int64_t take_digit(int64_t *number, int64_t extent) {
  const int64_t digit = *number % extent;
  *number /= extent;
  return digit;
}

static int64_t step(int64_t at, int64_t steps, const clrs_axis *axis) {
  return clrs__exact_multiply_add(at, steps, axis->stride);
}

/* Splits the number of a result element into digits, the fastest first: the colour, the column, the
 * row, and the two axes outside of a picture. Row and column become taps. All other digits become a
 * position in the source. Example: number 100 of a result of 5 rows, 7 columns and 3 colours is
 * colour 1 (100 = 33 * 3 + 1) of column 5 (33 = 4 * 7 + 5) of row 4. */
static pixel find_pixel(const clrs_resample *of, int64_t number) {
  const clrs__tap_axis rows = clrs__resample_axis(of, true);
  const clrs__tap_axis columns = clrs__resample_axis(of, false);
  pixel found = {.at = of->offset};
  found.color = take_digit(&number, of->axes[4].extent);
  found.at = has_frame(of) ? found.at : step(found.at, found.color, &of->axes[4]);
  clrs__taps_start(&columns, take_digit(&number, of->columns), &found.columns);
  clrs__taps_start(&rows, take_digit(&number, of->rows), &found.rows);
  found.at = step(found.at, take_digit(&number, of->axes[1].extent), &of->axes[1]);
  found.at = step(found.at, number, &of->axes[0]);
  return found;
}

typedef struct picture {
  const clrs_resample *of;
  const clrs__element *element;
  const uint8_t *bytes;
  bool is_cast; /* to f32 */
} picture;

/* The colour of a frame's pixel. */
static clrs__word load_color(const picture *from, const pixel *at, int64_t y, int64_t x) {
  uint8_t planes[CLRS__PLANES];
  for (uint32_t plane = 0; plane < CLRS__PLANES; plane++) {
    planes[plane] = (uint8_t)clrs__element_load(from->element, from->bytes,
                                                at->at + place_at(from->of, true, plane, y) +
                                                    place_at(from->of, false, plane, x));
  }
  return clrs__camera_color(&from->of->frame, color_at(from->of, at->color), planes);
}

static clrs__word load_stored(const picture *from, const pixel *at, int64_t row, int64_t column) {
  const int64_t y = clrs__taps_at(&at->rows, row).at, x = clrs__taps_at(&at->columns, column).at;
  if (has_frame(from->of)) {
    return load_color(from, at, y, x);
  }
  const int64_t in_row = step(at->at, y, &from->of->axes[CLRS__PICTURE_ROWS]);
  return clrs__element_load(from->element, from->bytes,
                            step(in_row, x, &from->of->axes[CLRS__PICTURE_COLUMNS]));
}

static clrs__word load(const picture *from, const pixel *at, int64_t row, int64_t column) {
  const clrs__word code = load_stored(from, at, row, column);
  return from->is_cast ? clrs__nearest(clrs__element_of(CLRS_F32).format,
                                       clrs__element_value(from->element, code))
                       : code;
}

static int32_t clip(int32_t x) {
  return x < 0 ? 0 : x > 255 ? 255 : x;
}

/* Sums along one axis and rounds to u8, then along the other. */
static clrs__word combine_pillow(const picture *from, const pixel *at) {
  const bool rows_first = clrs__resample_sums_rows_first(from->of);
  const clrs__taps *inner = rows_first ? &at->rows : &at->columns;
  const clrs__taps *outer = rows_first ? &at->columns : &at->rows;
  const int32_t half = 1 << (CLRS__PILLOW_BITS - 1);
  int32_t sum = half;
  for (int64_t i = 0; i < outer->count; i++) {
    int32_t line = half;
    for (int64_t k = 0; k < inner->count; k++) {
      const int64_t row = rows_first ? k : i, column = rows_first ? i : k;
      line += (int32_t)load(from, at, row, column) * clrs__taps_at(inner, k).weight;
    }
    sum += clip(line >> CLRS__PILLOW_BITS) * clrs__taps_at(outer, i).weight;
  }
  return (clrs__word)clip(sum >> CLRS__PILLOW_BITS);
}

static clrs__word combine_bytes(clrs__combine by, const picture *from, const pixel *at) {
  const int32_t left = at->columns.pair[0].weight, right = at->columns.pair[1].weight;
  const int32_t upper = at->rows.pair[0].weight, lower = at->rows.pair[1].weight;
  const int32_t first =
      (int32_t)load(from, at, 0, 0) * left + (int32_t)load(from, at, 0, 1) * right;
  const int32_t second =
      (int32_t)load(from, at, 1, 0) * left + (int32_t)load(from, at, 1, 1) * right;
  return (clrs__word)(by == CLRS__COMBINE_EXACT ? (first * upper + second * lower + (1 << 15)) >> 16
                                                : (((upper * (first >> 4)) >> 16) +
                                                   ((lower * (second >> 4)) >> 16) + 2) >>
                                                      2);
}

static float load_float(const picture *from, const pixel *at, int64_t row, int64_t column) {
  return clrs__float_of_code((int32_t)load(from, at, row, column));
}

static clrs__word combine_floats(clrs__combine by, const picture *from, const pixel *at) {
  const float left = clrs__float_of_code(at->columns.pair[0].weight);
  const float right = clrs__float_of_code(at->columns.pair[1].weight);
  const float upper = clrs__float_of_code(at->rows.pair[0].weight),
              lower = clrs__float_of_code(at->rows.pair[1].weight);
  const float a = load_float(from, at, 0, 0), b = load_float(from, at, 0, 1);
  const float c = load_float(from, at, 1, 0), d = load_float(from, at, 1, 1);
  float result;
  if (by == CLRS__COMBINE_TORCH) {
    result = clrs__multiply_add_floats(upper * left, a, upper * right * b);
    result = clrs__multiply_add_floats(lower * left, c, result);
    result = clrs__multiply_add_floats(lower * right, d, result);
  } else if (by == CLRS__COMBINE_OPENVINO) {
    const float first = clrs__multiply_add_floats(left, a, right * b);
    const float second = clrs__multiply_add_floats(left, c, right * d);
    result = clrs__multiply_add_floats(lower, second, upper * first);
  } else {
    result = ((left * upper * a + right * upper * b) + left * lower * c) + right * lower * d;
  }
  return (uint32_t)clrs__float_code(result);
}

uint64_t clrs__resample_code(const clrs_resample *of, clrs_dtype from_type, clrs_dtype to,
                             const uint8_t *bytes, int64_t number) {
  const clrs__element element = clrs__element_of(from_type);
  const picture from = {of, &element, bytes, from_type != to};
  const pixel at = find_pixel(of, number);
  const clrs__combine by = clrs__resampling_combine(of->by);
  return by == CLRS__COMBINE_NEAREST  ? load(&from, &at, 0, 0)
         : by == CLRS__COMBINE_PILLOW ? combine_pillow(&from, &at)
         : by < CLRS__COMBINE_PILLOW  ? combine_bytes(by, &from, &at)
                                      : combine_floats(by, &from, &at);
}
