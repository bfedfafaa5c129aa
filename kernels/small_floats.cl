/*
 * Converts floats of up to 16 bits to 32-bit floats and back, by vector operations. All formats
 * except E8M0 can be the target. In doubles, the same code converts floats of up to 32 bits.
 *
 * A code without its sign, shifted to the mantissa of a float, is the float except for the bias.
 * Example: half's 0x3c00 becomes 0x07800000, and 112 more in the exponent give 1.0f.
 *
 * A code below the normal numbers counts steps of 2^(1 - bias - mantissa bits), and a
 * multiplication gives the float. The other direction adds the float to a number. A step is the
 * last bit of that number. The last bits of the sum are the count, rounded half to even.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_SMALL_FLOATS_CL
#define CLRS_SMALL_FLOATS_CL
#ifndef CLRS_CONVERT_CL
#include "convert.cl"
#endif

#if WAY != CLRS_WAY_INTEGERS
INLINED value_t power_of_two(int exponent) {
  return AS_FLOATS((codes_t)CODE_OF_POWER(exponent));
}

/* Returns the float magnitude of a code without its sign. */
INLINED codes_t magnitude_of_small(const element_t element, codes_t value) {
  const code_t up = (code_t)(VALUE_MANTISSA - element.mantissa_bits);
  const int step = 1 - element.bias - element.mantissa_bits;
  const code_t specials = (code_t)clrs__ones(element.exponent_bits) << element.mantissa_bits;
  codes_t magnitude = (value << up) + ((code_t)(VALUE_BIAS - element.bias) << VALUE_MANTISSA);
  if (element.bias != VALUE_BIAS) { /* denormals of this format are not denormal floats */
    const codes_t small = AS_CODES(CAST(value_t, AS_WHOLES(value)) * power_of_two(step));
    magnitude = value < ((code_t)1 << element.mantissa_bits) ? small : magnitude;
  }
  if (element.specials == CLRS_SPECIALS_IEEE) {
    magnitude = value >= specials ? (value << up) | INFINITY_CODE : magnitude;
  }
  return magnitude;
}

/* Decodes E8M0. Code 0 is 2^-127, half the smallest normal float. As a double it needs no special
 * case. */
INLINED value_t float_of_scale(codes_t code) {
#if VALUE_BITS == 64
  const codes_t power = (code + (code_t)(VALUE_BIAS - 127)) << (code_t)VALUE_MANTISSA;
#else
  const codes_t power = code == 0 ? HELD(0x00400000u) : code << 23;
#endif
  return AS_FLOATS(code == 255 ? HELD(NAN_CODE) : power);
}

INLINED bool is_half(const element_t element) {
  return element.bits == 16 && element.mantissa_bits == 10;
}

/* A GPU converts halves by one instruction. OpenCL's core has these conversions only for places in
 * memory. Compilers turn a private variable into a register. This way is for devices that do not
 * flush denormal floats, and for maps without denormal floats. Denormal halves are kept
 * (OpenCL C 1.2, 6.1.1.1). A NaN's sign and payload may be any. */
#if LANES == 1 && VALUE_BITS == 32 && (GROUPED || !NATIVE_CODE)
#define GPU_HALVES 1
#define HAS_HALVES
INLINED codes_t half_of_float(value_t x, bool is_plain) {
  const codes_t nan = 0x7e00u | (is_plain ? 0 : AS_CODES(x) >> 16 & 0x8000u);
  aliased_ushort_t code;
  vstore_half_rte(x, 0, (half *)&code);
  return x == x ? code : nan;
}

INLINED value_t float_of_half(codes_t code) {
  const aliased_ushort_t half_code = (ushort)code;
  const value_t x = vload_half(0, (const half *)&half_code);
  const value_t nan = AS_FLOATS(NAN_CODE | (code & 0x8000u) << 16);
  return (code & 0x7fffu) > 0x7c00u ? nan : x;
}
#define FLOAT_OF_HALF(code) float_of_half(code)
#else
#define GPU_HALVES 0
#endif

/* x86 converts halves by one instruction. For AVX2, compilers no longer have a builtin. */
#if LANES > 1 && defined(__AVX512F__)
#define FLOAT_OF_HALF(code)                                                                        \
  CAST(value_t, __builtin_astype(__builtin_ia32_vcvtph2ps512_mask(CAST(short16, code), (float16)0, \
                                                                  (ushort)-1, 4),                  \
                                 float16))
#endif

INLINED value_t float_of_small(const element_t element, codes_t code) {
#ifdef FLOAT_OF_HALF
  if (is_half(element)) {
    return FLOAT_OF_HALF(code);
  }
#endif
  const int value_bits = element.exponent_bits + element.mantissa_bits;
  const code_t ones = (code_t)clrs__ones(value_bits);
  if (element.specials == CLRS_SPECIALS_SCALE) {
    return float_of_scale(code);
  }
  codes_t magnitude = magnitude_of_small(element, code & ones);
  if (element.specials == CLRS_SPECIALS_FN) {
    magnitude = (code & ones) == ones ? HELD(NAN_CODE) : magnitude;
  } else if (element.specials == CLRS_SPECIALS_FNUZ) {
    magnitude = code == ones + 1 ? HELD(NAN_CODE) : magnitude;
  }
  return AS_FLOATS(magnitude | (code >> (code_t)value_bits) << (code_t)(VALUE_BITS - 1));
}

/* Returns the code of a magnitude, rounded half to even. Numbers too large for the format give more
 * than the largest code. */
INLINED codes_t small_of_magnitude(const element_t element, codes_t value) {
  const code_t down = (code_t)(VALUE_MANTISSA - element.mantissa_bits);
  const code_t rebias = (code_t)(VALUE_BIAS - element.bias) << VALUE_MANTISSA;
  const code_t half_less = ((code_t)1 << (down - 1)) - 1;
  const codes_t normal = (value - rebias + half_less + (value >> down & 1)) >> down;
  if (element.bias == VALUE_BIAS) {
    return normal;
  }
  const value_t stepped = power_of_two(VALUE_MANTISSA + 1 - element.bias - element.mantissa_bits);
  const codes_t small = AS_CODES(AS_FLOATS(value) + stepped) - HELD(FIRST(AS_CODES(stepped)));
  return value < rebias + ((code_t)1 << VALUE_MANTISSA) ? small : normal;
}

/* x86 rounds to half by one instruction, which keeps a NaN's payload. */
#if LANES > 1 && VALUE_BITS == 32 && defined(__F16C__)
#define HAS_HALVES
INLINED codes_t half_of_float(value_t x, bool is_plain) {
  const codes_t nan = NAN_CODE | (AS_CODES(x) & 0x80000000u);
  const value_t quiet = is_plain ? x : x == x ? x : AS_FLOATS(nan);
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

/* Returns the code of x. If is_plain, a NaN has no payload, and a GPU's half NaN has no sign. */
INLINED codes_t small_of_float(const element_t element, value_t x, int saturates, bool is_plain) {
#ifdef HAS_HALVES
  if (is_half(element) && !saturates) {
    return half_of_float(x, is_plain);
  }
#endif
  (void)is_plain;
  const clrs__format format = format_of(element);
  const int value_bits = element.exponent_bits + element.mantissa_bits;
  const code_t largest = (code_t)clrs__largest_code(format);
  const int keeps_sign =
      element.specials == CLRS_SPECIALS_IEEE || element.specials == CLRS_SPECIALS_FN;
  const codes_t bits = AS_CODES(x), value = bits & MAGNITUDE_CODE;
  const codes_t sign = bits >> (code_t)(VALUE_BITS - 1) << (code_t)value_bits;
  const codes_t none = (codes_t)0;
  const codes_t code = small_of_magnitude(element, value);
  const codes_t nan = HELD((code_t)clrs__nan_code(format, 0)) | (keeps_sign ? sign : none);
  const codes_t beyond = saturates || element.specials == CLRS_SPECIALS_NONE ? sign | HELD(largest)
                         : element.specials == CLRS_SPECIALS_IEEE ? sign | HELD(largest + 1)
                                                                  : nan;
  codes_t result = code > largest ? beyond : code | sign;
  if (element.specials == CLRS_SPECIALS_FNUZ) {
    result = code == 0 ? none : result;
  }
  return value > INFINITY_CODE ? nan : result;
}
#endif

#endif
