/*
 * Each operation is the host's operation on floats or doubles, which IEEE 754 rounds once. Half
 * precision and bfloat16 are computed as floats and rounded once more. The result is the same as
 * with one rounding. A float has 24 bits, which is 2 * 11 + 2. From that width on, no quotient, sum
 * or product of 11-bit numbers is near enough to the middle of two 11-bit numbers for the first
 * rounding to move it to the middle.
 *
 * Denormal numbers of bfloat16 are special, because a float has fewer bits there as well. Their
 * sums are exact. Products below half of the smallest number are so far below that they stay below.
 * Quotients keep 16 bits more than the result has.
 *
 * The file is compiled without contraction, and operands pass through memory as integers between
 * two operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steps.h"

#include <string.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "clreshape computes with NaN and infinity: compile it without -ffast-math"
#endif

/* The public enumerators equal the enumerators of the kernels. */
_Static_assert((int)CLRS_ROUND_EVEN == CLRS_EVEN && (int)CLRS_ROUND_ZERO == CLRS_ZERO &&
                   (int)CLRS_ROUND_AWAY == CLRS_AWAY && (int)CLRS_ROUND_DOWN == CLRS_DOWN &&
                   (int)CLRS_ROUND_UP == CLRS_UP,
               "clrs_rounding and kernels/numbers.h");

bool clrs__is_arithmetic(clrs_dtype dtype) {
  return dtype == CLRS_F16 || dtype == CLRS_BF16 || dtype == CLRS_F32 || dtype == CLRS_F64;
}

/* The same lines for both widths. */
#define OPERATION(name, type)                                                                      \
  static type name(clrs_step_kind kind, type x, type p) {                                          \
    switch (kind) {                                                                                \
    case CLRS_STEP_SUBTRACT:                                                                       \
      return x - p;                                                                                \
    case CLRS_STEP_ADD:                                                                            \
    case CLRS_STEP_ADD_TERM:                                                                       \
      return x + p;                                                                                \
    case CLRS_STEP_MULTIPLY:                                                                       \
      return x * p;                                                                                \
    case CLRS_STEP_DIVIDE:                                                                         \
      return x / p;                                                                                \
    case CLRS_STEP_AT_LEAST:                                                                       \
      return x < p ? p : x;                                                                        \
    case CLRS_STEP_AT_MOST:                                                                        \
      return x > p ? p : x;                                                                        \
    case CLRS_STEP_TERM:                                                                           \
      return p;                                                                                    \
    case CLRS_STEP_ROUND:                                                                          \
    case CLRS_STEP_ROUND_AND_ADD:                                                                  \
    case CLRS_STEP_SHIFT_LEFT:                                                                     \
    case CLRS_STEP_SHIFT_RIGHT:                                                                    \
    case CLRS_STEP_RESAMPLE:                                                                       \
      break;                                                                                       \
    }                                                                                              \
    return x;                                                                                      \
  }

OPERATION(operate_float, float)
OPERATION(operate_double, double)

static clrs__word step_of_floats(clrs_step_kind kind, clrs__word x, clrs__word p) {
  const uint32_t codes[2] = {(uint32_t)x, (uint32_t)p};
  float operands[2];
  uint32_t code;
  memcpy(operands, codes, sizeof operands);
  const float result = operate_float(kind, operands[0], operands[1]);
  memcpy(&code, &result, sizeof code);
  return code;
}

static clrs__word step_of_doubles(clrs_step_kind kind, clrs__word x, clrs__word p) {
  const uint64_t codes[2] = {x, p};
  double operands[2];
  uint64_t code;
  memcpy(operands, codes, sizeof operands);
  const double result = operate_double(kind, operands[0], operands[1]);
  memcpy(&code, &result, sizeof code);
  return code;
}

#define KIND_OF(name) CLRS_STEP_##name
#define SIGNED(x) ((int32_t)(x))
CLRS_INTEGER_STEP(step_of_integers, uint32_t, KIND_OF, SIGNED)

static clrs__word without_sign(clrs__format format, clrs__word code) {
  return clrs__is_nan_code(format, code) ? clrs__nan_code(format, 0) : code;
}

clrs__word clrs__step(clrs_step_kind kind, clrs_dtype arithmetic, clrs__word x, clrs__word p) {
  if (arithmetic == CLRS_I32) {
    return step_of_integers((int)kind, (uint32_t)x, (uint32_t)p);
  }
  const clrs__format format = clrs__element_of(arithmetic).format;
  if (arithmetic == CLRS_F64) {
    return without_sign(format, step_of_doubles(kind, x, p));
  }
  if (arithmetic == CLRS_F32) {
    return without_sign(format, step_of_floats(kind, x, p));
  }
  const clrs__format wide = clrs__element_of(CLRS_F32).format;
  const clrs__word result = step_of_floats(kind, clrs__nearest(wide, clrs__decode(format, x)),
                                           clrs__nearest(wide, clrs__decode(format, p)));
  return without_sign(format, clrs__nearest(format, clrs__decode(wide, result)));
}
