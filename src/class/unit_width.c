/*
 * The unit that a kernel moves: an element, or as many elements as alignment and strides allow. If
 * the buffers are not aligned to elements, a unit is a part of an element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit_width.h"

#include "checked.h"

/* The largest power of two, in bytes, that both sides are aligned to. */
static uint64_t common_alignment(const clrs_move *move) {
  return clrs__lowest_bit(move->source.byte_offset | move->destination.byte_offset |
                          move->source.alignment | move->destination.alignment);
}

static bool scale_walk(clrs__walk *walk, int64_t ratio) {
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    if (!clrs__multiply(walk->axes[i].stride, ratio, &walk->axes[i].stride)) {
      return false;
    }
  }
  if (ratio > 1) {
    clrs__walk_append(walk, (clrs_axis){ratio, 1});
    clrs__walk_normalize(walk);
  }
  return clrs__multiply(walk->offset, ratio, &walk->offset);
}

static bool scale_nest(clrs__nest *nest, int64_t ratio) {
  bool fits = clrs__multiply(nest->source_offset, ratio, &nest->source_offset) &&
              clrs__multiply(nest->destination_offset, ratio, &nest->destination_offset);
  for (uint32_t i = 0; fits && i < nest->axis_count; i++) {
    clrs__nest_axis *axis = &nest->axes[i];
    fits = clrs__multiply(axis->source_stride, ratio, &axis->source_stride) &&
           clrs__multiply(axis->destination_stride, ratio, &axis->destination_stride);
  }
  if (ratio > 1) {
    nest->axes[nest->axis_count++] = CLRS__NEST_AXIS(ratio, 1, 1);
    clrs__nest_normalize(nest);
  }
  return fits;
}

static bool scale_digits(clrs__address *address, int64_t ratio) {
  bool fits = true;
  for (uint32_t i = 0; i < address->digit_count; i++) {
    fits = fits && clrs__multiply(address->digits[i].stride, ratio, &address->digits[i].stride);
  }
  return fits;
}

/* Rebuilds the stack level by level. Each level may need one more axis. */
static clrs_status scale_stack(clrs_view *stack, int64_t ratio, int64_t start, clrs_error *error) {
  clrs_view scaled = {.dtype = stack->dtype, .shape = stack->shape};
  for (uint32_t level = 0; level < stack->depth; level++) {
    clrs__walk walk;
    clrs__view_level(stack, level, &walk);
    if (!scale_walk(&walk, ratio) || (level == 0 && !clrs__add(walk.offset, start, &walk.offset))) {
      return clrs__fail(error, CLRS_OVERFLOW, "a position of the source does not fit in 64 bits");
    }
    scaled.depth = level + 1;
    CLRS_TRY(clrs__view_set_top(&scaled, &walk, error));
  }
  *stack = scaled;
  return CLRS_OK;
}

clrs_status clrs__job_choose_unit(const clrs_move *move, clrs__job *job, clrs_view *stack,
                                  clrs_error *error) {
  const uint32_t width = clrs_dtype_bits(move->destination.view->dtype);
  const uint64_t aligned_bits = common_alignment(move) * 8;
  job->source_alignment = move->source.alignment;
  job->destination_alignment = move->destination.alignment;
  job->unit_bits = aligned_bits < width ? (uint32_t)aligned_bits : width;
  const int64_t ratio = width / job->unit_bits;
  const int64_t source_start = (int64_t)(move->source.byte_offset * 8 / job->unit_bits);
  const int64_t destination_start = (int64_t)(move->destination.byte_offset * 8 / job->unit_bits);
  clrs__nest *nest = &job->nest;
  if (!scale_nest(nest, ratio) || !scale_digits(&job->address, ratio) ||
      !clrs__add(nest->destination_offset, destination_start, &nest->destination_offset)) {
    return clrs__fail(error, CLRS_OVERFLOW, "a position of the move does not fit in 64 bits");
  }
  if (job->from == CLRS__FROM_STACK) {
    return stack == NULL ? CLRS_OK : scale_stack(stack, ratio, source_start, error);
  }
  if (!clrs__add(nest->source_offset, source_start, &nest->source_offset)) {
    return clrs__fail(error, CLRS_OVERFLOW, "a position of the source does not fit in 64 bits");
  }
  return CLRS_OK;
}

/* Returns true if all pairs of neighbouring units can be moved as one unit. */
static bool can_pair_units(const clrs__job *job) {
  const clrs__nest *nest = &job->nest;
  if (nest->axis_count == 0 || nest->source_offset % 2 != 0 || nest->destination_offset % 2 != 0) {
    return false;
  }
  const clrs__nest_axis inner = nest->axes[nest->axis_count - 1];
  /* A fill repeats its value, so a pair is read from the same place. */
  const bool reads_pairs = inner.source_stride == (job->from == CLRS__FROM_VALUE ? 0 : 1);
  bool even = inner.extent % 2 == 0 && reads_pairs && inner.destination_stride == 1;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    even =
        even && nest->axes[i].source_stride % 2 == 0 && nest->axes[i].destination_stride % 2 == 0;
  }
  for (uint32_t i = 0; i < job->address.digit_count; i++) {
    even = even && job->address.digits[i].stride % 2 == 0;
  }
  return even;
}

static void pair_units(clrs__job *job) {
  clrs__nest *nest = &job->nest;
  job->unit_bits *= 2;
  nest->source_offset /= 2;
  nest->destination_offset /= 2;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    nest->axes[i].source_stride /= 2;
    nest->axes[i].destination_stride /= 2;
  }
  for (uint32_t i = 0; i < job->address.digit_count; i++) {
    job->address.digits[i].stride /= 2;
  }
  clrs__nest_axis *inner = &nest->axes[nest->axis_count - 1];
  inner->extent /= 2;
  if (inner->extent == 1) {
    nest->axis_count--;
  }
}

/* Returns true if all pairs of neighbouring positions lead to neighbours, the first of which is
 * even. */
static bool can_pair_walk(const clrs__walk *walk) {
  const uint32_t count = walk->axis_count;
  bool even = count > 0 && walk->offset % 2 == 0 && walk->axes[count - 1].extent % 2 == 0 &&
              walk->axes[count - 1].stride == 1;
  for (uint32_t i = 0; even && i + 1 < count; i++) {
    even = walk->axes[i].stride % 2 == 0;
  }
  return even;
}

static void pair_walk(clrs__walk *walk) {
  walk->offset /= 2;
  for (uint32_t i = 0; i + 1 < walk->axis_count; i++) {
    walk->axes[i].stride /= 2;
  }
  walk->axes[walk->axis_count - 1].extent /= 2;
  clrs__walk_normalize(walk);
}

/* Converts the stack to units of two. Returns false and leaves the stack unchanged if that is
 * impossible. */
static bool pair_stack(clrs_view *stack) {
  clrs_view paired = {.dtype = stack->dtype, .shape = stack->shape};
  for (uint32_t level = 0; level < stack->depth; level++) {
    clrs__walk walk;
    clrs__view_level(stack, level, &walk);
    if (!can_pair_walk(&walk)) {
      return false;
    }
    pair_walk(&walk);
    paired.depth = level + 1;
    if (clrs__view_set_top(&paired, &walk, NULL) != CLRS_OK) {
      return false; /* never: the level has no more axes than before */
    }
  }
  clrs__view_copy(stack, &paired);
  return true;
}

void clrs__job_widen_unit(clrs__job *job, clrs_view *stack) {
  const uint32_t widest = clrs__job_aligned_bits(job);
  while (job->unit_bits * 2 <= widest && can_pair_units(job) &&
         (stack == NULL || pair_stack(stack))) {
    pair_units(job);
  }
}
