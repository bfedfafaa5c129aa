/*
 * composed: a gather whose source has no common axes with the destination. The nest gives the
 * position in the enumeration of the source's top walk; the stack of walks leads from there to the
 * storage, level by level. Still one read and one write per unit.
 *
 * A work-item of a GPU follows the stack for one unit. One of a CPU takes chunks of
 * lanes by rows. Lanes are neighbours in the destination, decoded together, one digit of all of
 * them after the other, which compilers turn into vector instructions. Rows are steps of the nest's
 * first axis: until a digit of some lane wraps, each row lies at one distance from the row before
 * it, so one decoding serves a run of rows. Rows a period apart often share lines of the source, so
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

#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif

#if UNIT_BITS < 8
#define UNITS_PER_PLACE UNITS_PER_BYTE
#define BYTE_SHIFT (UNIT_BITS == 1 ? 3 : UNIT_BITS == 2 ? 2 : 1) /* from units to bytes */
#else
#define UNITS_PER_PLACE 1
#endif
#define LANES 256 /* of several whole bytes, whatever the unit */
#define MOST_ROWS ((index_t)1 << 30)

typedef struct lanes_t {
  index_t count;
  index_t from[LANES]; /* positions in the top walk, in row 0 */
  index_t to[LANES];   /* positions in the destination, in row 0 */
  index_t at[LANES];   /* positions in the storage, in the first row of a run */
} lanes_t;

/* What a step from row to row does to the digits of every level, while none wraps. */
typedef struct row_step_t {
  index_t from, to, storage;
#if UNIT_BITS < 8
  index_t first_slot, highest_unit;
#endif
  index_t digits[LEVEL_AXES];
} row_step_t;

/* The digits of a step of either sign, each the nearest to 0. */
inline row_step_t find_row_step(move_ref move) {
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

/* One more digit of every lane. */
inline void take_lane_digits(const level_axis_t axis, bool is_last, index_t count, index_t *rest,
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

/* Follows the stack for all lanes in this row; gives for how many rows from here no digit wraps. */
inline index_t follow_lanes(move_ref move, const row_step_t *row, index_t first_row,
                            lanes_t *lanes) {
  index_t rest[LANES];
  index_t rows = MOST_ROWS;
  const index_t past = move->first_position + first_row * row->from;
  for (index_t i = 0; i < lanes->count; i++) {
    lanes->at[i] = lanes->from[i] + past;
  }
  for (index_t level = 0, next = 0; level < move->level_count; level++) {
    for (index_t i = 0; i < lanes->count; i++) {
      rest[i] = lanes->at[i];
      lanes->at[i] = move->levels[level].offset;
    }
    for (index_t end = next + move->levels[level].axis_count; next < end; next++) {
      const level_axis_t axis = move->level_axes[next];
      const index_t step = row->digits[next];
      index_t lowest = axis.extent, highest = 0;
      take_lane_digits(axis, next + 1 == end, lanes->count, rest, lanes->at, &lowest, &highest);
      if (step != 0) {
        const index_t room = step > 0 ? axis.extent - 1 - highest : lowest;
        rows = min(rows, room / (step > 0 ? step : -step) + 1);
      }
    }
  }
  return rows;
}

/* The nest's positions of `count` lanes from the first on. */
inline void find_lanes(move_ref move, count_t first, lanes_t *lanes) {
  index_t rest[LANES];
  const index_t outermost = move->rows_per_chunk > 0 ? 1 : 0;
  for (index_t i = 0; i < lanes->count; i++) {
    rest[i] = (index_t)first + i;
    lanes->from[i] = lanes->to[i] = 0;
  }
  for (index_t k = move->axis_count; k-- > outermost;) {
    const nest_axis_t axis = move->axes[k];
    for (index_t i = 0; i < lanes->count; i++) {
      count_t left = (count_t)rest[i];
      const index_t digit = take_digit(&left, axis.extent, axis.divisor);
      rest[i] = (index_t)left;
      lanes->from[i] += digit * axis.source_stride;
      lanes->to[i] += digit * axis.destination_stride;
    }
  }
}

inline bool are_neighbours(const index_t *positions, index_t count) {
  index_t difference = 0;
  for (index_t i = 0; i < count; i++) {
    difference |= positions[i] - positions[0] - i;
  }
  return difference == 0;
}

#if UNIT_BITS < 8

/* A word that may begin at any byte. */
typedef struct __attribute__((packed)) any_word_t {
  uint value;
} any_word_t;

/* units[i] has the unit at positions[i] + past in its low bits. A vector of words is gathered where
 * three bytes after the last one may be read, else byte by byte. */
inline void load_units(global const uchar *restrict source, const index_t *positions, index_t past,
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

inline uchar pack_byte(const uint *units) {
  uint byte_value = 0;
#pragma unroll
  for (uint slot = 0; slot < UNITS_PER_BYTE; slot++) {
    byte_value |= (units[slot] & UNIT_MASK) << slot_shift(slot);
  }
  return (uchar)byte_value;
}

/* The highest unit that the lowest walk reaches. */
inline index_t highest_unit(move_ref move) {
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

/* The host sees to it that the lanes of a byte stay together. */
inline void move_rows(global const uchar *restrict source, const row_step_t *row,
                      const lanes_t *lanes, global uchar *restrict destination, index_t rows) {
  uint units[LANES];
  const bool is_run = are_neighbours(lanes->to, lanes->count);
  const index_t bytes = lanes->count / UNITS_PER_BYTE;
  index_t highest = lanes->at[0];
  for (index_t i = 1; i < lanes->count; i++) {
    highest = max(highest, lanes->at[i]);
  }
  highest += max(row->storage, (index_t)0) * (rows - 1);
  const bool in_words = highest + 4 * UNITS_PER_BYTE <= row->highest_unit;
  for (index_t r = 0; r < rows; r++) {
    const index_t past = row->first_slot + r * row->storage;
    load_units(source, lanes->at, past, in_words, lanes->count, units);
    if (is_run) {
      global uchar *run = destination + lanes->to[0] / UNITS_PER_BYTE;
      for (index_t i = 0; i < bytes; i++) {
        run[i] = pack_byte(units + i * UNITS_PER_BYTE);
      }
    } else {
      for (index_t i = 0; i < bytes; i++) {
        destination[lanes->to[i * UNITS_PER_BYTE] / UNITS_PER_BYTE] =
            pack_byte(units + i * UNITS_PER_BYTE);
      }
    }
    destination += row->to / UNITS_PER_BYTE;
  }
}

#else

/* Neighbouring lanes of a row, from and to these places. */
inline void move_lanes(global const UNIT *restrict source, const index_t *from,
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

/* Where the source's rows share lines, as many lanes as fill a line of the destination go through
 * all rows before the next ones do: these lines stay in the cache. */
inline void move_rows(global const UNIT *restrict source, const row_step_t *row,
                      const lanes_t *lanes, global UNIT *restrict destination, index_t rows) {
  const bool is_run = are_neighbours(lanes->to, lanes->count);
  const bool share_lines = -UNITS_PER_LINE < row->storage && row->storage < UNITS_PER_LINE;
  const index_t width = share_lines ? UNITS_PER_LINE : LANES;
  if (is_run && are_neighbours(lanes->at, lanes->count)) {
    for (index_t r = 0; r < rows; r++) {
      stream_run(source + lanes->at[0] + r * row->storage,
                 destination + lanes->to[0] + r * row->to, lanes->count);
    }
    return;
  }
  for (index_t first = 0; first < lanes->count; first += width) {
    const index_t count = min(width, lanes->count - first);
    for (index_t r = 0; r < rows; r++) {
      move_lanes(source + r * row->storage, lanes->at + first, destination + r * row->to,
                 lanes->to + first, is_run, count);
    }
  }
}

#endif

inline void move_chunk(move_ref move, const row_step_t *row, global const UNIT *source,
                       lanes_t *lanes, global UNIT *destination, index_t first_row,
                       index_t end_row) {
  for (index_t r = first_row; r < end_row;) {
    const index_t rows = min(follow_lanes(move, row, r, lanes), end_row - r);
    move_rows(source, row, lanes, destination + r * row->to / UNITS_PER_PLACE, rows);
    r += rows;
  }
}

inline void move_composed(global const UNIT *source, ulong source_start, global UNIT *destination,
                          ulong destination_start, move_ref move) {
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
  count_t lane_count = 1;
  for (index_t k = has_rows ? 1 : 0; k < move->axis_count; k++) {
    lane_count *= (count_t)move->axes[k].extent;
  }
  lanes_t lanes;
  source += source_start / UNITS_PER_PLACE;
  destination += destination_start / UNITS_PER_PLACE;
  const count_t first = first_index() * (count_t)move->chunks_per_item;
  const count_t end = min(first + (count_t)move->chunks_per_item, (count_t)move->count);
  for (count_t i = first; i < end; i++) {
    const count_t first_lane = i / periods / chunks_per_period * LANES;
    const index_t period = (index_t)(i % periods) * rows_per_period;
    const index_t first_row = (index_t)(i / periods % chunks_per_period) * rows_per_chunk;
    lanes.count = (index_t)min(lane_count - first_lane, (count_t)LANES);
    find_lanes(move, first_lane, &lanes);
    move_chunk(move, &row, source, &lanes, destination, period + first_row,
               period + min(first_row + rows_per_chunk, rows_per_period));
  }
}

#else

inline void move_composed(global const UNIT *source, ulong source_start, global UNIT *destination,
                          ulong destination_start, move_ref move) {
  source += source_start;
  destination += destination_start;
  for (count_t i = first_index(); i < (count_t)move->count; i += index_step()) {
    const positions_t unit = find_positions(move, i);
    destination[unit.to] = source[follow_stack(move, move->first_position + unit.from)];
  }
}

#endif

MOVE_KERNEL(composed)
