/* SPDX-License-Identifier: Apache-2.0 */
#include "inverse.h"

#include "status.h"

/* The axes of the walk, sorted by stride, the longest first. */
typedef struct sorted {
  clrs_shape extents;           /* in the order of the view */
  int64_t order[CLRS_MAX_RANK]; /* which of them comes when, sorted */
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

/* Dense, if they are taken in that order. */
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

clrs_status cli_view_return(const clrs_view *view, const clrs_shape *shape, clrs_view *other,
                            clrs_error *error) {
  sorted found;
  int64_t count = 0, shown = 0;
  CLRS_TRY(clrs_shape_count(shape, &count, error));
  CLRS_TRY(clrs_shape_count(&view->shape, &shown, error));
  if (shown != count) {
    return fail_lost(error);
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

clrs_status cli_view_inverse(const clrs_view *view, const clrs_shape *shape, clrs_view *inverse,
                             clrs_error *error) {
  CLRS_TRY(clrs_view_dense(view->dtype, &view->shape, inverse, error));
  return cli_view_return(view, shape, inverse, error);
}
