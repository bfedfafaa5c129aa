/*
 * fill: one value into every unit of a destination of any strides. The value is repeated to 16
 * bytes, so a unit of any width is its low bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_COMMON_CL
#include "common.cl"
#endif

kernel void fill(uint4 value, global UNIT *destination, ulong destination_start,
                 const move_t move) {
  union {
    uint4 value;
    UNIT unit;
  } low = {value};
  destination += destination_start;
  for (count_t i = first_index(); i < (count_t)move.count; i += index_step()) {
    count_t rest = i;
    index_t to = 0;
    for (index_t k = move.axis_count; k-- > 0;) {
      const nest_axis_t axis = move.axes[k];
      to += take_digit(&rest, axis.extent, axis.divisor) * axis.destination_stride;
    }
    destination[to] = low.unit;
  }
}
