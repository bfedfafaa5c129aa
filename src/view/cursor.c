/*
 * The positions of the top level are counted through, and each is followed down the levels below:
 * there, a position is an index into the enumeration of the level, whose digits are the indices
 * along its axes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cursor.h"

#include <string.h>

/* The position in the storage of element `index` of the level below `level`, whose axes end where
 * those of `level` begin. No sum leaves 64 bits: the view was checked. */
static int64_t descend(const clrs_view *view, uint32_t level, uint32_t end, int64_t index) {
  for (; level > 0; level--) {
    const uint32_t begin = end - view->levels[level - 1].axis_count;
    int64_t position = view->levels[level - 1].offset;
    for (uint32_t axis = end; axis > begin; axis--) {
      const clrs_axis of = view->axes[axis - 1];
      position += index % of.extent * of.stride;
      index /= of.extent;
    }
    index = position;
    end = begin;
  }
  return index;
}

static void advance(clrs__cursor *cursor) {
  const clrs_axis *axes = cursor->view->axes + cursor->first_axis;
  for (uint32_t i = cursor->view->levels[cursor->view->depth - 1].axis_count; i > 0; i--) {
    const clrs_axis axis = axes[i - 1];
    if (++cursor->indices[i - 1] < axis.extent) {
      cursor->at += axis.stride;
      return;
    }
    cursor->at -= (axis.extent - 1) * axis.stride;
    cursor->indices[i - 1] = 0;
  }
}

void clrs__cursor_start(clrs__cursor *cursor, const clrs_view *view) {
  const uint32_t top = view->depth - 1;
  cursor->view = view;
  cursor->first_axis = 0;
  for (uint32_t level = 0; level < top; level++) {
    cursor->first_axis += view->levels[level].axis_count;
  }
  cursor->at = view->levels[top].offset;
  memset(cursor->indices, 0, view->levels[top].axis_count * sizeof *cursor->indices);
}

int64_t clrs__cursor_next(clrs__cursor *cursor) {
  const int64_t position =
      descend(cursor->view, cursor->view->depth - 1, cursor->first_axis, cursor->at);
  advance(cursor);
  return position;
}
