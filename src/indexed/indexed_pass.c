/* SPDX-License-Identifier: Apache-2.0 */
#include "indexed_pass.h"

#include <stddef.h>
#include <string.h>

#include "checked.h"
#include "dtype.h"
#include "view.h"

static const clrs_view *view_of(const clrs__indexed_pass *pass, uint32_t operand) {
  return &pass->views[operand];
}

/* ---- walks ---- */

/* A walk's extents, of at least 2, multiply to a number of 63 bits. */
enum { MOST_WALK_AXES = 62 };
_Static_assert(MOST_WALK_AXES + 2 <= CLRS_MAX_AXES,
               "room for an axis before a walk and one behind");

static int64_t count_dims(const clrs_shape *shape, uint32_t first, uint32_t end) {
  int64_t count = 1;
  for (uint32_t dim = first; dim < end; dim++) {
    count = clrs__exact_multiply(count, shape->dims[dim]); /* part of the listed view's */
  }
  return count;
}

clrs__indexed_parts clrs__indexed_parts_of(const clrs_view *named, const clrs_view *indices,
                                           uint32_t axis) {
  const clrs_shape *shape = &named->shape;
  return (clrs__indexed_parts){count_dims(shape, 0, axis), clrs__shape_count(&indices->shape),
                               count_dims(shape, axis + 1, shape->rank)};
}

static void append_dims(clrs__walk *walk, const clrs__dim_axes *dealt, uint32_t first,
                        uint32_t end) {
  for (uint32_t dim = first; dim < end; dim++) {
    clrs__walk_append_dim(walk, dealt, dim);
  }
}

bool clrs__indexed_named_walk(const clrs_view *view, uint32_t axis, int64_t middle,
                              clrs__walk *walk, clrs__walk *places) {
  clrs__walk whole;
  clrs__dim_axes dealt;
  if (!clrs__view_find_walk(view, &whole) || !clrs__walk_deal(&whole, &view->shape, &dealt)) {
    return false;
  }
  clrs__walk_start(places, 0);
  clrs__walk_append_dim(places, &dealt, axis);
  clrs__walk_start(walk, dealt.offset);
  append_dims(walk, &dealt, 0, axis);
  clrs__walk_append(walk, (clrs_axis){middle, 0});
  append_dims(walk, &dealt, axis + 1, view->shape.rank);
  clrs__walk_normalize(walk);
  return true;
}

void clrs__indexed_empty_walk(const clrs__indexed_parts *parts, clrs__walk *walk,
                              clrs__walk *places) {
  clrs__walk_start(places, 0);
  clrs__walk_start(walk, 0);
  clrs__walk_append(walk, (clrs_axis){parts->before, 0});
  clrs__walk_append(walk, (clrs_axis){parts->middle, 0});
  clrs__walk_append(walk, (clrs_axis){parts->behind, 0});
  clrs__walk_normalize(walk);
}

bool clrs__indexed_index_walk(const clrs_view *indices, const clrs__indexed_parts *parts,
                              clrs__walk *walk) {
  clrs__walk own;
  if (!clrs__view_find_walk(indices, &own)) {
    return false;
  }
  clrs__walk_start(walk, own.offset);
  clrs__walk_append(walk, (clrs_axis){parts->before, 0});
  for (uint32_t i = 0; i < own.axis_count; i++) {
    clrs__walk_append(walk, own.axes[i]);
  }
  clrs__walk_append(walk, (clrs_axis){parts->behind, 0});
  clrs__walk_normalize(walk);
  return true;
}

/* The axes of the named dim, by which an index is taken apart. */
static bool take_digits(const clrs__walk *places, clrs__indexed_pass *pass) {
  pass->digit_count = places->axis_count;
  for (uint32_t i = 0; i < places->axis_count && i < CLRS_INDEXED_DIGITS; i++) {
    pass->digits[i] = places->axes[places->axis_count - 1 - i];
  }
  return places->axis_count <= CLRS_INDEXED_DIGITS;
}

static bool find_walks(clrs__indexed_pass *pass, clrs__walk *walks) {
  const clrs_view *named = view_of(pass, CLRS_NAMED), *indices = view_of(pass, CLRS_INDEX);
  const clrs__indexed_parts parts = clrs__indexed_parts_of(named, indices, pass->axis);
  clrs__walk places;
  if (!clrs__view_find_walk(view_of(pass, CLRS_LISTED), &walks[CLRS_LISTED]) ||
      !clrs__indexed_index_walk(indices, &parts, &walks[CLRS_INDEX])) {
    return false;
  }
  clrs__walk_normalize(&walks[CLRS_LISTED]);
  if (pass->extent == 0) {
    clrs__indexed_empty_walk(&parts, &walks[CLRS_NAMED], &places);
  } else if (!clrs__indexed_named_walk(named, pass->axis, parts.middle, &walks[CLRS_NAMED],
                                       &places)) {
    return false;
  }
  return take_digits(&places, pass);
}

/* ---- units ---- */

/* Along neighbours on both sides, which share an index: from index to index the named side stays.
 */
static bool is_run(const clrs__nest_axis *loop) {
  return loop->strides[CLRS_LISTED] == 1 && loop->strides[CLRS_NAMED] == 1;
}

/* Takes the loop along neighbours out of the others. There is one at most, as no two elements share
 * a place of the side that is written. */
static void take_run(clrs__indexed_pass *pass) {
  clrs__nest *nest = &pass->nest;
  uint32_t at = nest->axis_count;
  pass->run = 1;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    if (is_run(&nest->axes[i])) {
      at = i;
      pass->run = nest->axes[i].extent;
    }
  }
  for (; at + 1 < nest->axis_count; at++) {
    nest->axes[at] = nest->axes[at + 1];
  }
  nest->axis_count -= pass->run > 1;
}

/* The largest power of two, in bytes, that both sides are aligned to. */
static uint64_t common_alignment(const clrs__indexed_pass *pass) {
  const clrs_operand *listed = &pass->operands[CLRS_LISTED], *named = &pass->operands[CLRS_NAMED];
  return clrs__lowest_bit(listed->alignment | named->alignment);
}

static uint32_t first_unit(const clrs__indexed_pass *pass) {
  const clrs_operand *listed = &pass->operands[CLRS_LISTED], *named = &pass->operands[CLRS_NAMED];
  const uint32_t width = clrs_dtype_bits(view_of(pass, CLRS_LISTED)->dtype);
  const uint64_t aligned_bits =
      8 * clrs__lowest_bit(common_alignment(pass) | listed->byte_offset | named->byte_offset);
  return aligned_bits < width ? (uint32_t)aligned_bits : width;
}

/* Each side's numbers, of which there are loops, digits and a start. */
static bool scale(clrs__indexed_pass *pass, int64_t ratio) {
  bool fits = clrs__multiply(pass->run, ratio, &pass->run);
  for (uint32_t side = CLRS_LISTED; side <= CLRS_NAMED; side++) {
    const clrs_operand *operand = &pass->operands[side];
    const int64_t start = (int64_t)(operand->byte_offset / (pass->unit_bits / 8));
    fits = fits && clrs__multiply_add(start, pass->starts[side], ratio, &pass->starts[side]);
    for (uint32_t i = 0; fits && i < pass->nest.axis_count; i++) {
      int64_t *stride = &pass->nest.axes[i].strides[side];
      fits = clrs__multiply(*stride, ratio, stride);
    }
  }
  for (uint32_t i = 0; fits && i < pass->digit_count; i++) {
    fits = clrs__multiply(pass->digits[i].stride, ratio, &pass->digits[i].stride);
  }
  return fits;
}

/* Can every two neighbouring units be moved as one? */
static bool can_pair(const clrs__indexed_pass *pass) {
  int64_t all = pass->run;
  for (uint32_t side = CLRS_LISTED; side <= CLRS_NAMED; side++) {
    all |= pass->starts[side];
    for (uint32_t i = 0; i < pass->nest.axis_count; i++) {
      all |= pass->nest.axes[i].strides[side];
    }
  }
  for (uint32_t i = 0; i < pass->digit_count; i++) {
    all |= pass->digits[i].stride;
  }
  return all % 2 == 0;
}

static void pair_units(clrs__indexed_pass *pass) {
  pass->unit_bits *= 2;
  pass->run /= 2;
  for (uint32_t side = CLRS_LISTED; side <= CLRS_NAMED; side++) {
    pass->starts[side] /= 2;
    for (uint32_t i = 0; i < pass->nest.axis_count; i++) {
      pass->nest.axes[i].strides[side] /= 2;
    }
  }
  for (uint32_t i = 0; i < pass->digit_count; i++) {
    pass->digits[i].stride /= 2;
  }
}

static bool choose_unit(clrs__indexed_pass *pass) {
  enum { WIDEST = 128 };
  const uint64_t widest = 8 * common_alignment(pass);
  if (!scale(pass, clrs_dtype_bits(view_of(pass, CLRS_LISTED)->dtype) / pass->unit_bits)) {
    return false;
  }
  while (pass->unit_bits < WIDEST && pass->unit_bits < widest && can_pair(pass)) {
    pair_units(pass);
  }
  return true;
}

/* ---- the pass ---- */

static void start_pass(const clrs__indexed_move *move, clrs__indexed_pass *pass) {
  for (uint32_t i = 0; i < CLRS_INDEXED_OPERANDS; i++) {
    clrs__view_copy(&pass->views[i], move->operands[i].view);
    pass->operands[i] = move->operands[i];
    pass->operands[i].view = NULL;
  }
  pass->axis = move->axis;
  pass->scatters = move->scatters;
  pass->rules = move->rules;
  pass->limits = *move->limits;
  pass->has_nest = false;
  pass->unit_bits = first_unit(pass);
  pass->extent = view_of(pass, CLRS_NAMED)->shape.dims[move->axis];
  pass->run = pass->digit_count = 0;
  pass->nest.axis_count = 0;
}

clrs_status clrs__indexed_plan(const clrs__indexed_move *move, clrs__indexed_pass *pass,
                               clrs_error *error) {
  clrs__walk walks[CLRS_INDEXED_OPERANDS];
  clrs__conflict conflict;
  start_pass(move, pass);
  if (!find_walks(pass, walks) ||
      !clrs__nest_refine(walks, CLRS_INDEXED_OPERANDS, &pass->nest, &conflict)) {
    return CLRS_OK;
  }
  take_run(pass);
  if (pass->nest.axis_count + 1 > CLRS_INDEXED_LOOPS) {
    return CLRS_OK;
  }
  for (uint32_t i = 0; i < CLRS_INDEXED_OPERANDS; i++) {
    pass->starts[i] = pass->nest.offsets[i];
  }
  if (!choose_unit(pass)) {
    return clrs__fail(error, CLRS_OVERFLOW, "a position of the move does not fit in 64 bits");
  }
  pass->has_nest = true;
  return CLRS_OK;
}

void clrs__indexed_pass_copy(clrs__indexed_pass *to, const clrs__indexed_pass *from) {
  const size_t numbers = offsetof(clrs__indexed_pass, operands);
  for (uint32_t i = 0; i < CLRS_INDEXED_OPERANDS; i++) {
    clrs__view_copy(&to->views[i], &from->views[i]);
  }
  memcpy((char *)to + numbers, (const char *)from + numbers,
         offsetof(clrs__indexed_pass, nest) - numbers);
  clrs__nest_copy(&to->nest, &from->nest);
  to->digit_count = from->digit_count;
  memcpy(to->digits, from->digits, sizeof to->digits);
}
