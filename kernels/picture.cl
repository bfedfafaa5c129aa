/*
 * Elements of a picture that is resized: elements of the source, or colours.
 *
 * COLORED (CLRS_COLORS_...): an element of the picture is a colour of a frame's pixel, which is a
 * sum over three planes. Behind the taps are the numbers of the colours, and the places of the
 * picture's rows and columns in each plane.
 *
 * STORED: the type of the source, if the elements are floats before they are resized.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PICTURE_CL
#define CLRS_PICTURE_CL
#ifndef CLRS_PARAMETERS_CL
#include "parameters.cl"
#endif

#if RESAMPLES
typedef struct tap_t {
  int at, weight; /* the weight may be the bits of a float */
} tap_t;
typedef global const tap_t *taps_ref;

#ifndef COLORED
#define COLORED 0
#endif
#ifdef STORED
#define IS_CAST 1
/* Returns the f32 code of a number of f16, of bf16, or of integers of up to 16 bits. The mantissa
 * of f16 moves by 13 bits, and the exponent grows by 112. Example: 1 is 0x3c00 in f16, moved
 * 0x07800000, and 0x3f800000 in f32. Denormal numbers of f16 are multiples of 2^-24. No float on
 * the way is denormal, because a device may flush denormal floats. */
INLINED uint cast_code(uint code) {
  const element_t stored = ELEMENT(STORED);
  if (stored.kind == CLRS_KIND_INTEGER) {
    const int shift = 32 - stored.bits;
    return as_uint((float)(stored.is_signed ? (int)(code << shift) >> shift : (int)code));
  }
  if (stored.mantissa_bits == 7) {
    return code << 16;
  }
  const uint magnitude = code & 0x7fff, moved = magnitude << 13;
  const uint denormal = as_uint((float)magnitude * 0x1p-24f);
  const uint finite = magnitude < 0x400 ? denormal : moved + (112 << 23);
  return (code & 0x8000) << 16 | (magnitude < 0x7c00 ? finite : moved | 0x7f800000);
}
#else
#define IS_CAST 0
#define STORED FROM
#define cast_code(code) (code)
#endif
#if COLORED
/* A row of the table behind the taps. Row 0 has the offset of plane 0 and the shift of a sum. Rows
 * of the colours follow: the factors of the planes, which may be the bits of floats, and the bias.
 * The other rows are places. */
typedef struct frame_row_t {
  int of_y, of_u, of_v, other;
} frame_row_t;
typedef global const frame_row_t *frame_ref;

/* The numbers of the first three colours stand beside one another, for whole pixels. */
typedef struct picture_t {
  global const uchar *bytes;
  frame_ref frame;
  frame_row_t head;
  int4 of_y, of_u, of_v, bias;
} picture_t;

/* The places in three planes, and the number of the colour. */
#if INDEX_BITS == 64
typedef long4 place_t;
#else
typedef int4 place_t;
#endif

INLINED picture_t picture_of(global const uchar *source, mapped_ref move) {
  const taps_ref end = (taps_ref)(move + 1) + move->picture_rows * move->row_taps +
                       move->picture_columns * move->column_taps;
  const frame_ref frame = (frame_ref)end;
  const frame_row_t a = frame[1], b = frame[2], c = frame[3];
  const picture_t picture = {source,
                             frame,
                             *frame,
                             {a.of_y, b.of_y, c.of_y, 0},
                             {a.of_u, b.of_u, c.of_u, 0},
                             {a.of_v, b.of_v, c.of_v, 0},
                             {a.other, b.other, c.other, 0}};
  return picture;
}

/* Row or column `number` of the picture. `stride` is the number of the first row of the table. */
INLINED place_t place_along(const picture_t picture, index_t number, index_t stride) {
  const frame_row_t row = picture.frame[stride + number];
  const place_t place = {row.of_y, row.of_u, row.of_v, 0};
  return place;
}

INLINED place_t place_in_pixel(index_t at, index_t color, index_t stride) {
  const place_t place = {at, at, at, color};
  (void)stride;
  return place;
}

INLINED bool are_equal(const place_t a, const place_t b) {
  return a.x == b.x && a.w == b.w;
}

/* A colour takes longer than a condition. Every third pixel of a row has one tap with a weight. */
#define IS_READ(weight) ((weight) != 0)

/* The colour with these factors. */
INLINED FROM_T load_color(const picture_t picture, const place_t at, const frame_row_t of) {
  const int y = picture.bytes[at.x], u = picture.bytes[at.y], v = picture.bytes[at.z];
#if COLORED == CLRS_COLORS_FLOATS
  const float luma = (float)(y - 16) * as_float(of.of_y);
  const float luma_and_u = luma + (float)(u - 128) * as_float(of.of_u);
  const float sum = luma_and_u + (float)(v - 128) * as_float(of.of_v);
  /* 2^23 more, as a float, has the integer in the low bits, rounded half to even. */
  return (FROM_T)as_uint(clamp(sum, 0.0f, 255.0f) + 8388608.0f);
#else
  const int luma = max(y - picture.head.of_y, 0) * of.of_y;
  const int sum = luma + u * of.of_u + v * of.of_v + of.other;
  return (FROM_T)clamp(sum >> picture.head.of_u, 0, 255);
#endif
}

#define FACTORS_T frame_row_t
#define factors_at(picture, at) (picture).frame[1 + (at).w]
#define load_sampled(picture, at) cast_code(load_color(picture, at, factors_at(picture, at)))
#else
typedef index_t place_t;
typedef global const uchar *picture_t;
#define picture_of(source, move) (source)
#define are_equal(a, b) ((a) == (b))
#define IS_READ(weight) true

INLINED place_t place_along(const picture_t picture, index_t number, index_t stride) {
  (void)picture;
  return number * stride;
}

INLINED place_t place_in_pixel(index_t at, index_t color, index_t stride) {
  return at + color * stride;
}

INLINED FROM_T load_sampled(const picture_t picture, place_t at) {
  return (FROM_T)cast_code(load_code(ELEMENT(STORED), picture, at));
}
#define FACTORS_T int
#define factors_at(picture, at) ((void)(at), 0)
#define load_color(picture, at, of) load_sampled(picture, at)
#endif

#if NATIVE_CODE && (COLORED || !IS_CAST)
#define HAS_PIXELS 1
typedef FROM_T from4_t __attribute__((ext_vector_type(4)));
typedef struct ANY_BYTES any_pixel_t {
  from4_t value;
} any_pixel_t;
#if COLORED
#define MOST_OF_PIXEL 3
#if IS_CAST
#define CODES_OF(colors) as_uint4(__builtin_convertvector(colors, float4))
#else
#define CODES_OF(colors) __builtin_convertvector(colors, from4_t)
#endif
/* The three colours of a pixel, and 0. */
INLINED from4_t load_pixel(const picture_t source, const place_t at) {
  const int y = source.bytes[at.x], u = source.bytes[at.y], v = source.bytes[at.z];
#if COLORED == CLRS_COLORS_FLOATS
  const float4 luma = (float)(y - 16) * as_float4(source.of_y);
  const float4 luma_and_u = luma + (float)(u - 128) * as_float4(source.of_u);
  const float4 sum = luma_and_u + (float)(v - 128) * as_float4(source.of_v);
  return CODES_OF(as_int4(clamp(sum, 0.0f, 255.0f) + 8388608.0f) & 255);
#else
  const int4 luma = max(y - source.head.of_y, 0) * source.of_y;
  const int4 sum = luma + u * source.of_u + v * source.of_v + source.bias;
  return CODES_OF(clamp(sum >> source.head.of_u, 0, 255));
#endif
}
#else
#define MOST_OF_PIXEL 4
INLINED from4_t load_pixel(const picture_t source, place_t at) {
  return ((global const any_pixel_t *)(source + at * (index_t)sizeof(FROM_T)))->value;
}
#endif
#endif
#endif

#endif
