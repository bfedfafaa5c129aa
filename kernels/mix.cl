/*
 * The formulas of colours that a kernel mixes. A colour is a sum over luma, U and V, each times a
 * factor, in 32-bit integers or in floats (src/mapped/mix.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MIX_CL
#define CLRS_MIX_CL
#ifndef CLRS_PARAMETERS_CL
#include "parameters.cl"
#endif

#if MIXES
/* The chroma of the pixels from lane n on, of which two share each. */
#if LANES > 1
#define TWICE(x, n) __builtin_shufflevector(x, x, EACH_LANE(HALF_OF, n, 0))
#else
#define TWICE(x, n) (x)
#endif
#if COLORED == CLRS_COLORS_FLOATS
typedef LANED(float) sums_t;
#define FLOAT_OF(word) as_float((int)(word))
#define CHROMA_OF(codes, offset) (CAST(sums_t, codes) - FLOAT_OF(offset))
#define LUMA_OF(codes) (CHROMA_OF(codes, move->luma_offset) * FLOAT_OF(move->luma_factor))
#define WITH_CHROMA(luma, of, n) ((luma) + TWICE((of).u, n) + TWICE((of).v, n))

/* U and V times the factors of a colour. The reference adds U before V. */
typedef struct chroma_t {
  sums_t u, v;
} chroma_t;

INLINED chroma_t chroma_of(mapped_ref move, index_t color, sums_t u, sums_t v) {
  const chroma_t of = {u * FLOAT_OF(move->colors[color][0]), v * FLOAT_OF(move->colors[color][1])};
  return of;
}

/* 2^23 more, as a float, has the integer in the low bits, rounded half to even. Codes of floats are
 * in the order of the floats. NaN becomes 0. */
INLINED ints_t color_of(mapped_ref move, sums_t sum) {
  const sums_t none = (sums_t)0.0f;
  const ints_t color = LANED(as_int)((sum > none ? sum : none) + 8388608.0f);
  const ints_t most = (ints_t)as_int(8388608.0f + 255.0f);
  (void)move;
  return (color < most ? color : most) & 255;
}
#else
typedef uints_t sums_t;
#define CHROMA_OF(codes, offset) CAST(sums_t, codes)
#define LUMA_OF(codes) luma_of(move, CAST(uints_t, codes))
#define WITH_CHROMA(luma, of, n) ((luma) + TWICE((of).sum, n))

/* U and V times the factors of a colour. */
typedef struct chroma_t {
  sums_t sum;
} chroma_t;

INLINED chroma_t chroma_of(mapped_ref move, index_t color, sums_t u, sums_t v) {
  const chroma_t of = {u * (uint)move->colors[color][0] + v * (uint)move->colors[color][1] +
                       (uint)move->colors[color][2]};
  return of;
}

INLINED uints_t luma_of(mapped_ref move, uints_t y) {
  const ints_t above = LANED(as_int)(y - (uint)move->luma_offset);
  const ints_t least = (ints_t)(int)move->least_luma;
  return LANED(as_uint)(above < least ? least : above) * (uint)move->luma_factor;
}

INLINED ints_t color_of(mapped_ref move, uints_t sum) {
  const ints_t color = LANED(as_int)(sum) >> (int)move->color_shift;
  const ints_t none = (ints_t)0, most = (ints_t)255, low = color > most ? most : color;
  return low < none ? none : low;
}
#endif
#endif

#endif
