/* SPDX-License-Identifier: Apache-2.0 */
#include "cut_axes.h"

#include "checked.h"

static void swap_sides(clrs__nest *nest) {
  const int64_t offset = nest->source_offset;
  nest->source_offset = nest->destination_offset;
  nest->destination_offset = offset;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    clrs__nest_axis *axis = &nest->axes[i];
    *axis = (clrs__nest_axis){axis->extent, axis->destination_stride, axis->source_stride};
  }
}

/* The first steps of one axis stay in *nest; the rest becomes *tail. */
static bool cut_nest(clrs__nest *nest, const clrs__axis_cut *cut, clrs__nest *tail) {
  const clrs__nest_axis axis = nest->axes[cut->axis];
  clrs__nest_copy(tail, nest);
  tail->axes[cut->axis].extent -= cut->extent;
  nest->axes[cut->axis].extent = cut->extent;
  return clrs__multiply_add(tail->source_offset, cut->extent, axis.source_stride,
                            &tail->source_offset) &&
         clrs__multiply_add(tail->destination_offset, cut->extent, axis.destination_stride,
                            &tail->destination_offset);
}

/* Lowers one piece through a walk; what has to be cut off is added as a piece of its own. */
static bool lower_piece(clrs__pieces *pieces, uint32_t at, const clrs__walk *lower) {
  clrs__axis_cut cut;
  for (;;) {
    const clrs__lowering lowering = clrs__nest_lower(lower, &pieces->nests[at], &cut);
    if (lowering != CLRS__CUT) {
      return lowering == CLRS__LOWERED;
    }
    if (pieces->count == CLRS__MAX_PIECES ||
        !cut_nest(&pieces->nests[at], &cut, &pieces->nests[pieces->count])) {
      return false;
    }
    pieces->count++;
  }
}

/* Lowers the source side of every piece from the top walk of a view to its storage. */
static bool lower_pieces(clrs__pieces *pieces, const clrs_view *view) {
  for (uint32_t level = view->depth - 1; level > 0;) {
    level--;
    clrs__walk lower;
    clrs__view_level(view, level, &lower);
    for (uint32_t at = 0; at < pieces->count; at++) {
      if (!lower_piece(pieces, at, &lower)) {
        return false;
      }
    }
  }
  return true;
}

static void swap_all(clrs__pieces *pieces) {
  for (uint32_t at = 0; at < pieces->count; at++) {
    swap_sides(&pieces->nests[at]);
  }
}

static bool lower_both_sides(clrs__pieces *pieces, const clrs_view *source,
                             const clrs_view *destination) {
  bool lowered = lower_pieces(pieces, source);
  swap_all(pieces);
  lowered = lowered && lower_pieces(pieces, destination);
  swap_all(pieces);
  return lowered;
}

bool clrs__pieces_find(const clrs_view *source, const clrs_view *destination, clrs__pieces *pieces,
                       clrs_reason *reason) {
  clrs__walk from, to;
  clrs__conflict conflict;
  clrs__view_level(source, source->depth - 1, &from);
  clrs__view_level(destination, destination->depth - 1, &to);
  if (!clrs__nest_refine(&from, &to, &pieces->nests[0], &conflict)) {
    *reason = (clrs_reason){CLRS_REASON_AXES_DO_NOT_FACTOR,
                            {conflict.source_extent, conflict.destination_extent}};
    return false;
  }
  pieces->count = 1;
  if (!lower_both_sides(pieces, source, destination)) {
    *reason = (clrs_reason){CLRS_REASON_TOO_MANY_PIECES, {CLRS__MAX_PIECES, 0}};
    return false;
  }
  for (uint32_t at = 0; at < pieces->count; at++) {
    clrs__nest_normalise(&pieces->nests[at]);
  }
  return true;
}
