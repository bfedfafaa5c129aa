/*
 * A map in floats: of sources that a float holds, or of steps that begin with the nearest float.
 * The same lines are a map in doubles. src/mapped/key.c says which maps take which of the two.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_FLOATS_CL
#define CLRS_FLOATS_CL
#ifndef CLRS_STEPS_CL
#include "steps.cl"
#endif

#if WAY == CLRS_WAY_FLOATS || WAY == CLRS_WAY_DOUBLES

/* ---- sources ---- */

INLINED wholes_t whole_of_code(const element_t element, codes_t code) {
  const int unused = VALUE_BITS - element.bits;
  return element.is_signed ? AS_WHOLES(code << unused) >> unused : AS_WHOLES(code);
}

/* Rounds an integer with more bits than a value to odd: an integer between two values becomes the
 * odd neighbour. A later rounding to fewer bits then gives the same as a rounding of the integer.
 * Floats have 24 bits, so integers of 32 bits become multiples of 256 beyond 2^24. 2^24 + 1 lies
 * between 65536 * 256 and 65537 * 256, and becomes the second. Integers up to 2^24 are values. */
INLINED codes_t odd_of_code(const element_t element, codes_t code) {
  const code_t most = (code_t)1 << (VALUE_MANTISSA + 1);
  const code_t step = (code_t)1 << (VALUE_BITS - VALUE_MANTISSA - 1), low = step - 1;
  const code_t up = element.is_signed ? most : 0;
  const codes_t odd = (code & ~low) | (((code & low) + low) & step);
  return code + up <= up + most ? code : odd;
}

/* Is an integer that is no value rounded to fewer bits next, that of steps or of the result? */
INLINED bool is_narrowed(void) {
  const element_t to = ELEMENT(TO), arithmetic = ELEMENT(ARITHMETIC);
  const int has_steps = STEP_COUNT > 0;
  return (has_steps ? arithmetic.mantissa_bits : to.mantissa_bits) < VALUE_MANTISSA;
}

INLINED value_t float_of_integer(const element_t element, codes_t code) {
  if (element.bits < VALUE_BITS) {
    return CAST(value_t, whole_of_code(element, code));
  }
  const codes_t near = is_narrowed() ? odd_of_code(element, code) : code;
  return element.is_signed ? CAST(value_t, AS_WHOLES(near)) : CAST(value_t, near);
}

INLINED value_t float_of_code(const element_t element, codes_t code) {
  if (element.kind == CLRS_KIND_BOOL) {
    return code != 0 ? AS_FLOATS(HELD(CODE_OF_POWER(0))) : (value_t)0.0f;
  }
  if (element.kind == CLRS_KIND_INTEGER) {
    return float_of_integer(element, code);
  }
  if (element.bits == VALUE_BITS) {
    return AS_FLOATS(code);
  }
  return element.bits == 32 ? CAST(value_t, LANED(as_float)(CAST(singles_t, code)))
                            : float_of_small(element, code);
}

/* ---- integers ---- */

/* From 2^23 on a float has no bits behind the point, and a double has none from 2^52 on. Below, an
 * int holds what is before it, or a long. */
#define WHOLE ((arith_t)((code_t)1 << VALUE_MANTISSA))
INLINED value_t magnitude_of(value_t x) {
  return AS_FLOATS(AS_CODES(x) & MAGNITUDE_CODE);
}

INLINED value_t truncate_float(value_t x) {
  const value_t none = (value_t)0.0f;
  const value_t near = magnitude_of(x) < WHOLE ? x : none;
  return magnitude_of(x) < WHOLE ? CAST(value_t, CAST(wholes_t, near)) : x;
}

/* Adding 2^23 leaves no bits behind the point. */
INLINED value_t round_half_even(value_t x) {
  const value_t magnitude = magnitude_of(x), rounded = (magnitude + WHOLE) - WHOLE;
  return magnitude < WHOLE ? AS_FLOATS(AS_CODES(rounded) | (AS_CODES(x) & SIGN_CODE)) : x;
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
    const value_t step = AS_FLOATS(AS_CODES(one) | (AS_CODES(x) & SIGN_CODE));
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
 * has no bits behind the point: what it had is rounded half to even. In doubles, 2^40 and 2^52. */
#define MOST_NEAR (VALUE_BITS == 64 ? 40 : 20)
INLINED wholes_t whole_near(value_t x, bool is_number) {
  const value_t most = AS_FLOATS(HELD(CODE_OF_POWER(MOST_NEAR))), shift = (value_t)(WHOLE * 1.5f);
  const value_t any = x == x ? x : (value_t)0.0f, number = is_number ? x : any;
  const value_t high = number < -most ? -most : number;
  const value_t near = high > most ? most : high;
  if (ROUNDING == CLRS_EVEN) {
    return AS_WHOLES(near + shift) - AS_WHOLES(shift);
  }
  return CAST(wholes_t, ROUNDING == CLRS_ZERO ? near : round_float(near));
}

/* Of 32 bits, without a zero point: 2^31 and 2^32 are floats, the ends of the ranges are not. In
 * doubles, of 64 bits. */
INLINED codes_t wide_integer_of(const element_t element, value_t x) {
  const value_t none = (value_t)0.0f, all = power_of_two(VALUE_BITS);
  const value_t half_of_all = power_of_two(VALUE_BITS - 1);
  const value_t whole = x != x ? none : round_float(x);
  if (element.is_signed) {
    const wholes_t inside =
        CAST(wholes_t, whole >= half_of_all || whole < -half_of_all ? none : whole);
    const codes_t low = whole < -half_of_all ? HELD(SIGN_CODE) : AS_CODES(inside);
    return whole >= half_of_all ? HELD(MAGNITUDE_CODE) : low;
  }
  const codes_t inside = CAST(codes_t, whole >= all || whole < 0.0f ? none : whole);
  return whole >= all ? HELD(~(code_t)0) : inside;
}

/* The rounded integer modulo 2^bits, without a zero point. A float from 2^23 on is its mantissa
 * times a power of two, whose low bits a shift gives: 2^23 + 1 has the mantissa 0x800001 and shift
 * 0, so that 8 bits of the code are 1. A shift by all bits or more leaves 0, also of infinity and
 * NaN, whose exponent is the highest. In doubles the border is 2^52. */
INLINED codes_t wrapped_integer_of(const element_t element, value_t x) {
  const code_t one = (code_t)1 << VALUE_MANTISSA;
  const value_t whole = round_float(x), none = (value_t)0.0f;
  const codes_t code = AS_CODES(whole) & MAGNITUDE_CODE, all = (codes_t)VALUE_BITS;
  const codes_t shift = (code >> VALUE_MANTISSA) - (codes_t)(VALUE_BIAS + VALUE_MANTISSA);
  const codes_t shifted = ((code & (one - 1)) | one) << shift;
  const codes_t high = shift < all ? shifted : (codes_t)0;
  const codes_t far = (AS_CODES(whole) & SIGN_CODE) != (codes_t)0 ? (codes_t)0 - high : high;
  const value_t near = magnitude_of(whole) < WHOLE ? whole : none;
  const codes_t integer = magnitude_of(whole) < WHOLE ? AS_CODES(CAST(wholes_t, near)) : far;
  const int unused = VALUE_BITS - element.bits;
  return integer & (~(code_t)0 >> unused);
}

/* Of up to 16 bits the zero point is added: far more than both fits an int. In doubles, of up to 32
 * bits: a long. */
INLINED codes_t integer_of_float(const element_t element, value_t x, bool is_number,
                                 wholes_t zero) {
  if (OVERFLOW_RULE == CLRS_WRAPS) {
    return wrapped_integer_of(element, x);
  }
  if (element.bits == VALUE_BITS) {
    return wide_integer_of(element, x);
  }
  const whole_t highest = ((whole_t)1 << (element.bits - element.is_signed)) - 1;
  const whole_t lowest = element.is_signed ? -highest - 1 : 0;
  const wholes_t near = whole_near(x, is_number) + zero;
  const wholes_t least = (wholes_t)lowest, most = (wholes_t)highest;
  const wholes_t high = near < least ? least : near;
  return AS_CODES(high > most ? most : high) & (((code_t)1 << element.bits) - 1);
}

/* ---- results ---- */

/* The code of the nearest float. */
INLINED codes_t single_of_value(value_t x) {
  return CAST(codes_t, LANED(as_uint)(CAST(LANED(float), x)));
}

/* The code of a float or a double, with NaN's payload gone and saturation done. */
INLINED codes_t finish_code(const element_t element, codes_t code) {
  const clrs__format format = format_of(element);
  const code_t most = (code_t)clrs__largest_code(format), nan = (code_t)clrs__nan_code(format, 0);
  const code_t values = (code_t)clrs__ones(element.bits - 1);
  const codes_t sign = code & ~values, value = code & values;
  const bool saturates = OVERFLOW_RULE == CLRS_SATURATES, has_steps = STEP_COUNT > 0;
  if (has_steps && !saturates) { /* whose NaN is the one of floats already */
    return code;
  }
  const codes_t finite = saturates && value == most + 1 ? HELD(most) : value;
  return sign | (value > most + 1 ? HELD(nan) : finite);
}

INLINED codes_t code_of_float(const element_t element, value_t x, bool is_number, wholes_t zero) {
  const int saturates = OVERFLOW_RULE == CLRS_SATURATES;
  if (element.kind == CLRS_KIND_BOOL) {
    return x != 0.0f ? HELD(1) : (codes_t)0;
  }
  if (element.kind == CLRS_KIND_INTEGER) {
    return integer_of_float(element, x, is_number, zero);
  }
  if (element.bits < 32) {
    return small_of_float(element, x, saturates);
  }
  return finish_code(element, element.bits == VALUE_BITS ? AS_CODES(x) : single_of_value(x));
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
