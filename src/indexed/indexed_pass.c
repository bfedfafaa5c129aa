/* SPDX-License-Identifier: Apache-2.0 */
#include "indexed_pass.h"

#include "checked.h"
#include "dtype.h"
#include "view.h"

/* ---- walks ---- */

/* The extents of a walk are at least 2 and multiply to a number of 63 bits. */
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

/* Takes the axes of the named dim, which split an index into digits. */
static bool take_digits(const clrs__walk *places, clrs__address *address) {
  address->digit_count = places->axis_count;
  for (uint32_t i = 0; i < places->axis_count && i < CLRS_INDEX_DIGITS; i++) {
    address->digits[i] = places->axes[places->axis_count - 1 - i];
  }
  return places->axis_count <= CLRS_INDEX_DIGITS;
}

static bool find_walks(const clrs__indexed_move *move, clrs__walk *walks, clrs__address *address) {
  const clrs_view *named = move->operands[CLRS_NAMED].view;
  const clrs_view *indices = move->operands[CLRS_INDEX].view;
  const clrs__indexed_parts parts = clrs__indexed_parts_of(named, indices, move->axis);
  clrs__walk places;
  if (!clrs__view_find_walk(move->operands[CLRS_LISTED].view, &walks[CLRS_LISTED]) ||
      !clrs__indexed_index_walk(indices, &parts, &walks[CLRS_INDEX])) {
    return false;
  }
  clrs__walk_normalize(&walks[CLRS_LISTED]);
  if (address->extent == 0) {
    clrs__indexed_empty_walk(&parts, &walks[CLRS_NAMED], &places);
  } else if (!clrs__indexed_named_walk(named, move->axis, parts.middle, &walks[CLRS_NAMED],
                                       &places)) {
    return false;
  }
  return take_digits(&places, address);
}

/* ---- what is moved ---- */

uint32_t clrs__indexed_rules(const clrs__indexed_move *move) {
  const clrs_operand *indices = &move->operands[CLRS_INDEX];
  const uint32_t bytes = clrs_dtype_bits(indices->view->dtype) / 8;
  const uint64_t alignment = clrs__lowest_bit(indices->byte_offset | indices->alignment);
  return move->rules | (bytes == 8 ? CLRS_INDEX_IS_LONG : 0) |
         (alignment < bytes ? CLRS_INDEX_IS_UNALIGNED : 0);
}

bool clrs__indexed_find_loops(const clrs__indexed_move *move, clrs__nest *nest,
                              clrs__address *address) {
  clrs__walk walks[CLRS_INDEXED_OPERANDS];
  clrs__conflict conflict;
  *address = (clrs__address){.key = {true, move->scatters},
                             .rules = clrs__indexed_rules(move),
                             .extent = move->operands[CLRS_NAMED].view->shape.dims[move->axis]};
  if (!find_walks(move, walks, address) ||
      !clrs__nest_refine(walks, CLRS_INDEXED_OPERANDS, nest, &conflict)) {
    return false;
  }
  address->index_start = move->operands[CLRS_INDEX].byte_offset +
                         (uint64_t)nest->offsets[CLRS_INDEX] * clrs__index_bytes(address->rules);
  return true;
}
