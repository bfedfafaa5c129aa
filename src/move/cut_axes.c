/* SPDX-License-Identifier: Apache-2.0 */
#include "cut_axes.h"

#include "checked.h"

/* Keeps the first steps of an axis in *nest. The remaining steps become *tail. */
static bool cut_nest(clrs__nest *nest, const clrs__axis_cut *cut, clrs__nest *tail) {
  const clrs__nest_axis axis = nest->axes[cut->axis];
  clrs__nest_copy(tail, nest);
  tail->axes[cut->axis].extent -= cut->extent;
  nest->axes[cut->axis].extent = cut->extent;
  for (uint32_t i = 0; i < nest->operand_count; i++) {
    if (!clrs__multiply_add(tail->offsets[i], cut->extent, axis.strides[i], &tail->offsets[i])) {
      return false;
    }
  }
  return true;
}

/* Lowers an operand of a piece through a walk. A part that has to be cut off becomes another
 * piece. */
static bool lower_piece(clrs__pieces *pieces, uint32_t at, const clrs__walk *lower,
                        uint32_t operand) {
  clrs__axis_cut cut;
  for (;;) {
    const clrs__lowering lowering = clrs__nest_lower(lower, operand, &pieces->nests[at], &cut);
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

/* Finds the first walk of an operand. The dims of a view of several walks may still allow one walk.
 * Sets *above to the number of levels left to lower. */
static void first_walk(const clrs_view *view, clrs__walk *walk, uint32_t *above) {
  *above = 0;
  if (!clrs__view_find_walk(view, walk)) {
    *above = view->depth - 1;
    clrs__view_level(view, *above, walk);
  }
}

/* Lowers an operand of every piece from walk number `level` of a view to its storage. */
static bool lower_pieces(clrs__pieces *pieces, const clrs_view *view, uint32_t operand,
                         uint32_t level) {
  while (level > 0) {
    level--;
    clrs__walk lower;
    clrs__view_level(view, level, &lower);
    for (uint32_t at = 0; at < pieces->count; at++) {
      if (!lower_piece(pieces, at, &lower, operand)) {
        return false;
      }
    }
  }
  return true;
}

/* The source is lowered before the destination, so that the pieces are in the order of the source's
 * cuts. */
static bool lower_all(clrs__pieces *pieces, const clrs_view *const *views, const uint32_t *levels,
                      uint32_t count) {
  for (uint32_t operand = CLRS__FROM; operand < count; operand++) {
    if (!lower_pieces(pieces, views[operand], operand, levels[operand])) {
      return false;
    }
  }
  return lower_pieces(pieces, views[CLRS__TO], CLRS__TO, levels[CLRS__TO]);
}

bool clrs__pieces_find(const clrs_view *const *views, uint32_t count, clrs__pieces *pieces,
                       clrs__reason *reason) {
  clrs__walk walks[CLRS__MOST_OPERANDS];
  uint32_t levels[CLRS__MOST_OPERANDS], taken = 0;
  clrs__conflict conflict;
  do {
    first_walk(views[taken], &walks[taken], &levels[taken]);
  } while (++taken < count);
  if (!clrs__nest_refine(walks, count, &pieces->nests[0], &conflict)) {
    *reason = (clrs__reason){CLRS__REASON_AXES_DO_NOT_FACTOR,
                             {conflict.source_extent, conflict.destination_extent}};
    return false;
  }
  pieces->count = 1;
  if (!lower_all(pieces, views, levels, count)) {
    *reason = (clrs__reason){CLRS__REASON_TOO_MANY_PIECES, {CLRS__MAX_PIECES, 0}};
    return false;
  }
  for (uint32_t at = 0; at < pieces->count; at++) {
    clrs__nest_normalize(&pieces->nests[at]);
  }
  return true;
}
