/*
 * fill: writes one element to all elements of a destination with any strides. The element is
 * repeated to 16 bytes. If the destination is less aligned than an element, units are parts of
 * elements, and the source strides count those parts. Otherwise the source strides are 0. A CPU
 * fills chunks of rows. A work-item of a GPU fills a 16-byte lane of a row, or one unit if there
 * are no rows of whole elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef OWN_WORDS
#define OWN_WORDS filled
#endif
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif
#if CHUNKED
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif
#else
#ifndef CLRS_VALUE_CL
#include "value.cl"
#endif
#endif

#if CHUNKED

/* Returns a unit of the value through memory, which is fast on a CPU. With the shifts of unit_of
 * the program would be up to three times as long. */
INLINED UNIT stored_unit(uint4 value, index_t part) {
  union {
    uint4 value;
    UNIT units[128 / UNIT_BITS];
  } element = {value};
  return element.units[part];
}

INLINED void fill_run(uint4 value, global UNIT *destination, index_t count) {
  const uint16 line = (uint16)(value, value, value, value);
  const index_t head = min(count, (index_t)units_before_line(destination));
  index_t i = 0;
  for (; i < head; i++) {
    destination[i] = stored_unit(value, 0);
  }
  for (; i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    STORE_LINE(line, (global uint16 *)(destination + i));
  }
  for (; i < count; i++) {
    destination[i] = stored_unit(value, 0);
  }
}

BODY void move_fill(const work_t work, uint4 value, global UNIT *destination,
                    ulong destination_start, move_ref move) {
  const chunk_axis_t column_axis = move->column, row_axis = move->row;
  for (count_t i = first_chunk(move, work); i < end_chunk(move, work); i++) {
    const chunk_t chunk = find_chunk(move, i);
    global UNIT *to = destination + destination_start + chunk.to;
    for (index_t row = 0; row < chunk.rows; row++) {
      if (column_axis.destination_stride == 1 && column_axis.source_stride == 0) {
        fill_run(value, to, chunk.columns);
      } else {
        for (index_t column = 0; column < chunk.columns; column++) {
          to[column * column_axis.destination_stride] =
              stored_unit(value, chunk.from + column * column_axis.source_stride);
        }
      }
      to += row_axis.destination_stride;
    }
  }
}

#else

#define LANE_UNITS (128 / UNIT_BITS)

/* Fills `units` units, a power of two, that are aligned to their total size. Each is the first unit
 * of the value. */
INLINED void fill_part(uint4 value, global UNIT *to, int units) {
  switch (units * UNIT_BITS) {
  case 8:
    *(global uchar *)to = (uchar)value.x;
    break;
  case 16:
    *(global ushort *)to = (ushort)value.x;
    break;
  case 32:
    *(global uint *)to = value.x;
    break;
  default:
    *(global uint2 *)to = value.xy;
    break;
  }
}

/* Fills the part of a 16-byte lane that belongs to the run, which begins `past` units past a lane.
 * Lane 0 holds the first unit of the run. The end of a lane is filled in aligned powers of two,
 * each at most once. Example: bytes 3 to 15 are 1 at 3, 4 at 4 and 8 at 8. Bytes 0 to 12 are 8 at
 * 0, 4 at 8 and 1 at 12. */
INLINED void fill_lane(uint4 value, global UNIT *run, index_t past, index_t lane, index_t units) {
  const index_t first = lane * LANE_UNITS - past;
  const int end = (int)min(units - first, (index_t)LANE_UNITS);
  int at = (int)max(-first, (index_t)0);
  if (at == 0 && end == LANE_UNITS) {
    *(global uint4 *)(run + first) = value;
    return;
  }
#pragma unroll
  for (int part = 1; part < LANE_UNITS; part *= 2) {
    if ((at & part) != 0 && at + part <= end) {
      fill_part(value, run + first + at, part);
      at += part;
    }
  }
#pragma unroll
  for (int part = LANE_UNITS / 2; part > 0; part /= 2) {
    if (at + part <= end) {
      fill_part(value, run + first + at, part);
      at += part;
    }
  }
}

BODY void move_fill(const work_t work, uint4 value, global UNIT *destination,
                    ulong destination_start, move_ref move) {
  FOR_EACH(i, work.first, work.step, move->count) {
    count_t row = i;
    if (move->row_units > 0) {
      const index_t lane = take_digit(&row, move->lanes_per_row, move->row_divisor);
      const ulong to = destination_start + (ulong)(long)find_positions(move, row).to;
      fill_lane(value, destination + to, (index_t)(to % LANE_UNITS), lane, move->row_units);
    } else {
      const positions_t unit = find_positions(move, row);
      destination[destination_start + (ulong)(long)unit.to] = unit_of(value, unit.from);
    }
  }
}

#endif

/* The kernel takes the value in place of a source. All fills of a table have the same value. */
#if BATCHED
kernel IN_LINES void fill(uint4 value, MOVE_PARAMETERS) {
  move_fill(find_work(), value, ENTRY_BUFFER(destination), ENTRY_START(destination), &ENTRY.move);
}
#else
kernel IN_LINES void fill(uint4 value, global UNIT *destination, ulong destination_start,
                          MOVE_WORDS_PARAMETER) {
  move_fill(find_work(), value, destination, destination_start, MOVE_WORDS);
}
#endif
