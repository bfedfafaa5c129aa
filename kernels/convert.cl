/*
 * An element on its way through a map: from its code to a code. Two ways: by integer operations,
 * the same lines of numbers.h as the host's reference, for all types and rules; and in floats, for
 * those where it gives the same bits, written so that a loop around it becomes vectors.
 *
 * Build options: FROM and TO (eight numbers each, as mapped.h says), FROM_T and TO_T (types of
 * their codes), ROUNDING, OVERFLOW_RULE, ZERO_PLACE, STEP_COUNT, ARITHMETIC (as FROM), FAST (the
 * second way), DIVISION, and for each parameter n, the last being the zero point: OP_n (of steps),
 * ORIGIN_n, VIEW_n (of which operand its positions are), TYPE_n (of a tensor's elements);
 * OPERANDS, AXES and NUMBERS (room), TABLED (the words are in a buffer), UNALIGNED (elements may
 * begin at any byte). The defaults let the file compile on its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CONVERT_CL
#define CLRS_CONVERT_CL
#ifndef FROM
#define FROM 2, 8, 0, 0, 0, 0, 0, 0
#define FROM_T uchar
#define TO 3, 32, 1, 0, 8, 23, 127, 0
#define TO_T uint
#define ARITHMETIC 3, 32, 1, 0, 8, 23, 127, 0
#define ARITHMETIC_BITS 32
#define ROUNDING 0
#define OVERFLOW_RULE 2
#define ZERO_PLACE 0
#define STEP_COUNT 1
#define OP_0 0
#define ORIGIN_0 2
#define VIEW_0 2
#define TYPE_0 3, 32, 1, 0, 8, 23, 127, 0
#define FAST 1
#define DIVISION 0
#define OPERANDS 3
#define AXES 8
#define NUMBERS 16
#define TABLED 0
#define UNALIGNED 0
#define ZERO_SIGNED 0
#endif
#ifndef CLRS_NUMBERS_H
#include "numbers.h"
#endif
#ifndef CLRS_MAPPED_H
#include "mapped.h"
#endif
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

/* Each operation is rounded. */
#pragma OPENCL FP_CONTRACT OFF

#if ARITHMETIC_BITS == 64 || DIVISION == CLRS_DIVIDES_WIDE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#if ARITHMETIC_BITS == 64
typedef double arith_t;
#define AS_ARITH(code) as_double(code)
#define CODE_OF_ARITH(x) as_ulong(x)
#else
typedef float arith_t; /* of half precision and bfloat16 too */
#define AS_ARITH(code) as_float((uint)(code))
#define CODE_OF_ARITH(x) ((ulong)as_uint(x))
#endif

/* ---- element types ---- */

typedef struct element_t {
  int kind, bits, is_signed, is_msb_first, exponent_bits, mantissa_bits, bias, specials;
} element_t;
#define ELEMENT(numbers) ((element_t){numbers})
#define FLOAT_32 3, 32, 1, 0, 8, 23, 127, 0

INLINED clrs__format format_of(const element_t element) {
  const clrs__format format = {element.exponent_bits, element.mantissa_bits, element.bias,
                               element.specials};
  return format;
}

/* Elements that may begin at any byte. */
#if UNALIGNED
#define ANY_PLACE __attribute__((packed))
#else
#define ANY_PLACE
#endif
typedef struct ANY_PLACE code_16_t {
  ushort code;
} code_16_t;
typedef struct ANY_PLACE code_32_t {
  uint code;
} code_32_t;
typedef struct ANY_PLACE code_64_t {
  ulong code;
} code_64_t;

INLINED uint packed_shift(const element_t element, uint slot) {
  const uint per_byte = 8 / (uint)element.bits;
  return (uint)element.bits * (element.is_msb_first ? per_byte - 1 - slot : slot);
}

INLINED ulong load_code(const element_t element, global const uchar *bytes, index_t position) {
  switch (element.bits) {
  case 8:
    return bytes[position];
  case 16:
    return ((global const code_16_t *)bytes)[position].code;
  case 32:
    return ((global const code_32_t *)bytes)[position].code;
  case 64:
    return ((global const code_64_t *)bytes)[position].code;
  default: {
    const int shift = element.bits == 1 ? 3 : element.bits == 2 ? 2 : 1;
    const uint slot = (uint)position & ((1u << shift) - 1u);
    return (bytes[position >> shift] >> packed_shift(element, slot)) & ((1u << element.bits) - 1u);
  }
  }
}

INLINED void store_code(const element_t element, global uchar *bytes, index_t position,
                        ulong code) {
  switch (element.bits) {
  case 8:
    bytes[position] = (uchar)code;
    break;
  case 16:
    ((global code_16_t *)bytes)[position].code = (ushort)code;
    break;
  case 32:
    ((global code_32_t *)bytes)[position].code = (uint)code;
    break;
  default:
    ((global code_64_t *)bytes)[position].code = code;
    break;
  }
}

INLINED long integer_of_code(const element_t element, ulong code) {
  if (!element.is_signed) {
    return (long)code;
  }
  const int unused = 64 - element.bits;
  return (long)(code << unused) >> unused;
}

INLINED clrs__number value_of(const element_t element, ulong code) {
  if (element.kind == CLRS_KIND_FLOAT) {
    return clrs__decode(format_of(element), code);
  }
  if (element.kind == CLRS_KIND_BOOL) {
    return clrs__decode_integer(code != 0, 0);
  }
  return clrs__decode_integer((ulong)integer_of_code(element, code), element.is_signed);
}

INLINED ulong nearest(const element_t element, const clrs__number number) {
  const clrs__conversion conversion = {format_of(element), CLRS_EVEN, 0};
  return clrs__encode(conversion, number);
}

/* ---- floats of 16 bits, by integer operations that make vectors ---- */

#define IS_HALF(element) ((element).bits == 16 && (element).exponent_bits == 5)
#define IS_BFLOAT(element) ((element).bits == 16 && (element).exponent_bits == 8)

/* A denormal half is so many times 2^-24, which is exact as a float. */
INLINED float float_of_half(uint code) {
  const uint value = code & 0x7fff;
  const uint normal = (value << 13) + (112u << 23);
  const uint small = as_uint((float)(int)value * 5.9604644775390625e-8f);
  const uint special = (value << 13) | 0x7f800000u;
  const uint magnitude = value < 0x400 ? small : value >= 0x7c00 ? special : normal;
  return as_float(magnitude | (code & 0x8000u) << 16);
}

/* Half to even. 0.5 has as many bits behind the point as the smallest half. */
INLINED uint half_of_float(float x, int saturates) {
  const uint bits = as_uint(x), sign = bits >> 16 & 0x8000u, value = bits & 0x7fffffffu;
  const uint normal = (value - (112u << 23) + 0xfffu + (value >> 13 & 1)) >> 13;
  const uint small = as_uint(as_float(value) + 0.5f) - 0x3f000000u;
  uint code = value < (113u << 23) ? small : normal;
  const uint beyond = saturates ? 0x7bffu : 0x7c00u;
  code = value >= 0x477ff000u ? beyond : code;
  code = value > 0x7f800000u ? 0x7e00u : code;
  return code | sign;
}

INLINED uint bfloat_of_float(float x, int saturates) {
  const uint bits = as_uint(x), sign = bits >> 16 & 0x8000u, value = bits & 0x7fffffffu;
  const uint beyond = saturates ? 0x7f7fu : 0x7f80u;
  uint code = (value + 0x7fffu + (value >> 16 & 1)) >> 16;
  code = code >= 0x7f80u ? beyond : code;
  code = value > 0x7f800000u ? 0x7fc0u : code;
  return code | sign;
}

/* ---- steps ---- */

INLINED arith_t round_to_arithmetic(arith_t x) {
#if ARITHMETIC_BITS == 16
  const element_t half_element = ELEMENT(ARITHMETIC), wide = ELEMENT(FLOAT_32);
  const ulong code = nearest(half_element, value_of(wide, CODE_OF_ARITH(x)));
  return AS_ARITH(nearest(wide, value_of(half_element, code)));
#else
  return x;
#endif
}

INLINED arith_t quotient(arith_t x, arith_t p) {
#if DIVISION == CLRS_DIVIDES_WIDE && ARITHMETIC_BITS != 64
  return (float)((double)x / (double)p);
#else
  return x / p;
#endif
}

INLINED arith_t take_step(int kind, arith_t x, arith_t p) {
  switch (kind) {
  case CLRS_OP_SUBTRACT:
    return round_to_arithmetic(x - p);
  case CLRS_OP_ADD:
    return round_to_arithmetic(x + p);
  case CLRS_OP_MULTIPLY:
    return round_to_arithmetic(x * p);
  case CLRS_OP_DIVIDE:
    return round_to_arithmetic(quotient(x, p));
  case CLRS_OP_AT_LEAST:
    return x < p ? p : x;
  default:
    return x > p ? p : x;
  }
}

/* The parameters of one element. */
typedef struct parameters_t {
  arith_t p0, p1, p2, p3, p4, p5, p6, p7;
  long zero;
} parameters_t;

INLINED arith_t take_steps(arith_t x, const parameters_t p) {
#if STEP_COUNT > 0
  x = take_step(OP_0, x, p.p0);
#endif
#if STEP_COUNT > 1
  x = take_step(OP_1, x, p.p1);
#endif
#if STEP_COUNT > 2
  x = take_step(OP_2, x, p.p2);
#endif
#if STEP_COUNT > 3
  x = take_step(OP_3, x, p.p3);
#endif
#if STEP_COUNT > 4
  x = take_step(OP_4, x, p.p4);
#endif
#if STEP_COUNT > 5
  x = take_step(OP_5, x, p.p5);
#endif
#if STEP_COUNT > 6
  x = take_step(OP_6, x, p.p6);
#endif
#if STEP_COUNT > 7
  x = take_step(OP_7, x, p.p7);
#endif
  return x;
}

/* ---- the exact way ---- */

INLINED arith_t arithmetic_of(const clrs__number number) {
  const element_t arithmetic = ELEMENT(ARITHMETIC);
  const ulong code = nearest(arithmetic, number);
#if ARITHMETIC_BITS == 16
  return AS_ARITH(nearest(ELEMENT(FLOAT_32), value_of(arithmetic, code)));
#else
  return AS_ARITH(code);
#endif
}

/* A NaN that comes of steps has no sign and no payload. */
INLINED clrs__number number_of_arithmetic(arith_t x) {
#if ARITHMETIC_BITS == 64
  const element_t element = ELEMENT(ARITHMETIC);
#else
  const element_t element = ELEMENT(FLOAT_32);
#endif
  clrs__number number = value_of(element, CODE_OF_ARITH(x));
  number.sign = number.kind == CLRS_NAN ? 0 : number.sign;
  return number;
}

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

#endif
