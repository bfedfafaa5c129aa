/*
 * The cursor counts through the positions of the top level, and follows each position down the
 * levels below. A position is an index into the enumeration of the level below. The digits of the
 * index are the indices along the axes of that level.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cursor.h"

#include <string.h>

/* The position in the storage of element `index` of the level below `level`. The axes of that level
 * end at `end`, the first axis of `level`. No sum overflows 64 bits, because the view was checked.
 * Example: a level of extents 2 and 3 and strides 10 and 1 has element 4 at the digits (1,1), which
 * is position 11. */
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
