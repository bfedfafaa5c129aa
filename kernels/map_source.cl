/*
 * Codes of the source, staged in the order of a row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_SOURCE_CL
#define CLRS_MAP_SOURCE_CL
#ifndef CLRS_MAP_PIECES_CL
#include "map_pieces.cl"
#endif

/* ---- lanes ---- */

#if LANES > 1
typedef VECTOR_OF(FROM_T, LANES) from_lanes_t;
typedef VECTOR_OF(TO_T, LANES) to_lanes_t;
typedef struct ANY_BYTES any_from_t {
  from_lanes_t value;
} any_from_t;
typedef struct ANY_BYTES any_code_t {
  FROM_T code;
} any_code_t;
typedef struct ANY_BYTES any_to_t {
  to_lanes_t value;
} any_to_t;
typedef struct ANY_BYTES any_floats_t {
  value_t value;
} any_floats_t;
typedef struct ANY_BYTES any_wholes_t {
  wholes_t value;
} any_wholes_t;

/* A row's codes, in the source or staged. UNIT is FROM_T. */
typedef global const UNIT *codes_ref;
#define AS_CODES_REF(staged) AS_SOURCE(staged)
#define PREFETCHED_BYTES 2048
#else
typedef const FROM_T *codes_ref;
#define AS_CODES_REF(staged) (staged)
#endif

/* ---- the source ---- */

#if LANES > 1
/* A list of OF(k, n, p) for each lane k. */
#define EACH_LANE(OF, n, p)                                                                        \
  OF(0, n, p), OF(1, n, p), OF(2, n, p), OF(3, n, p), OF(4, n, p), OF(5, n, p), OF(6, n, p),       \
      OF(7, n, p), OF(8, n, p), OF(9, n, p), OF(10, n, p), OF(11, n, p), OF(12, n, p),             \
      OF(13, n, p), OF(14, n, p), OF(15, n, p)

/* Types for bytes at any address. vload and vstore are a loop over bytes in some drivers. */
#define BYTES_IN_ANY_PLACE(type)                                                                   \
  typedef struct ANY_BYTES any_##type##_t {                                                        \
    type value;                                                                                    \
  } any_##type##_t;
BYTES_IN_ANY_PLACE(ushort)
BYTES_IN_ANY_PLACE(uint)
BYTES_IN_ANY_PLACE(ulong)
BYTES_IN_ANY_PLACE(uint4)
BYTES_IN_ANY_PLACE(uchar16)
BYTES_IN_ANY_PLACE(ushort16)
BYTES_IN_ANY_PLACE(uint16)
BYTES_IN_ANY_PLACE(ulong16)
#define LOAD_BYTES(type, from) ((ulong)((global const any_##type##_t *)(from))->value)

/* Unpacks sub-byte codes, the first of which begins a byte. Code k of 4-bit codes is in byte k /
 * 2. */
#define BYTE_OF(k, bits, first) ((k) * (bits) / 8)
#define SHIFT_OF(k, bits, first) packed_shift(from, (k) % (8 / (bits)))
#define UNPACK(bits, type)                                                                         \
  {                                                                                                \
    const uchar8 packed = as_uchar8(LOAD_BYTES(type, bytes));                                      \
    const codes_t spread =                                                                         \
        CAST(codes_t, __builtin_shufflevector(packed, packed, EACH_LANE(BYTE_OF, bits, 0)));       \
    return spread >> (codes_t)(EACH_LANE(SHIFT_OF, bits, 0)) & ((1u << bits) - 1);                 \
  }

INLINED codes_t unpack_lanes(const element_t from, global const uchar *bytes) {
  if (from.bits == 4) {
    UNPACK(4, ulong)
  } else if (from.bits == 2) {
    UNPACK(2, uint)
  }
  UNPACK(1, ushort)
}

/* Interleaves two vectors, from lane n of each on. */
#define INTERLEAVED_OF(k, n, p) ((k) % 2 == 0 ? (n) + (k) / 2 : 16 + (n) + (k) / 2)

/* Unpacks 4-bit codes: interleaves the low and the high halves of the bytes. Returns the number of
 * staged codes. */
INLINED index_t unpack_halves(global const uchar *source, FROM_T *staged, index_t count) {
  const element_t from = ELEMENT(FROM);
  index_t i = 0;
  PLAIN_LOOP
  for (; i + 2 * LANES <= count; i += 2 * LANES) {
    const uchar16 bytes = as_uchar16(((global const any_uint4_t *)(source + i / 2))->value);
    const uchar16 low = bytes & (uchar)15, high = bytes >> (uchar)4;
    const uchar16 first = from.is_msb_first ? high : low, second = from.is_msb_first ? low : high;
    const uchar16 a = __builtin_shufflevector(first, second, EACH_LANE(INTERLEAVED_OF, 0, 0));
    const uchar16 b = __builtin_shufflevector(first, second, EACH_LANE(INTERLEAVED_OF, 8, 0));
    ((any_from_t *)(staged + i))->value = CAST(from_lanes_t, a);
    ((any_from_t *)(staged + i + LANES))->value = CAST(from_lanes_t, b);
  }
  return i;
}

/* Returns the number of staged codes. */
INLINED index_t unpack(global const uchar *source, FROM_T *staged, index_t count) {
  const element_t from = ELEMENT(FROM);
  index_t i = from.bits == 4 ? unpack_halves(source, staged, count) : 0;
  PLAIN_LOOP
  for (; i + LANES <= count; i += LANES) {
    const codes_t codes = unpack_lanes(from, source + i * from.bits / 8);
    ((any_from_t *)(staged + i))->value = CAST(from_lanes_t, codes);
  }
  return i;
}
#else
#define unpack(source, staged, count) 0
#endif

INLINED void stage_packed(global const uchar *source, index_t at, FROM_T *staged, index_t count) {
  const element_t from = ELEMENT(FROM);
  const index_t per_byte = 8 / from.bits;
  index_t i = 0;
  PLAIN_LOOP
  for (; i < count && (at + i) % per_byte != 0; i++) {
    staged[i] = (FROM_T)load_code(from, source, at + i);
  }
  i += unpack(source + (at + i) / per_byte, staged + i, count - i);
  PLAIN_LOOP
  for (; i < count; i++) {
    staged[i] = (FROM_T)load_code(from, source, at + i);
  }
}

/* Stages packed codes that are a byte apart, and so have the same place in each byte. Codes of 4
 * bits at positions 5, 7 and 9 are the second codes of bytes 2, 3 and 4. Positions may be negative:
 * position -3 is the second code of byte -2. */
INLINED void stage_places(global const uchar *source, index_t at, FROM_T *staged, index_t count) {
  const element_t from = ELEMENT(FROM);
  const index_t per_byte = 8 / from.bits;
  const index_t place = at & (per_byte - 1);
  const uint shift = packed_shift(from, (uint)place), mask = (1u << from.bits) - 1;
  global const uchar *bytes = source + (at - place) / per_byte;
  index_t i = 0;
#if LANES > 1
  PLAIN_LOOP
  for (; i + LANES <= count; i += LANES) {
    const uint4 packed = ((global const any_uint4_t *)(bytes + i))->value;
    const uchar16 codes = as_uchar16(packed >> shift) & (uchar)mask;
    ((any_from_t *)(staged + i))->value = CAST(from_lanes_t, codes);
  }
#endif
  PLAIN_LOOP
  for (; i < count; i++) {
    staged[i] = (FROM_T)((uint)bytes[i] >> shift & mask);
  }
}

/* True if codes are units of the source, so that the loops of lines.cl can read them. */
#define ARE_UNITS (!(FROM_BITS < 8 || UNALIGNED))

/* Stages a piece. Loops over units have vectors, which are worth the set-up for MANY_CODES or
 * more. */
#define MANY_CODES 16
INLINED void stage_piece(global const uchar *source, index_t at, index_t stride, FROM_T *staged,
                         index_t count) {
  const element_t from = ELEMENT(FROM);
  const bool is_packed = from.bits < 8, are_units = ARE_UNITS;
  if (is_packed && stride == 1) {
    stage_packed(source, at, staged, count);
  } else if (is_packed && stride == 8 / from.bits) {
    stage_places(source, at, staged, count);
  } else if (are_units && count >= MANY_CODES) {
    stage_row((global const UNIT *)source + at, stride, count, staged);
  } else {
    PLAIN_LOOP
    for (index_t i = 0; i < count; i++) {
      staged[i] = (FROM_T)load_code(from, source, at + i * stride);
    }
  }
}

/* Returns true if the pieces are pixels, and the source has planes of colours. */
INLINED bool is_zipped(const block_t *block) {
  const bool are_units = ARE_UNITS;
  return are_units && block->length >= 2 && block->length <= MOST_ZIPPED &&
         block->count >= MANY_CODES;
}

/* Stages all pieces of a block, one behind the other. */
APART void stage_pieces(global const uchar *source, const block_t *block, index_t stride,
                        FROM_T *staged) {
  PLAIN_LOOP
  for (index_t group = 0; group < block->groups; group++) {
    const index_t at = block->at + group * block->group_step;
    if (is_zipped(block)) {
      stage_zipped((global const UNIT *)source + at, stride, block->step, block->length,
                   block->count, staged);
      staged += block->count * block->length;
      continue;
    }
    PLAIN_LOOP
    for (index_t k = 0; k < block->count; k++) {
      stage_piece(source, at + k * block->step, stride, staged, block->length);
      staged += block->length;
    }
  }
}

#endif
