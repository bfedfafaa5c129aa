/*
 * Runs of units of less than a byte in a packed stage: those of the source are shifted into it, and
 * those of the destination are written from it, or from a stage of a byte for each unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PACKED_RUNS_CL
#define CLRS_PACKED_RUNS_CL
#ifndef CLRS_BOXES_CL
#include "boxes.cl"
#endif
#ifndef CLRS_BIT_BLOCKS_CL
#include "bit_blocks.cl"
#endif

/* Both sides of a move; bytes of the source may be read from its lowest unit to its highest. */
typedef struct buffers_t {
  global const uchar *source;
  ulong source_start;
  global uchar *destination;
  ulong destination_start;
  byte_range_t range;
} buffers_t;

inline byte_range_t find_range(move_ref move, ulong source_start) {
  long low = (long)source_start, high = (long)source_start;
  SHORT_LOOP for (index_t k = move->outer_axis_count + 2 * move->box_axis_count;
                  k < move->axis_count; k++) {
    const long reach = (long)(move->axes[k].extent - 1) * move->axes[k].source_stride;
    low += min(reach, 0l);
    high += max(reach, 0l);
  }
  const byte_range_t range = {low / UNITS_PER_BYTE, high / UNITS_PER_BYTE + 1};
  return range;
}

inline uint read_unit(global const uchar *source, ulong unit) {
  return source[unit / UNITS_PER_BYTE] >> slot_shift((uint)(unit % UNITS_PER_BYTE)) & UNIT_MASK;
}

/* ---- bytes at the ends of runs ---- */

/* Is there a unit at this place of the destination? Gives where it comes from, and how many units
 * from here on follow each other along the innermost axis, 0 for none. */
inline index_t find_units(move_ref move, index_t place, index_t *from) {
  count_t rest = (count_t)place;
  index_t left = 1;
  *from = 0;
  SHORT_LOOP for (index_t k = move->outer_axis_count + 2 * move->box_axis_count;
                  k < move->axis_count; k++) {
    const nest_axis_t axis = move->axes[k];
    const count_t digit = divide(rest, axis.divisor);
    if (digit >= (count_t)axis.extent) {
      return 0;
    }
    rest -= digit * (count_t)axis.destination_stride;
    *from += (index_t)digit * axis.source_stride;
    left = axis.extent - (index_t)digit;
  }
  return rest == 0 ? left : 0;
}

/* Writes the byte in which this run begins or ends, unless it holds a lower unit of another run. */
APART void write_end(move_ref move, const buffers_t *buffers, ulong byte, index_t run) {
  const index_t first_place = (index_t)(long)(byte * UNITS_PER_BYTE - buffers->destination_start);
  const index_t step = move->axes[move->axis_count - 1].source_stride;
  uint value = 0, owned = 0;
  index_t left = 0, from = 0;
  SHORT_LOOP for (index_t slot = 0; slot < UNITS_PER_BYTE; slot++) {
    const index_t place = first_place + slot;
    from += step;
    left = left > 1 ? left - 1 : place < 0 ? 0 : find_units(move, place, &from);
    if (left == 0) {
      continue;
    }
    if (place < run) {
      return;
    }
    value |= read_unit(buffers->source, buffers->source_start + (ulong)(long)from)
             << slot_shift((uint)slot);
    owned |= UNIT_MASK << slot_shift((uint)slot);
  }
  global uchar *to = buffers->destination + byte;
  *to = (uchar)(owned == 0xffu ? value : (*to & ~owned) | value);
}

/* ---- runs ---- */

#if NATIVE_CODE
/* From unit `past` of the run on. */
inline void write_whole_bytes(move_ref move, const uchar *run, uint past, global uchar *to,
                              index_t count) {
  if (move->box_kind != CLRS_BOX_UNPACKED) {
    write_bytes(run + past / UNITS_PER_BYTE, past % UNITS_PER_BYTE * UNIT_BITS, to, count);
  } else {
    pack_bytes(run + past, to, count);
  }
}
#endif

/* Writes a run that begins at this place. It is a byte for each unit, or packed; there `before`
 * units of its first byte lie before it. */
APART void write_run(move_ref move, const buffers_t *buffers, index_t place, index_t units,
                     const uchar *run, uint before) {
  const ulong first = buffers->destination_start + (ulong)(long)place;
  const ulong end = first + (ulong)units;
#if NATIVE_CODE
  const ulong first_whole = (first + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE;
#else
  (void)run;
  (void)before;
#endif
  SHORT_LOOP for (ulong byte = first / UNITS_PER_BYTE; byte * UNITS_PER_BYTE < end; byte++) {
#if NATIVE_CODE
    if (byte == first_whole && byte < end / UNITS_PER_BYTE) {
      const uint past = (uint)(byte * UNITS_PER_BYTE - first) + before;
      const index_t count = (index_t)(end / UNITS_PER_BYTE - byte);
      write_whole_bytes(move, run, past, buffers->destination + byte, count);
      byte += (ulong)count - 1;
      continue;
    }
#endif
    write_end(move, buffers, byte, place);
  }
}

#if NATIVE_CODE
APART void put_units(global const uchar *source, ulong unit, index_t units, uchar *stage,
                     index_t at) {
  SHORT_LOOP for (index_t i = 0; i < units; i++) {
    const uint shift = slot_shift((uint)(at + i) % UNITS_PER_BYTE);
    uchar *byte = stage + (at + i) / UNITS_PER_BYTE;
    *byte = (uchar)((*byte & ~(UNIT_MASK << shift)) | read_unit(source, unit + (ulong)i) << shift);
  }
}

/* The bits of the first byte that belong to units before this slot. */
inline uint bits_before(uint slot) {
  return MSB_FIRST ? 0xff00u >> slot * UNIT_BITS & 0xffu : (1u << slot * UNIT_BITS) - 1;
}

/* Units of the source become units of a stage, from `at` on. The byte in which they begin keeps the
 * units before them; bytes behind them, of up to a line, are overwritten.
 *
 * Nibbles 2 to 6 of the source, to unit 3 of the stage on: unit 3 is slot 1 of byte 1. So byte 1
 * keeps its slot 0 and gets nibble 2, byte 2 gets nibbles 3 and 4. Both are bytes of the source
 * from nibble 1 on: from its byte 0 on, shifted by one nibble. */
inline void shift_run(const buffers_t *buffers, ulong unit, index_t units, uchar *stage,
                      index_t at) {
  const uint slot = (uint)at % UNITS_PER_BYTE;
  const index_t bytes = ((index_t)slot + units + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE;
  const long begin = (long)unit - slot;
  const long first = begin >= 0 ? begin / UNITS_PER_BYTE : -1;
  const uint past = (uint)(begin - first * UNITS_PER_BYTE) * UNIT_BITS;
  if (first < buffers->range.begin || first + bytes + LINE_BYTES + 1 > buffers->range.end) {
    put_units(buffers->source, unit, units, stage, at);
    return;
  }
  global const uchar *from = buffers->source + first;
  uchar *to = stage + at / UNITS_PER_BYTE;
  const uint two = MSB_FIRST ? (uint)from[0] << 8 | from[1] : from[0] | (uint)from[1] << 8;
  const uint byte = MSB_FIRST ? two >> (8 - past) : two >> past;
  *to = (uchar)((*to & bits_before(slot)) | (byte & ~bits_before(slot)));
  for (index_t i = 1; i < bytes; i += LINE_BYTES) {
    line_t line = ((global const any_units_t *)(from + i))->value;
    if (past != 0) {
      line = shift_lines(line, ((global const any_units_t *)(from + i + 1))->value, past);
    }
    ((any_units_t *)(to + i))->value = line;
  }
}
#endif

#endif
