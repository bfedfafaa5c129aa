/*
 * A map in floats: of sources that a float holds, or of steps that begin with the nearest float.
 * src/mapped/key.c says of which.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_FLOATS_CL
#define CLRS_FLOATS_CL
#ifndef CLRS_STEPS_CL
#include "steps.cl"
#endif

#if WAY == CLRS_WAY_FLOATS

/* ---- sources ---- */

INLINED wholes_t whole_of_code(const element_t element, codes_t code) {
  const int unused = 32 - element.bits;
  return element.is_signed ? AS_WHOLES(code << unused) >> unused : AS_WHOLES(code);
}

INLINED value_t float_of_code(const element_t element, codes_t code) {
  if (element.kind == CLRS_KIND_BOOL) {
    return code != 0 ? AS_FLOATS(HELD(0x3f800000u)) : (value_t)0.0f;
  }
  if (element.kind == CLRS_KIND_INTEGER) {
    return element.is_signed || element.bits < 32 ? CAST(value_t, whole_of_code(element, code))
                                                  : CAST(value_t, code);
  }
  return element.bits == 32 ? AS_FLOATS(code) : float_of_small(element, code);
}

/* ---- integers ---- */

/* From 2^23 on a float has no bits behind the point. Below, an int holds what is before it. */
INLINED value_t magnitude_of(value_t x) {
  return AS_FLOATS(AS_CODES(x) & 0x7fffffffu);
}

INLINED value_t truncate_float(value_t x) {
  const value_t none = (value_t)0.0f;
  const value_t near = magnitude_of(x) < 8388608.0f ? x : none;
  return magnitude_of(x) < 8388608.0f ? CAST(value_t, CAST(wholes_t, near)) : x;
}

/* Adding 2^23 leaves no bits behind the point. */
INLINED value_t round_half_even(value_t x) {
  const float whole = 8388608.0f;
  const value_t magnitude = magnitude_of(x), rounded = (magnitude + whole) - whole;
  return magnitude < whole ? AS_FLOATS(AS_CODES(rounded) | (AS_CODES(x) & 0x80000000u)) : x;
}

/* What is cut off tells whether the next integer is meant. */
INLINED value_t round_float(value_t x) {
  if (ROUNDING == CLRS_EVEN) {
    return round_half_even(x);
  }
  const value_t whole = truncate_float(x), rest = x - whole, none = (value_t)0.0f;
  const value_t one = (value_t)1.0f;
  switch (ROUNDING) {
  case CLRS_AWAY: {
    const value_t step = AS_FLOATS(AS_CODES(one) | (AS_CODES(x) & 0x80000000u));
    return whole + (magnitude_of(rest) >= 0.5f ? step : none);
  }
  case CLRS_DOWN:
    return whole - (rest < 0.0f ? one : none);
  case CLRS_UP:
    return whole + (rest > 0.0f ? one : none);
  default:
    return whole;
  }
}

/* An integer within 2^20 of 0, as rounded; NaN, if x may be that, is 0. Added to 1.5 * 2^23 a float
 * has no bits behind the point: what it had is rounded half to even. */
INLINED wholes_t whole_near(value_t x, bool is_number) {
  const value_t most = AS_FLOATS(HELD(0x49800000u)), shift = (value_t)12582912.0f; /* 2^20 */
  const value_t any = x == x ? x : (value_t)0.0f, number = is_number ? x : any;
  const value_t high = number < -most ? -most : number;
  const value_t near = high > most ? most : high;
  if (ROUNDING == CLRS_EVEN) {
    return AS_WHOLES(near + shift) - AS_WHOLES(shift);
  }
  return CAST(wholes_t, ROUNDING == CLRS_ZERO ? near : round_float(near));
}

/* Of 32 bits, without a zero point: 2^31 and 2^32 are floats, the ends of the ranges are not. */
INLINED codes_t wide_integer_of(const element_t element, value_t x) {
  const value_t none = (value_t)0.0f;
  const value_t whole = x != x ? none : round_float(x);
  if (element.is_signed) {
    const wholes_t inside =
        CAST(wholes_t, whole >= 2147483648.0f || whole < -2147483648.0f ? none : whole);
    const codes_t low = whole < -2147483648.0f ? HELD(0x80000000u) : AS_CODES(inside);
    return whole >= 2147483648.0f ? HELD(0x7fffffffu) : low;
  }
  const codes_t inside = CAST(codes_t, whole >= 4294967296.0f || whole < 0.0f ? none : whole);
  return whole >= 4294967296.0f ? HELD(0xffffffffu) : inside;
}

/* Of up to 16 bits the zero point is added: far more than both fits an int. */
INLINED codes_t integer_of_float(const element_t element, value_t x, bool is_number,
                                 wholes_t zero) {
  if (element.bits == 32) {
    return wide_integer_of(element, x);
  }
  const int highest = (1 << (element.bits - element.is_signed)) - 1;
  const int lowest = element.is_signed ? -highest - 1 : 0;
  const wholes_t near = whole_near(x, is_number) + zero;
  const wholes_t least = (wholes_t)lowest, most = (wholes_t)highest;
  const wholes_t high = near < least ? least : near;
  return AS_CODES(high > most ? most : high) & ((1u << element.bits) - 1u);
}

/* ---- results ---- */

INLINED codes_t code_of_float(const element_t element, value_t x, bool is_number, wholes_t zero) {
  const int saturates = OVERFLOW_RULE == CLRS_SATURATES;
  if (element.kind == CLRS_KIND_BOOL) {
    return x != 0.0f ? (codes_t)1 : (codes_t)0;
  }
  if (element.kind == CLRS_KIND_INTEGER) {
    return integer_of_float(element, x, is_number, zero);
  }
  if (element.bits < 32) {
    return small_of_float(element, x, saturates);
  }
  const codes_t code = AS_CODES(x), sign = code & 0x80000000u, value = code & 0x7fffffffu;
  const bool has_steps = STEP_COUNT > 0;
  if (has_steps && !saturates) { /* whose NaN is the one of floats already */
    return code;
  }
  const codes_t finite = saturates && value == INFINITY_CODE ? HELD(INFINITY_CODE - 1) : value;
  return sign | (value > INFINITY_CODE ? HELD(NAN_CODE) : finite);
}

INLINED codes_t convert_floats(codes_t code, const parameters_t p) {
  const element_t from = ELEMENT(FROM), to = ELEMENT(TO);
  const bool is_number = p.is_tame && (never_gives_nan() || ends_in_short_integers());
  value_t x = ZERO_PLACE == CLRS_SUBTRACTED ? CAST(value_t, whole_of_code(from, code) - p.zero)
                                            : float_of_code(from, code);
#if STEP_COUNT > 0
  x = take_steps(round_to_arithmetic(x), p);
  if (!is_number) {
    x = x != x ? AS_FLOATS(HELD(NAN_CODE)) : x;
  }
#endif
  return code_of_float(to, x, is_number, ZERO_PLACE == CLRS_ADDED ? p.zero : (wholes_t)0);
}

#define CONVERT(codes, p) convert_floats(CAST(codes_t, codes), p)
#endif

#endif
