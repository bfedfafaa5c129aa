/*
 * The second way of convert.cl: an element on its way through a map in floats.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_FLOATS_CL
#define CLRS_FLOATS_CL
#ifndef CLRS_CONVERT_CL
#include "convert.cl"
#endif

/* ---- in floats ----
 * src/mapped/key.c says for which maps: sources that a float holds, or steps that begin with the
 * nearest float; and no 64 bits. */

INLINED float float_of_code(const element_t element, uint code) {
  if (element.kind == CLRS_KIND_BOOL) {
    return code != 0 ? 1.0f : 0.0f;
  }
  if (element.kind == CLRS_KIND_INTEGER) {
    const int unused = 32 - element.bits;
    return element.is_signed   ? (float)((int)(code << unused) >> unused)
           : element.bits < 32 ? (float)(int)code
                               : (float)code;
  }
  return IS_HALF(element)     ? float_of_half(code)
         : IS_BFLOAT(element) ? as_float(code << 16)
                              : as_float(code);
}

INLINED float round_float(float x) {
  switch (ROUNDING) {
  case CLRS_EVEN:
    return rint(x);
  case CLRS_ZERO:
    return trunc(x);
  case CLRS_AWAY:
    return round(x);
  case CLRS_DOWN:
    return floor(x);
  default:
    return ceil(x);
  }
}

/* An integer within 2^20 of 0, as rounded; NaN is 0. Added to 1.5 * 2^23 a float has no bits behind
 * the point: what it had is rounded half to even. */
INLINED int whole_near(float x) {
  const float most = 1048576.0f, shift = 12582912.0f;
  const float number = x == x ? x : 0.0f;
  const float high = number < -most ? -most : number;
  const float near = high > most ? most : high;
  if (ROUNDING == CLRS_EVEN) {
    return as_int(near + shift) - as_int(shift);
  }
  return (int)(ROUNDING == CLRS_ZERO ? near : round_float(near));
}

/* Of up to 16 bits, with the zero point added: far more than both fits an int. Of 32 bits, without
 * one: 2^31 and 2^32 are floats, the ends of the ranges are not. */
INLINED uint integer_code_of(const element_t element, float x, int zero) {
  if (element.bits < 32) {
    const int highest = (1 << (element.bits - element.is_signed)) - 1;
    const int lowest = element.is_signed ? -highest - 1 : 0;
    const int near = whole_near(x) + zero;
    return (uint)min(max(near, lowest), highest) & ((1u << element.bits) - 1u);
  }
  const float whole = x != x ? 0.0f : round_float(x);
  if (element.is_signed) {
    const int inside = (int)(whole >= 2147483648.0f || whole < -2147483648.0f ? 0.0f : whole);
    return whole >= 2147483648.0f   ? 0x7fffffffu
           : whole < -2147483648.0f ? 0x80000000u
                                    : (uint)inside;
  }
  const uint inside = (uint)(whole >= 4294967296.0f || whole < 0.0f ? 0.0f : whole);
  return whole >= 4294967296.0f ? 0xffffffffu : whole < 0.0f ? 0u : inside;
}

INLINED uint code_of_float(const element_t element, float x, int zero) {
  const int saturates = OVERFLOW_RULE == CLRS_SATURATES;
  if (element.kind == CLRS_KIND_BOOL) {
    return x != 0.0f;
  }
  if (element.kind == CLRS_KIND_INTEGER) {
    return integer_code_of(element, x, zero);
  }
  if (IS_HALF(element)) {
    return half_of_float(x, saturates);
  }
  if (IS_BFLOAT(element)) {
    return bfloat_of_float(x, saturates);
  }
  const uint code = as_uint(x), sign = code & 0x80000000u, value = code ^ sign;
  const uint rounded = value > 0x7f800000u                 ? 0x7fc00000u
                       : saturates && value == 0x7f800000u ? 0x7f7fffffu
                                                           : value;
  return rounded | sign;
}

#if FAST
INLINED uint convert_fast(uint code, const parameters_t p) {
  const element_t from = ELEMENT(FROM), to = ELEMENT(TO);
  float x;
  if (ZERO_PLACE == CLRS_SUBTRACTED) {
    x = (float)((int)integer_of_code(from, code) - (int)p.zero);
  } else {
    x = float_of_code(from, code);
  }
#if STEP_COUNT > 0
  x = take_steps(x, p);
  x = x != x ? as_float(0x7fc00000u) : x;
#endif
  return code_of_float(to, x, ZERO_PLACE == CLRS_ADDED ? (int)p.zero : 0);
}
#define CONVERT(code, p) ((TO_T)convert_fast((uint)(code), p))
#else
#define CONVERT(code, p) ((TO_T)convert_exactly((ulong)(code), p))
#endif

#endif
