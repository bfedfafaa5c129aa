/* SPDX-License-Identifier: Apache-2.0 */
#include "inverse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "status.h"

bool cli_view_is_same(const clrs_view *a, const clrs_view *b) {
  uint32_t axes = 0;
  if (a->dtype != b->dtype || a->depth != b->depth || !clrs_shape_equal(&a->shape, &b->shape)) {
    return false;
  }
  for (uint32_t i = 0; i < a->depth; i++) {
    if (a->levels[i].offset != b->levels[i].offset ||
        a->levels[i].axis_count != b->levels[i].axis_count) {
      return false;
    }
    axes += a->levels[i].axis_count;
  }
  return memcmp(a->axes, b->axes, axes * sizeof *a->axes) == 0;
}

/* ---- one walk ---- */

/* The axes of the walk, sorted by stride, the longest first. */
typedef struct sorted {
  clrs_shape extents;           /* in the order of the view */
  int64_t order[CLRS_MAX_RANK]; /* indices of the axes, in sorted order */
  int64_t flipped[CLRS_MAX_RANK];
  size_t flipped_count;
} sorted;

static clrs_status fail_lost(clrs_error *error) {
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "it does not leave every element there once, in one walk");
}

static int64_t length(int64_t stride) {
  return stride < 0 ? -stride : stride;
}

static void insert(const clrs_axis *axes, uint32_t at, sorted *found) {
  uint32_t place = at;
  for (; place > 0 && length(axes[found->order[place - 1]].stride) < length(axes[at].stride);
       place--) {
    found->order[place] = found->order[place - 1];
  }
  found->order[place] = at;
}

/* Are the axes dense in sorted order? */
static bool is_whole(const clrs_axis *axes, const sorted *found, int64_t count) {
  int64_t stride = 1;
  for (uint32_t i = found->extents.rank; i-- > 0;) {
    const clrs_axis *axis = &axes[found->order[i]];
    if (length(axis->stride) != stride || axis->extent > count / stride) {
      return false;
    }
    stride *= axis->extent;
  }
  return stride == count;
}

static clrs_status sort_axes(const clrs_view *view, int64_t count, sorted *found,
                             clrs_error *error) {
  const uint32_t axes = view->depth == 1 ? view->levels[0].axis_count : CLRS_MAX_RANK + 1;
  if (axes > CLRS_MAX_RANK) {
    return fail_lost(error);
  }
  *found = (sorted){.extents = {axes, {0}}};
  for (uint32_t i = 0; i < axes; i++) {
    found->extents.dims[i] = view->axes[i].extent;
    insert(view->axes, i, found);
    if (view->axes[i].stride < 0) {
      found->flipped[found->flipped_count++] = i;
    }
  }
  return is_whole(view->axes, found, count) ? CLRS_OK : fail_lost(error);
}

/* ---- rolls ---- */

/* Rolls each dim to begin at index begins[dim]. Elements before that index come last. */
static clrs_status roll(const int64_t *begins, clrs_view *view, clrs_error *error) {
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    char text[64];
    if (begins[dim] > 0) {
      snprintf(text, sizeof text, "roll=%" PRIu32 ",%" PRId64, dim, -begins[dim]);
      CLRS_TRY(clrs_view_apply(view, text, error));
    }
  }
  return CLRS_OK;
}

/* Finds the index, in each dim of the dense tensor, of the view's first element. */
static clrs_status find_begins(const clrs_view *view, int64_t *begins, clrs_error *error) {
  clrs_slice first[CLRS_MAX_RANK];
  clrs_view seen = *view;
  clrs_bounds bounds;
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    first[dim] = (clrs_slice){dim, 0, 1, 1};
  }
  CLRS_TRY(clrs_view_slice(&seen, view->shape.rank, first, error));
  CLRS_TRY(clrs_view_bounds(&seen, &bounds, error));
  for (uint32_t dim = view->shape.rank; dim-- > 0;) {
    begins[dim] = bounds.lowest % view->shape.dims[dim];
    bounds.lowest /= view->shape.dims[dim];
  }
  return CLRS_OK;
}

/* Inverts a roll. Example: roll=0,1 of 4 elements begins at index 3, and the inverse begins at
 * index 1. */
static clrs_status return_rolled(const clrs_view *view, clrs_view *other, clrs_error *error) {
  int64_t begins[CLRS_MAX_RANK] = {0};
  clrs_view rolled;
  CLRS_TRY(find_begins(view, begins, error));
  CLRS_TRY(clrs_view_dense(view->dtype, &view->shape, &rolled, error));
  CLRS_TRY(roll(begins, &rolled, error));
  if (!cli_view_is_same(view, &rolled)) {
    return fail_lost(error);
  }
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    begins[dim] = begins[dim] > 0 ? view->shape.dims[dim] - begins[dim] : 0;
  }
  return roll(begins, other, error);
}

/* ---- both ---- */

clrs_status cli_view_return(const clrs_view *view, const clrs_shape *shape, clrs_view *other,
                            clrs_error *error) {
  sorted found;
  int64_t count = 0, shown = 0;
  CLRS_TRY(clrs_shape_count(shape, &count, error));
  CLRS_TRY(clrs_shape_count(&view->shape, &shown, error));
  if (shown != count) {
    return fail_lost(error);
  }
  if (view->depth > 1 && clrs_shape_equal(&view->shape, shape)) {
    return return_rolled(view, other, error);
  }
  if (count > 0) {
    CLRS_TRY(sort_axes(view, count, &found, error));
    CLRS_TRY(clrs_view_reshape(other, &found.extents, error));
    if (found.flipped_count > 0) {
      CLRS_TRY(clrs_view_flip(other, found.flipped_count, found.flipped, error));
    }
    CLRS_TRY(clrs_view_permute(other, found.extents.rank, found.order, error));
  }
  return clrs_view_reshape(other, shape, error);
}
