/*
 * subbyte: units of 1, 2 or 4 bits. Bytes are written whole. So one work-item owns each 16-byte
 * block of the destination, and finds the units of the block, if any. The other bits stay.
 *
 * The outer axes of the nest have steps at least a byte apart, and number the chunks. Inside a
 * chunk, a place is divided by the destination strides of the inner axes. The quotients are the
 * digits, because each stride is larger than the range of the axes inside it. Units that are
 * consecutive along the innermost axis, and in the source too, are moved as bits.
 *
 * A work-item of a CPU owns consecutive blocks. With FILLS there is no source: every unit gets the
 * low bits of `value`.
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
#ifndef CLRS_BLOCKS_CL
#include "blocks.cl"
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

/* Units of the source from `from` on. `left` units are consecutive along the innermost axis, 0 if
 * there is no unit. `before` units of that axis precede, and `step` is the distance between the
 * units. */
typedef struct run_t {
  index_t from, before, left, step;
} run_t;

#if INTERLEAVED

/* Returns the range that the axes inside of axis k cover together. */
INLINED index_t reach_inside(move_ref move, index_t k) {
  index_t reach = 0;
  for (index_t i = k + 1; i < move->axis_count; i++) {
    reach += (move->axes[i].extent - 1) * move->axes[i].destination_stride;
  }
  return reach;
}

/* Like find_run below, by trying digits from the largest on. A digit less at axis k leaves a stride
 * more to the axes inside, as long as these reach that far. A unit that is found is a run by
 * itself. */
INLINED run_t find_run(move_ref move, index_t place, index_t from) {
  run_t run = {from, 0, 0, 0};
  index_t digits[NEST_AXES];
  index_t rest = place, k = move->outer_axis_count;
  bool forward = true;
  while (k < move->axis_count || rest != 0) {
    forward = forward && k < move->axis_count;
    k -= forward ? 0 : 1;
    if (k < move->outer_axis_count) {
      return run;
    }
    const nest_axis_t axis = move->axes[k];
    const index_t stride = axis.destination_stride;
    const index_t reach = reach_inside(move, k);
    if (forward) {
      digits[k] = min((index_t)divide((count_t)rest, axis.divisor), axis.extent - 1);
      rest -= digits[k] * stride;
      run.from += digits[k] * axis.source_stride;
      forward = rest <= reach;
      k += 1;
    } else if (digits[k] > 0 && rest + stride <= reach) {
      digits[k] -= 1;
      rest += stride;
      run.from -= axis.source_stride;
      forward = true;
      k += 1;
    } else {
      rest += digits[k] * stride;
      run.from -= digits[k] * axis.source_stride;
    }
  }
  run.left = 1;
  return run;
}

#else

/* Returns the source run of the units from this place of the chunk on. Example: an inner axis of
 * extent 5 and stride 1 inside an axis of stride 8. Place 10 is unit 2 of step 1, so 3 units are
 * left and 2 are before. Indices of arguments are constant (move.cl). */
INLINED run_t find_run(move_ref move, index_t place, index_t from) {
  run_t run = {from, 0, 1, 0};
  count_t rest = (count_t)place;
  EACH_AXIS(k, 0, NEST_AXES, move->axis_count) {
    if (k >= move->outer_axis_count) {
      const nest_axis_t axis = move->axes[k];
      const index_t digit = (index_t)divide(rest, axis.divisor);
      if (digit >= axis.extent) {
        run.left = 0;
        return run;
      }
      rest -= (count_t)digit * (count_t)axis.destination_stride;
      run.from += digit * axis.source_stride;
      const bool is_run = axis.destination_stride == 1;
      run.left = is_run ? axis.extent - digit : 1;
      run.before = is_run ? digit : 0;
      run.step = axis.source_stride;
    }
  }
  run.left = rest == 0 ? run.left : 0;
  return run;
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

#if FILLS
#define SOURCE_ARGUMENTS value
#else
#define SOURCE_ARGUMENTS source, source_start
#endif

/* A place of the destination: a block, and the place in the chunk at which the block begins. That
 * place is negative if the chunk begins inside the block. */
typedef struct place_t {
  global uchar *block;
  index_t first;
} place_t;

/* ---- whole blocks ---- */

#if LEVEL_AXES == 0
/* Writes whole blocks of a run, at most `most`. The units must be consecutive in the source too,
 * and the source words must lie in the run. Returns the number of blocks. */
INLINED count_t write_run(SOURCE, const run_t run, global uchar *to, count_t most) {
  count_t blocks = min((count_t)run.left / BLOCK_UNITS, most);
#if FILLS
  uint words[BLOCK_WORDS];
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = (value.x & UNIT_MASK) * (0xffffffffu / UNIT_MASK);
  }
  for (count_t i = 0; i < blocks; i++) {
    store_words(to + i * BLOCK_BYTES, words);
  }
#else
  const ulong unit = source_start + (ulong)(long)run.from;
  const index_t slot = (index_t)(unit % UNITS_PER_BYTE);
  global const uchar *from = source + unit / WORD_UNITS * 4;
  const uint shift = (uint)(unit % WORD_UNITS) * UNIT_BITS;
  const index_t bytes = (slot + run.left - 1) / UNITS_PER_BYTE + 1;
  const index_t more = bytes_read(shift) - BLOCK_BYTES;
  if (run.step != 1 || run.before / UNITS_PER_BYTE < (index_t)shift / 8) {
    return 0;
  }
  blocks = min(blocks, (count_t)((bytes - more) / BLOCK_BYTES));
  for (count_t i = 0; i < blocks; i++) {
    uint words[BLOCK_WORDS];
    load_block(from + i * BLOCK_BYTES, shift, words);
    store_words(to + i * BLOCK_BYTES, words);
  }
#endif
  return blocks;
}
#endif

/* ---- blocks in parts ---- */

/* Puts units of a run into the block, from slot `slot` on: all units, or only the first. Returns
 * the number of units. */
INLINED index_t put_units(SOURCE, const run_t run, index_t slot, index_t most, block_t *block) {
  const int at = (int)slot * UNIT_BITS;
#if LEVEL_AXES == 0 && !FILLS
  if (run.step == 1 && run.left > 1) {
    const index_t units = min(run.left, most);
    const ulong unit = source_start + (ulong)(long)run.from;
    put_run(block, at, (int)units * UNIT_BITS, source + unit / WORD_UNITS * 4,
            (uint)(unit % WORD_UNITS) * UNIT_BITS);
    return units;
  }
#endif
#if FILLS
  const index_t units = min(run.left, most);
#else
  const index_t units = 1;
  (void)most;
#endif
  const uint unit = LOAD(run.from) * (0xffffffffu / UNIT_MASK);
  const uint words[BLOCK_WORDS] = {unit, unit, unit, unit};
  put_words(block, words, at, (int)units * UNIT_BITS);
  return units;
}

INLINED void write_block(move_ref move, SOURCE, index_t from, place_t at) {
  const index_t end = min(at.first + BLOCK_UNITS, move->span_units + 1);
  block_t block = {{0, 0, 0, 0}, {0, 0, 0, 0}};
#pragma unroll 1
  for (index_t place = max(at.first, (index_t)0); place < end;) {
    run_t run = find_run(move, place, from);
    if (run.left == 0) {
      place++;
      continue;
    }
    run.from = STORAGE_OF(move, run.from);
    place += put_units(SOURCE_ARGUMENTS, run, place - at.first, end - place, &block);
  }
  store_known(&block, at.block);
}

/* ---- all of it ---- */

/* Writes the block of this index and up to `most` blocks along a run. Returns the number of
 * blocks. */
INLINED count_t write_blocks(move_ref move, SOURCE, global uchar *destination,
                             ulong destination_start, count_t i, count_t most) {
  count_t rest = i;
  const index_t number = take_digit(&rest, move->blocks_per_span, move->span_divisor);
  positions_t start = {0, 0};
  EACH_AXIS(k, 0, NEST_AXES, move->outer_axis_count) {
    take_axis(move->axes[k], &rest, &start);
  }
  const ulong chunk = destination_start + (ulong)(long)start.to;
  const place_t at = {destination + chunk / BLOCK_UNITS * BLOCK_BYTES + number * BLOCK_BYTES,
                      number * BLOCK_UNITS - (index_t)(chunk % BLOCK_UNITS)};
  if (at.first > move->span_units) {
    return 1; /* this chunk begins early enough in a block to need one block less */
  }
#if LEVEL_AXES == 0
  if (at.first >= 0) {
    const run_t run = find_run(move, at.first, start.from);
    const count_t left = (count_t)(move->blocks_per_span - number);
    const count_t written = write_run(SOURCE_ARGUMENTS, run, at.block, min(left, most));
    if (written > 0) {
      return written;
    }
  }
#else
  (void)most; /* a stack gives every unit its own place */
#endif
  write_block(move, SOURCE_ARGUMENTS, start.from, at);
  return 1;
}

BODY void move_subbyte(const work_t work, SOURCE, global uchar *destination,
                       ulong destination_start, move_ref move) {
  const count_t share = (count_t)move->chunks_per_item;
  for (count_t start = work.first * share; start < (count_t)move->count;
       start += work.step * share) {
    const count_t end = min(start + share, (count_t)move->count);
    for (count_t i = start; i < end;) {
      i += write_blocks(move, SOURCE_ARGUMENTS, destination, destination_start, i, end - i);
    }
  }
}

#if FILLS && BATCHED
kernel void subbyte(SOURCE, MOVE_PARAMETERS) {
  move_subbyte(find_work(), SOURCE_ARGUMENTS, ENTRY_BUFFER(destination), ENTRY_START(destination),
               &ENTRY.move);
}
#elif FILLS
kernel void subbyte(SOURCE, global uchar *destination, ulong destination_start,
                    MOVE_WORDS_PARAMETER) {
  move_subbyte(find_work(), SOURCE_ARGUMENTS, destination, destination_start, MOVE_WORDS);
}
#else
MOVE_KERNEL(subbyte)
#endif
