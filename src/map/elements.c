/* SPDX-License-Identifier: Apache-2.0 */
#include "elements.h"

#include <string.h>

/* Exponent bits, mantissa bits, bias. Sources: IEEE 754, onnx.proto and the papers named there
 * (float8), and OCP's microscaling formats (E8M0, float6, float4). */
static const clrs__format formats[CLRS_DTYPE_COUNT] = {
    [CLRS_F16] = {5, 10, 15, CLRS_SPECIALS_IEEE},
    [CLRS_BF16] = {8, 7, 127, CLRS_SPECIALS_IEEE},
    [CLRS_F32] = {8, 23, 127, CLRS_SPECIALS_IEEE},
    [CLRS_F64] = {11, 52, 1023, CLRS_SPECIALS_IEEE},
    [CLRS_F8E4M3FN] = {4, 3, 7, CLRS_SPECIALS_FN},
    [CLRS_F8E4M3FNUZ] = {4, 3, 8, CLRS_SPECIALS_FNUZ},
    [CLRS_F8E5M2] = {5, 2, 15, CLRS_SPECIALS_IEEE},
    [CLRS_F8E5M2FNUZ] = {5, 2, 16, CLRS_SPECIALS_FNUZ},
    [CLRS_F8E8M0] = {8, 0, 127, CLRS_SPECIALS_SCALE},
    [CLRS_F6E2M3] = {2, 3, 1, CLRS_SPECIALS_NONE},
    [CLRS_F6E3M2] = {3, 2, 3, CLRS_SPECIALS_NONE},
    [CLRS_F4E2M1] = {2, 1, 1, CLRS_SPECIALS_NONE},
};

static clrs__value_kind kind_of(clrs_dtype dtype) {
  if (formats[dtype].exponent_bits > 0) {
    return CLRS__FLOAT;
  }
  if (dtype == CLRS_BOOL) {
    return CLRS__BOOL;
  }
  return clrs__dtype_is_integer(dtype) && !clrs__dtype_straddles_bytes(dtype) ? CLRS__INTEGER
                                                                              : CLRS__NO_VALUE;
}

clrs__element clrs__element_of(clrs_dtype dtype) {
  return (clrs__element){
      .kind = kind_of(dtype),
      .bits = (int)clrs_dtype_bits(dtype),
      .is_signed = clrs__dtype_is_integer(dtype) && !clrs__dtype_is_unsigned(dtype),
      .is_msb_first = clrs__dtype_is_msb_first(dtype),
      .format = formats[dtype],
  };
}

clrs__number clrs__element_value(const clrs__element *element, clrs__word code) {
  if (element->kind == CLRS__FLOAT) {
    return clrs__decode(element->format, code);
  }
  if (element->kind == CLRS__BOOL) {
    return clrs__decode_integer(code != 0, false);
  }
  const bool is_negative = element->is_signed && (code >> (element->bits - 1) & 1) != 0;
  const clrs__word extended = is_negative ? code | ~clrs__ones(element->bits) : code;
  return clrs__decode_integer(extended, element->is_signed);
}

clrs__word clrs__nearest(clrs__format format, clrs__number number) {
  return clrs__encode((clrs__conversion){format, CLRS_EVEN, false}, number);
}

clrs__number clrs__number_of(double value) {
  clrs__word code;
  memcpy(&code, &value, sizeof code);
  return clrs__decode(formats[CLRS_F64], code);
}

/* ---- memory ---- */

/* The place of a packed element: the first byte, and the distance of the bits from the byte's low
 * end. Example: element 5 of 3 bits begins at bit 15, which is bit 7 of byte 1, and crosses into
 * byte 2. */
typedef struct place {
  size_t byte;
  int shift;
  bool crosses; /* into the next byte */
} place;

static place find(const clrs__element *element, int64_t position) {
  const int bit = (int)(position % 8) * element->bits; /* behind whole bytes of 8 elements */
  const int in_byte = bit % 8;
  return (place){.byte = (size_t)position / 8 * (size_t)element->bits + (size_t)(bit / 8),
                 .shift = element->is_msb_first ? 8 - element->bits - in_byte : in_byte,
                 .crosses = in_byte + element->bits > 8};
}

clrs__word clrs__element_load(const clrs__element *element, const uint8_t *bytes,
                              int64_t position) {
  clrs__word code = 0;
  if (element->bits < 8) {
    const place at = find(element, position);
    code = bytes[at.byte];
    code |= at.crosses ? (clrs__word)bytes[at.byte + 1] << 8 : 0;
    return code >> at.shift & clrs__ones(element->bits);
  }
  const int count = element->bits / 8;
  bytes += (size_t)position * (size_t)count;
  for (int i = 0; i < count; i++) {
    code |= (clrs__word)bytes[i] << clrs__byte_shift(i, count);
  }
  return code;
}

void clrs__element_store(const clrs__element *element, uint8_t *bytes, int64_t position,
                         clrs__word code) {
  if (element->bits < 8) {
    const place at = find(element, position);
    const clrs__word mask = clrs__ones(element->bits) << at.shift;
    code <<= at.shift;
    bytes[at.byte] = (uint8_t)((bytes[at.byte] & ~mask) | code);
    if (at.crosses) {
      bytes[at.byte + 1] = (uint8_t)((bytes[at.byte + 1] & ~(mask >> 8)) | code >> 8);
    }
    return;
  }
  const int count = element->bits / 8;
  bytes += (size_t)position * (size_t)count;
  for (int i = 0; i < count; i++) {
    bytes[i] = (uint8_t)(code >> clrs__byte_shift(i, count));
  }
}
