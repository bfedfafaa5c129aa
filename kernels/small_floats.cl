/*
 * Floats of up to 16 bits as floats of 32, and back, by operations that a vector has: all formats
 * but E8M0 as a target.
 *
 * A code without its sign, moved to where the mantissa of a float begins, is the float but for the
 * bias: half's 0x3c00 becomes 0x07800000, and 112 more in the exponent make it 1.0f. Below the
 * normal numbers a code counts steps of 2^(1 - bias - mantissa bits), which a multiplication makes
 * a float; the other way, a number to which the float is added whose last bit is one such step has
 * the count, rounded half to even, in its last bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_SMALL_FLOATS_CL
#define CLRS_SMALL_FLOATS_CL
#ifndef CLRS_CONVERT_CL
#include "convert.cl"
#endif

#if ARITHMETIC_BITS != 64 && WAY != CLRS_WAY_INTEGERS
#define INFINITY_CODE 0x7f800000u
#define NAN_CODE 0x7fc00000u

INLINED value_t power_of_two(int exponent) {
  return (value_t)as_float((127 + exponent) << 23);
}

/* The float's magnitude of a code without its sign. */
INLINED codes_t magnitude_of_small(const element_t element, codes_t value) {
  const int up = 23 - element.mantissa_bits, step = 1 - element.bias - element.mantissa_bits;
  const uint specials = (uint)clrs__ones(element.exponent_bits) << element.mantissa_bits;
  codes_t magnitude = (value << up) + ((uint)(127 - element.bias) << 23);
  if (element.bias != 127) { /* where the denormals are no floats' */
    const codes_t small = AS_CODES(CAST(value_t, AS_WHOLES(value)) * power_of_two(step));
    magnitude = value < (1u << element.mantissa_bits) ? small : magnitude;
  }
  if (element.specials == CLRS_SPECIALS_IEEE) {
    magnitude = value >= specials ? (value << up) | INFINITY_CODE : magnitude;
  }
  return magnitude;
}

/* E8M0: 0 is 2^-127, which is half the least normal float. */
INLINED value_t float_of_scale(codes_t code) {
  const codes_t power = code == 0 ? HELD(0x00400000u) : code << 23;
  return AS_FLOATS(code == 255 ? HELD(NAN_CODE) : power);
}

/* x86 converts halves by one instruction; of AVX2, compilers no longer have a name for it. */
#if LANES > 1 && defined(__AVX512F__)
#define FLOAT_OF_HALF(code)                                                                        \
  __builtin_astype(                                                                                \
      __builtin_ia32_vcvtph2ps512_mask(CAST(short16, code), (float16)0, (ushort)-1, 4), value_t)
#endif

INLINED value_t float_of_small(const element_t element, codes_t code) {
#ifdef FLOAT_OF_HALF
  if (element.bits == 16 && element.mantissa_bits == 10) {
    return FLOAT_OF_HALF(code);
  }
#endif
  const int value_bits = element.exponent_bits + element.mantissa_bits;
  const uint ones = (uint)clrs__ones(value_bits);
  if (element.specials == CLRS_SPECIALS_SCALE) {
    return float_of_scale(code);
  }
  codes_t magnitude = magnitude_of_small(element, code & ones);
  if (element.specials == CLRS_SPECIALS_FN) {
    magnitude = (code & ones) == ones ? HELD(NAN_CODE) : magnitude;
  } else if (element.specials == CLRS_SPECIALS_FNUZ) {
    magnitude = code == ones + 1 ? HELD(NAN_CODE) : magnitude;
  }
  return AS_FLOATS(magnitude | (code >> value_bits) << 31);
}

/* Rounded half to even; what is too large for the format is more than its largest code. */
INLINED codes_t small_of_magnitude(const element_t element, codes_t value) {
  const int down = 23 - element.mantissa_bits;
  const uint rebias = (uint)(127 - element.bias) << 23, half_less = (1u << (down - 1)) - 1;
  const codes_t normal = (value - rebias + half_less + (value >> down & 1)) >> down;
  if (element.bias == 127) {
    return normal;
  }
  const value_t stepped = power_of_two(24 - element.bias - element.mantissa_bits);
  const codes_t small = AS_CODES(AS_FLOATS(value) + stepped) - HELD(as_uint(FIRST(stepped)));
  return value < rebias + (1u << 23) ? small : normal;
}

/* x86 rounds to half by one instruction, which keeps a NaN's payload. */
#if LANES > 1 && defined(__F16C__)
#define HAS_HALVES
INLINED codes_t half_of_float(value_t x) {
  const codes_t nan = NAN_CODE | (AS_CODES(x) & 0x80000000u);
  const value_t quiet = STEP_COUNT > 0 ? x : x == x ? x : AS_FLOATS(nan);
#ifdef __AVX512F__
  const short16 none = (short16)0;
  return CAST(codes_t, as_ushort16(__builtin_ia32_vcvtps2ph512_mask(quiet, 0, none, (ushort)-1)));
#else
  const ushort8 low = as_ushort8(__builtin_ia32_vcvtps2ph256(quiet.lo, 0));
  const ushort8 high = as_ushort8(__builtin_ia32_vcvtps2ph256(quiet.hi, 0));
  return CAST(codes_t, (ushort16)(low, high));
#endif
}
#endif

INLINED codes_t small_of_float(const element_t element, value_t x, int saturates) {
#ifdef HAS_HALVES
  if (element.bits == 16 && element.mantissa_bits == 10 && !saturates) {
    return half_of_float(x);
  }
#endif
  const clrs__format format = format_of(element);
  const int value_bits = element.exponent_bits + element.mantissa_bits;
  const uint largest = (uint)clrs__largest_code(format);
  const int keeps_sign =
      element.specials == CLRS_SPECIALS_IEEE || element.specials == CLRS_SPECIALS_FN;
  const codes_t bits = AS_CODES(x), value = bits & 0x7fffffffu;
  const codes_t sign = bits >> 31 << value_bits;
  const codes_t none = (codes_t)0;
  const codes_t code = small_of_magnitude(element, value);
  const codes_t nan = HELD((uint)clrs__nan_code(format, 0)) | (keeps_sign ? sign : none);
  const codes_t beyond = saturates || element.specials == CLRS_SPECIALS_NONE ? sign | largest
                         : element.specials == CLRS_SPECIALS_IEEE            ? sign | (largest + 1)
                                                                             : nan;
  codes_t result = code > largest ? beyond : code | sign;
  if (element.specials == CLRS_SPECIALS_FNUZ) {
    result = code == 0 ? none : result;
  }
  return value > INFINITY_CODE ? nan : result;
}
#endif

#endif
