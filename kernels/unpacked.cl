/*
 * Sub-byte units, a byte each. Packed units of the source become bytes of a stage, and bytes of a
 * stage become packed units of the destination. A stage is read and written from any byte on, so
 * the position of a unit in a byte costs nothing on either side. Native code only.
 *
 * One byte of units becomes a word with a byte for each unit, and back, in doubling steps. Example:
 * with units of 2 bits, the first in the low bits, 0xe4 holds 0, 1, 2, 3. The word w = 0xe4 | 0xe4
 * << 12 has units 2 and 3 in byte 2. Then w | w << 6 has units 1 and 3 in bytes 1 and 3. The other
 * bits are masked away, and 0x03020100 is left.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_UNPACKED_CL
#define CLRS_UNPACKED_CL
#ifndef CLRS_TRANSPOSE_CL
#include "transpose.cl"
#endif

/* Disables vectors and copies of the loop, which has few steps and would only cost compile time. */
#if NATIVE_CODE
#define SHORT_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define SHORT_LOOP
#endif

#if NATIVE_CODE
#if UNIT_BITS == 4
typedef ushort unpacked_t; /* the units of a byte */
#define EACH_BYTE 0x0101
#elif UNIT_BITS == 2
typedef uint unpacked_t;
#define EACH_BYTE 0x01010101u
#else
typedef ulong unpacked_t;
#define EACH_BYTE 0x0101010101010101ul
#endif

/* The packed bytes of a line of unpacked units, and the types of both. */
#define PACKED_BYTES (LINE_BYTES / UNITS_PER_BYTE)
typedef unpacked_t unpacked_line_t __attribute__((ext_vector_type(PACKED_BYTES)));
typedef uchar packed_t __attribute__((ext_vector_type(PACKED_BYTES)));
typedef struct ANY_BYTES any_unpacked_line_t {
  unpacked_line_t value;
} any_unpacked_line_t;
typedef struct ANY_BYTES any_unpacked_t {
  unpacked_t value;
} any_unpacked_t;
typedef struct ANY_BYTES any_packed_t {
  packed_t value;
} any_packed_t;

/* STEP is the growth, from unit to unit, of the shift into the unit's byte. TOP is the shift of the
 * last unit. With the first unit in the low bits the first unit stays, and with the first unit in
 * the high bits the last unit stays. */
#define STEP (MSB_FIRST ? 8 + UNIT_BITS : 8 - UNIT_BITS)
#define TOP (8 - UNIT_BITS)

#if UNIT_BITS == 1
#define EACH_DOUBLING(DO) DO(4) DO(2) DO(1)
#define EACH_HALVING(DO) DO(1) DO(2) DO(4)
#elif UNIT_BITS == 2
#define EACH_DOUBLING(DO) DO(2) DO(1)
#define EACH_HALVING(DO) DO(1) DO(2)
#else
#define EACH_DOUBLING(DO) DO(1)
#define EACH_HALVING(DO) DO(1)
#endif

#define SPREAD(units) word |= word << ((units)*STEP);
#define UNPACKED(word) ((word) >> (MSB_FIRST ? TOP : 0) & (unpacked_t)(EACH_BYTE * UNIT_MASK))

HELPER unpacked_line_t unpack_line(packed_t bytes) {
  unpacked_line_t word = __builtin_convertvector(bytes, unpacked_line_t);
  EACH_DOUBLING(SPREAD)
  return UNPACKED(word);
}

HELPER unpacked_t unpack_byte(uchar byte) {
  unpacked_t word = byte;
  EACH_DOUBLING(SPREAD)
  return (unpacked_t)UNPACKED(word);
}

#if MSB_FIRST
#define GATHER(units) word |= word << ((units)*STEP);
#define PACKED(word) ((word) >> (8 * (UNITS_PER_BYTE - 1)))
#else
#define GATHER(units) word |= word >> ((units)*STEP);
#define PACKED(word) ((word) & (unpacked_t)0xff)
#endif

HELPER packed_t pack_line(unpacked_line_t word) {
  EACH_HALVING(GATHER)
  return __builtin_convertvector(PACKED(word), packed_t);
}

HELPER uchar pack_byte(unpacked_t word) {
  EACH_HALVING(GATHER)
  return (uchar)PACKED(word);
}

/* Unpacks bytes into a stage, and prefetches `ahead` bytes further on. The last line overlaps the
 * line before. */
HELPER void unpack_bytes(global const uchar *source, index_t bytes, index_t ahead, uchar *stage) {
  if (bytes >= PACKED_BYTES) {
    for (index_t i = 0; i < bytes; i += PACKED_BYTES) {
      const index_t at = min(i, bytes - PACKED_BYTES);
      PREFETCH(source + at + ahead);
      ((any_unpacked_line_t *)(stage + at * UNITS_PER_BYTE))->value =
          unpack_line(((global const any_packed_t *)(source + at))->value);
    }
    return;
  }
  SHORT_LOOP for (index_t i = 0; i < bytes; i++) {
    ((any_unpacked_t *)(stage + i * UNITS_PER_BYTE))->value = unpack_byte(source[i]);
  }
}

HELPER void pack_bytes(const uchar *stage, global uchar *destination, index_t bytes) {
  if (bytes >= PACKED_BYTES) {
    for (index_t i = 0; i < bytes; i += PACKED_BYTES) {
      const index_t at = min(i, bytes - PACKED_BYTES);
      ((global any_packed_t *)(destination + at))->value =
          pack_line(((const any_unpacked_line_t *)(stage + at * UNITS_PER_BYTE))->value);
    }
    return;
  }
  SHORT_LOOP for (index_t i = 0; i < bytes; i++) {
    destination[i] = pack_byte(((const any_unpacked_t *)(stage + i * UNITS_PER_BYTE))->value);
  }
}

/* ---- bytes from stage to stage ---- */

#define COPY_ENDS(T, from, to, count)                                                              \
  {                                                                                                \
    const T first = *(const T *)(from), last = *(const T *)((from) + (count) - sizeof(T));         \
    *(T *)(to) = first;                                                                            \
    *(T *)((to) + (count) - sizeof(T)) = last;                                                     \
  }

/* Copies fewer than 16 bytes, as the first and the last integer, which may overlap. */
HELPER void copy_piece(const uchar *from, uchar *to, index_t count) {
  if (count >= 8) {
    COPY_ENDS(any_8_t, from, to, count)
  } else if (count >= 4) {
    COPY_ENDS(any_4_t, from, to, count)
  } else if (count >= 2) {
    COPY_ENDS(any_2_t, from, to, count)
  } else {
    *to = *from;
  }
}

/* Transposes a band of up to 16 rows of at least 64 columns. The last columns overlap others. */
HELPER void turn_band(const uchar *from, index_t column_step, uchar *to, index_t row_step,
                      index_t rows, index_t columns) {
  for (index_t c = 0; c < columns; c += LINE_BYTES) {
    const index_t column = min(c, columns - LINE_BYTES);
    const uchar *first = from + column * column_step;
    line_t v[LANE_UNITS];
#define LANE_OF_STAGE(i) ((const any_lane_t *)(first + (i)*column_step))->value
    LOAD_LANES(v, LANE_OF_STAGE)
    if (rows == LANE_UNITS) {
#pragma unroll
      for (int i = 0; i < LANE_UNITS; i++) {
        ((any_units_t *)(to + i * row_step + column))->value = v[i];
      }
      continue;
    }
    SHORT_LOOP for (index_t i = 0; i < rows; i++) {
      ((any_units_t *)(to + i * row_step + column))->value = v[i];
    }
  }
}

/* Transposes up to 64 rows of up to 16 columns, of which a line each is read. */
HELPER void turn_strip(const uchar *from, index_t column_step, uchar *to, index_t row_step,
                       index_t rows, index_t columns) {
  line_t v[LANE_UNITS];
#pragma unroll
  for (int i = 0; i < LANE_UNITS; i++) {
    v[i] = ((const any_units_t *)(from + min((index_t)i, columns - 1) * column_step))->value;
  }
  transpose_lanes(v);
#define PIECE_OF_ROW(i) ((const uchar *)&v[(i) % LANE_UNITS] + (i) / LANE_UNITS * LANE_UNITS)
  index_t i = 0;
  /* A row fills a lane, or the excess behind the row is overwritten by the next row. */
  if (columns == LANE_UNITS || row_step == columns) {
    for (; (rows - i) * columns >= LANE_UNITS; i++) {
      ((any_lane_t *)(to + i * row_step))->value = ((const any_lane_t *)PIECE_OF_ROW(i))->value;
    }
  }
  SHORT_LOOP for (; i < rows; i++) {
    copy_piece(PIECE_OF_ROW(i), to + i * row_step, columns);
  }
}

/* Interleaves planes, a column each, or splits them. Returns true if there are 2 to 4 planes. */
APART bool zip_bytes(const uchar *from, index_t column_step, uchar *to, index_t row_step,
                     index_t rows, index_t columns) {
  if (row_step == columns && columns >= 2 && columns <= MOST_ZIPPED) {
    stage_zipped(AS_SOURCE(from), column_step, 1, columns, rows, to);
    return true;
  }
  if (column_step == rows && rows >= 2 && rows <= MOST_ZIPPED) {
    stage_unzipped(AS_SOURCE(from), rows, rows, columns, row_step, to);
    return true;
  }
  return false;
}

/* to[r * row_step + c] = from[c * column_step + r] */
APART void turn_bytes(const uchar *from, index_t column_step, uchar *to, index_t row_step,
                      index_t rows, index_t columns) {
  if (columns >= LINE_BYTES) {
    for (index_t r = 0; r < rows; r += LANE_UNITS) {
      turn_band(from + r, column_step, to + r * row_step, row_step,
                min(rows - r, (index_t)LANE_UNITS), columns);
    }
    return;
  }
  for (index_t r = 0; r < rows; r += LINE_BYTES) {
    for (index_t c = 0; c < columns; c += LANE_UNITS) {
      const index_t column = max(min(c, columns - LANE_UNITS), (index_t)0);
      turn_strip(from + r + column * column_step, column_step, to + r * row_step + column, row_step,
                 min(rows - r, (index_t)LINE_BYTES), min(columns, (index_t)LANE_UNITS));
    }
  }
}

/* to[r * row_step + c] = from[r * from_step + c]. Up to a lane is written beyond the end of a row,
 * and overwritten by the next row. So rows are copied in order, and a stage has room for one more
 * line. */
HELPER void copy_bytes(const uchar *from, index_t from_step, uchar *to, index_t row_step,
                       index_t rows, index_t columns) {
  if (columns <= LANE_UNITS) {
    SHORT_LOOP for (index_t r = 0; r < rows; r++) {
      ((any_lane_t *)(to + r * row_step))->value =
          ((const any_lane_t *)(from + r * from_step))->value;
    }
    return;
  }
  SHORT_LOOP for (index_t r = 0; r < rows; r++) {
    SHORT_LOOP for (index_t c = 0; c < columns; c += LANE_UNITS) {
      ((any_lane_t *)(to + r * row_step + c))->value =
          ((const any_lane_t *)(from + r * from_step + c))->value;
    }
  }
}
#endif

#endif
