/*
 * Sub-byte units in packed form. Packed bytes are read into a stage, and written from a stage from
 * any bit on. Native code only.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PACKED_LINES_CL
#define CLRS_PACKED_LINES_CL
#ifndef CLRS_UNPACKED_CL
#include "unpacked.cl"
#endif

#if NATIVE_CODE
/* Returns a line of bytes that begins `past` bits (1 to 7) into the first line. The second line
 * begins a byte further on. With 4 bits, bytes 0x21 and 0x43 give 0x32 if the first unit is in the
 * low bits. */
HELPER line_t shift_lines(line_t first, line_t second, uint past) {
#if MSB_FIRST
  return first << (line_t)(uchar)past | second >> (line_t)(uchar)(8 - past);
#else
  return first >> (line_t)(uchar)past | second << (line_t)(uchar)(8 - past);
#endif
}

HELPER line_t load_shifted(const uchar *from, uint past) {
  return shift_lines(((const any_units_t *)from)->value, ((const any_units_t *)(from + 1))->value,
                     past);
}

HELPER line_t load_from_bit(const uchar *from, uint past) {
  return past == 0 ? ((const any_units_t *)from)->value : load_shifted(from, past);
}

/* Reads exactly these bytes. The last vector overlaps the vector before. */
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

/* Writes the first `count` bytes of a line, fewer than a line. */
HELPER void write_part(line_t line, global uchar *to, index_t count) {
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

/* Writes whole bytes from bit `past` of a packed stage on, with whole lines in the middle. */
HELPER void write_bytes(const uchar *from, uint past, global uchar *to, index_t count) {
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
