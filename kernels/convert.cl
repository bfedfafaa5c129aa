/*
 * Conversion of an element by a map, from code to code: the parts that all ways share, and the
 * exact way. The exact way handles all types and rules with the functions of numbers.h, as does the
 * host's reference. floats.cl and integers.cl have the other ways. These give the same bits for
 * fewer maps, many elements at a time.
 *
 * Build options:
 * - FROM, TO: the element types, eight numbers each as in mapped.h
 * - FROM_T, TO_T, UNIT: the types of codes. UNIT is also FROM_T
 * - STEP_COUNT, LAST: the number of steps, and the number of the last step, which rounds to TO
 * - VALUE_BITS: 64 if steps compute with doubles
 * - WAY (CLRS_WAY_...), DIVISION (CLRS_DIVIDES_...)
 * - OP_n, AS_n, ROUNDING_n, OVERFLOW_n: step n. AS_n is the type in which the step computes or to
 *   which it rounds, like FROM
 * - ORIGIN_n, VIEW_n, TYPE_n: the parameter of step n. VIEW_n is the operand whose positions are
 *   read, and TYPE_n the element type of a tensor
 * - OPERANDS, AXES, NUMBERS: room
 * - TABLED: the words are in a buffer
 * - UNALIGNED: elements may begin at any byte
 *
 * The defaults let the file compile on its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CONVERT_CL
#define CLRS_CONVERT_CL
#ifndef FROM
#define FROM 2, 8, 0, 0, 0, 0, 0, 0
#define FROM_T uchar
#define UNIT uchar
#define UNIT_BITS 8
#define TO 3, 32, 1, 0, 8, 23, 127, 0
#define TO_T uint
#define STEP_COUNT 2
#define LAST 1
#define OP_0 0
#define AS_0 3, 32, 1, 0, 8, 23, 127, 0
#define ROUNDING_0 0
#define OVERFLOW_0 0
#define ORIGIN_0 2
#define VIEW_0 2
#define TYPE_0 3, 32, 1, 0, 8, 23, 127, 0
#define OP_1 6
#define AS_1 3, 32, 1, 0, 8, 23, 127, 0
#define ROUNDING_1 0
#define OVERFLOW_1 2
#define ORIGIN_1 0
#define VIEW_1 0
#define TYPE_1 0, 1, 0, 0, 0, 0, 0, 0
#define VALUE_BITS 32
#define WAY 1
#define DIVISION 0
#define OPERANDS 3
#define AXES 8
#define NUMBERS 16
#define TABLED 0
#define UNALIGNED 0
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

/* A short or rare loop. Vectors of the loop would only cost compile time. */
#if NATIVE_CODE
#define PLAIN_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define PLAIN_LOOP
#endif

/* Every operation is rounded separately. */
#pragma OPENCL FP_CONTRACT OFF

#if VALUE_BITS == 64 || DIVISION == CLRS_DIVIDES_WIDE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
/* Steps compute with doubles or floats. Floats also stand for half precision and bfloat16. Doubles
 * that stand for narrower numbers are rounded after each step. A double has more than twice the
 * bits of a float. So a rounded sum, product or quotient of floats is the same as if rounded
 * once. */
#if VALUE_BITS == 64
#define VALUE_MANTISSA 52
#define VALUE_BIAS 1023
typedef ulong code_t;
typedef long whole_t;
typedef double arith_t;
#define AS_ARITH(code) as_double(code)
#else
#define VALUE_MANTISSA 23
#define VALUE_BIAS 127
typedef uint code_t;
typedef int whole_t;
typedef float arith_t;
#define AS_ARITH(code) as_float((uint)(code))
#endif

/* ---- lanes ----
 * LANES elements are converted at once. Wide vectors are for compilers that make machine code, and
 * for kernels that take neighbours. */

/* value_t is the type in which steps compute. */
#if NATIVE_CODE && CHUNKED && WAY != CLRS_WAY_EXACT
#define LANES 16
typedef long16 longs_t;
#define LANED(of_type) of_type##16
#define CAST(type, x) __builtin_convertvector(x, type)
#define FIRST(x) ((x).s0)
#else
#define LANES 1
typedef long longs_t;
#define LANED(of_type) of_type
#define CAST(type, x) ((type)(x))
#define FIRST(x) (x)
#endif
typedef LANED(uint) singles_t; /* codes of floats */
#if VALUE_BITS == 64
typedef LANED(ulong) codes_t;
typedef LANED(long) wholes_t;
typedef LANED(double) value_t;
#define AS_CODES(x) LANED(as_ulong)(x)
#define AS_WHOLES(x) LANED(as_long)(x)
#define AS_FLOATS(x) LANED(as_double)(x)
#define AS_WHOLE(x) as_long(x)
#else
typedef LANED(uint) codes_t;
typedef LANED(int) wholes_t;
typedef LANED(float) value_t;
#define AS_CODES(x) LANED(as_uint)(x)
#define AS_WHOLES(x) LANED(as_int)(x)
#define AS_FLOATS(x) LANED(as_float)(x)
#define AS_WHOLE(x) as_int(x)
#endif
/* Steps also compute with 32-bit integers. A double holds such an integer as its value. A float
 * holds the bits of the integer, which are moved but never used in float arithmetic. */
typedef LANED(int) ints_t;
typedef LANED(uint) uints_t;
#if VALUE_BITS == 64
#define ONE_OF_INT(x) ((arith_t)(int)(x))
#define VALUE_OF_INTS(x) CAST(value_t, x)
#define INTS_OF_VALUE(x) CAST(ints_t, x)
#define INTS_OF_CODES(x) LANED(as_int)(CAST(uints_t, x))
#else
#define ONE_OF_INT(x) as_float((int)(x))
#define VALUE_OF_INTS(x) LANED(as_float)(x)
#define INTS_OF_VALUE(x) AS_WHOLES(x)
#define INTS_OF_CODES(x) AS_WHOLES(x)
#endif

/* A parameter of a step, and the parameters of LANES elements. A parameter is a value. On the exact
 * way it is the code in the step's type, or an integer. */
#if WAY == CLRS_WAY_EXACT
typedef ulong parameter_t;
typedef ulong parameters_of_lanes_t;
#else
typedef arith_t parameter_t;
typedef value_t parameters_of_lanes_t;
#endif

/* A constant that is selected by a condition. AVX-512 compilers load such a constant from the
 * program's file under the condition's mask. The file's page may be absent until some element
 * selects the constant. Each such load then costs a microsecond for a fault that the mask
 * suppresses. A sum with a 0 that the compiler cannot fold stays in a register: the checksum of a 0
 * is 0. */
#if NATIVE_CODE && defined(__AVX512F__)
#define HELD(code) ((codes_t)((code) + __builtin_ia32_crc32si(0, 0)))
#else
#define HELD(code) ((codes_t)(code))
#endif

/* ---- element types ---- */

typedef struct element_t {
  int kind, bits, is_signed, is_msb_first, exponent_bits, mantissa_bits, bias, specials;
} element_t;
#define ELEMENT(numbers) ((element_t){numbers})
#if VALUE_BITS == 64
#define VALUE 3, 64, 1, 0, 11, 52, 1023, 0
#else
#define VALUE 3, 32, 1, 0, 8, 23, 127, 0
#endif

/* Codes of the steps' type. */
#define SIGN_CODE ((code_t)1 << (VALUE_BITS - 1))
#define MAGNITUDE_CODE (SIGN_CODE - 1)
#define CODE_OF_POWER(exponent) ((code_t)(VALUE_BIAS + (exponent)) << VALUE_MANTISSA)
#define INFINITY_CODE CODE_OF_POWER(VALUE_BIAS + 1)
#define NAN_CODE (INFINITY_CODE | (code_t)1 << (VALUE_MANTISSA - 1))

INLINED clrs__format format_of(const element_t element) {
  const clrs__format format = {element.exponent_bits, element.mantissa_bits, element.bias,
                               element.specials};
  return format;
}

/* Elements that may begin at any byte. */
#if UNALIGNED
#define ANY_PLACE ANY_BYTES
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

#endif
