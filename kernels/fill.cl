/*
 * fill: one element into all elements of a destination of any strides. The element is repeated to 16
 * bytes. Where the destination is less aligned than an element, units are parts of it, and the
 * source strides count those parts; else they are 0. A CPU fills chunks of rows, a GPU
 * unit by unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif
#if CHUNKED
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif
#endif

inline UNIT unit_of(uint4 value, index_t part) {
  union {
    uint4 value;
    UNIT units[128 / UNIT_BITS];
  } element = {value};
  return element.units[part];
}

#if CHUNKED

inline void fill_run(uint4 value, global UNIT *destination, index_t count) {
  const uint16 line = (uint16)(value, value, value, value);
  const index_t head = min(count, (index_t)units_before_line(destination));
  index_t i = 0;
  for (; i < head; i++) {
    destination[i] = unit_of(value, 0);
  }
  for (; i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    STORE_LINE(line, (global uint16 *)(destination + i));
  }
  for (; i < count; i++) {
    destination[i] = unit_of(value, 0);
  }
}

kernel IN_LINES void fill(uint4 value, global UNIT *destination, ulong destination_start,
                          const move_t move) {
  for (count_t i = first_chunk(&move); i < end_chunk(&move); i++) {
    const chunk_t chunk = find_chunk(&move, i);
    global UNIT *to = destination + destination_start + chunk.to;
    for (index_t row = 0; row < chunk.rows; row++) {
      if (move.column.destination_stride == 1 && move.column.source_stride == 0) {
        fill_run(value, to, chunk.columns);
      } else {
        for (index_t column = 0; column < chunk.columns; column++) {
          to[column * move.column.destination_stride] =
              unit_of(value, chunk.from + column * move.column.source_stride);
        }
      }
      to += move.row.destination_stride;
    }
  }
}

#else

kernel void fill(uint4 value, global UNIT *destination, ulong destination_start,
                 const move_t move) {
  destination += destination_start;
  FOR_EACH(i, first_index(), index_step(), move.count) {
    const positions_t unit = find_positions(&move, i);
    destination[unit.to] = unit_of(value, unit.from);
  }
}

#endif
