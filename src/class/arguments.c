/* SPDX-License-Identifier: Apache-2.0 */
#include "arguments.h"

#include "groups.h"

__extension__ typedef unsigned __int128 wide;

enum {
  HEADER_WORDS = 8,
  BLOCK_WORDS = 8,
  WORDS_PER_NEST_AXIS = 5,
  STACK_WORDS = 4,
  LEVEL_WORDS = 2 * CLRS_MAX_DEPTH,
  WORDS_PER_LEVEL_AXIS = 4
};

/* All arguments of a kernel must fit into the 1024 bytes that OpenCL promises: beside the words,
 * two buffers and two starts of 8 bytes each. */
#define WORDS_FIT(words, bytes_per_word) ((words) * (bytes_per_word) + 32 <= 1024)
#define PLAIN_WORDS(nest_axes) (HEADER_WORDS + BLOCK_WORDS + (nest_axes)*WORDS_PER_NEST_AXIS)
#define STACKED_WORDS(nest_axes, level_axes)                                                       \
  (HEADER_WORDS + (nest_axes)*WORDS_PER_NEST_AXIS + STACK_WORDS + LEVEL_WORDS +                    \
   (level_axes)*WORDS_PER_LEVEL_AXIS)
_Static_assert(WORDS_FIT(PLAIN_WORDS(CLRS__NEST_AXES_32), 4), "32-bit nest");
_Static_assert(WORDS_FIT(PLAIN_WORDS(CLRS__NEST_AXES_64), 8), "64-bit nest");
_Static_assert(WORDS_FIT(STACKED_WORDS(CLRS__STACKED_NEST_AXES_32, CLRS__LEVEL_AXES_32), 4),
               "32-bit stack");
_Static_assert(WORDS_FIT(STACKED_WORDS(CLRS__STACKED_NEST_AXES_64, CLRS__LEVEL_AXES_64), 8),
               "64-bit stack");
_Static_assert(WORDS_FIT(STACKED_WORDS(CLRS__SIMPLE_NEST_AXES, CLRS__SIMPLE_LEVEL_AXES_64), 8),
               "64-bit stack under a simple nest");
_Static_assert(STACKED_WORDS(CLRS__STACKED_NEST_AXES_32, CLRS__LEVEL_AXES_32) <=
                   CLRS__MAX_ARGUMENT_WORDS,
               "room to write them");

/* Writes words one after the other, at first always in 64 bits. */
typedef struct word_writer {
  int64_t *words;
  size_t count;
  uint32_t index_bits, nest_room;
} word_writer;

static void put(word_writer *writer, int64_t word) {
  writer->words[writer->count++] = word;
}

static void put_zeros(word_writer *writer, size_t count) {
  for (size_t i = 0; i < count; i++) {
    put(writer, 0);
  }
}

/* The divisor_t of kernels/move.cl: shift = ceil(log2(d)) and
 * magic = floor(2^bits * (2^shift - d) / d) + 1. */
static void put_divisor(word_writer *writer, int64_t divisor) {
  const uint64_t d = (uint64_t)divisor;
  int shift = 0;
  while (((uint64_t)1 << shift) < d) {
    shift++;
  }
  const wide numerator = (wide)(((uint64_t)1 << shift) - d) << writer->index_bits;
  const uint64_t magic = (uint64_t)(numerator / d) + 1;
  put(writer, (int64_t)magic);
  put(writer, shift);
}

static void put_axes(word_writer *writer, const clrs_launch *launch) {
  for (uint32_t i = 0; i < launch->nest.axis_count; i++) {
    const clrs_nest_axis axis = launch->nest.axes[i];
    const bool inner = launch->kernel_class == CLRS_CLASS_SUBBYTE && i >= launch->outer_axis_count;
    put(writer, axis.extent);
    put(writer, axis.source_stride);
    put(writer, axis.destination_stride);
    put_divisor(writer, inner ? axis.destination_stride : axis.extent);
  }
  const uint32_t room = writer->nest_room - launch->nest.axis_count;
  put_zeros(writer, (size_t)room * WORDS_PER_NEST_AXIS);
}

/* The two axes of a block as they are, if it has two, then the numbers of their blocks as the
 * nest's last axes. */
static void put_blocked_axes(word_writer *writer, const clrs_launch *launch) {
  if (launch->kernel_class == CLRS_CLASS_CPU_SHORT) {
    put_zeros(writer, BLOCK_WORDS);
    put_axes(writer, launch);
    return;
  }
  clrs_launch blocks = *launch;
  for (uint32_t which = 0; which < 2; which++) {
    clrs_nest_axis *axis = &blocks.nest.axes[blocks.nest.axis_count - 2 + which];
    put(writer, axis->extent);
    put(writer, axis->source_stride);
    put(writer, axis->destination_stride);
    put(writer, launch->chunk_extents[which]);
    axis->extent = clrs__launch_block_count(launch, which);
    /* A step from block to block lies within the axis' span, if there is one. */
    const int64_t step = axis->extent > 1 ? launch->chunk_extents[which] : 0;
    axis->source_stride *= step;
    axis->destination_stride *= step;
  }
  put_axes(writer, &blocks);
}

/* The top level first, its innermost axis first. The lowest offset is in source_start. */
static void put_levels(word_writer *writer, const clrs_view *stack) {
  put(writer, stack->depth);
  for (uint32_t level = stack->depth; level-- > 0;) {
    put(writer, level == 0 ? 0 : stack->levels[level].offset);
    put(writer, stack->levels[level].axis_count);
  }
  put_zeros(writer, LEVEL_WORDS - 2 * (size_t)stack->depth);
}

static void put_level_axes(word_writer *writer, const clrs_launch *launch, const clrs_view *stack) {
  const size_t start = writer->count;
  for (uint32_t level = stack->depth; level-- > 0;) {
    clrs_walk walk;
    clrs__view_level(stack, level, &walk);
    for (uint32_t i = walk.axis_count; i-- > 0;) {
      put(writer, walk.axes[i].extent);
      put(writer, walk.axes[i].stride);
      put_divisor(writer, walk.axes[i].extent);
    }
  }
  const size_t room = (size_t)clrs__launch_level_axes(launch) * WORDS_PER_LEVEL_AXIS;
  put_zeros(writer, room - (writer->count - start));
}

/* In place: each narrow word lands on a wide one that was read before. */
static void narrow(clrs__arguments *arguments, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const int64_t word = arguments->move.words_64[i];
    arguments->move.words_32[i] = (int32_t)(uint32_t)(uint64_t)word;
  }
}

/* kernels/nibble_tile.cl counts pairs of units: a step of a row or a column takes two. */
static clrs_launch in_bytes(const clrs_launch *units) {
  clrs_launch bytes = *units;
  bytes.nest.source_offset /= 2;
  bytes.nest.destination_offset /= 2;
  for (uint32_t i = 0; i + 2 < bytes.nest.axis_count; i++) {
    bytes.nest.axes[i].source_stride /= 2;
    bytes.nest.axes[i].destination_stride /= 2;
  }
  for (uint32_t which = 0; which < 2; which++) {
    bytes.nest.axes[bytes.nest.axis_count - 2 + which].extent /= 2;
    bytes.chunk_extents[which] /= 2;
  }
  return bytes;
}

/* bits: from the first to the last unit of a block; packed: columns of a block; local_volume: units
 * of a volume. */
static int64_t inner_span(const clrs_launch *launch) {
  if (launch->kernel_class == CLRS_CLASS_SUBBYTE) {
    return clrs__launch_inner_span(launch);
  }
  if (launch->kernel_class == CLRS_CLASS_CPU_SHORT) {
    return launch->chunk_extents[1];
  }
  if (launch->kernel_class != CLRS_CLASS_GPU_SHORT) {
    return 0;
  }
  int64_t units = 1;
  const uint32_t end = (launch->outer_axis_count + launch->nest.axis_count) / 2;
  for (uint32_t i = launch->outer_axis_count; i < end; i++) {
    units *= launch->nest.axes[i].extent; /* bounded by local memory */
  }
  return units;
}

static void fill_arguments(const clrs_launch *launch, const clrs_view *stack, uint32_t nest_room,
                           clrs__arguments *arguments) {
  word_writer writer = {arguments->move.words_64, 0, launch->index_bits, nest_room};
  const bool packed = launch->kernel_class == CLRS_CLASS_SUBBYTE;
  const int64_t bytes_per_block = packed ? clrs__launch_bytes_per_block(launch) : 1;
  put(&writer, clrs__launch_work(launch));
  put(&writer, launch->nest.axis_count);
  put(&writer, launch->outer_axis_count);
  put(&writer, inner_span(launch));
  put(&writer, bytes_per_block);
  put_divisor(&writer, bytes_per_block);
  put(&writer, launch->chunks_per_item > 0 ? launch->chunks_per_item : 1);
  if (clrs__launch_is_blocked(launch)) {
    put_blocked_axes(&writer, launch);
  } else {
    put_axes(&writer, launch);
  }
  int64_t source_start = launch->nest.source_offset;
  if (launch->follows_stack) {
    put(&writer, launch->chunk_extents[0]);
    put(&writer, launch->chunk_extents[1]);
    put(&writer, launch->nest.source_offset);
    put_levels(&writer, stack);
    put_level_axes(&writer, launch, stack);
    source_start = stack->levels[0].offset;
  }
  arguments->source_start = (uint64_t)source_start;
  arguments->destination_start = (uint64_t)launch->nest.destination_offset;
  arguments->move_bytes = writer.count * (launch->index_bits / 8);
  if (launch->index_bits == 32) {
    narrow(arguments, writer.count);
  }
}

void clrs__arguments_fill(const clrs_launch *launch, const clrs_view *stack, uint32_t nest_room,
                          clrs__arguments *arguments) {
  if (launch->kernel_class == CLRS_CLASS_NIBBLE_TILE) {
    const clrs_launch bytes = in_bytes(launch);
    fill_arguments(&bytes, stack, nest_room, arguments);
  } else if (launch->kernel_class == CLRS_CLASS_GPU_SHORT) {
    const clrs_launch both = clrs__launch_in_both_orders(launch);
    fill_arguments(&both, stack, nest_room, arguments);
  } else {
    fill_arguments(launch, stack, nest_room, arguments);
  }
}
