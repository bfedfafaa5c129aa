/*
 * map_any: any strides, an element for each work-item. Of a packed destination, whose elements are
 * then neighbours in the order of the axes, or rows of them, a byte: work-items share none, and the
 * bits around the tensor and between rows stay.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PARAMETERS_CL
#include "parameters.cl"
#endif

/* Element i, counted through the axes, as its code in the destination; *to is where. */
INLINED TO_T map_element(global const uchar *source, mapped_ref move, const tensors_t tensors,
                         count_t i, index_t *to) {
  places_t places;
  count_t rest = i;
#pragma unroll
  for (int operand = 0; operand < OPERANDS; operand++) {
    places.at[operand] = move->starts[operand];
  }
  EACH_AXIS(k, 0, AXES, move->axis_count) { /* the fastest first */
    const index_t digit = take_digit(&rest, move->axes[k].extent, move->axes[k].divisor);
#pragma unroll
    for (int operand = 0; operand < OPERANDS; operand++) {
      places.at[operand] += digit * move->axes[k].strides[operand];
    }
  }
  const parameters_t p = parameters_at(move, tensors, places);
  *to = places.at[CLRS_TO];
  return (TO_T)CONVERT(load_code(ELEMENT(FROM), source, places.at[CLRS_FROM]), p);
}

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
      index_t unused;
      const count_t i = row * (count_t)move->run + (count_t)column;
      const uint shift = packed_shift(to, (uint)slot);
      bits |= (uint)map_element(source, move, tensors, i, &unused) << shift;
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

INLINED void move_map_any(global const uchar *source, global uchar *destination, mapped_ref move,
                          const tensors_t tensors) {
  for (count_t i = first_index(); i < (count_t)move->count; i += index_step()) {
    if (ELEMENT(TO).bits < 8) {
      map_byte(source, destination, move, tensors, i);
    } else {
      index_t to;
      const TO_T code = map_element(source, move, tensors, i, &to);
      store_code(ELEMENT(TO), destination, to, code);
    }
  }
}

MAP_KERNEL(map_any)
