/*
 * Runs of sub-byte units, written from a packed stage or from a stage with a byte for each unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PACKED_RUNS_CL
#define CLRS_PACKED_RUNS_CL
#ifndef CLRS_BOXES_CL
#include "boxes.cl"
#endif
#ifndef CLRS_PACKED_LINES_CL
#include "packed_lines.cl"
#endif

/* Both sides of a move. */
typedef struct buffers_t {
  global const uchar *source;
  ulong source_start;
  global uchar *destination;
  ulong destination_start;
} buffers_t;

HELPER uint read_unit(global const uchar *source, ulong unit) {
  return source[unit / UNITS_PER_BYTE] >> slot_shift((uint)(unit % UNITS_PER_BYTE)) & UNIT_MASK;
}

/* ---- bytes at the ends of runs ---- */

/* Finds the unit at a place of the destination. Returns how many units from here on are consecutive
 * along the innermost axis, or 0 if no unit has this place. *from becomes the source position. */
HELPER index_t find_units(move_ref move, index_t place, index_t *from) {
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

/* Writes the byte in which this run begins or ends, unless the byte holds a lower unit of another
 * run. */
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
/* Writes whole bytes from unit `past` of the run on. */
HELPER void write_whole_bytes(move_ref move, const uchar *run, uint past, global uchar *to,
                              index_t count) {
  if (move->is_copied != 0) {
    write_bytes(run + past / UNITS_PER_BYTE, past % UNITS_PER_BYTE * UNIT_BITS, to, count);
  } else {
    pack_bytes(run + past, to, count);
  }
}
#endif

/* Writes a run that begins at this place. The run has a byte for each unit, or is packed. The first
 * byte of a packed run has `before` units before the run. */
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

#endif
