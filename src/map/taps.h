/*
 * The taps of resampled pictures. An element of the result is a sum over taps, which are
 * elements of the picture with weights. Each axis has taps of its own, which depend on the sizes
 * alone and are computed on the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

/* The sums over taps, CLRS_COMBINE_... of kernels/mapped.h. */
typedef enum clrs__combine {
  CLRS__COMBINE_NONE,
  CLRS__COMBINE_NEAREST,
  CLRS__COMBINE_OPENCV,
  CLRS__COMBINE_EXACT,
  CLRS__COMBINE_PILLOW,
  CLRS__COMBINE_TORCH,
  CLRS__COMBINE_ONNX,
  CLRS__COMBINE_OPENVINO
} clrs__combine;

/* An element along one axis of the picture, and its weight: an integer, or the bits of a float. A
 * kernel reads taps in this form. */
typedef struct clrs__tap {
  int32_t at, weight;
} clrs__tap;

/* The taps of one element along an axis. Two taps are computed at once. Of more taps, clrs__taps_at
 * computes one after the other. */
typedef struct clrs__taps {
  clrs__tap pair[2];        /* if `filter` is NULL */
  int64_t first, count;     /* the first tap, and the number of taps */
  double center, step, sum; /* of `filter`: the place of its 0, its steps, and all weights */
  double (*filter)(double); /* NULL for at most two taps */
} clrs__taps;

/* The place of an element in the picture: ONNX's coordinate_transformation_mode. */
typedef enum clrs__coordinates {
  CLRS__HALF_PIXEL,
  CLRS__PYTORCH_HALF_PIXEL,
  CLRS__ASYMMETRIC,
  CLRS__ALIGN_CORNERS,
  CLRS__HALF_PIXEL_SYMMETRIC,
  CLRS__TF_HALF_PIXEL_FOR_NN,
  CLRS__COORDINATES
} clrs__coordinates;

/* The element that is nearest to a place: ONNX's nearest_mode. */
typedef enum clrs__nearest_mode {
  CLRS__PREFER_FLOOR, /* round_prefer_floor: of two halves the lower element */
  CLRS__PREFER_CEIL,
  CLRS__FLOOR,
  CLRS__CEIL,
  CLRS__SIMPLE, /* before opset 11: ceil for a scale below 1, else floor */
  CLRS__NEAREST
} clrs__nearest_mode;

/* An axis that is resampled from `from` elements to `to` elements. */
typedef struct clrs__tap_axis {
  clrs_resampling by;
  bool is_row; /* one of the references treats the two axes differently */
  int64_t from, to;
  uint32_t coordinates; /* clrs__coordinates, of ONNX */
  uint32_t nearest;     /* clrs__nearest_mode */
  float scale;          /* or 0 for the quotient of the sizes */
} clrs__tap_axis;

enum { CLRS__PILLOW_BITS = 22 }; /* bits behind the point in weights of CLRS__COMBINE_PILLOW */

/* Returns a * b + c, rounded once. */
float clrs__multiply_add_floats(float a, float b, float c);

/* The names in a chain, from CLRS_OPENCV_LINEAR on. */
enum { CLRS__RESAMPLINGS = CLRS_ONNX_NEAREST };
const char *const *clrs__resampling_names(void);
/* ONNX's words, by clrs__coordinates and by clrs__nearest_mode. */
const char *const *clrs__coordinates_names(void);
const char *const *clrs__nearest_names(void);
clrs__combine clrs__resampling_combine(clrs_resampling by);
/* Checks that the reference has pictures of this type. */
clrs_status clrs__resampling_check(clrs_resampling by, clrs_dtype dtype, clrs_error *error);

/* Checks that the reference has these coordinates, and that the scale gives the size. */
clrs_status clrs__taps_check(const clrs__tap_axis *axis, clrs_error *error);

/* The most taps of an element. */
int64_t clrs__taps_most(const clrs__tap_axis *axis);
void clrs__taps_start(const clrs__tap_axis *axis, int64_t at, clrs__taps *taps);
/* Returns tap k of an element. Behind the last tap, the weight is 0. */
clrs__tap clrs__taps_at(const clrs__taps *taps, int64_t k);
