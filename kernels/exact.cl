/*
 * The exact way of a map, for all types and rules, by 64-bit integer operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_EXACT_CL
#define CLRS_EXACT_CL
#ifndef CLRS_STEPS_CL
#include "steps.cl"
#endif
#if DIVISION == CLRS_DIVIDES_SOFTLY
#ifndef CLRS_SOFT_H
#include "soft.h"
#endif
#endif

#if WAY == CLRS_WAY_EXACT
INLINED long integer_of_number(const clrs__number number) {
  const long magnitude = (long)(number.magnitude & clrs__ones(63));
  return number.sign ? -magnitude : magnitude;
}

INLINED clrs__number add_integer(clrs__number integer, long added, int wraps) {
  const ulong most = (ulong)1 << 62;
  if (wraps) {
    const ulong bits = integer.sign ? 0 - integer.magnitude : integer.magnitude;
    return clrs__decode_integer(bits + (ulong)added, 1);
  }
  integer.magnitude = integer.magnitude > most ? most : integer.magnitude;
  return clrs__decode_integer((ulong)(integer_of_number(integer) + added), 1);
}

/* Returns the code of the number, rounded to the step's type. */
INLINED ulong code_of_number(const step_t step, const clrs__number number, ulong parameter) {
  const element_t to = step.type;
  const int wraps = step.overflow == CLRS_WRAPS;
  if (to.kind == CLRS_KIND_BOOL) {
    return number.kind != CLRS_FINITE || number.magnitude != 0;
  }
  if (to.kind == CLRS_KIND_FLOAT) {
    const clrs__conversion conversion = {format_of(to), step.rounding,
                                         step.overflow == CLRS_SATURATES};
    return clrs__encode(conversion, number);
  }
  clrs__number integer = clrs__round_to_integer(number, step.rounding, wraps);
  if (step.op == CLRS_OP_ROUND_AND_ADD) {
    integer = add_integer(integer, (long)parameter, wraps);
  }
  return clrs__encode_integer(integer, to.bits, to.is_signed, wraps);
}

/* Returns a number of a step's type as a value. */
INLINED value_t value_of_number(const clrs__number number) {
  return AS_ARITH(nearest(ELEMENT(VALUE), number));
}

/* A NaN from arithmetic has no sign and no payload. */
#if DIVISION == CLRS_DIVIDES_SOFTLY
INLINED clrs__number compute(const step_t step, const clrs__number number, ulong parameter) {
  const clrs__number rounded = value_of(step.type, nearest(step.type, number));
  clrs__number result = clrs__compute(step.op, rounded, value_of(step.type, parameter));
  result.sign = result.kind == CLRS_NAN ? 0 : result.sign;
  return value_of(step.type, nearest(step.type, result));
}
#else
INLINED clrs__number compute(const step_t step, const clrs__number number, ulong parameter) {
  const clrs__number rounded = value_of(step.type, nearest(step.type, number));
  const value_t x = value_of_number(rounded), p = value_of_number(value_of(step.type, parameter));
  clrs__number result = value_of(ELEMENT(VALUE), AS_CODES(operate(step.op, x, p)));
  result.sign = result.kind == CLRS_NAN ? 0 : result.sign;
  return value_of(step.type, nearest(step.type, result));
}
#endif

#define KIND_OF(name) CLRS_OP_##name
CLRS_INTEGER_STEP(step_of_integers, uint, KIND_OF, as_int)

/* Returns the number as code of the step's type. A 32-bit integer is itself. */
INLINED ulong code_in_type(const step_t step, const clrs__number number) {
  return computes_integers(step) ? (ulong)integer_of_number(number) : nearest(step.type, number);
}

INLINED clrs__number take_step(const step_t step, const clrs__number number, ulong parameter) {
  if (step.op == CLRS_OP_TERM) {
    clrs__number term = value_of(step.type, parameter);
    term.sign = term.kind == CLRS_NAN ? 0 : term.sign;
    return term;
  }
  if (rounds(step)) {
    return value_of(step.type, code_of_number(step, number, parameter));
  }
  if (computes_integers(step)) {
    const uint x = (uint)integer_of_number(number);
    return value_of(step.type, step_of_integers(step.op, x, (uint)parameter));
  }
  return takes_integers(step)
             ? clrs__decode_integer((ulong)(integer_of_number(number) - (long)parameter), 1)
             : compute(step, number, parameter);
}

#define TAKE_STEP(n)                                                                               \
  arrived = number;                                                                                \
  number = take_step(STEP(n), number, OP_##n == CLRS_OP_ADD_TERM ? aside : p.p##n);                \
  aside = OP_##n == CLRS_OP_TERM ? code_in_type(STEP(n), arrived) : aside;
#define LAST_CODE_OF(n) code_of_number(STEP(n), number, p.p##n)
#define LAST_CODE(n) LAST_CODE_OF(n)
INLINED ulong convert_exactly(ulong code, const parameters_t p) {
  clrs__number number = value_of(ELEMENT(FROM), code), arrived = number;
  ulong aside = 0;
  EACH_BEFORE_LAST(TAKE_STEP)
  (void)arrived;
  (void)aside;
  return LAST_CODE(LAST);
}

#define CONVERT(code, p) convert_exactly((ulong)(code), p)
#endif

#endif
