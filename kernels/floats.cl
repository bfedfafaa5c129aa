/*
 * A map in floats, for sources that a float holds, or for steps that begin with the nearest float.
 * The same code is a map in doubles. src/mapped/key.c says which maps take which of the two.
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
 * odd neighbour. A later rounding to fewer bits then gives the same result as a rounding of the
 * integer. Example: floats have 24 bits, so 32-bit integers beyond 2^24 become multiples of 256.
 * 2^24 + 1 lies between 65536 * 256 and 65537 * 256, and becomes the second. Integers up to 2^24
 * are values. */
INLINED codes_t odd_of_code(const element_t element, codes_t code) {
  const code_t most = (code_t)1 << (VALUE_MANTISSA + 1);
  const code_t step = (code_t)1 << (VALUE_BITS - VALUE_MANTISSA - 1), low = step - 1;
  const code_t up = element.is_signed ? most : 0;
  const codes_t odd = (code & ~low) | (((code & low) + low) & step);
  return code + up <= up + most ? code : odd;
}

/* Converts an integer to a value. `mantissa` is the mantissa bits of the type to which a non-value
 * is rounded next. */
INLINED value_t float_of_integer(const element_t element, codes_t code, int mantissa) {
  if (element.bits < VALUE_BITS) {
    return CAST(value_t, whole_of_code(element, code));
  }
  const codes_t near = mantissa < VALUE_MANTISSA ? odd_of_code(element, code) : code;
  return element.is_signed ? CAST(value_t, AS_WHOLES(near)) : CAST(value_t, near);
}

INLINED ints_t ints_of_code(const element_t element, codes_t code) {
  const int unused = element.bits < 32 ? 32 - element.bits : 0;
  const ints_t bits = INTS_OF_CODES(code);
  return element.is_signed ? (bits << unused) >> unused : bits;
}

INLINED value_t float_of_code(const element_t element, codes_t code, int mantissa) {
  if (element.kind == CLRS_KIND_BOOL) {
    return code != 0 ? AS_FLOATS(HELD(CODE_OF_POWER(0))) : (value_t)0.0f;
  }
  if (element.kind == CLRS_KIND_INTEGER) {
    return float_of_integer(element, code, mantissa);
  }
  if (element.bits == VALUE_BITS) {
    return AS_FLOATS(code);
  }
  return element.bits == 32 ? CAST(value_t, LANED(as_float)(CAST(singles_t, code)))
                            : float_of_small(element, code);
}

/* ---- integers ---- */

/* From 2^23 on, a float has no fraction bits, and a double has none from 2^52 on. The integer part
 * of a smaller number fits an int or a long. */
#define WHOLE ((arith_t)((code_t)1 << VALUE_MANTISSA))
INLINED value_t magnitude_of(value_t x) {
  return AS_FLOATS(AS_CODES(x) & MAGNITUDE_CODE);
}

INLINED value_t truncate_float(value_t x) {
  const value_t none = (value_t)0.0f;
  const value_t near = magnitude_of(x) < WHOLE ? x : none;
  return magnitude_of(x) < WHOLE ? CAST(value_t, CAST(wholes_t, near)) : x;
}

/* Rounds half to even: a sum with 2^23 has no fraction bits. */
INLINED value_t round_half_even(value_t x) {
  const value_t magnitude = magnitude_of(x), rounded = (magnitude + WHOLE) - WHOLE;
  return magnitude < WHOLE ? AS_FLOATS(AS_CODES(rounded) | (AS_CODES(x) & SIGN_CODE)) : x;
}

/* Rounds to an integer. The rest after truncation decides about the next integer. */
INLINED value_t round_float(int rounding, value_t x) {
  if (rounding == CLRS_EVEN) {
    return round_half_even(x);
  }
  const value_t whole = truncate_float(x), rest = x - whole, none = (value_t)0.0f;
  const value_t one = (value_t)1.0f;
  switch (rounding) {
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

/* Rounds to an integer, clamped to 2^20 and -2^20. If x may be NaN, NaN becomes 0. A sum with 1.5 *
 * 2^23 has no fraction bits, and is rounded half to even. In doubles, the numbers are 2^40 and
 * 2^52. */
#define MOST_NEAR (VALUE_BITS == 64 ? 40 : 20)
INLINED wholes_t whole_near(int rounding, value_t x, bool is_number) {
  const value_t most = AS_FLOATS(HELD(CODE_OF_POWER(MOST_NEAR))), shift = (value_t)(WHOLE * 1.5f);
  const value_t any = x == x ? x : (value_t)0.0f, number = is_number ? x : any;
  const value_t high = number < -most ? -most : number;
  const value_t near = high > most ? most : high;
  if (rounding == CLRS_EVEN) {
    return AS_WHOLES(near + shift) - AS_WHOLES(shift);
  }
  return CAST(wholes_t, rounding == CLRS_ZERO ? near : round_float(rounding, near));
}

/* Converts to a 32-bit integer, without a zero point. 2^31 and 2^32 are floats, but the ends of the
 * ranges are not. In doubles, converts to a 64-bit integer. */
INLINED codes_t wide_integer_of(const step_t step, value_t x) {
  const element_t element = step.type;
  const value_t none = (value_t)0.0f, all = power_of_two(VALUE_BITS);
  const value_t half_of_all = power_of_two(VALUE_BITS - 1);
  const value_t whole = x != x ? none : round_float(step.rounding, x);
  if (element.is_signed) {
    const wholes_t inside =
        CAST(wholes_t, whole >= half_of_all || whole < -half_of_all ? none : whole);
    const codes_t low = whole < -half_of_all ? HELD(SIGN_CODE) : AS_CODES(inside);
    return whole >= half_of_all ? HELD(MAGNITUDE_CODE) : low;
  }
  const codes_t inside = CAST(codes_t, whole >= all || whole < 0.0f ? none : whole);
  return whole >= all ? HELD(~(code_t)0) : inside;
}

/* Returns the rounded integer modulo 2^bits, without a zero point. A float from 2^23 on is its
 * mantissa times a power of two, and a shift gives the low bits. Example: 2^23 + 1 has the mantissa
 * 0x800001 and shift 0, so an 8-bit code is 1. A shift by all bits or more gives 0. This includes
 * infinity and NaN, which have the highest exponent. In doubles the limit is 2^52. */
INLINED codes_t wrapped_integer_of(const step_t step, value_t x) {
  const code_t one = (code_t)1 << VALUE_MANTISSA;
  const value_t whole = round_float(step.rounding, x), none = (value_t)0.0f;
  const codes_t code = AS_CODES(whole) & MAGNITUDE_CODE, all = (codes_t)VALUE_BITS;
  const codes_t shift = (code >> VALUE_MANTISSA) - (codes_t)(VALUE_BIAS + VALUE_MANTISSA);
  const codes_t shifted = ((code & (one - 1)) | one) << shift;
  const codes_t high = shift < all ? shifted : (codes_t)0;
  const codes_t far = (AS_CODES(whole) & SIGN_CODE) != (codes_t)0 ? (codes_t)0 - high : high;
  const value_t near = magnitude_of(whole) < WHOLE ? whole : none;
  const codes_t integer = magnitude_of(whole) < WHOLE ? AS_CODES(CAST(wholes_t, near)) : far;
  const int unused = VALUE_BITS - step.type.bits;
  return integer & (~(code_t)0 >> unused);
}

/* Converts to an integer of up to 16 bits, with `added` as its zero point, an integer or 0. The sum
 * of both fits an int with much room. In doubles, the integer has up to 32 bits and the sum is a
 * long. */
INLINED wholes_t whole_in_range(const step_t step, value_t x, bool is_number, value_t added) {
  const element_t element = step.type;
  const whole_t highest = ((whole_t)1 << (element.bits - element.is_signed)) - 1;
  const whole_t lowest = element.is_signed ? -highest - 1 : 0;
  const wholes_t none = (wholes_t)0;
  const wholes_t near =
      whole_near(step.rounding, x, is_number) +
      (step.op == CLRS_OP_ROUND_AND_ADD ? whole_near(CLRS_EVEN, added, true) : none);
  const wholes_t least = (wholes_t)lowest, most = (wholes_t)highest;
  const wholes_t high = near < least ? least : near;
  return high > most ? most : high;
}

INLINED codes_t integer_of_float(const step_t step, value_t x, bool is_number, value_t added) {
  if (step.overflow == CLRS_WRAPS) {
    return wrapped_integer_of(step, x);
  }
  if (step.type.bits == VALUE_BITS) {
    return wide_integer_of(step, x);
  }
  return AS_CODES(whole_in_range(step, x, is_number, added)) & (((code_t)1 << step.type.bits) - 1);
}

/* Returns true for a 32-bit integer type whose bits are kept in a float. */
INLINED bool is_kept(const element_t type) {
  return VALUE_BITS == 32 && type.kind == CLRS_KIND_INTEGER && type.bits == 32;
}

/* Converts a signed 32-bit integer to another integer type. */
INLINED codes_t integer_of_ints(const step_t step, ints_t x) {
  const element_t to = step.type;
  const int most = (int)clrs__ones(to.bits - (to.is_signed || to.bits == 32));
  const ints_t least = (ints_t)(to.is_signed ? -most - 1 : 0), highest = (ints_t)most;
  const ints_t high = x < least ? least : x;
  const ints_t fitting = step.overflow == CLRS_WRAPS ? x : high > highest ? highest : high;
  return CAST(codes_t, LANED(as_uint)(fitting)) & (codes_t)(code_t)clrs__ones(to.bits);
}

/* ---- results ---- */

/* Returns the code of the nearest float. */
INLINED codes_t single_of_value(value_t x) {
  return CAST(codes_t, LANED(as_uint)(CAST(LANED(float), x)));
}

/* Returns the code of a float or a double, without a NaN's payload and with saturation. */
INLINED codes_t finish_code(const step_t step, codes_t code, bool is_plain) {
  const clrs__format format = format_of(step.type);
  const code_t most = (code_t)clrs__largest_code(format), nan = (code_t)clrs__nan_code(format, 0);
  const code_t values = (code_t)clrs__ones(step.type.bits - 1);
  const codes_t sign = code & ~values, value = code & values;
  const bool saturates = step.overflow == CLRS_SATURATES;
  if (is_plain && !saturates) {
    return code;
  }
  const codes_t finite = saturates && value == most + 1 ? HELD(most) : value;
  return sign | (value > most + 1 ? HELD(nan) : finite);
}

/* Returns the code of x. is_plain: a NaN has no payload. is_number: x is not NaN. */
INLINED codes_t code_of_float(const step_t step, value_t x, bool is_plain, bool is_number,
                              value_t added) {
  const element_t element = step.type;
  const int saturates = step.overflow == CLRS_SATURATES;
  if (element.kind == CLRS_KIND_BOOL) {
    return x != 0.0f ? HELD(1) : (codes_t)0;
  }
  if (element.kind == CLRS_KIND_INTEGER) {
    return integer_of_float(step, x, is_number, added);
  }
  if (element.bits < 32) {
    return small_of_float(element, x, saturates, is_plain);
  }
  return finish_code(step, element.bits == VALUE_BITS ? AS_CODES(x) : single_of_value(x), is_plain);
}

/* ---- steps ---- */

#define KIND_OF(name) CLRS_OP_##name
CLRS_INTEGER_STEP(step_of_integers, uints_t, KIND_OF, LANED(as_int))

/* Returns true if the value that arrives at step n comes from arithmetic. */
INLINED bool is_computed(int n) {
  const step_t before = step_at(n - 1);
  return n > 0 && !rounds(before) && before.type.kind == CLRS_KIND_FLOAT;
}

/* Returns the value that arrives at step n, of type `at`. A NaN from arithmetic loses sign and
 * payload here, or in a GPU's half_of_float. A kept integer becomes a number if the step computes
 * with numbers. */
INLINED value_t arriving(int n, const element_t at, value_t x, bool is_number) {
  const step_t step = step_at(n);
  const bool is_cared_for = GPU_HALVES && is_half(step.type) && step.overflow != CLRS_SATURATES;
  if (is_kept(at)) {
    return step.type.kind == CLRS_KIND_INTEGER
               ? x
               : float_of_code(at, AS_CODES(x), step.type.mantissa_bits);
  }
  return is_computed(n) && !is_cared_for && !is_number && x != x ? AS_FLOATS(HELD(NAN_CODE)) : x;
}

/* True if a NaN at step n has no payload. On a GPU a plain NaN has no sign either. */
#define IS_PLAIN(n) (GPU_HALVES ? is_computed(n) : (n) > 0)

INLINED codes_t code_of_value(const step_t step, const element_t at, value_t x, bool is_plain,
                              bool is_number, value_t added) {
  return is_kept(at) && step.type.kind == CLRS_KIND_INTEGER
             ? integer_of_ints(step, INTS_OF_VALUE(x))
             : code_of_float(step, x, is_plain, is_number, added);
}

/* Rounds to a value of the step's type, for the next step. */
INLINED value_t round_to_type(const step_t step, const element_t at, value_t x, bool is_plain,
                              bool is_number, value_t added) {
  const element_t to = step.type;
  const bool is_near = to.kind == CLRS_KIND_INTEGER && to.bits < VALUE_BITS && !is_kept(at);
  if (is_near && step.overflow == CLRS_SATURATES) {
    return CAST(value_t, whole_in_range(step, x, is_number, added));
  }
  const codes_t code = code_of_value(step, at, x, is_plain, is_number, added);
  return is_kept(to) ? AS_FLOATS(code) : float_of_code(to, code, VALUE_MANTISSA);
}

INLINED ints_t ints_of(const element_t at, value_t x) {
  return at.bits < 32 || at.kind == CLRS_KIND_BOOL ? CAST(ints_t, x) : INTS_OF_VALUE(x);
}

INLINED value_t compute_integers(const step_t step, const element_t at, value_t x, value_t p) {
  return VALUE_OF_INTS(LANED(as_int)(
      step_of_integers(step.op, LANED(as_uint)(ints_of(at, x)), LANED(as_uint)(INTS_OF_VALUE(p)))));
}

/* Returns x, which has the type `at`, in the type of the step. */
INLINED value_t value_in_type(const step_t step, const element_t at, value_t x) {
  const bool is_same = at.kind == CLRS_KIND_FLOAT && at.bits == step.type.bits &&
                       at.mantissa_bits == step.type.mantissa_bits;
  if (computes_integers(step)) {
    return VALUE_OF_INTS(ints_of(at, x));
  }
  return is_same ? x : round_to_float(step.type, x);
}

/* Computes a step of x, which has the type `at`. */
INLINED value_t compute(const step_t step, const element_t at, value_t x, value_t p) {
  const bool clamps = step.op == CLRS_OP_AT_LEAST || step.op == CLRS_OP_AT_MOST;
  if (computes_integers(step)) {
    return compute_integers(step, at, x, p);
  }
  if (takes_integers(step)) {
    return x - p;
  }
  const value_t result = operate(step.op, value_in_type(step, at, x), p);
  return clamps ? result : round_to_float(step.type, result);
}

#define IS_NUMBER(n) (p.is_tame && (never_gives_nan() || gives_short_integer((n)-1)))
#ifdef HAS_INVERSES
#define COMPUTE(n)                                                                                 \
  OP_##n == CLRS_OP_DIVIDE &&p.is_tame                                                             \
      ? round_to_float(STEP(n).type, tame_quotient(round_to_float(STEP(n).type, x), p.inverse##n,  \
                                                   p.low##n, gives_short_integer(n), p.beyond))    \
      : compute(STEP(n), at, x, p.p##n)
#else
#define COMPUTE(n) compute(STEP(n), at, x, p.p##n)
#endif
#define TAKE_STEP(n)                                                                               \
  x = rounds(STEP(n)) || is_kept(at) ? arriving(n, at, x, IS_NUMBER(n)) : x;                       \
  aside = OP_##n == CLRS_OP_TERM ? value_in_type(STEP(n), at, x) : aside;                          \
  x = rounds(STEP(n))          ? round_to_type(STEP(n), at, x, IS_PLAIN(n), IS_NUMBER(n), p.p##n)  \
      : OP_##n == CLRS_OP_TERM ? p.p##n                                                            \
      : OP_##n == CLRS_OP_ADD_TERM ? compute(STEP(n), at, x, aside)                                \
                                   : COMPUTE(n);                                                   \
  at = ELEMENT(AS_##n);
#define LAST_CODE_OF(n)                                                                            \
  code_of_value(STEP(n), at, arriving(n, at, x, IS_NUMBER(n)), IS_PLAIN(n), IS_NUMBER(n), p.p##n)
#define LAST_CODE(n) LAST_CODE_OF(n)
INLINED codes_t convert_floats(codes_t code, const parameters_t p) {
  element_t at = ELEMENT(FROM);
  value_t x = is_kept(at) ? AS_FLOATS(code) : float_of_code(at, code, STEP(0).type.mantissa_bits);
  value_t aside = (value_t)0;
  EACH_BEFORE_LAST(TAKE_STEP)
  (void)aside;
  return LAST_CODE(LAST);
}

#define CONVERT(codes, p) convert_floats(CAST(codes_t, codes), p)
#endif

#endif
