/* SPDX-License-Identifier: Apache-2.0 */
#include "written.h"

/* A stack repeats a position only if a walk of the stack does. */
static bool has_overlapping_walk(const clrs_view *view) {
  for (uint32_t level = 0; level < view->depth; level++) {
    clrs__walk walk;
    clrs__view_level(view, level, &walk);
    if (clrs__walk_overlaps_itself(&walk)) {
      return true;
    }
  }
  return false;
}

static void written_walk(const clrs__nest *nest, clrs__walk *walk) {
  clrs__walk_start(walk, nest->offsets[CLRS__FROM]);
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    clrs__walk_append(walk, (clrs_axis){nest->axes[i].extent, nest->axes[i].strides[CLRS__FROM]});
  }
}

/* A stack may show parts of a walk that repeats positions, and still show no position twice.
 * Example: roll=0,1 of 4 elements shows elements 3 to 6 of the 4 elements repeated, 0 1 2 3 0 1 2
 * 3. The pieces of this view are position 3, and positions 0 to 2. */
static bool pieces_overlap(const clrs_view *view) {
  clrs__pieces pieces;
  clrs__reason reason;
  clrs_view positions;
  clrs__view_make_dense(CLRS_U8, &view->shape, &positions);
  if (!clrs__pieces_find((const clrs_view *const[]){&positions, view}, 2, &pieces, &reason)) {
    return true;
  }
  for (uint32_t i = 0; i < pieces.count; i++) {
    clrs__walk walk, other;
    written_walk(&pieces.nests[i], &walk);
    if (clrs__walk_overlaps_itself(&walk)) {
      return true;
    }
    for (uint32_t before = 0; before < i; before++) {
      written_walk(&pieces.nests[before], &other);
      if (clrs__walks_meet(&walk, &other)) {
        return true;
      }
    }
  }
  return false;
}

clrs_status clrs__view_check_written(const clrs_view *destination, clrs_error *error) {
  return !has_overlapping_walk(destination) ||
                 (destination->depth > 1 && !pieces_overlap(destination))
             ? CLRS_OK
             : clrs__fail(error, CLRS_OVERLAP,
                          "two elements of the destination %s lie at one position",
                          clrs__dims_text(destination->shape.rank, destination->shape.dims).text);
}
