/*
 * Frames of a camera: the places of the planes in a frame, and the arithmetic of the colours.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

enum { CLRS__PLANES = 3, CLRS__COLORS = 3 };

/* The end of a frame's shape. */
typedef enum clrs__camera_kind {
  CLRS__PIXELS,     /* [..,H,W,C] */
  CLRS__CHROMA_ROWS /* [..,H*3/2,W]: H rows of luma, and below H/2 rows of chroma */
} clrs__camera_kind;

typedef struct clrs__camera_format {
  const char *name;
  clrs__camera_kind kind;
  int64_t channels; /* C of PIXELS, else 1 */
  bool is_planar;   /* the chroma is two planes, not pairs */
  /* Of Y, U and V, or of R, G and B. `parts` of U and V: the first or the second element of a pair,
   * or the first or the second plane. */
  int channel_of[CLRS__PLANES], parts[CLRS__PLANES];
} clrs__camera_format;

/* The words of color=, in the order of their numbers. */
enum { CLRS__CAMERA_FORMATS = 8, CLRS__FIRST_OF_PIXELS = 6 };
enum { CLRS__RGB, CLRS__BGR, CLRS__GREY, CLRS__COLOR_RESULTS };
enum { CLRS__BY_OPENCV, CLRS__BY_OPENVINO, CLRS__BY_PILLOW, CLRS__COLOR_REFERENCES };

const clrs__camera_format *clrs__camera_format_at(int64_t format);

/* A sum over the planes. Before a plane is multiplied, `offset` is subtracted. Plane 0 is also
 * brought to at least 0 if `clamps`. The end is a shift to the right, or a rounding of a float to
 * 0..255. */
typedef struct clrs__color_sum {
  clrs_dtype dtype;
  bool clamps;
  double offsets[CLRS__PLANES];
  double factors[CLRS__PLANES][CLRS__COLORS]; /* for R, G and B. Grey has a single number */
  double bias[CLRS__COLORS];
  double shift;
} clrs__color_sum;

/* Returns NULL if there is no such reference. */
const clrs__color_sum *clrs__color_sum_of(int64_t format, int64_t result, int64_t by);
const clrs__color_sum *clrs__camera_sum(const clrs_frame *frame);

/* The rows of pixels. */
int64_t clrs__camera_rows(const clrs_frame *frame);
/* Checks everything that does not depend on the picture. */
clrs_status clrs__camera_check(const clrs_frame *frame, clrs_error *error);

/* The element of a plane that belongs to a pixel lies at the sum of two places: of the pixel's row,
 * and of the pixel's column. */
int64_t clrs__camera_row(const clrs_frame *frame, uint32_t plane, int64_t row);
int64_t clrs__camera_column(const clrs_frame *frame, uint32_t plane, int64_t column);

/* The numbers of a colour of the result, as a kernel reads them: integers, or the bits of floats.
 */
typedef struct clrs__color_row {
  int32_t factors[CLRS__PLANES], bias;
} clrs__color_row;

clrs__color_row clrs__camera_color_row(const clrs_frame *frame, int64_t color);
/* The byte of a colour, of elements of the three planes. */
uint8_t clrs__camera_color(const clrs_frame *frame, int64_t color,
                           const uint8_t planes[CLRS__PLANES]);
