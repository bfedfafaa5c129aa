/*
 * The taps of each reference. Every formula is the package's own, in the package's precision:
 * coordinates of OpenCV and Pillow are doubles, and coordinates of PyTorch, ONNX Runtime and
 * OpenVINO are floats. The tests compare with the packages.
 *
 * A place is a coordinate along one axis of the picture, where element k has its centre at k. A
 * result element between two elements of the picture has both as taps. The nearer tap has the
 * larger weight. Example: OpenCV's LINEAR_EXACT of a row from 4 to 3 elements. Result element 1
 * lies at place 1.5, and has the taps 1 and 2 with the weights 128 and 128 of 256.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "taps.h"

#include <string.h>

#include "checked.h"
#include "dtype.h"
#include "elements.h"
#include "step_kind.h"

enum { EXACT_BITS = 8, OPENCV_BITS = 11 };

/* ---- numbers ----
 * The library has no dependency on a library of mathematics. */

static int64_t whole_below(double x) {
  const int64_t whole = (int64_t)x;
  return (double)whole > x ? whole - 1 : whole;
}

/* The nearest integer, half to even, of a number that is not negative. */
static int32_t nearest_whole(double x) {
  return (int32_t)clrs__round_to_integer(clrs__number_of(x), CLRS_EVEN, false).magnitude;
}

static double magnitude_of(double x) {
  return x < 0 ? -x : x;
}

/* The product of two floats is exact in a double. A sum in doubles, rounded again to a float, would
 * be rounded twice. So a sum that is not exact gets an odd last bit: the neighbour on the side of
 * the exact sum, if the last bit was even. The second rounding then never sees the middle of two
 * floats unless the exact sum is the middle. */
float clrs__multiply_add_floats(float a, float b, float c) {
  const double product = (double)a * (double)b, sum = product + (double)c;
  const double of_product = sum - (double)c, of_c = sum - of_product;
  const double rest = (product - of_product) + ((double)c - of_c);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (sum - sum == 0 && rest != 0 && (bits & 1) == 0) {
    bits += (rest > 0) == (sum > 0) ? 1 : UINT64_MAX;
  }
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return (float)odd;
}

/* ---- two taps ---- */

static int64_t clamp_index(int64_t at, int64_t count) {
  return at < 0 ? 0 : at < count ? at : count - 1;
}

static void set_pair(clrs__taps *taps, int64_t first, int64_t second, int32_t weight,
                     int32_t second_weight) {
  taps->pair[0] = (clrs__tap){(int32_t)first, weight};
  taps->pair[1] = (clrs__tap){(int32_t)second, second_weight};
}

/* Returns the place of the centre of result element `at`. Example: from 4 to 3 elements, element 1
 * has its centre 1.5 of 3 from the left, which is 2 of 4, and so place 1.5. */
static double opencv_place(const clrs__tap_axis *axis, int64_t at) {
  const double scale = 1 / ((double)axis->to / (double)axis->from);
  return ((double)at + 0.5) * scale - 0.5;
}

/* Weights have 11 bits. A column outside the picture is the nearest column. A row outside is a sum
 * of two equal rows. Example: from 4 to 3 columns, column 0 lies at place 0.1667, and has the taps
 * 0 and 1 with the weights 1707 and 341 of 2048. */
static void take_opencv(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  const float place = (float)opencv_place(axis, at);
  const int64_t first = whole_below((double)place);
  const bool is_outside = !axis->is_row && (first < 0 || first >= axis->from - 1);
  const float part = is_outside ? 0 : place - (float)first;
  set_pair(taps, clamp_index(first, axis->from), clamp_index(first + 1, axis->from),
           nearest_whole((double)((1 - part) * (1 << OPENCV_BITS))),
           nearest_whole((double)(part * (1 << OPENCV_BITS))));
}

/* As take_opencv, in doubles, with weights of 8 bits. A row outside is the nearest row. */
static void take_exact(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  const double place = opencv_place(axis, at);
  const int64_t first = whole_below(place);
  const bool is_outside = first < 0 || first >= axis->from - 1;
  const int32_t part = is_outside ? 0 : nearest_whole((place - (double)first) * (1 << EXACT_BITS));
  set_pair(taps, clamp_index(first, axis->from), clamp_index(first + 1, axis->from),
           (1 << EXACT_BITS) - part, part);
}

/* Places before the first element are the first element. Behind the last element, both taps are the
 * last element. */
static void take_torch(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  const float scale = (float)axis->from / (float)axis->to;
  const float place = clrs__multiply_add_floats(scale, (float)at + 0.5f, -0.5f);
  const float inside = place < 0 ? 0 : place;
  const int64_t first = clamp_index((int64_t)inside, axis->from);
  const float part = inside - (float)first;
  set_pair(taps, first, clamp_index(first + 1, axis->from), clrs__float_code(1 - part),
           clrs__float_code(part));
}

static float onnx_scale(const clrs__tap_axis *axis) {
  return axis->scale > 0 ? axis->scale : (float)axis->to / (float)axis->from;
}

/* The middle of the result lies on the middle of the picture. */
static float symmetric_place(float x, float scale, float from, float to) {
  const float adjustment = to / (scale * from);
  const float offset = from / 2 * (1 - adjustment);
  return (float)((double)offset + ((double)x + 0.5) / (double)scale - 0.5);
}

/* A scale of 1 leaves every element, also in modes that would move elements. */
static float onnx_place(const clrs__tap_axis *axis, int64_t at) {
  const float x = (float)at, scale = onnx_scale(axis);
  const float from = (float)axis->from, to = (float)axis->to;
  if (!(scale < 1) && !(scale > 1)) {
    return x;
  }
  switch (axis->coordinates) {
  case CLRS__PYTORCH_HALF_PIXEL:
    return axis->to > 1 ? (x + 0.5f) / scale - 0.5f : 0;
  case CLRS__ASYMMETRIC:
    return x / scale;
  case CLRS__ALIGN_CORNERS:
    return axis->to > 1 ? x * (from - 1) / (to - 1) : 0;
  case CLRS__HALF_PIXEL_SYMMETRIC:
    return symmetric_place(x, scale, from, to);
  case CLRS__TF_HALF_PIXEL_FOR_NN:
    return (x + 0.5f) / scale;
  default:
    return (x + 0.5f) / scale - 0.5f;
  }
}

/* ONNX Runtime and OpenVINO. At the last element both taps are this element, each with half. */
static void take_onnx(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  const float place = onnx_place(axis, at), most = (float)(axis->from - 1);
  const float inside = place < 0 ? 0 : place > most ? most : place;
  const int64_t first = clamp_index((int64_t)inside, axis->from);
  const int64_t second = clamp_index(first + 1, axis->from);
  const float part = first == second ? 0.5f : inside - (float)first;
  const float rest = first == second ? 0.5f : (float)second - inside;
  set_pair(taps, first, second, clrs__float_code(rest), clrs__float_code(part));
}

/* ---- one tap ---- */

/* Takes the element in front of the place, within the picture. */
static void set_nearest(const clrs__tap_axis *axis, double place, clrs__taps *taps) {
  const int64_t first = clamp_index((int64_t)place, axis->from);
  set_pair(taps, first, first, 1, 0);
}

static void take_opencv_nearest(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  const double scale = 1 / ((double)axis->to / (double)axis->from);
  set_nearest(axis, (double)at * scale, taps);
}

static void take_torch_nearest(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  const float scale = (float)axis->from / (float)axis->to;
  set_nearest(axis, (double)((float)at * scale), taps);
}

static void take_torch_nearest_exact(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  const float scale = (float)axis->from / (float)axis->to;
  set_nearest(axis, (double)(((float)at + 0.5f) * scale), taps);
}

/* A place up to 1e-6 from the middle of two elements is the middle, as in ONNX Runtime 1.32. */
static void take_onnx_nearest(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  const double place = (double)onnx_place(axis, at), near = 1e-6;
  const int64_t floor = whole_below(place);
  const double part = place - (double)floor;
  bool is_above =
      axis->nearest == CLRS__CEIL || (axis->nearest == CLRS__SIMPLE && onnx_scale(axis) < 1);
  if (is_above) {
    is_above = part > 0;
  } else if (axis->nearest == CLRS__PREFER_FLOOR) {
    is_above = part > 0.5 + near;
  } else if (axis->nearest == CLRS__PREFER_CEIL) {
    is_above = part >= 0.5 - near;
  }
  set_nearest(axis, (double)(floor + (is_above ? 1 : 0)), taps);
}

/* ---- many taps ---- */

static double triangle(double x) {
  const double far = magnitude_of(x);
  return far < 1 ? 1 - far : 0;
}

/* The cubic of Keys with a = -0.5, in Pillow's order. */
static double cubic(double x) {
  const double a = -0.5, far = magnitude_of(x);
  return far < 1   ? ((a + 2) * far - (a + 3)) * far * far + 1
         : far < 2 ? (((far - 5) * far + 8) * far - 4) * a
                   : 0;
}

static double pillow_scale(const clrs__tap_axis *axis) {
  return (double)axis->from / (double)axis->to;
}

/* Pillow's support of a result element in the picture. A picture that shrinks is antialiased. */
static double pillow_support(const clrs__tap_axis *axis, double radius) {
  const double scale = pillow_scale(axis);
  return radius * (scale < 1 ? 1 : scale);
}

static double pillow_weight(const clrs__taps *taps, int64_t k) {
  return taps->filter(((double)(k + taps->first) - taps->center + 0.5) * taps->step);
}

/* The taps are all elements within the support around the centre, which is a place plus 0.5. The
 * weights are values of the filter, and clrs__taps_at divides each by `sum`. Example: from 4 to 2
 * elements by the triangle of radius 1, the scale and the support are 2. Element 0 has its centre
 * at 1, and has the taps 0, 1 and 2 with the values 0.75, 0.75 and 0.25, whose sum is 1.75. */
static void take_pillow(const clrs__tap_axis *axis, int64_t at, double radius,
                        double (*filter)(double), clrs__taps *taps) {
  const double scale = pillow_scale(axis), support = pillow_support(axis, radius);
  taps->filter = filter;
  taps->center = ((double)at + 0.5) * scale;
  taps->step = 1 / (scale < 1 ? 1 : scale);
  const int64_t first = (int64_t)(taps->center - support + 0.5);
  const int64_t end = (int64_t)(taps->center + support + 0.5);
  taps->first = first < 0 ? 0 : first;
  taps->count = (end > axis->from ? axis->from : end) - taps->first;
  taps->sum = 0;
  for (int64_t k = 0; k < taps->count; k++) {
    taps->sum += pillow_weight(taps, k);
  }
}

static void take_bilinear(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  take_pillow(axis, at, 1, triangle, taps);
}

static void take_bicubic(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  take_pillow(axis, at, 2, cubic, taps);
}

/* ---- the references ---- */

typedef struct reference {
  clrs__combine combine;
  clrs_dtype dtype; /* CLRS_DTYPE_COUNT: any */
  double radius;    /* of a filter, or 0 */
  void (*take)(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps);
} reference;

#define ANY_TYPE CLRS_DTYPE_COUNT

/* By clrs_resampling, less 1. */
static const reference references[] = {
    {CLRS__COMBINE_OPENCV, CLRS_U8, 0, take_opencv},
    {CLRS__COMBINE_EXACT, CLRS_U8, 0, take_exact},
    {CLRS__COMBINE_NEAREST, ANY_TYPE, 0, take_opencv_nearest},
    {CLRS__COMBINE_PILLOW, CLRS_U8, 1, take_bilinear},
    {CLRS__COMBINE_PILLOW, CLRS_U8, 2, take_bicubic},
    {CLRS__COMBINE_TORCH, CLRS_F32, 0, take_torch},
    {CLRS__COMBINE_NEAREST, ANY_TYPE, 0, take_torch_nearest},
    {CLRS__COMBINE_NEAREST, ANY_TYPE, 0, take_torch_nearest_exact},
    {CLRS__COMBINE_ONNX, CLRS_F32, 0, take_onnx},
    {CLRS__COMBINE_OPENVINO, CLRS_F32, 0, take_onnx},
    {CLRS__COMBINE_NEAREST, ANY_TYPE, 0, take_onnx_nearest},
};
static const char *const names[] = {"opencv_linear",   "opencv_linear_exact", "opencv_nearest",
                                    "pillow_bilinear", "pillow_bicubic",      "torch_bilinear",
                                    "torch_nearest",   "torch_nearest_exact", "onnx_linear",
                                    "openvino_linear", "onnx_nearest"};
static const char *const coordinates[] = {"half_pixel",           "pytorch_half_pixel",
                                          "asymmetric",           "align_corners",
                                          "half_pixel_symmetric", "tf_half_pixel_for_nn"};
static const char *const nearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil",
                                      "simple"};
_Static_assert(sizeof references / sizeof *references == CLRS__RESAMPLINGS &&
                   sizeof names / sizeof *names == CLRS__RESAMPLINGS &&
                   sizeof coordinates / sizeof *coordinates == CLRS__COORDINATES &&
                   sizeof nearest / sizeof *nearest == CLRS__NEAREST,
               "clrs_resampling");

static const reference *reference_of(clrs_resampling by) {
  return &references[(int)by - 1];
}

const char *const *clrs__resampling_names(void) {
  return names;
}

const char *const *clrs__coordinates_names(void) {
  return coordinates;
}

const char *const *clrs__nearest_names(void) {
  return nearest;
}

clrs__combine clrs__resampling_combine(clrs_resampling by) {
  return by == CLRS_RESAMPLE_NONE ? CLRS__COMBINE_NONE : reference_of(by)->combine;
}

clrs_status clrs__resampling_check(clrs_resampling by, clrs_dtype dtype, clrs_error *error) {
  if ((int)by < 1 || (int)by > CLRS__RESAMPLINGS) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "resampling %d is unknown; clrs_resampling has 1 to %d", (int)by,
                      CLRS__RESAMPLINGS);
  }
  const clrs_dtype needed = reference_of(by)->dtype;
  if (needed != ANY_TYPE && needed != dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s of %s; the reference is for %s%s",
                      names[(int)by - 1], clrs__dtype_text(dtype), clrs__dtype_text(needed),
                      clrs__resampling_casts(dtype, needed) ? ", so cast=f32 stands before" : "");
  }
  return clrs_dtype_bits(dtype) >= 8
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "a picture of %s; elements of less than a byte are not resized",
                          clrs__dtype_text(dtype));
}

/* A scale gives the size, less than an element away. */
clrs_status clrs__taps_check(const clrs__tap_axis *axis, clrs_error *error) {
  const bool is_nearest = axis->by == CLRS_ONNX_NEAREST;
  const bool is_onnx = is_nearest || axis->by == CLRS_ONNX_LINEAR;
  const double far = (double)axis->scale * (double)axis->from - (double)axis->to;
  const char *name = names[(int)axis->by - 1];
  if (axis->coordinates >= (is_onnx ? CLRS__COORDINATES : 1) ||
      axis->nearest >= (is_nearest ? CLRS__NEAREST : 1)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "coordinates %u and nearest %u of %s; onnx_linear has coordinates 0 to %d, "
                      "onnx_nearest also nearest 0 to %d, and other references have 0",
                      axis->coordinates, axis->nearest, name, CLRS__COORDINATES - 1,
                      CLRS__NEAREST - 1);
  }
  return (axis->scale >= 0 && axis->scale <= 0) ||
                 (is_onnx && axis->scale > 0 && far > -1 && far < 1)
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "a scale of %g from %lld to %lld for %s; scales of onnx_linear and "
                          "onnx_nearest give the size, and other references have none",
                          (double)axis->scale, (long long)axis->from, (long long)axis->to, name);
}

int64_t clrs__taps_most(const clrs__tap_axis *axis) {
  const reference *of = reference_of(axis->by);
  return of->combine == CLRS__COMBINE_NEAREST ? 1
         : of->radius == 0
             ? 2
             : 1 - clrs__exact_multiply(whole_below(-pillow_support(axis, of->radius)), 2);
}

void clrs__taps_start(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps) {
  *taps = (clrs__taps){.count = 2};
  reference_of(axis->by)->take(axis, at, taps);
}

clrs__tap clrs__taps_at(const clrs__taps *taps, int64_t k) {
  if (k >= taps->count) {
    return (clrs__tap){(int32_t)taps->first, 0};
  }
  if (taps->filter == NULL) {
    return taps->pair[k];
  }
  const double weight = pillow_weight(taps, k);
  const double share = taps->sum == 0 ? weight : weight / taps->sum;
  const double scaled = share * (1 << CLRS__PILLOW_BITS);
  return (clrs__tap){(int32_t)(taps->first + k),
                     (int32_t)(share < 0 ? scaled - 0.5 : scaled + 0.5)};
}
