/*
 * Code that every kernel shares: the position of an index, and the arguments of a launch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MOVE_CL
#define CLRS_MOVE_CL
#ifndef CLRS_WORDS_CL
#include "words.cl"
#endif

INLINED count_t divide(count_t n, divisor_t divisor) {
  return (mul_hi(n, (count_t)divisor.magic) + n) >> divisor.shift;
}

/* Returns the fastest digit of *n, which is below `extent`, and leaves the other digits in *n.
 * Example: *n = 23 and extent 10 return 3 and leave 2. */
INLINED index_t take_digit(count_t *n, index_t extent, divisor_t divisor) {
  const count_t quotient = divide(*n, divisor);
  const count_t digit = *n - quotient * (count_t)extent;
  *n = quotient;
  return (index_t)digit;
}

#define WORD_UNITS (UNIT_BITS < 32 ? 32 / UNIT_BITS : 1) /* in 4 bytes */

#if UNIT_BITS < 8
#define UNITS_PER_BYTE (8 / UNIT_BITS)
#define UNIT_MASK ((1u << UNIT_BITS) - 1u)

/* The bits by which the unit in this slot of a byte is shifted. Slot 1 of 4-bit units: 4, or 0 if
 * MSB_FIRST. */
INLINED uint slot_shift(uint slot) {
  return UNIT_BITS * (MSB_FIRST ? UNITS_PER_BYTE - 1 - slot : slot);
}
#endif

/* The number of this work-item in its move, and the number of work-items. In a batch each row of
 * the grid is a move. */
INLINED count_t first_index(void) {
#if BATCHED
  return (count_t)get_global_id(0);
#else
  return (count_t)get_global_id(1) * (count_t)get_global_size(0) + (count_t)get_global_id(0);
#endif
}

INLINED count_t index_step(void) {
#if BATCHED
  return (count_t)get_global_size(0);
#else
  return (count_t)get_global_size(0) * (count_t)get_global_size(1);
#endif
}

/* The work of a work-item: every step-th piece from `first` on. */
typedef struct work_t {
  count_t first, step;
} work_t;

INLINED work_t find_work(void) {
  const work_t work = {first_index(), index_step()};
  return work;
}

/* The work of a GPU's work-item or work-group, if any: every step-th piece from `first` on. A
 * launch with more pieces than a device may have work-items gives several pieces to each work-item
 * (LOOPS). All other launches have no loop. In a loop, compilers compute all strides beforehand and
 * keep the strides in registers. */
#if LOOPS
#define FOR_EACH(i, first, step, count)                                                            \
  for (count_t i = first; i < (count_t)(count); i += (count_t)(step))
#else
#define FOR_EACH(i, first, step, count)                                                            \
  const count_t i = first;                                                                         \
  if (i < (count_t)(count))
#endif

/* The source and destination position of a unit or a chunk. A gather or a scatter adds the position
 * of the index, and its position on the named side is the position of place 0. */
typedef struct positions_t {
  index_t from, to;
#if INDEXED
  index_t index;
#endif
} positions_t;
#if INDEXED
#define STEP_INDEX(at, axis, steps) (at).index += (steps) * (axis).index_stride
#else
#define STEP_INDEX(at, axis, steps)
#endif

/* ---- axes by constant indices, for GPUs ----
 * If a loop counter selects an axis, AMD's compiler copies all arguments of a move into private
 * memory for every work-item, and Intel's for every hardware thread. So these loops are unrolled up
 * to the room for axes, and end behind the last axis.
 *
 * clang 18 and 19, and Intel's compiler, unroll a loop that may end early for up to 8 steps only.
 * So longer lists are taken in parts of 8: room for 12 axes is a loop over 2 parts, which has one
 * exit, and a loop over a part, which has two. Everything is inlined, because a call would take the
 * arguments' address.
 *
 * A CPU reads arguments in place, and a CPU's compiler takes longer for unrolled code. So a CPU's
 * loop stays a loop. */
#if NATIVE_CODE
#define UNROLLED _Pragma("unroll 1")
#define EACH_AXIS(k, first, room, count)                                                           \
  UNROLLED for (int k = (first); k < (room) && k < (count); k++)
#else
#define UNROLLED _Pragma("unroll")
#define EACH_AXIS(k, first, room, count)                                                           \
  UNROLLED for (int k##_part = (first); k##_part < (room);                                         \
                k##_part += 8) if (k##_part == (first) || k##_part < (count))                      \
      UNROLLED for (int k = k##_part; k < (room) && k < k##_part + 8 && k < (count); k++)
#endif

/* Takes the fastest digit of *rest, advances *at by that many steps of the axis, and returns the
 * digit. */
INLINED index_t take_axis(const nest_axis_t axis, count_t *rest, positions_t *at) {
  const index_t digit = take_digit(rest, axis.extent, axis.divisor);
  at->from += digit * axis.source_stride;
  at->to += digit * axis.destination_stride;
  STEP_INDEX(*at, axis, digit);
  return digit;
}

/* The positions of unit i, by its digits, fastest first. Example: extents 3 and 2, fastest first,
 * split unit 5 into the digits 2 and 1. */
INLINED positions_t find_positions(move_ref move, count_t i) {
  positions_t at = {0};
  count_t rest = i;
  EACH_AXIS(k, 0, NEST_AXES, move->axis_count) {
    take_axis(move->axes[k], &rest, &at);
  }
  return at;
}

/* A chunk of rows and columns, and its source and destination position. */
typedef struct chunk_t {
  index_t from, to, rows, columns;
#if INDEXED
  index_t index;
#endif
} chunk_t;

#if CHUNKED && LEVEL_AXES == 0
/* ---- chunks of a CPU ----
 * A work-item moves neighbouring chunks: [first_chunk, end_chunk). */
INLINED count_t first_chunk(move_ref move, const work_t work) {
  return work.first * (count_t)move->chunks_per_item;
}

INLINED count_t end_chunk(move_ref move, const work_t work) {
  return min(first_chunk(move, work) + (count_t)move->chunks_per_item, (count_t)move->count);
}

#if !BOXED
INLINED index_t part_of_axis(const chunk_axis_t axis, index_t chunk) {
  return min(axis.chunk_extent, axis.extent - chunk * axis.chunk_extent);
}

/* Chunk i of the chunks that the axes [0, end) number. */
INLINED chunk_t find_chunk_in(move_ref move, index_t end, count_t i) {
  count_t rest = i;
  chunk_t chunk = {0};
  chunk.rows = move->row.chunk_extent;
  chunk.columns = move->column.chunk_extent;
  for (index_t k = end; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    const index_t digit = take_digit(&rest, axis.extent, axis.divisor);
    chunk.from += digit * axis.source_stride;
    chunk.to += digit * axis.destination_stride;
    STEP_INDEX(chunk, axis, digit);
    if (k == move->column.parts_axis) {
      chunk.columns = part_of_axis(move->column, digit);
    } else if (k == move->row.parts_axis) {
      chunk.rows = part_of_axis(move->row, digit);
    }
  }
  return chunk;
}

INLINED chunk_t find_chunk(move_ref move, count_t i) {
  return find_chunk_in(move, move->axis_count, i);
}
#endif
#endif

#if LEVEL_AXES > 0 && !CHUNKED
/* Translates a position of the top walk to a position of the storage. The last axis of each level
 * takes the rest and needs no divisor, so the divisor's place holds the level's offset
 * (shared.h). */
INLINED index_t follow_stack(move_ref move, index_t position) {
  count_t rest = (count_t)position;
  index_t next = 0;
  EACH_AXIS(k, 0, LEVEL_AXES, move->level_axis_count) {
    const level_axis_t axis = move->level_axes[k];
    if (axis.divisor.shift >= 0) {
      next += take_digit(&rest, axis.extent, axis.divisor) * axis.stride;
    } else {
      rest = (count_t)(next + (index_t)rest * axis.stride + axis.divisor.magic);
      next = 0;
    }
  }
  return (index_t)rest;
}
#endif

/* A gather or a scatter has further arguments for the indices (address.cl). */
#if INDEXED
#define ADDRESS_PARAMETERS                                                                         \
  global const uchar *indices, ulong index_start, global uint *flag, ulong flag_start,             \
      const uint4 value,
#define INDEX_ADDRESS                                                                              \
  (address_t) {                                                                                    \
    indices + index_start, flag + flag_start, value                                                \
  }
#define ADDRESS INDEX_ADDRESS,
#else
#define ADDRESS_PARAMETERS
#define ADDRESS
#endif

/* A kernel takes MOVE_PARAMETERS and passes on MOVE_ARGUMENTS:
 *   global const UNIT *source, ulong source_start, global UNIT *destination,
 *   ulong destination_start, move_ref move
 * A batch reads these from a table, whose entries number the buffers that they use. The starts in
 * the table are relative to the launch's start in each buffer, which is an argument of the
 * launch. */
#if BATCHED
#define DECLARE_LONG(name) ulong name;
#define DECLARE_INT(name) uint name;
typedef struct entry_t {
  CLRS_ENTRY_WORDS(DECLARE_LONG, DECLARE_INT)
  move_t move;
} entry_t;

#define EACH_BUFFER(DO)                                                                            \
  DO(0)                                                                                            \
  DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define BUFFER_PARAMETER(number) global UNIT *buffer_##number,
#define BUFFER_ARGUMENT(number) buffer_##number,
#define BUFFER_CASE(number)                                                                        \
  case number:                                                                                     \
    return buffer_##number;

INLINED global UNIT *choose_buffer(EACH_BUFFER(BUFFER_PARAMETER) uint number) {
  switch (number) {
    EACH_BUFFER(BUFFER_CASE)
  default:
    return buffer_0;
  }
}

typedef struct starts_t {
  ulong of[CLRS_BATCH_BUFFERS];
} starts_t;

/* Returns one of two starts. Both are read before, because compilers join reads in branches to one
 * read with a variable index, and then copy all starts into private memory for every work-item. */
INLINED ulong later_start_if(uint bit, ulong earlier, ulong later) {
  return bit != 0 ? later : earlier;
}

#define ONE_OF_2(k) later_start_if(number & 1, starts.of[k], starts.of[k + 1])
#define ONE_OF_4(k) later_start_if(number & 2, ONE_OF_2(k), ONE_OF_2(k + 2))
#define ONE_OF_8(k) later_start_if(number & 4, ONE_OF_4(k), ONE_OF_4(k + 4))
INLINED ulong choose_start(const starts_t starts, uint number) {
  return later_start_if(number & 8, ONE_OF_8(0), ONE_OF_8(8));
}

#define TABLE_PARAMETERS(type)                                                                     \
  EACH_BUFFER(BUFFER_PARAMETER) const starts_t starts, global const type *entries
#define ENTRY entries[get_global_id(1)]
#define ENTRY_BUFFER(side) choose_buffer(EACH_BUFFER(BUFFER_ARGUMENT) ENTRY.side##_buffer)
#define ENTRY_START(side) (ENTRY.side##_start + choose_start(starts, ENTRY.side##_buffer))
#define MOVE_PARAMETERS TABLE_PARAMETERS(entry_t)
#define MOVE_ARGUMENTS                                                                             \
  ENTRY_BUFFER(source), ENTRY_START(source), ENTRY_BUFFER(destination), ENTRY_START(destination),  \
      &ENTRY.move
#else
#if WORDS_IN_BUFFER
#define MOVE_WORDS_PARAMETER global const move_t *move
#define MOVE_WORDS move
#else
#define MOVE_WORDS_PARAMETER const move_t move
#define MOVE_WORDS &move
#endif
#define MOVE_PARAMETERS                                                                            \
  global const UNIT *source, ulong source_start, global UNIT *destination,                         \
      ulong destination_start, ADDRESS_PARAMETERS MOVE_WORDS_PARAMETER
#define MOVE_ARGUMENTS source, source_start, destination, destination_start, ADDRESS MOVE_WORDS
#endif

/* A chunked kernel is written in vectors of a line. The hint keeps a compiler from widening the
 * vectors once more over work-items. Without the hint Intel's CPU runtime spent 210 s on a tile of
 * 16-bit units. */
#if CHUNKED
#define IN_LINES __attribute__((vec_type_hint(uint16)))
#else
#define IN_LINES
#endif

#define MOVE_KERNEL(name)                                                                          \
  kernel IN_LINES void name(MOVE_PARAMETERS) {                                                     \
    move_##name(find_work(), MOVE_ARGUMENTS);                                                      \
  }

#endif
