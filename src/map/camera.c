/*
 * A colour of a pixel is a sum of products: over the planes of the frame, each times a factor.
 *
 * References, restated and compared with the packages for all 16,777,216 colours:
 * - opencv: cvtColor of OpenCV's host code. BT.601 with limited range, in 32-bit integers.
 * - openvino: NV12toRGB and I420toRGB of OpenVINO. Floats, each operation rounded.
 * - pillow: Image.convert("L").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "camera.h"

#include "checked.h"
#include "elements.h"
#include "status.h"

/* ---- formats ---- */

static const clrs__camera_format formats[] = {
    {"nv12", CLRS__CHROMA_ROWS, 1, false, {0}, {0, 0, 1}},
    {"nv21", CLRS__CHROMA_ROWS, 1, false, {0}, {0, 1, 0}},
    {"i420", CLRS__CHROMA_ROWS, 1, true, {0}, {0, 0, 1}},
    {"yv12", CLRS__CHROMA_ROWS, 1, true, {0}, {0, 1, 0}},
    {"yuyv", CLRS__PIXELS, 2, false, {0, 1, 1}, {0, 0, 1}},
    {"uyvy", CLRS__PIXELS, 2, false, {1, 0, 0}, {0, 0, 1}},
    {"rgb", CLRS__PIXELS, 3, false, {0, 1, 2}, {0}},
    {"bgr", CLRS__PIXELS, 3, false, {2, 1, 0}, {0}},
};
_Static_assert(sizeof formats / sizeof *formats == CLRS__CAMERA_FORMATS, "a row for each number");

const clrs__camera_format *clrs__camera_format_at(int64_t format) {
  return &formats[format];
}

static const clrs__camera_format *format_of(const clrs_frame *frame) {
  return &formats[frame->format - 1];
}

static bool has_chroma(const clrs__camera_format *of) {
  return of->channels < 3;
}

int64_t clrs__camera_rows(const clrs_frame *frame) {
  const int64_t rows = frame->axes[0].extent;
  return format_of(frame)->kind == CLRS__CHROMA_ROWS ? rows - rows / 3 : rows;
}

/* ---- places ---- */

static int64_t row_of_chroma(const clrs_frame *frame, uint32_t plane, int64_t row) {
  const int part = format_of(frame)->parts[plane];
  if (!format_of(frame)->is_planar) {
    return clrs__exact_multiply(clrs__camera_rows(frame) + row / 2, frame->axes[0].stride);
  }
  /* A row of a plane is half a row of the frame. */
  const int64_t half = (part == 0 ? 0 : clrs__camera_rows(frame) / 2) + row / 2;
  return clrs__exact_multiply(clrs__camera_rows(frame) + half / 2, frame->axes[0].stride) +
         clrs__exact_multiply(half % 2 == 0 ? 0 : frame->axes[1].extent / 2, frame->axes[1].stride);
}

int64_t clrs__camera_row(const clrs_frame *frame, uint32_t plane, int64_t row) {
  const clrs__camera_format *of = format_of(frame);
  return of->kind == CLRS__CHROMA_ROWS && plane > 0
             ? row_of_chroma(frame, plane, row)
             : clrs__exact_multiply(row, frame->axes[0].stride) +
                   clrs__exact_multiply(of->channel_of[plane], frame->axes[2].stride);
}

int64_t clrs__camera_column(const clrs_frame *frame, uint32_t plane, int64_t column) {
  const clrs__camera_format *of = format_of(frame);
  const int64_t at = plane == 0 || !has_chroma(of) ? column
                     : of->is_planar               ? column / 2
                                                   : column - column % 2 + of->parts[plane];
  return clrs__exact_multiply(at, frame->axes[1].stride);
}

/* ---- arithmetic ---- */

#define HALF(bits) ((double)((int64_t)1 << ((bits)-1)))
/* The chroma is centred at 128. In integers modulo 2^32 the offset is a part of the bias. */
#define CENTRED(u, v) (HALF(20) - 128.0 * ((double)(u) + (double)(v)))
#define GREY_OF(r, g, b, bits)                                                                     \
  { CLRS_I32, false, {0}, {{r}, {g}, {b}}, {HALF(bits)}, bits }

static const clrs__color_sum opencv = {
    CLRS_I32,
    true,
    {16, 0, 0},
    {{1220542, 1220542, 1220542}, {0, -409993, 2116026}, {1673527, -852492, 0}},
    {CENTRED(0, 1673527), CENTRED(-409993, -852492), CENTRED(2116026, 0)},
    20};
static const clrs__color_sum openvino = {
    CLRS_F32,
    false,
    {16, 128, 128},
    {{1.164, 1.164, 1.164}, {0, -0.391, 2.018}, {1.596, -0.813, 0}},
    {0},
    0};
static const clrs__color_sum grey_opencv = GREY_OF(9798, 19235, 3735, 15);
static const clrs__color_sum grey_pillow = GREY_OF(19595, 38470, 7471, 16);

const clrs__color_sum *clrs__color_sum_of(int64_t format, int64_t result, int64_t by) {
  const bool is_of_pixels = format >= CLRS__FIRST_OF_PIXELS, is_grey = result == CLRS__GREY;
  if (format < 0 || format >= CLRS__CAMERA_FORMATS || result >= CLRS__COLOR_RESULTS ||
      by >= CLRS__COLOR_REFERENCES) {
    return NULL;
  }
  if (is_of_pixels) {
    return !is_grey || by == CLRS__BY_OPENVINO ? NULL
           : by == CLRS__BY_OPENCV             ? &grey_opencv
                                               : &grey_pillow;
  }
  return is_grey || by == CLRS__BY_PILLOW ? NULL : by == CLRS__BY_OPENCV ? &opencv : &openvino;
}

const clrs__color_sum *clrs__camera_sum(const clrs_frame *frame) {
  return clrs__color_sum_of((int64_t)frame->format - 1, frame->result, frame->by);
}

clrs__color_row clrs__camera_color_row(const clrs_frame *frame, int64_t color) {
  const clrs__color_sum *by = clrs__camera_sum(frame);
  const int64_t of = frame->result == CLRS__BGR ? CLRS__COLORS - 1 - color : color;
  clrs__color_row row = {{0}, (int32_t)by->bias[of]};
  for (int plane = 0; plane < CLRS__PLANES; plane++) {
    const double factor = by->factors[plane][of];
    row.factors[plane] = by->dtype == CLRS_I32 ? (int32_t)factor : clrs__float_code((float)factor);
  }
  return row;
}

static int32_t sum_integers(const clrs__color_sum *by, const clrs__color_row *row,
                            const uint8_t *planes) {
  const int32_t above = planes[0] - (int32_t)by->offsets[0], luma = above < 0 ? 0 : above;
  return (luma * row->factors[0] + planes[1] * row->factors[1] + planes[2] * row->factors[2] +
          row->bias) >>
         (int)by->shift;
}

static int32_t sum_floats(const clrs__color_sum *by, const clrs__color_row *row,
                          const uint8_t *planes) {
  float products[CLRS__PLANES];
  for (int plane = 0; plane < CLRS__PLANES; plane++) {
    products[plane] = ((float)planes[plane] - (float)by->offsets[plane]) *
                      clrs__float_of_code(row->factors[plane]);
  }
  const float luma_and_u = products[0] + products[1], sum = luma_and_u + products[2];
  return sum < 0
             ? 0
             : (int32_t)clrs__round_to_integer(clrs__number_of(sum), CLRS_EVEN, false).magnitude;
}

uint8_t clrs__camera_color(const clrs_frame *frame, int64_t color,
                           const uint8_t planes[CLRS__PLANES]) {
  const clrs__color_sum *by = clrs__camera_sum(frame);
  const clrs__color_row row = clrs__camera_color_row(frame, color);
  const int32_t sum =
      by->dtype == CLRS_I32 ? sum_integers(by, &row, planes) : sum_floats(by, &row, planes);
  return (uint8_t)clrs__clamp(sum, 0, 255);
}

/* ---- checks ---- */

/* Chroma is halved along the columns, and along the rows if it has rows. */
static bool has_extents(const clrs_frame *frame) {
  const clrs__camera_format *of = format_of(frame);
  const clrs_axis *axes = frame->axes;
  return axes[0].extent >= 1 && axes[0].extent < 1 << 24 && axes[1].extent >= 1 &&
         axes[1].extent < 1 << 24 && axes[2].extent == of->channels &&
         (!has_chroma(of) || axes[1].extent % 2 == 0) &&
         (of->kind == CLRS__PIXELS || axes[0].extent % 3 == 0);
}

static bool has_short_span(const clrs_frame *frame) {
  int64_t span = 0;
  for (int i = 0; i < 3; i++) {
    const uint64_t step = clrs__magnitude(frame->axes[i].stride);
    if (step > INT32_MAX) {
      return false;
    }
    span = clrs__exact_multiply_add(span, frame->axes[i].extent - 1, (int64_t)step);
  }
  return span <= INT32_MAX;
}

clrs_status clrs__camera_check(const clrs_frame *frame, clrs_error *error) {
  if (clrs__camera_sum(frame) == NULL || !has_extents(frame)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a frame of format %u, result %u and reference %u, with %lld rows of %lld "
                      "columns; the operation color of a chain makes frames",
                      frame->format, frame->result, frame->by, (long long)frame->axes[0].extent,
                      (long long)frame->axes[1].extent);
  }
  return has_short_span(frame)
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "a frame of more than 2^31 elements, of which colours are resized");
}
