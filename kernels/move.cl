/*
 * What every kernel shares: the arguments of a launch, and how an index becomes a position.
 *
 * A nest arrives by value, so a new shape compiles nothing and needs no device memory. Positions
 * count units relative to the starts, which are 64-bit arguments of their own; the host chooses
 * 32-bit words when all other numbers fit.
 *
 * Build options: INDEX_BITS (32 or 64), UNIT (the type of a unit) and UNIT_BITS, NEST_AXES and
 * LEVEL_AXES (room for axes; LEVEL_AXES > 0 means that the source is a stack of walks), CHUNKED
 * (each work-item moves a chunk of rows and columns), BOXED (or a box of many axes), OWN_WORDS
 * (those of shared.h that are the class's own), BATCHED (the launch carries out many moves, read
 * from a table in device memory), LOOPS (see FOR_EACH), WIDE_SOURCE and WIDE_DESTINATION
 * (gpu_tile.cl), MSB_FIRST (of units of less than a byte, the first is in the high bits),
 * NATIVE_CODE (the compiler makes the device's machine code with clang: vectors of any length and
 * clang's builtins may be used), WORDS_IN_BUFFER (the words of a move are not among the arguments);
 * src/opencl/quirks.c knows where. The defaults let each file compile on its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MOVE_CL
#define CLRS_MOVE_CL
#ifndef CLRS_SHARED_H
#include "shared.h"
#endif

#ifndef INDEX_BITS
#define INDEX_BITS 32
#endif
#ifndef UNIT
#define UNIT uint
#endif
#ifndef UNIT_BITS
#define UNIT_BITS 32
#endif
#ifndef NEST_AXES
#define NEST_AXES 16
#endif
#ifndef LEVEL_AXES
#define LEVEL_AXES 0
#endif
#ifndef CHUNKED
#define CHUNKED 0
#endif
#ifndef BOXED
#define BOXED 0
#endif
#ifndef OWN_WORDS
#define OWN_WORDS none
#endif
#ifndef BATCHED
#define BATCHED 0
#endif
#ifndef MSB_FIRST
#define MSB_FIRST 0
#endif
#ifndef LOOPS
#define LOOPS 0
#endif
#ifndef NATIVE_CODE
#define NATIVE_CODE 0
#endif
#ifndef WORDS_IN_BUFFER
#define WORDS_IN_BUFFER 0
#endif

#if INDEX_BITS == 32
typedef int index_t;
typedef uint count_t;
#else
typedef long index_t;
typedef ulong count_t;
#endif

#ifndef INLINED /* src/opencl/quirks.c knows who must not have it so */
#define INLINED inline __attribute__((always_inline))
#endif

/* Of native code that is compiled once, not wherever it is called: cpu_subbyte's compiles in a
 * second less, that of a map of frames in half of the time. */
#if NATIVE_CODE
#define APART __attribute__((noinline))
#else
#define APART inline
#endif

/* Of memory that holds another type. C lets a compiler take two types for two places (C99, 6.5 §7);
 * Intel's dropped the first of two stores for it. Through these types it may not: ANY_BYTES are of
 * structs that may begin at any byte, too, ALIASED of types that are aligned. */
#define ALIASED __attribute__((may_alias))
#define ANY_BYTES __attribute__((packed, may_alias))
typedef UNIT aliased_unit_t ALIASED;
typedef ushort aliased_ushort_t ALIASED;
typedef uint aliased_uint_t ALIASED;
typedef uint2 aliased_uint2_t ALIASED;
typedef uint4 aliased_uint4_t ALIASED;

/* Division by a number known to the host: n / d == (mul_hi(n, magic) + n) >> shift, for all n of
 * one bit less than index_t (Granlund and Montgomery, PLDI 1994, figure 4.1). */
typedef struct divisor_t {
  index_t magic, shift;
} divisor_t;

/* The words of shared.h, as structs. */
#define DECLARE_WORD(name) index_t name;
#define DECLARE_DIVISOR(name) divisor_t name;
typedef struct nest_axis_t {
  CLRS_NEST_AXIS_WORDS(DECLARE_WORD, DECLARE_DIVISOR)
} nest_axis_t;
typedef struct chunk_axis_t {
  CLRS_CHUNK_AXIS_WORDS(DECLARE_WORD)
} chunk_axis_t;
typedef struct level_t {
  CLRS_LEVEL_WORDS(DECLARE_WORD)
} level_t;
typedef struct level_axis_t {
  CLRS_LEVEL_AXIS_WORDS(DECLARE_WORD, DECLARE_DIVISOR)
} level_axis_t;

#define DECLARE_head CLRS_HEAD_WORDS(DECLARE_WORD)
#define DECLARE_none
#define DECLARE_bundle CLRS_BUNDLE_WORDS(DECLARE_WORD)
#define DECLARE_filled CLRS_FILLED_WORDS(DECLARE_WORD, DECLARE_DIVISOR)
#define DECLARE_span CLRS_SPAN_WORDS(DECLARE_WORD, DECLARE_DIVISOR)
#define DECLARE_run CLRS_RUN_WORDS(DECLARE_WORD)
#define DECLARE_chunk chunk_axis_t row, column;
#define DECLARE_box CLRS_BOX_WORDS(DECLARE_WORD)
#define DECLARE_volume CLRS_VOLUME_WORDS(DECLARE_WORD)
#define DECLARE_axes nest_axis_t axes[NEST_AXES];
#define DECLARE_unit_stack CLRS_UNIT_STACK_WORDS(DECLARE_WORD)
#define DECLARE_stack CLRS_STACK_WORDS(DECLARE_WORD)
#define DECLARE_levels level_t levels[CLRS_MAX_LEVELS];
#define DECLARE_level_axes level_axis_t level_axes[LEVEL_AXES];
#define DECLARE(part) DECLARE_##part
typedef struct move_t {
#if LEVEL_AXES > 0 && CHUNKED
  CLRS_PARTS_OF_STACK(DECLARE)
#elif LEVEL_AXES > 0
  CLRS_PARTS_OF_UNIT_STACK(DECLARE, OWN_WORDS)
#elif CHUNKED && !BOXED
  CLRS_PARTS_OF_CHUNKS(DECLARE, OWN_WORDS)
#else
  CLRS_PARTS_OF_UNITS(DECLARE, OWN_WORDS)
#endif
} move_t;

/* Where the words of a move lie: among the kernel's arguments, in a buffer of their own, or in the
 * table of a batch. */
#if BATCHED || WORDS_IN_BUFFER
typedef global const move_t *move_ref;
#else
typedef private const move_t *move_ref;
#endif

INLINED count_t divide(count_t n, divisor_t divisor) {
  return (mul_hi(n, (count_t)divisor.magic) + n) >> divisor.shift;
}

/* The fastest digit of *n, which counts to `extent`; *n keeps the others. */
INLINED index_t take_digit(count_t *n, index_t extent, divisor_t divisor) {
  const count_t quotient = divide(*n, divisor);
  const count_t digit = *n - quotient * (count_t)extent;
  *n = quotient;
  return (index_t)digit;
}

#if UNIT_BITS < 8
#define UNITS_PER_BYTE (8 / UNIT_BITS)
#define UNIT_MASK ((1u << UNIT_BITS) - 1u)

/* How far to shift the unit in this slot of its byte. */
INLINED uint slot_shift(uint slot) {
  return UNIT_BITS * (MSB_FIRST ? UNITS_PER_BYTE - 1 - slot : slot);
}
#endif

/* This work-item's place among all of its move, and how many there are. In a batch each row of the
 * grid is a move. */
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

/* What a work-item of a GPU, or its work-group, moves, if there is anything: from `first` on every
 * step-th. In launches with more of it than a device may have work-items each takes several. All
 * others do without the loop (LOOPS): compilers find all strides before it, in registers. */
#if LOOPS
#define FOR_EACH(i, first, step, count)                                                            \
  for (count_t i = first; i < (count_t)(count); i += (count_t)(step))
#else
#define FOR_EACH(i, first, step, count)                                                            \
  const count_t i = first;                                                                         \
  if (i < (count_t)(count))
#endif

/* Where a unit, or a chunk of them, comes from and goes to. */
typedef struct positions_t {
  index_t from, to;
} positions_t;

/* ---- axes by constant indices, for GPUs ----
 * Where a loop's counter finds an axis, AMD's compiler copies all arguments of a move into private
 * memory for every work-item, and Intel's for every hardware thread. So these loops are unrolled up
 * to the room for axes, and end behind the last axis. clang 18 and 19, and Intel's compiler, unroll
 * a loop that may end early up to 8 steps only. So more axes are taken in parts of 8: room for 12
 * axes is a loop over 2 parts, which has one exit, and a loop over a part, which has two. All of it
 * is inlined: a call would take the arguments' address. A CPU reads arguments where the arguments
 * lie, and a CPU's compiler takes longer for what is unrolled. So there a loop stays a loop. */
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

/* Takes the fastest digit of *rest, steps so far, and gives it. */
INLINED index_t take_axis(const nest_axis_t axis, count_t *rest, positions_t *at) {
  const index_t digit = take_digit(rest, axis.extent, axis.divisor);
  at->from += digit * axis.source_stride;
  at->to += digit * axis.destination_stride;
  return digit;
}

/* Of unit i: its digits, the fastest first. */
INLINED positions_t find_positions(move_ref move, count_t i) {
  positions_t at = {0, 0};
  count_t rest = i;
  EACH_AXIS(k, 0, NEST_AXES, move->axis_count) {
    take_axis(move->axes[k], &rest, &at);
  }
  return at;
}

/* Rows by columns, from and to these positions. */
typedef struct chunk_t {
  index_t from, to, rows, columns;
} chunk_t;

#if CHUNKED && LEVEL_AXES == 0
/* ---- chunks of a CPU ----
 * A work-item moves neighbouring chunks: [first_chunk, end_chunk). */
INLINED count_t first_chunk(move_ref move) {
  return first_index() * (count_t)move->chunks_per_item;
}

INLINED count_t end_chunk(move_ref move) {
  return min(first_chunk(move) + (count_t)move->chunks_per_item, (count_t)move->count);
}

#if !BOXED
INLINED index_t part_of_axis(const chunk_axis_t axis, index_t chunk) {
  return min(axis.chunk_extent, axis.extent - chunk * axis.chunk_extent);
}

/* Of those that the axes [0, end) number. */
INLINED chunk_t find_chunk_in(move_ref move, index_t end, count_t i) {
  count_t rest = i;
  chunk_t chunk = {0, 0, move->row.chunk_extent, move->column.chunk_extent};
  for (index_t k = end; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    const index_t digit = take_digit(&rest, axis.extent, axis.divisor);
    chunk.from += digit * axis.source_stride;
    chunk.to += digit * axis.destination_stride;
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
/* From a position of the top walk to a position of the storage. The last axis of each level takes
 * what is left, needs no divisor, and has the level's offset in its place: shared.h. */
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

/* A kernel takes MOVE_PARAMETERS and passes on MOVE_ARGUMENTS, which are
 *   global const UNIT *source, ulong source_start, global UNIT *destination,
 *   ulong destination_start, move_ref move
 * A batch reads them from a table, whose entries number the buffers that they use. The starts in
 * the table count from where the launch enters each buffer, which is an argument of the launch. */
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

#define START_CASE(number)                                                                         \
  case number:                                                                                     \
    return starts.of[number];

INLINED ulong choose_start(const starts_t starts, uint number) {
  switch (number) {
    EACH_BUFFER(START_CASE)
  default:
    return starts.of[0];
  }
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
      ulong destination_start, MOVE_WORDS_PARAMETER
#define MOVE_ARGUMENTS source, source_start, destination, destination_start, MOVE_WORDS
#endif

/* A chunked kernel is written in vectors of a line. The hint keeps a compiler from widening them
 * over work-items once more: Intel's CPU runtime spent 210 s on a tile of 16-bit units so. */
#if CHUNKED
#define IN_LINES __attribute__((vec_type_hint(uint16)))
#else
#define IN_LINES
#endif

#define MOVE_KERNEL(name)                                                                          \
  kernel IN_LINES void name(MOVE_PARAMETERS) {                                                     \
    move_##name(MOVE_ARGUMENTS);                                                                   \
  }

#endif
