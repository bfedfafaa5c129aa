/*
 * composed: a gather whose source has no common axes with the destination. The nest gives a
 * position in the top walk of the source. The stack of walks translates this position to the
 * storage, level by level. Each unit is still read once and written once.
 *
 * On a GPU a work-item follows the stack for one unit. On a CPU a work-item takes chunks of
 * CLRS_DECODED_UNITS units by some rows. The units are neighbours in the destination and are
 * decoded together, one digit of all units after the other, in vector instructions. Rows are steps
 * of the nest's first axis. Until a digit of some unit wraps, the distance from row to row is
 * constant, so one decoding serves several rows. Rows a period apart often share source lines, so
 * chunks follow each other from period to period.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef LEVEL_AXES
#define LEVEL_AXES 16
#endif
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#if CHUNKED

#ifndef CLRS_LATTICE_TILE_CL
#include "lattice_tile.cl"
#endif

#if UNIT_BITS < 8
#define UNITS_PER_PLACE UNITS_PER_BYTE
#define BYTE_SHIFT (UNIT_BITS == 1 ? 3 : UNIT_BITS == 2 ? 2 : 1) /* shift from units to bytes */
#else
#define UNITS_PER_PLACE 1
#endif
#define MOST_ROWS ((index_t)1 << 30)

typedef struct decoded_t {
  index_t count;
  index_t from[CLRS_DECODED_UNITS]; /* positions in the top walk, in row 0 */
  index_t to[CLRS_DECODED_UNITS];   /* positions in the destination, in row 0 */
  index_t at[CLRS_DECODED_UNITS];   /* positions in the storage, in the first row of a run */
} decoded_t;

/* The change of each level's digits from row to row, while no digit wraps. */
typedef struct row_step_t {
  index_t from, to, storage;
#if UNIT_BITS < 8
  index_t first_slot, highest_unit;
#endif
  index_t digits[LEVEL_AXES];
} row_step_t;

/* Returns the digits of a row step of either sign, each the nearest to 0. Example: a step of 7
 * positions over axes of 4 and 6, the fastest first, is one step back along the first axis and two
 * steps along the second, because 2 * 4 - 1 is 7. */
HELPER row_step_t find_row_step(move_ref move) {
  row_step_t row;
  row.from = row.to = row.storage = 0;
  for (index_t k = 0; k < LEVEL_AXES; k++) {
    row.digits[k] = 0;
  }
  if (move->rows_per_chunk == 0) {
    return row;
  }
  row.from = row.storage = move->axes[0].source_stride;
  row.to = move->axes[0].destination_stride;
  for (index_t level = 0, next = 0; level < move->level_count; level++) {
    index_t rest = row.storage;
    row.storage = 0;
    for (index_t end = next + move->levels[level].axis_count; next < end; next++) {
      const level_axis_t axis = move->level_axes[next];
      index_t digit = rest;
      if (next + 1 < end) {
        digit = rest % axis.extent;
        rest /= axis.extent;
        const index_t carry = digit > axis.extent / 2 ? 1 : digit < -(axis.extent / 2) ? -1 : 0;
        digit -= carry * axis.extent;
        rest += carry;
      }
      row.digits[next] = digit;
      row.storage += digit * axis.stride;
    }
  }
  return row;
}

/* Takes one more digit of every unit. */
HELPER void take_decoded_digits(const level_axis_t axis, bool is_last, index_t count, index_t *rest,
                                index_t *at, index_t *lowest, index_t *highest) {
  if (is_last) {
    for (index_t i = 0; i < count; i++) {
      *lowest = min(*lowest, rest[i]);
      *highest = max(*highest, rest[i]);
      at[i] += rest[i] * axis.stride;
    }
    return;
  }
  for (index_t i = 0; i < count; i++) {
    count_t left = (count_t)rest[i];
    const index_t digit = take_digit(&left, axis.extent, axis.divisor);
    rest[i] = (index_t)left;
    *lowest = min(*lowest, digit);
    *highest = max(*highest, digit);
    at[i] += digit * axis.stride;
  }
}

/* Follows the stack for all units in this row. Returns the number of rows from here in which no
 * digit wraps. Example: the units' digits along an axis of 10 are 2 to 4, and each row adds 2. The
 * highest digit is 4, 6 and 8 in three rows, and would be 10 in the next row. */
HELPER index_t follow_decoded(move_ref move, const row_step_t *row, index_t first_row,
                              decoded_t *decoded) {
  index_t rest[CLRS_DECODED_UNITS];
  index_t rows = MOST_ROWS;
  const index_t past = move->first_position + first_row * row->from;
  for (index_t i = 0; i < decoded->count; i++) {
    decoded->at[i] = decoded->from[i] + past;
  }
  for (index_t level = 0, next = 0; level < move->level_count; level++) {
    for (index_t i = 0; i < decoded->count; i++) {
      rest[i] = decoded->at[i];
      decoded->at[i] = move->levels[level].offset;
    }
    for (index_t end = next + move->levels[level].axis_count; next < end; next++) {
      const level_axis_t axis = move->level_axes[next];
      const index_t step = row->digits[next];
      index_t lowest = axis.extent, highest = 0;
      take_decoded_digits(axis, next + 1 == end, decoded->count, rest, decoded->at, &lowest,
                          &highest);
      if (step != 0) {
        const index_t room = step > 0 ? axis.extent - 1 - highest : lowest;
        rows = min(rows, room / (step > 0 ? step : -step) + 1);
      }
    }
  }
  return rows;
}

/* Finds the positions of decoded->count units in the nest, from unit `first` on. */
HELPER void decode_nest(move_ref move, count_t first, decoded_t *decoded) {
  index_t rest[CLRS_DECODED_UNITS];
  const index_t outermost = move->rows_per_chunk > 0 ? 1 : 0;
  for (index_t i = 0; i < decoded->count; i++) {
    rest[i] = (index_t)first + i;
    decoded->from[i] = decoded->to[i] = 0;
  }
  for (index_t k = move->axis_count; k-- > outermost;) {
    const nest_axis_t axis = move->axes[k];
    for (index_t i = 0; i < decoded->count; i++) {
      count_t left = (count_t)rest[i];
      const index_t digit = take_digit(&left, axis.extent, axis.divisor);
      rest[i] = (index_t)left;
      decoded->from[i] += digit * axis.source_stride;
      decoded->to[i] += digit * axis.destination_stride;
    }
  }
}

HELPER bool are_neighbours(const index_t *positions, index_t count) {
  index_t difference = 0;
  for (index_t i = 0; i < count; i++) {
    difference |= positions[i] - positions[0] - i;
  }
  return difference == 0;
}

#if UNIT_BITS < 8

/* A word that may begin at any byte. */
typedef struct ANY_BYTES any_word_t {
  uint value;
} any_word_t;

/* Loads the unit at positions[i] + past into the low bits of units[i]. Whole words are gathered if
 * three bytes after the last byte may be read, else single bytes. */
HELPER void load_units(global const uchar *restrict source, const index_t *positions, index_t past,
                       bool in_words, index_t count, uint *units) {
#ifdef __ENDIAN_LITTLE__
  if (in_words) {
    for (index_t i = 0; i < count; i++) {
      const index_t unit = positions[i] + past;
      units[i] = ((global const any_word_t *)(source + (unit >> BYTE_SHIFT)))->value >>
                 slot_shift((uint)unit % UNITS_PER_BYTE);
    }
    return;
  }
#endif
  for (index_t i = 0; i < count; i++) {
    const index_t unit = positions[i] + past;
    units[i] = (uint)source[unit >> BYTE_SHIFT] >> slot_shift((uint)unit % UNITS_PER_BYTE);
  }
}

HELPER uchar pack_byte(const uint *units) {
  uint byte_value = 0;
#pragma unroll
  for (uint slot = 0; slot < UNITS_PER_BYTE; slot++) {
    byte_value |= (units[slot] & UNIT_MASK) << slot_shift(slot);
  }
  return (uchar)byte_value;
}

/* Returns the highest unit of the lowest walk. */
HELPER index_t highest_unit(move_ref move) {
  index_t highest = 0, first = 0;
  for (index_t level = 0; level + 1 < move->level_count; level++) {
    first += move->levels[level].axis_count;
  }
  const index_t end = first + move->levels[move->level_count - 1].axis_count;
  for (index_t k = first; k < end; k++) {
    highest += max((move->level_axes[k].extent - 1) * move->level_axes[k].stride, (index_t)0);
  }
  return highest;
}

/* Moves rows of packed units. The host ensures that the units of a byte stay together. */
HELPER void move_rows(global const uchar *restrict source, const row_step_t *row,
                      const decoded_t *decoded, global uchar *restrict destination, index_t rows) {
  uint units[CLRS_DECODED_UNITS];
  const bool is_run = are_neighbours(decoded->to, decoded->count);
  const index_t bytes = decoded->count / UNITS_PER_BYTE;
  index_t highest = decoded->at[0];
  for (index_t i = 1; i < decoded->count; i++) {
    highest = max(highest, decoded->at[i]);
  }
  highest += max(row->storage, (index_t)0) * (rows - 1);
  const bool in_words = highest + 4 * UNITS_PER_BYTE <= row->highest_unit;
  for (index_t r = 0; r < rows; r++) {
    const index_t past = row->first_slot + r * row->storage;
    load_units(source, decoded->at, past, in_words, decoded->count, units);
    if (is_run) {
      global uchar *run = destination + decoded->to[0] / UNITS_PER_BYTE;
      for (index_t i = 0; i < bytes; i++) {
        run[i] = pack_byte(units + i * UNITS_PER_BYTE);
      }
    } else {
      for (index_t i = 0; i < bytes; i++) {
        destination[decoded->to[i * UNITS_PER_BYTE] / UNITS_PER_BYTE] =
            pack_byte(units + i * UNITS_PER_BYTE);
      }
    }
    destination += row->to / UNITS_PER_BYTE;
  }
}

#else

/* Moves neighbouring units of a row. */
HELPER void move_decoded(global const UNIT *restrict source, const index_t *from,
                         global UNIT *restrict destination, const index_t *to, bool is_run,
                         index_t count) {
  if (is_run) {
    destination += to[0];
    for (index_t i = 0; i < count; i++) {
      destination[i] = source[from[i]];
    }
  } else {
    for (index_t i = 0; i < count; i++) {
      destination[to[i]] = source[from[i]];
    }
  }
}

/* Moves rows. If source rows share lines, the units of a destination line are moved for all rows
 * before the next units, so that these lines stay in the cache. */
HELPER void move_rows(global const UNIT *restrict source, const row_step_t *row,
                      const decoded_t *decoded, global UNIT *restrict destination, index_t rows) {
  const bool is_run = are_neighbours(decoded->to, decoded->count);
  const bool share_lines = -UNITS_PER_LINE < row->storage && row->storage < UNITS_PER_LINE;
  const index_t width = share_lines ? UNITS_PER_LINE : CLRS_DECODED_UNITS;
  if (is_run && are_neighbours(decoded->at, decoded->count)) {
    for (index_t r = 0; r < rows; r++) {
      stream_run(source + decoded->at[0] + r * row->storage,
                 destination + decoded->to[0] + r * row->to, decoded->count);
    }
    return;
  }
  for (index_t first = 0; first < decoded->count; first += width) {
    const index_t count = min(width, decoded->count - first);
    for (index_t r = 0; r < rows; r++) {
      move_decoded(source + r * row->storage, decoded->at + first, destination + r * row->to,
                   decoded->to + first, is_run, count);
    }
  }
}

#endif

HELPER void move_chunk(move_ref move, const row_step_t *row, global const UNIT *source,
                       decoded_t *decoded, global UNIT *destination, index_t first_row,
                       index_t end_row) {
  for (index_t r = first_row; r < end_row;) {
    const index_t rows = min(follow_decoded(move, row, r, decoded), end_row - r);
    move_rows(source, row, decoded, destination + r * row->to / UNITS_PER_PLACE, rows);
    r += rows;
  }
}

HELPER void move_decoded_chunks(global const UNIT *source, ulong source_start,
                                global UNIT *destination, ulong destination_start, move_ref move,
                                count_t first, count_t end) {
  row_step_t row = find_row_step(move);
#if UNIT_BITS < 8
  row.first_slot = (index_t)(source_start % UNITS_PER_BYTE);
  row.highest_unit = highest_unit(move);
#endif
  const bool has_rows = move->rows_per_chunk > 0;
  const index_t rows_per_period = has_rows ? move->rows_per_period : 1;
  const index_t rows_per_chunk = has_rows ? move->rows_per_chunk : 1;
  const count_t periods = has_rows ? (count_t)(move->axes[0].extent / rows_per_period) : 1;
  const count_t chunks_per_period = (count_t)((rows_per_period - 1) / rows_per_chunk + 1);
  count_t unit_count = 1;
  for (index_t k = has_rows ? 1 : 0; k < move->axis_count; k++) {
    unit_count *= (count_t)move->axes[k].extent;
  }
  decoded_t decoded;
  source += source_start / UNITS_PER_PLACE;
  destination += destination_start / UNITS_PER_PLACE;
  for (count_t i = first; i < end; i++) {
    const count_t first_unit = i / periods / chunks_per_period * CLRS_DECODED_UNITS;
    const index_t period = (index_t)(i % periods) * rows_per_period;
    const index_t first_row = (index_t)(i / periods % chunks_per_period) * rows_per_chunk;
    decoded.count = (index_t)min(unit_count - first_unit, (count_t)CLRS_DECODED_UNITS);
    decode_nest(move, first_unit, &decoded);
    move_chunk(move, &row, source, &decoded, destination, period + first_row,
               period + min(first_row + rows_per_chunk, rows_per_period));
  }
}

BODY void move_composed(const work_t work, global const UNIT *source, ulong source_start,
                        global UNIT *destination, ulong destination_start, move_ref move) {
  const count_t first = work.first * (count_t)move->chunks_per_item;
  const count_t end = min(first + (count_t)move->chunks_per_item, (count_t)move->count);
#if UNIT_BITS >= 8
  if (move->lattice_run > 0) {
    move_lattice(source + source_start, destination + destination_start, move, first, end);
    return;
  }
#endif
  move_decoded_chunks(source, source_start, destination, destination_start, move, first, end);
}

#else

BODY void move_composed(const work_t work, global const UNIT *source, ulong source_start,
                        global UNIT *destination, ulong destination_start, move_ref move) {
  source += source_start;
  destination += destination_start;
  FOR_EACH(i, work.first, work.step, move->count) {
    const positions_t unit = find_positions(move, i);
    destination[unit.to] = source[follow_stack(move, move->first_position + unit.from)];
  }
}

#endif

MOVE_KERNEL(composed)
