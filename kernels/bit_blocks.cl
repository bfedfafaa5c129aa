/*
 * Tiles of units of less than a byte, turned packed: where the runs of the source, the columns, and
 * those of the destination, the rows, have no axis in common. In native code.
 *
 * With N units in a byte, byte p of N neighbouring columns is a block of N by N units. Each block
 * is turned first: then its byte k holds units of one row alone, p * N + k. What is left is to turn
 * bytes, as those of any tile: byte k of all blocks, N columns a step.
 *
 * A block is turned in log2(N) rounds, a whole vector of columns at a time. A round exchanges units
 * of two columns that are d columns apart: those whose place in the byte has bit d, in the first
 * column, for those whose place has not, in the second. Of N = 2 units of 4 bits, 0xBA in column 0
 * holds A and B from the low bits on, and 0xDC in column 1 holds C and D. B and C change places,
 * which leaves 0xCA, units A and C of row 0, and 0xDB, units B and D of row 1.
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
/* As many bytes of a column as a register of most CPUs has, and half of them. */
typedef struct ANY_BYTES any_ulong4_t {
  ulong4 value;
} any_ulong4_t;
typedef struct ANY_BYTES any_ulong2_t {
  ulong2 value;
} any_ulong2_t;

/* Each round's d, and its mask: of each 2 * d units of a byte the d that lie in the lower bits. */
#if UNIT_BITS == 1
#define EACH_ROUND(ROUND)                                                                          \
  ROUND(1, 0x5555555555555555ul) ROUND(2, 0x3333333333333333ul) ROUND(4, 0x0f0f0f0f0f0f0f0ful)
#elif UNIT_BITS == 2
#define EACH_ROUND(ROUND) ROUND(1, 0x3333333333333333ul) ROUND(2, 0x0f0f0f0f0f0f0f0ful)
#else
#define EACH_ROUND(ROUND) ROUND(1, 0x0f0f0f0f0f0f0f0ful)
#endif

/* Bits that a shift brings from the neighbouring byte are masked away. If the first unit is in the
 * high bits, the units to exchange are the low ones of the first column. */
#define EXCHANGE(d, low_units)                                                                     \
  _Pragma("unroll") for (int i = 0; i < UNITS_PER_BYTE; i++) {                                     \
    if ((i & (d)) == 0) {                                                                          \
      const int above = MSB_FIRST ? i + (d) : i, below = MSB_FIRST ? i : i + (d);                  \
      const bytes_t units = (v[above] >> (ulong)((d)*UNIT_BITS) ^ v[below]) & (low_units);         \
      v[below] ^= units;                                                                           \
      v[above] ^= units << (ulong)((d)*UNIT_BITS);                                                 \
    }                                                                                              \
  }

/* Turns the blocks of so many bytes of N staged columns, in place. */
#define TURN_BLOCKS(width)                                                                         \
  inline void turn_##width##_blocks(uchar *columns, index_t pitch) {                               \
    typedef ulong##width bytes_t;                                                                  \
    bytes_t v[UNITS_PER_BYTE];                                                                     \
    _Pragma("unroll") for (int i = 0; i < UNITS_PER_BYTE; i++) {                                   \
      v[i] = ((const any_ulong##width##_t *)(columns + i * pitch))->value;                         \
    }                                                                                              \
    EACH_ROUND(EXCHANGE)                                                                           \
    _Pragma("unroll") for (int i = 0; i < UNITS_PER_BYTE; i++) {                                   \
      ((any_ulong##width##_t *)(columns + i * pitch))->value = v[i];                               \
    }                                                                                              \
  }
TURN_BLOCKS(4)
TURN_BLOCKS(2)

/* Columns are CLRS_COLUMN_PITCH(bytes) apart, which is an odd number of 16 bytes. Pieces of 32
 * bytes that end within the pitch begin within the column; what is left of it, if anything, is a
 * piece of 16. Columns of 100 bytes are 112 apart: pieces of 32 begin at bytes 0, 32 and 64, and
 * one of 16 at byte 96. */
inline void turn_blocks(uchar *columns, index_t pitch, index_t bytes) {
  index_t i = 0;
  for (; i + 2 * LANE_UNITS <= pitch; i += 2 * LANE_UNITS) {
    turn_4_blocks(columns + i, pitch);
  }
  if (i < bytes) {
    turn_2_blocks(columns + i, pitch);
  }
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
  PREFETCH(source + ahead + count - 1); /* its line has no step where a column begins in a line */
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
