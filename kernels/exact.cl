/*
 * The exact way of a map, for all types and rules: by integer operations of 64 bits, and the steps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_EXACT_CL
#define CLRS_EXACT_CL
#ifndef CLRS_STEPS_CL
#include "steps.cl"
#endif

#if WAY == CLRS_WAY_EXACT
INLINED long integer_of_number(const clrs__number number) {
  const long magnitude = (long)(number.magnitude & clrs__ones(63));
  return number.sign ? -magnitude : magnitude;
}

INLINED clrs__number add_zero(clrs__number integer, long zero) {
  const ulong most = (ulong)1 << 62;
  if (OVERFLOW_RULE == CLRS_WRAPS) {
    const ulong bits = integer.sign ? 0 - integer.magnitude : integer.magnitude;
    return clrs__decode_integer(bits + (ulong)zero, 1);
  }
  integer.magnitude = integer.magnitude > most ? most : integer.magnitude;
  return clrs__decode_integer((ulong)(integer_of_number(integer) + zero), 1);
}

INLINED ulong code_of_number(const clrs__number number, long zero) {
  const element_t to = ELEMENT(TO);
  const int wraps = OVERFLOW_RULE == CLRS_WRAPS;
  if (to.kind == CLRS_KIND_BOOL) {
    return number.kind != CLRS_FINITE || number.magnitude != 0;
  }
  if (to.kind == CLRS_KIND_FLOAT) {
    const clrs__conversion conversion = {format_of(to), ROUNDING, OVERFLOW_RULE == CLRS_SATURATES};
    return clrs__encode(conversion, number);
  }
  clrs__number integer = clrs__round_to_integer(number, ROUNDING, wraps);
  if (ZERO_PLACE == CLRS_ADDED) {
    integer = add_zero(integer, zero);
  }
  return clrs__encode_integer(integer, to.bits, to.is_signed, wraps);
}

INLINED ulong convert_exactly(ulong code, const parameters_t p) {
  clrs__number number = value_of(ELEMENT(FROM), code);
  if (ZERO_PLACE == CLRS_SUBTRACTED) {
    number = clrs__decode_integer((ulong)(integer_of_number(number) - p.zero), 1);
  }
#if STEP_COUNT > 0
  number = number_of_arithmetic(take_steps(arithmetic_of(number), p));
#endif
  return code_of_number(number, p.zero);
}

#define CONVERT(code, p) convert_exactly((ulong)(code), p)
#endif

#endif
