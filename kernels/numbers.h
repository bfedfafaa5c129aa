/*
 * Numbers of all element types, and rounding from one type to another. The code uses integer
 * operations only, so that a device without half precision, doubles or denormals gives the host's
 * bits. The file is valid C11 and valid OpenCL C. src/map and the kernels that convert include the
 * file.
 *
 * A format is a row of a table, not a function. The same decoder and encoder serve IEEE's doubles
 * and floats, bfloat16, the float8s, float6s and float4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_NUMBERS_H
#define CLRS_NUMBERS_H

#ifdef __OPENCL_C_VERSION__ /* clang by itself does not define __OPENCL_VERSION__ */
typedef ulong clrs__word;
#define CLRS_INLINE static __attribute__((unused))
#define CLRS_LEADING_ZEROS(word) ((int)clz(word))
#else
#include <stdint.h>
typedef uint64_t clrs__word;
#define CLRS_INLINE static inline
#define CLRS_LEADING_ZEROS(word) __builtin_clzll(word)
#endif

/* The values of clreshape/map.h, which a kernel does not include. */
#define CLRS_EVEN 0
#define CLRS_ZERO 1
#define CLRS_AWAY 2
#define CLRS_DOWN 3
#define CLRS_UP 4

/* ---- numbers ---- */

#define CLRS_FINITE 0
#define CLRS_INFINITE 1
#define CLRS_NAN 2

/* magnitude * 2^exponent, negative if sign is 1. This is the exact value of any element of up to 64
 * bits. */
typedef struct clrs__number {
  int kind, sign, exponent;
  clrs__word magnitude;
} clrs__number;

/* Returns magnitude / 2^shift, rounded to an integer. `shift` is 1 or more. The sign distinguishes
 * up from away. Example: 11 / 2^2 is 3 half to even, and 2 towards zero. */
CLRS_INLINE clrs__word clrs__round(clrs__word magnitude, int shift, int sign, int rounding) {
  const clrs__word one = 1;
  const clrs__word whole = shift < 64 ? magnitude >> shift : 0;
  const clrs__word rest = shift < 64 ? magnitude - (whole << shift) : magnitude;
  const clrs__word middle = shift <= 64 ? one << (shift - 1) : 0;
  const int is_tie = shift <= 64 && rest == middle;
  const int is_more = shift <= 64 && rest > middle;
  int steps_away = 0;
  if (rounding == CLRS_EVEN) {
    steps_away = is_more || (is_tie && (whole & 1) != 0);
  } else if (rounding == CLRS_AWAY) {
    steps_away = is_more || is_tie;
  } else if (rounding == CLRS_DOWN || rounding == CLRS_UP) {
    steps_away = rest != 0 && sign == (rounding == CLRS_DOWN);
  }
  return whole + (clrs__word)steps_away;
}

/* ---- floats ---- */

/* The codes of a format that are not finite numbers. */
#define CLRS_SPECIALS_IEEE 0 /* the highest exponent: infinity, and NaN with any mantissa */
#define CLRS_SPECIALS_FN 1   /* one NaN of each sign, with all bits set, and no infinity */
#define CLRS_SPECIALS_FNUZ 2 /* NaN in place of the negative zero, and no infinity */
#define CLRS_SPECIALS_NONE 3 /* every code is a finite number */
#define CLRS_SPECIALS_SCALE                                                                        \
  4 /* E8M0: powers of two, without sign, zero and mantissa. NaN has all bits set */

typedef struct clrs__format {
  int exponent_bits, mantissa_bits, bias, specials;
} clrs__format;

CLRS_INLINE clrs__word clrs__ones(int count) {
  const clrs__word all = ~(clrs__word)0;
  return count == 0 ? 0 : all >> (64 - count);
}

/* The number of bits without the sign. */
CLRS_INLINE int clrs__value_bits(clrs__format format) {
  return format.exponent_bits + format.mantissa_bits;
}

CLRS_INLINE int clrs__is_nan_code(clrs__format format, clrs__word code) {
  const clrs__word value = code & clrs__ones(clrs__value_bits(format));
  switch (format.specials) {
  case CLRS_SPECIALS_IEEE:
    return value > clrs__ones(format.exponent_bits) << format.mantissa_bits;
  case CLRS_SPECIALS_FN:
  case CLRS_SPECIALS_SCALE:
    return value == clrs__ones(clrs__value_bits(format));
  case CLRS_SPECIALS_FNUZ:
    return code == (clrs__word)1 << clrs__value_bits(format);
  default:
    return 0;
  }
}

CLRS_INLINE clrs__number clrs__decode(clrs__format format, clrs__word code) {
  const int mantissa_bits = format.mantissa_bits;
  const int exponent = (int)((code >> mantissa_bits) & clrs__ones(format.exponent_bits));
  const int is_scale = format.specials == CLRS_SPECIALS_SCALE;
  const int is_normal = exponent != 0 || is_scale;
  clrs__number number;
  number.sign = !is_scale && (code >> clrs__value_bits(format) & 1) != 0;
  number.magnitude = code & clrs__ones(mantissa_bits);
  if (clrs__is_nan_code(format, code)) {
    number.kind = CLRS_NAN;
  } else if (format.specials == CLRS_SPECIALS_IEEE &&
             exponent == (int)clrs__ones(format.exponent_bits)) {
    number.kind = CLRS_INFINITE;
  } else {
    number.kind = CLRS_FINITE;
  }
  number.magnitude |= (clrs__word)is_normal << mantissa_bits;
  number.exponent = exponent + !is_normal - format.bias - mantissa_bits;
  return number;
}

/* Returns the code of the largest finite number, without a sign. */
CLRS_INLINE clrs__word clrs__largest_code(clrs__format format) {
  const clrs__word all = clrs__ones(clrs__value_bits(format));
  switch (format.specials) {
  case CLRS_SPECIALS_IEEE:
    return (clrs__ones(format.exponent_bits) << format.mantissa_bits) - 1;
  case CLRS_SPECIALS_FN:
  case CLRS_SPECIALS_SCALE:
    return all - 1;
  default:
    return all;
  }
}

/* Returns the quiet NaN without a payload, or the largest number if the format has no NaN. */
CLRS_INLINE clrs__word clrs__nan_code(clrs__format format, int sign) {
  const clrs__word all = clrs__ones(clrs__value_bits(format));
  const clrs__word sign_bit = (clrs__word)sign << clrs__value_bits(format);
  switch (format.specials) {
  case CLRS_SPECIALS_IEEE:
    return sign_bit | (all << (format.mantissa_bits - 1) & all);
  case CLRS_SPECIALS_FN:
    return sign_bit | all;
  case CLRS_SPECIALS_FNUZ:
    return all + 1;
  default:
    return all;
  }
}

/* The rules for the code of a number. */
typedef struct clrs__conversion {
  clrs__format format;
  int rounding;
  int saturates; /* overflow gives the largest number, not infinity or NaN */
} clrs__conversion;

/* Returns the code of a number that is too large. A finite number that is rounded towards zero
 * never gives infinity or NaN. */
CLRS_INLINE clrs__word clrs__overflow_code(clrs__conversion to, clrs__number number) {
  const clrs__word largest = clrs__largest_code(to.format);
  const int inwards = to.rounding == CLRS_ZERO || (to.rounding == CLRS_DOWN && !number.sign) ||
                      (to.rounding == CLRS_UP && number.sign);
  const clrs__word sign_bit = (clrs__word)number.sign << clrs__value_bits(to.format);
  if (to.saturates || (inwards && number.kind == CLRS_FINITE) ||
      to.format.specials == CLRS_SPECIALS_NONE) {
    return sign_bit | largest;
  }
  return to.format.specials == CLRS_SPECIALS_IEEE ? sign_bit | (largest + 1)
                                                  : clrs__nan_code(to.format, number.sign);
}

/* Returns the nearest power of two of a positive number. Zero and too small numbers give the
 * smallest code if saturated, else NaN. Negative numbers always give NaN. */
CLRS_INLINE clrs__word clrs__encode_scale(clrs__conversion to, clrs__number number) {
  const clrs__word nan = clrs__nan_code(to.format, 0);
  if (number.kind == CLRS_INFINITE) {
    return number.sign ? nan : clrs__overflow_code(to, number);
  }
  if (number.magnitude == 0) {
    return to.saturates ? 0 : nan;
  }
  if (number.sign) {
    return nan;
  }
  const int top = 63 - CLRS_LEADING_ZEROS(number.magnitude);
  const clrs__word rounded = top == 0 ? 1 : clrs__round(number.magnitude, top, 0, to.rounding);
  const int code = top + number.exponent + to.format.bias + (rounded > 1);
  if (code < 0) {
    return to.saturates ? 0 : nan;
  }
  return (clrs__word)code > clrs__largest_code(to.format) ? clrs__overflow_code(to, number)
                                                          : (clrs__word)code;
}

CLRS_INLINE clrs__word clrs__encode(clrs__conversion to, clrs__number number) {
  const clrs__format format = to.format;
  if (number.kind == CLRS_NAN) {
    return clrs__nan_code(format, number.sign);
  }
  if (format.specials == CLRS_SPECIALS_SCALE) {
    return clrs__encode_scale(to, number);
  }
  if (number.kind == CLRS_INFINITE) {
    return clrs__overflow_code(to, number);
  }
  clrs__word code = 0;
  if (number.magnitude != 0) {
    const int top = 63 - CLRS_LEADING_ZEROS(number.magnitude);
    const int biased = top + number.exponent + format.bias;
    const int field = biased < 1 ? 1 : biased; /* below 1, numbers share the last exponent */
    const int shift = field - format.bias - format.mantissa_bits - number.exponent;
    const clrs__word rounded = shift <= 0
                                   ? number.magnitude << -shift
                                   : clrs__round(number.magnitude, shift, number.sign, to.rounding);
    /* The leading 1 of a normal number, and a carry out of the mantissa, count up the exponent. */
    code = ((clrs__word)(field - 1) << format.mantissa_bits) + rounded;
  }
  if (code > clrs__largest_code(format)) {
    return clrs__overflow_code(to, number);
  }
  return code == 0 && format.specials == CLRS_SPECIALS_FNUZ
             ? 0
             : code | (clrs__word)number.sign << clrs__value_bits(format);
}

/* ---- integers ---- */

/* Decodes a 64-bit integer, in two's complement or unsigned. */
CLRS_INLINE clrs__number clrs__decode_integer(clrs__word bits, int is_signed) {
  clrs__number number;
  number.kind = CLRS_FINITE;
  number.sign = is_signed && bits >> 63 != 0;
  number.exponent = 0;
  number.magnitude = number.sign ? 0 - bits : bits;
  return number;
}

/* Rounds to an integer. If the conversion wraps, a magnitude beyond 64 bits keeps the low 64 bits,
 * else it becomes 2^64 - 1. NaN becomes 0. With wrapping, infinity becomes 0 too. */
CLRS_INLINE clrs__number clrs__round_to_integer(clrs__number number, int rounding, int wraps) {
  const clrs__word most = ~(clrs__word)0;
  const int up = number.exponent;
  clrs__word magnitude = number.magnitude;
  if (number.kind != CLRS_FINITE) {
    magnitude = number.kind == CLRS_NAN || wraps ? 0 : most;
  } else if (up < 0) {
    magnitude = clrs__round(magnitude, -up, number.sign, rounding);
  } else if (magnitude != 0 && up > CLRS_LEADING_ZEROS(magnitude)) {
    magnitude = wraps ? (up < 64 ? magnitude << up : 0) : most;
  } else {
    magnitude = magnitude == 0 ? 0 : magnitude << up;
  }
  number.kind = CLRS_FINITE;
  number.exponent = 0;
  number.magnitude = magnitude;
  return number;
}

/* Returns the code in `bits` bits of an integer from clrs__round_to_integer or
 * clrs__decode_integer. */
CLRS_INLINE clrs__word clrs__encode_integer(clrs__number number, int bits, int is_signed,
                                            int wraps) {
  const clrs__word most = clrs__ones(is_signed ? bits - 1 : bits);
  const clrs__word least = is_signed ? most + 1 : 0; /* as a magnitude */
  const clrs__word limit = number.sign ? least : most;
  const clrs__word fitting = !wraps && number.magnitude > limit ? limit : number.magnitude;
  return (number.sign ? 0 - fitting : fitting) & clrs__ones(bits);
}

/* Defines a function name(op, x, p): a step of 32-bit integers in two's complement, modulo 2^32.
 * The type may be a scalar or a vector. KIND(ADD) is the number of the addition, and SIGNED(x) is x
 * as a signed type. */
#define CLRS_INTEGER_STEP(name, unsigned_t, KIND, SIGNED)                                          \
  CLRS_INLINE unsigned_t name(int op, unsigned_t x, unsigned_t p) {                                \
    const unsigned_t shift = p & 31u, sign = (unsigned_t)0 - (x >> 31u);                           \
    switch (op) {                                                                                  \
    case KIND(SUBTRACT):                                                                           \
      return x - p;                                                                                \
    case KIND(ADD):                                                                                \
    case KIND(ADD_TERM):                                                                           \
      return x + p;                                                                                \
    case KIND(TERM):                                                                               \
      return p;                                                                                    \
    case KIND(MULTIPLY):                                                                           \
      return x * p;                                                                                \
    case KIND(AT_LEAST):                                                                           \
      return SIGNED(x) < SIGNED(p) ? p : x;                                                        \
    case KIND(AT_MOST):                                                                            \
      return SIGNED(x) > SIGNED(p) ? p : x;                                                        \
    case KIND(SHIFT_LEFT):                                                                         \
      return x << shift;                                                                           \
    default: /* right shift, rounded down: a negative x is inverted before and after */            \
      return ((x ^ sign) >> shift) ^ sign;                                                         \
    }                                                                                              \
  }

#endif
