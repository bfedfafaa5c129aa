/*
 * Units of less than a byte turned without a byte for each: where neighbours of the destination lie
 * `step` units apart in the source. In native code.
 *
 * With N units in a byte, the units of a run are numbered, and N of them are a group, which becomes
 * a byte. Unit k of the next group lies N * step units further on in the source, which are `step`
 * bytes: so in the same slot of its byte. Plane (k, j) is byte j of what the source has beside unit
 * k, of all groups. It is made by turning bytes. A byte of the destination is then put together out
 * of N planes, of each one slot, and so is a line of 64 of them.
 *
 * Of 4-bit units in rows of 3, the nibbles AB CD EF GH IJ KL: the first run, A D G J, has groups AD
 * and GJ, 3 bytes from each other. A is in slot 0 of byte 0, D in slot 1 of byte 1; so are G and J
 * of bytes 3 and 4. Planes (AB, GH) and (CD, IJ) hold them: bytes of the run, AD and GJ, are slot 0
 * of the one and slot 1 of the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_BYTE_PLANES_CL
#define CLRS_BYTE_PLANES_CL
#ifndef CLRS_PACKED_LINES_CL
#include "packed_lines.cl"
#endif

#if NATIVE_CODE
#define WHOLE_LANES(bytes) (((bytes) + LANE_UNITS - 1) / LANE_UNITS * LANE_UNITS)

/* Columns of the source: the lowest unit of the first, units from one to the next, how many, and
 * units from the lowest of one to its highest. */
typedef struct columns_t {
  ulong first;
  index_t step, count, span;
  index_t ahead; /* bytes to where the next box has them */
} columns_t;

/* Columns of bytes, of one unit of each group: `step` bytes from one to the next. */
typedef struct byte_columns_t {
  long first;
  index_t step, count, bytes, ahead;
} byte_columns_t;

typedef struct planes_t {
  uchar *bytes;
  index_t pitch;                 /* from plane to plane */
  index_t first[UNITS_PER_BYTE]; /* of the planes of unit k of each group */
  uint slots[UNITS_PER_BYTE];    /* there, of the lowest unit */
  index_t period;                /* plane i + period is plane i from the second column on */
} planes_t;

/* Bytes of the source that a stage holds as they lie, those that are there. */
inline void stage_bytes(global const uchar *source, byte_range_t range, long first, index_t bytes,
                        uchar *to) {
  const long begin = max(first, range.begin), end = min(first + bytes, range.end);
  if (begin < end) {
    read_bytes(source + begin, (index_t)(end - begin), to + (begin - first));
  }
}

#define COLUMN_PITCH (2 * LINE_BYTES + LANE_UNITS)
#define STAGED_BYTES (LINE_BYTES * COLUMN_PITCH)

/* Of a line of columns up to two lines each. */
inline void stage_columns(global const uchar *source, byte_range_t range,
                          const byte_columns_t *columns, long first, index_t bytes, uchar *to) {
  const index_t whole = (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  SHORT_LOOP for (index_t i = 0; i < LINE_BYTES; i++, to += COLUMN_PITCH, first += columns->step) {
    if (first < range.begin || first + whole > range.end) {
      stage_bytes(source, range, first, bytes, to);
      continue;
    }
    global const uchar *from = source + first;
    SHORT_LOOP for (index_t line = 0; line < bytes; line += LINE_BYTES) {
      PREFETCH_FAR(from + columns->ahead + line);
      ((any_line_t *)(to + line))->value = ((global const any_line_t *)(from + line))->value;
    }
  }
}

/* plane[i * pitch + k] = byte i of column k */
inline void turn_to_planes(global const uchar *source, byte_range_t range,
                           const byte_columns_t *columns, uchar *plane, index_t pitch) {
  const index_t most = 2 * LINE_BYTES;
  const long reach = (LINE_BYTES - 1) * (long)columns->step;
  uchar stage[STAGED_BYTES + 3 * LINE_BYTES];
  SHORT_LOOP for (index_t column = 0; column < columns->count; column += LINE_BYTES) {
    const long first = columns->first + (long)column * columns->step;
    if (reach + columns->bytes <= STAGED_BYTES && reach > 0) {
      stage_bytes(source, range, first, (index_t)reach + columns->bytes, stage);
      turn_or_zip(stage, columns->step, plane + column, pitch, columns->bytes, LINE_BYTES);
      continue;
    }
    SHORT_LOOP for (index_t byte = 0; byte < columns->bytes; byte += most) {
      const index_t bytes = min(columns->bytes - byte, most);
      stage_columns(source, range, columns, first + byte, bytes, stage);
      turn_or_zip(stage, COLUMN_PITCH, plane + byte * pitch + column, pitch, bytes, LINE_BYTES);
    }
  }
}

/* Planes of all units of a group are made at once if that makes fewer: where columns are short.
 * Where they also lie one behind the other, byte j + step is byte j of the next group. */
inline void stage_planes(global const uchar *source, byte_range_t range, const columns_t *columns,
                         planes_t *planes) {
  const index_t piece = (columns->span + UNITS_PER_BYTE - 2) / UNITS_PER_BYTE + 1;
  long bytes[UNITS_PER_BYTE];
#pragma unroll
  for (int k = 0; k < UNITS_PER_BYTE; k++) {
    const ulong unit = columns->first + (ulong)((long)k * columns->step);
    planes->slots[k] = (uint)(unit % UNITS_PER_BYTE);
    bytes[k] = (long)(unit / UNITS_PER_BYTE);
  }
  const long low = min(bytes[0], bytes[UNITS_PER_BYTE - 1]);
  const long together = max(bytes[0], bytes[UNITS_PER_BYTE - 1]) - low + piece;
  const bool is_one = WHOLE_LANES(together) <= UNITS_PER_BYTE * WHOLE_LANES(piece);
  const bool repeats =
      is_one && 0 < columns->step && columns->step <= LANE_UNITS && columns->step < together;
  byte_columns_t part = {low, columns->step, (columns->count + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE,
                         is_one ? (index_t)together : piece, columns->ahead};
  planes->period = UNITS_PER_BYTE * WHOLE_LANES(piece) + part.bytes;
  if (repeats) {
    part.count += part.bytes / columns->step;
    planes->period = part.bytes = columns->step;
  }
  SHORT_LOOP for (int k = 0; k < UNITS_PER_BYTE; k++) {
    const index_t first = is_one ? 0 : k * WHOLE_LANES(piece);
    planes->first[k] = first + (is_one ? (index_t)(bytes[k] - low) : 0);
    part.first = is_one ? low : bytes[k];
    if (k == 0 || !is_one) {
      turn_to_planes(source, range, &part, planes->bytes + first * planes->pitch, planes->pitch);
    }
  }
}

/* Puts bytes together: of N planes the unit of one slot each. */
typedef struct mix_t {
  const uchar *from[UNITS_PER_BYTE];
  uint turns[UNITS_PER_BYTE]; /* bits from its slot there to the one here */
} mix_t;

inline void add_plane(mix_t *mix, uint slot, const uchar *plane, uint slot_there) {
  mix->from[slot] = plane;
  mix->turns[slot] = slot_shift(slot) - slot_shift(slot_there);
}

APART void mix_planes(const mix_t *mix, index_t bytes, uchar *to) {
  for (index_t i = 0; i < bytes; i += LINE_BYTES) {
    uint16 line = 0;
#pragma unroll
    for (uint k = 0; k < UNITS_PER_BYTE; k++) {
      const uint16 plane = ((const any_line_t *)(mix->from[k] + i))->value;
      const uint16 turn = mix->turns[k];
      const uint16 turned = plane << (turn & 31) | plane >> (-turn & 31);
      line |= turned & (uint16)(0x01010101u * UNIT_MASK << slot_shift(k));
    }
    ((any_line_t *)(to + i))->value = line;
  }
}

/* Bytes of a run: of the units `unit` after the lowest of each column, from column `lead` on, less
 * than a group. */
inline void combine_planes(const planes_t *planes, index_t unit, uint lead, index_t bytes,
                           uchar *run) {
  mix_t mix;
#pragma unroll
  for (uint k = 0; k < UNITS_PER_BYTE; k++) {
    const uint of_group = (lead + k) % UNITS_PER_BYTE;
    const uint at = planes->slots[of_group] + (uint)unit;
    index_t plane = planes->first[of_group] + (index_t)(at / UNITS_PER_BYTE);
    index_t column = (lead + k) / UNITS_PER_BYTE;
    SHORT_LOOP for (; plane >= planes->period; plane -= planes->period) {
      column++;
    }
    add_plane(&mix, k, planes->bytes + plane * planes->pitch + column, at % UNITS_PER_BYTE);
  }
  mix_planes(&mix, bytes, run);
}

/* Rows of the source in a stage, each from the byte on that holds its first unit. */
typedef struct rows_t {
  uchar *bytes;
  index_t pitch, count;
  uchar slots[CLRS_ZIPPED_ROWS]; /* of the first units */
} rows_t;

inline void stage_row(global const uchar *source, ulong unit, index_t units, index_t ahead,
                      rows_t *rows) {
  const uint slot = (uint)(unit % UNITS_PER_BYTE);
  const index_t bytes = (index_t)((slot + (ulong)units + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE);
  source += unit / UNITS_PER_BYTE;
  SHORT_LOOP for (index_t i = 0; i < bytes; i += LINE_BYTES) {
    PREFETCH_FAR(source + ahead + i);
  }
  rows->slots[rows->count] = (uchar)slot;
  read_bytes(source, bytes, rows->bytes + rows->count * rows->pitch);
  rows->count++;
}

/* The other way round: units of each row become every count-th. Bytes of N of them each are put
 * together first, `bytes` of each kind, and then turned. */
inline void interleave_rows(const rows_t *rows, index_t bytes, uchar *planes) {
  index_t row = 0;
  uint unit = 0; /* of the row's group */
  SHORT_LOOP for (index_t i = 0; i < rows->count; i++) {
    mix_t mix;
    SHORT_LOOP for (uint k = 0; k < UNITS_PER_BYTE; k++) {
      const uint at = rows->slots[row] + unit;
      add_plane(&mix, k, rows->bytes + row * rows->pitch + at / UNITS_PER_BYTE,
                at % UNITS_PER_BYTE);
      if (++row == rows->count) {
        row = 0;
        unit++;
      }
    }
    mix_planes(&mix, bytes, planes + i * rows->pitch);
  }
}
#endif

#endif
