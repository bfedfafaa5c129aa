/*
 * bits: units of 1, 2 or 4 bits. Bytes are written whole, so one work-item owns each destination
 * byte and asks of every slot in it which unit belongs there, if any; the other slots keep what
 * they hold.
 *
 * The outer axes of the nest leave at least a byte between their steps: they number the blocks.
 * Within a block a slot's position becomes the digits of the inner axes by division by their
 * destination strides, each of which steps over all that lies inside it.
 *
 * With FILLS there is no source: every unit gets the low bits of `value`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef UNIT_BITS
#define UNIT_BITS 4
#endif
#ifndef CLRS_COMMON_CL
#include "common.cl"
#endif

#ifndef FILLS
#define FILLS 0
#endif
#ifndef MSB_FIRST
#define MSB_FIRST 0
#endif
#define UNITS_PER_BYTE (8 / UNIT_BITS)
#define UNIT_MASK ((1u << UNIT_BITS) - 1u)

/* How far to shift the unit in this slot of its byte. */
inline uint slot_shift(uint slot) {
  return UNIT_BITS * (MSB_FIRST ? UNITS_PER_BYTE - 1 - slot : slot);
}

inline uint load_unit(global const uchar *source, ulong start, index_t position) {
  const ulong unit = start + (ulong)(long)position;
  return ((uint)source[unit / UNITS_PER_BYTE] >> slot_shift((uint)(unit % UNITS_PER_BYTE))) &
         UNIT_MASK;
}

/* Is there a unit at this place of the block? Adds its source position to *from. */
inline bool find_unit(const move_t *move, index_t place, index_t *from) {
  count_t rest = (count_t)place;
  for (index_t k = move->outer_axis_count; k < move->axis_count; k++) {
    const nest_axis_t axis = move->axes[k];
    const count_t digit = divide(rest, axis.divisor);
    if (digit >= (count_t)axis.extent) {
      return false;
    }
    rest -= digit * (count_t)axis.destination_stride;
    *from += (index_t)digit * axis.source_stride;
  }
  return rest == 0;
}

#if FILLS
kernel void bits(uint4 value, global uchar *destination, ulong destination_start,
                 const move_t move) {
#else
kernel void bits(global const uchar *source, ulong source_start, global uchar *destination,
                 ulong destination_start, const move_t move) {
#endif
  for (count_t i = first_index(); i < (count_t)move.count; i += index_step()) {
    count_t rest = i;
    const index_t byte_of_block = take_digit(&rest, move.bytes_per_block, move.block_divisor);
    index_t from = 0, to = 0;
    for (index_t k = move.outer_axis_count; k-- > 0;) {
      const nest_axis_t axis = move.axes[k];
      const index_t digit = take_digit(&rest, axis.extent, axis.divisor);
      from += digit * axis.source_stride;
      to += digit * axis.destination_stride;
    }
    const ulong block = destination_start + (ulong)(long)to;
    const ulong byte = block / UNITS_PER_BYTE + (ulong)byte_of_block;
    /* Where slot 0 of the byte lies in the block; before its start in the first byte. */
    const index_t first_place = (index_t)(byte * UNITS_PER_BYTE - block);
    if (first_place > move.inner_span) {
      continue; /* this block begins early enough in a byte to need one byte less */
    }
    uint byte_value = 0, owned = 0;
    for (uint slot = 0; slot < UNITS_PER_BYTE; slot++) {
      const index_t place = first_place + (index_t)slot;
      index_t unit = from;
      if (place >= 0 && place <= move.inner_span && find_unit(&move, place, &unit)) {
#if LEVEL_AXES > 0
        unit = follow_stack(&move, unit + move.first_position);
#endif
#if FILLS
        byte_value |= (value.x & UNIT_MASK) << slot_shift(slot);
#else
        byte_value |= load_unit(source, source_start, unit) << slot_shift(slot);
#endif
        owned |= UNIT_MASK << slot_shift(slot);
      }
    }
    if (owned == 0xffu) {
      destination[byte] = (uchar)byte_value;
    } else if (owned != 0) {
      destination[byte] = (uchar)((destination[byte] & ~owned) | byte_value);
    }
  }
}
