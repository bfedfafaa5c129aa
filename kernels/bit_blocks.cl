/*
 * Tiles of units of less than a byte, turned as they are packed: where the runs of the source, the
 * columns, and those of the destination, the rows, have no axis in common. In native code.
 *
 * Columns are staged so that each begins with a byte. Bytes are turned as any tile's are: a vector
 * then holds, of as many neighbouring columns as it has bytes, the same byte of each. With N units
 * in a byte, each N bytes of it are a block of N by N units, which is transposed in log2(N) rounds;
 * byte k of all blocks together is then a part of row k.
 *
 * A round exchanges units whose places in the byte, and the bytes they are in, differ by d: of
 * N = 2 units of 4 bits, 0xBA 0xDC, which hold A, B and C, D from the low bits on, B and C change
 * places and leave 0xCA 0xDB. As one number, 0xDCBA, they are (8 - 4) * d = 4 bits apart.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_BIT_BLOCKS_CL
#define CLRS_BIT_BLOCKS_CL
#ifndef CLRS_UNPACKED_CL
#include "unpacked.cl"
#endif

/* Where bytes of the source may be read: [begin, end). */
typedef struct byte_range_t {
  long begin, end;
} byte_range_t;

#if NATIVE_CODE
/* Of blocks in which the first unit of a byte is in its low bits: the units to exchange with those
 * above. In the high bits, units lie the other way round. */
#if UNIT_BITS == 1
#define EACH_ROUND(ROUND)                                                                          \
  ROUND(1, 0x00aa00aa00aa00aaul, 0x0055005500550055ul)                                             \
  ROUND(2, 0x0000cccc0000ccccul, 0x0000333300003333ul)                                             \
  ROUND(4, 0x00000000f0f0f0f0ul, 0x000000000f0f0f0ful)
#define EACH_EIGHTH(k) k, k + 8, k + 16, k + 24, k + 32, k + 40, k + 48, k + 56
#define BYTES_OF_ROWS                                                                              \
  EACH_EIGHTH(0), EACH_EIGHTH(1), EACH_EIGHTH(2), EACH_EIGHTH(3), EACH_EIGHTH(4), EACH_EIGHTH(5),  \
      EACH_EIGHTH(6), EACH_EIGHTH(7)
#elif UNIT_BITS == 2
#define EACH_ROUND(ROUND)                                                                          \
  ROUND(1, 0x00cc00ccu, 0x00330033u)                                                               \
  ROUND(2, 0x0000f0f0u, 0x00000f0fu)
#define FOUR(k) k, k + 4, k + 8, k + 12
#define EACH_FOURTH(k) FOUR(k), FOUR(k + 16), FOUR(k + 32), FOUR(k + 48)
#define BYTES_OF_ROWS EACH_FOURTH(0), EACH_FOURTH(1), EACH_FOURTH(2), EACH_FOURTH(3)
#else
#define EACH_ROUND(ROUND) ROUND(1, 0x00f0, 0x000f)
#define FOUR(k) k, k + 2, k + 4, k + 6
#define EACH_SECOND(k)                                                                             \
  FOUR(k), FOUR(k + 8), FOUR(k + 16), FOUR(k + 24), FOUR(k + 32), FOUR(k + 40), FOUR(k + 48),      \
      FOUR(k + 56)
#define BYTES_OF_ROWS EACH_SECOND(0), EACH_SECOND(1)
#endif

/* A line of blocks becomes a part of each of UNITS_PER_BYTE rows. */
inline line_t turn_blocks(line_t line) {
  union {
    line_t line;
    unpacked_line_t blocks;
  } turned;
  turned.line = line;
  unpacked_line_t w = turned.blocks, t;
#define TURN_ROUND(d, low, high)                                                                   \
  t = (w ^ w >> ((d)*STEP)) & (unpacked_t)(MSB_FIRST ? high : low);                                \
  w ^= t ^ t << ((d)*STEP);
  EACH_ROUND(TURN_ROUND)
  turned.blocks = w;
  return __builtin_shufflevector(turned.line, turned.line, BYTES_OF_ROWS);
}

/* A line of bytes whose units begin `past` bits (1 to 7) after those of the first; the second is
 * what lies a byte further on. */
inline line_t shift_lines(line_t first, line_t second, uint past) {
#if MSB_FIRST
  return first << (line_t)(uchar)past | second >> (line_t)(uchar)(8 - past);
#else
  return first >> (line_t)(uchar)past | second << (line_t)(uchar)(8 - past);
#endif
}

inline line_t load_shifted(const uchar *from, uint past) {
  return shift_lines(((const any_units_t *)from)->value, ((const any_units_t *)(from + 1))->value,
                     past);
}

inline line_t load_from_bit(const uchar *from, uint past) {
  return past == 0 ? ((const any_units_t *)from)->value : load_shifted(from, past);
}

/* No byte but these is read; the last vector overlaps the one before. */
APART void read_bytes(global const uchar *source, index_t bytes, uchar *to) {
  if (bytes >= LINE_BYTES) {
    for (index_t i = 0; i < bytes; i += LINE_BYTES) {
      const index_t at = min(i, bytes - LINE_BYTES);
      ((any_units_t *)(to + at))->value = ((global const any_units_t *)(source + at))->value;
    }
  } else if (bytes >= LANE_UNITS) {
    for (index_t i = 0; i < bytes; i += LANE_UNITS) {
      const index_t at = min(i, bytes - LANE_UNITS);
      ((any_lane_t *)(to + at))->value = ((global const any_lane_t *)(source + at))->value;
    }
  } else {
    SHORT_LOOP for (index_t i = 0; i < bytes; i++) {
      to[i] = source[i];
    }
  }
}

#define STAGED_COLUMN_BYTES (CLRS_TURNED_ROWS / UNITS_PER_BYTE)

/* Stages a column such that its first unit is the first of a byte. */
inline void stage_column(global const uchar *source, ulong unit, index_t units, index_t ahead,
                         uchar *stage) {
  uchar bytes[STAGED_COLUMN_BYTES + 3 * LINE_BYTES];
  const uint past = (uint)(unit % UNITS_PER_BYTE);
  const index_t count = (index_t)((past + (ulong)units + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE);
  source += unit / UNITS_PER_BYTE;
  SHORT_LOOP for (index_t i = 0; i < count; i += LINE_BYTES) {
    PREFETCH(source + ahead + i);
  }
  if (past == 0) {
    read_bytes(source, count, stage);
    return;
  }
  read_bytes(source, count, bytes);
  SHORT_LOOP for (index_t i = 0; i < count; i += LANE_UNITS) {
    const line_t line = load_shifted(bytes + i, past * UNIT_BITS);
    ((any_lane_t *)(stage + i))->value = ((const any_lane_t *)&line)->value;
  }
}

/* Of the staged columns up to 16 bytes each, from `stage` on: as many times N rows, packed. */
inline void turn_columns(const uchar *stage, index_t pitch, index_t columns, uchar *rows,
                         index_t row_pitch, index_t bytes) {
  for (index_t c = 0; c < columns; c += LINE_BYTES) {
    const uchar *first = stage + c * pitch;
    line_t v[LANE_UNITS];
#define LANE_OF_COLUMN(i) ((const any_lane_t *)(first + (i)*pitch))->value
    LOAD_LANES(v, LANE_OF_COLUMN)
    SHORT_LOOP for (index_t i = 0; i < bytes; i++) {
      const line_t turned = turn_blocks(v[i]);
#pragma unroll
      for (int k = 0; k < UNITS_PER_BYTE; k++) {
        uchar *row = rows + (i * UNITS_PER_BYTE + k) * row_pitch;
        ((any_packed_t *)(row + c / UNITS_PER_BYTE))->value =
            ((const any_packed_t *)&turned)[k].value;
      }
    }
  }
}

/* The first bytes of a line, fewer than all. */
inline void write_part(line_t line, global uchar *to, index_t count) {
  const uchar *from = (const uchar *)&line;
  SHORT_LOOP for (index_t step = LINE_BYTES / 2; step > 0; step /= 2) {
    if ((count & step) == 0) {
      continue;
    }
    if (step >= LANE_UNITS) {
      for (index_t i = 0; i < step; i += LANE_UNITS) {
        ((global any_lane_t *)(to + i))->value = ((const any_lane_t *)(from + i))->value;
      }
    } else if (step == 8) {
      *(global any_8_t *)to = *(const any_8_t *)from;
    } else if (step == 4) {
      *(global any_4_t *)to = *(const any_4_t *)from;
    } else if (step == 2) {
      *(global any_2_t *)to = *(const any_2_t *)from;
    } else {
      *to = *from;
    }
    from += step;
    to += step;
  }
}

/* Whole bytes from this bit of a packed stage on: whole lines in the middle. */
inline void write_bytes(const uchar *from, uint past, global uchar *to, index_t count) {
  const index_t before = (index_t)(LINE_BYTES - (size_t)to % LINE_BYTES) % LINE_BYTES;
  index_t i = min(before, count);
  if (i > 0) {
    write_part(load_from_bit(from, past), to, i);
  }
  for (; i + LINE_BYTES <= count; i += LINE_BYTES) {
    union {
      line_t bytes;
      uint16 line;
    } line;
    line.bytes = load_from_bit(from + i, past);
    STORE_LINE(line.line, (global uint16 *)(to + i));
  }
  if (i < count) {
    write_part(load_from_bit(from + i, past), to + i, count - i);
  }
}
#endif

#endif
