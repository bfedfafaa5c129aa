/*
 * subbyte: units of 1, 2 or 4 bits. Bytes are written whole, so one work-item owns each destination
 * byte and asks of every slot in it which unit belongs there, if any; the other slots keep what
 * they hold.
 *
 * The outer axes of the nest leave at least a byte between their steps: they number the chunks.
 * Within a chunk a slot's position becomes the digits of the inner axes by division by their
 * destination strides, each of which steps over all that lies inside it.
 *
 * A work-item of a CPU owns a share of neighbouring bytes, and writes whole runs of them
 * where the innermost axis allows. With FILLS there is no source: every unit gets the low bits of
 * `value`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef UNIT
#define UNIT uchar
#endif
#ifndef UNIT_BITS
#define UNIT_BITS 4
#endif
#ifndef OWN_WORDS
#define OWN_WORDS span
#endif
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#ifndef FILLS
#define FILLS 0
#endif
#ifndef INTERLEAVED
#define INTERLEAVED 0
#endif

INLINED uint load_unit(global const uchar *source, ulong start, index_t position) {
  const ulong unit = start + (ulong)(long)position;
  return ((uint)source[unit / UNITS_PER_BYTE] >> slot_shift((uint)(unit % UNITS_PER_BYTE))) &
         UNIT_MASK;
}

#if INTERLEAVED

/* How far the axes inside of axis k reach together. */
INLINED index_t reach_inside(move_ref move, index_t k) {
  index_t reach = 0;
  for (index_t i = k + 1; i < move->axis_count; i++) {
    reach += (move->axes[i].extent - 1) * move->axes[i].destination_stride;
  }
  return reach;
}

/* As below, by trying digits from the largest: one less at axis k leaves a stride more to the axes
 * inside it, as long as they reach so far. A unit that is found is alone. */
INLINED index_t find_units(move_ref move, index_t place, index_t *from) {
  index_t digits[NEST_AXES];
  index_t rest = place, k = move->outer_axis_count;
  bool forward = true;
  while (k < move->axis_count || rest != 0) {
    forward = forward && k < move->axis_count;
    k -= forward ? 0 : 1;
    if (k < move->outer_axis_count) {
      return 0;
    }
    const nest_axis_t axis = move->axes[k];
    const index_t stride = axis.destination_stride;
    const index_t reach = reach_inside(move, k);
    if (forward) {
      digits[k] = min((index_t)divide((count_t)rest, axis.divisor), axis.extent - 1);
      rest -= digits[k] * stride;
      *from += digits[k] * axis.source_stride;
      forward = rest <= reach;
      k += 1;
    } else if (digits[k] > 0 && rest + stride <= reach) {
      digits[k] -= 1;
      rest += stride;
      *from -= axis.source_stride;
      forward = true;
      k += 1;
    } else {
      rest += digits[k] * stride;
      *from -= digits[k] * axis.source_stride;
    }
  }
  return 1;
}

#else

/* Is there a unit at this place of the chunk? Adds its source position to *from. Gives how many
 * units from here on follow each other along the innermost axis, 0 for none. */
INLINED index_t find_units(move_ref move, index_t place, index_t *from) {
  count_t rest = (count_t)place;
  index_t left = 1;
  for (index_t k = move->outer_axis_count; k < move->axis_count; k++) {
    const nest_axis_t axis = move->axes[k];
    const count_t digit = divide(rest, axis.divisor);
    if (digit >= (count_t)axis.extent) {
      return 0;
    }
    rest -= digit * (count_t)axis.destination_stride;
    *from += (index_t)digit * axis.source_stride;
    left = axis.destination_stride == 1 ? axis.extent - (index_t)digit : 1;
  }
  return rest == 0 ? left : 0;
}

#endif

#if FILLS
#define SOURCE uint4 value
#define LOAD(position) ((void)(position), value.x & UNIT_MASK)
#else
#define SOURCE global const uchar *source, ulong source_start
#define LOAD(position) load_unit(source, source_start, position)
#endif

#if LEVEL_AXES > 0
#define STORAGE_OF(move, position) follow_stack(move, (position) + (move)->first_position)
#else
#define STORAGE_OF(move, position) (position)
#endif

#if !FILLS
/* Of two neighbouring bytes the eight bits from bit `past` (1 to 7) of the first on. With the first
 * unit in the low bits, 0x21 and 0x43 are the units 1 2 3 4 of 4 bits: from bit 4 on they are 2 3,
 * the byte 0x32. */
INLINED uchar cut_byte(uint first, uint second, uint past) {
#if MSB_FIRST
  const uint low = second, high = first, shift = 8 - past;
#else
  const uint low = first, high = second, shift = past;
#endif
#if NATIVE_CODE /* one funnel shift, which Oclgrind does not know */
  return (uchar)((low >> shift) | (high << (8 - shift)));
#else
  return (uchar)((ushort)(low | high << 8) >> shift);
#endif
}

/* Whole bytes whose units follow each other in the source too, but begin at another place in a
 * byte. */
INLINED void shift_bytes(global const uchar *source, ulong unit, global uchar *destination,
                         index_t count) {
  const uint past = (uint)(unit % UNITS_PER_BYTE) * UNIT_BITS;
  source += unit / UNITS_PER_BYTE;
  if (past == 0) {
    for (index_t i = 0; i < count; i++) {
      destination[i] = source[i];
    }
    return;
  }
  for (index_t i = 0; i < count; i++) {
    destination[i] = cut_byte(source[i], source[i + 1], past);
  }
}
#endif

/* Whole bytes, all of whose units lie along the innermost axis. */
INLINED void write_run(SOURCE, index_t from, index_t stride, global uchar *destination,
                       index_t count) {
#if !FILLS
  if (stride == 1) {
    shift_bytes(source, source_start + (ulong)(long)from, destination, count);
    return;
  }
#endif
  for (index_t i = 0; i < count; i++) {
    uint byte_value = 0;
    for (uint slot = 0; slot < UNITS_PER_BYTE; slot++) {
      byte_value |= LOAD(from) << slot_shift(slot);
      from += stride;
    }
    destination[i] = (uchar)byte_value;
  }
}

/* One byte, slot by slot; slots without a unit keep what they hold. */
INLINED void write_byte(move_ref move, SOURCE, index_t from, index_t first_place,
                        global uchar *destination) {
  uint byte_value = 0, owned = 0;
  for (uint slot = 0; slot < UNITS_PER_BYTE; slot++) {
    const index_t place = first_place + (index_t)slot;
    index_t unit = from;
    if (place >= 0 && find_units(move, place, &unit) > 0) {
      byte_value |= LOAD(STORAGE_OF(move, unit)) << slot_shift(slot);
      owned |= UNIT_MASK << slot_shift(slot);
    }
  }
  if (owned == 0xffu) {
    *destination = (uchar)byte_value;
  } else if (owned != 0) {
    *destination = (uchar)((*destination & ~owned) | byte_value);
  }
}

#if FILLS
#define SOURCE_ARGUMENTS value
#else
#define SOURCE_ARGUMENTS source, source_start
#endif

/* Writes the byte of this index and, along a run, up to `most` bytes; gives how many. */
INLINED count_t write_bytes(move_ref move, SOURCE, global uchar *destination,
                            ulong destination_start, count_t i, count_t most) {
  count_t rest = i;
  const index_t byte_of_span = take_digit(&rest, move->bytes_per_span, move->span_divisor);
  index_t from = 0, to = 0;
  for (index_t k = move->outer_axis_count; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    const index_t digit = take_digit(&rest, axis.extent, axis.divisor);
    from += digit * axis.source_stride;
    to += digit * axis.destination_stride;
  }
  const ulong span = destination_start + (ulong)(long)to;
  const ulong byte = span / UNITS_PER_BYTE + (ulong)byte_of_span;
  /* Where slot 0 of the byte lies in the span; before its start in the first byte. */
  const index_t first_place = (index_t)(byte * UNITS_PER_BYTE - span);
  if (first_place > move->span_units) {
    return 1; /* this span begins early enough in a byte to need one byte less */
  }
#if LEVEL_AXES == 0
  index_t unit = from;
  const index_t left = first_place >= 0 ? find_units(move, first_place, &unit) : 0;
  const count_t run = min((count_t)left / UNITS_PER_BYTE, most);
  if (run > 0) {
    write_run(SOURCE_ARGUMENTS, unit, move->axes[move->axis_count - 1].source_stride,
              destination + byte, (index_t)run);
    return run;
  }
#else
  (void)most; /* a stack leads every unit to a place of its own */
#endif
  write_byte(move, SOURCE_ARGUMENTS, from, first_place, destination + byte);
  return 1;
}

INLINED void move_subbyte(SOURCE, global uchar *destination, ulong destination_start,
                          move_ref move) {
  const count_t share = (count_t)move->chunks_per_item;
  for (count_t start = first_index() * share; start < (count_t)move->count;
       start += index_step() * share) {
    const count_t end = min(start + share, (count_t)move->count);
    for (count_t i = start; i < end;) {
      i += write_bytes(move, SOURCE_ARGUMENTS, destination, destination_start, i, end - i);
    }
  }
}

#if FILLS && BATCHED
kernel void subbyte(SOURCE, MOVE_PARAMETERS) {
  move_subbyte(SOURCE_ARGUMENTS, ENTRY_BUFFER(destination), ENTRY_START(destination), &ENTRY.move);
}
#elif FILLS
kernel void subbyte(SOURCE, global uchar *destination, ulong destination_start, const move_t move) {
  move_subbyte(SOURCE_ARGUMENTS, destination, destination_start, &move);
}
#else
MOVE_KERNEL(subbyte)
#endif
