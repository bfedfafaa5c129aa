/*
 * map_any: any strides, one element for each work-item. If the destination is packed, each
 * work-item takes a whole byte, so that work-items share no byte. The elements are then neighbours
 * in the order of the axes, or rows of neighbours. The bits around the tensor and between rows
 * stay.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RESAMPLE_CL
#include "resample.cl"
#endif

/* The places of element i, counted along the axes. Example: extents 3 and 2, the fastest first,
 * split element 4 into the digits 1 and 1. */
INLINED places_t find_places(mapped_ref move, count_t i) {
  places_t places = first_places(move);
  count_t rest = i;
  EACH_AXIS(k, 0, AXES, move->axis_count) { /* the fastest first */
    const index_t digit = take_digit(&rest, move->axes[k].extent, move->axes[k].divisor);
#pragma unroll
    for (int operand = 0; operand < OPERANDS; operand++) {
      places.at[operand] += digit * move->axes[k].strides[operand];
    }
  }
  return places;
}

/* Returns the destination code of the element at these places. */
INLINED TO_T map_element(global const uchar *source, mapped_ref move, const tensors_t tensors,
                         const places_t places) {
  const parameters_t p = parameters_at(move, tensors, places);
  return (TO_T)CONVERT(LOAD_FROM(source, move, places.at[CLRS_FROM]), p);
}

/* Writes one byte of packed elements. Slot k of byte b is element b * per_byte + k - start, counted
 * from the first row. Rows are `run` elements, row_chunks apart. A slot in front of the first row,
 * between rows or behind the last row keeps its bits. Example: 4-bit elements, start 1, rows of 3
 * elements, 4 apart. Byte 0 has a slot in front, and element 0 of row 0. Byte 1 has elements 1
 * and 2. Byte 2 has a gap, and element 0 of row 1. */
INLINED void map_byte(global const uchar *source, global uchar *destination, mapped_ref move,
                      const tensors_t tensors, count_t byte) {
  const element_t to = ELEMENT(TO);
  const index_t per_byte = 8 / to.bits;
  uint mask = 0, bits = 0;
  for (index_t slot = 0; slot < per_byte; slot++) {
    const index_t at = (index_t)byte * per_byte + slot - move->starts[CLRS_TO];
    count_t row = (count_t)max(at, (index_t)0);
    const index_t column = take_digit(&row, move->row_chunks, move->row_chunks_divisor);
    if (at >= 0 && column < move->run && row < (count_t)move->chunk_rows) {
      const places_t places = find_places(move, row * (count_t)move->run + (count_t)column);
      const uint shift = packed_shift(to, (uint)slot);
      bits |= (uint)map_element(source, move, tensors, places) << shift;
      mask |= ((1u << to.bits) - 1u) << shift;
    }
  }
  if (mask != 0xff) {
    bits |= destination[byte] & ~mask;
  }
  if (mask != 0) { /* else the byte lies in a gap */
    destination[byte] = (uchar)bits;
  }
}

BODY void move_map_any(const work_t work, global const uchar *source, global uchar *destination,
                       mapped_ref move, const tensors_t tensors) {
  bool is_any_outside = false;
  for (count_t i = work.first; i < (count_t)move->count; i += work.step) {
    if (ELEMENT(TO).bits < 8) {
      map_byte(source, destination, move, tensors, i);
    } else {
      places_t places = find_places(move, i);
      const bool is_named = name_place(move, tensors, &places, &is_any_outside);
      if (is_named || !SCATTERS) {
        const TO_T code =
            is_named ? map_element(source, move, tensors, places) : (TO_T)SKIPPED_CODE;
        store_code(ELEMENT(TO), destination, places.at[CLRS_TO], code);
      }
    }
  }
  end_indices(move, tensors, is_any_outside);
}

MAP_KERNEL(map_any)
