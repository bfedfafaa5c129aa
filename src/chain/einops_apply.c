/*
 * Applies a pattern of einops to a shape. Example: b t (h d) -> (b h) t d with h=12 on [8,64,768]:
 *
 *   parts   [8,64,12,64]   the left's axes: 768 is 12 times an unknown length, which is 64
 *   order   0,2,1,3        the places of the right's axes among the parts
 *   result  [96,64,64]     the right's dims
 *
 * The steps are reshape, permute, reshape. For new axes, as in h w -> h w 2, the view gets dims of
 * 1 after the permutation, and is expanded.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "checked.h"
#include "einops.h"
#include "einops_apply.h"
#include "view.h"

/* The numbers that clrs__rearrange_parse and clrs__repeat_parse write. */
typedef struct recipe {
  uint32_t axis_count, left_axis_count, left_dim_count, right_dim_count;
  const int64_t *lengths, *left_dims, *right_dims, *members;
} recipe;

static recipe read_recipe(const int64_t *values) {
  recipe r = {(uint32_t)values[0],
              (uint32_t)values[1],
              (uint32_t)values[2],
              (uint32_t)values[3],
              values + 4,
              NULL,
              NULL,
              NULL};
  r.left_dims = r.lengths + r.axis_count;
  r.right_dims = r.left_dims + r.left_dim_count;
  r.members = r.right_dims + r.right_dim_count;
  return r;
}

/* The recipe with the lengths of one shape. */
typedef struct arrangement {
  recipe recipe;
  int64_t lengths[CLRS_MAX_RANK];            /* known for all axes */
  uint32_t ellipsis_first, ellipsis_count;   /* place of the ellipsis' dims in `parts` */
  clrs_shape parts, with_ones, wide, result; /* see above; wide: with_ones, expanded */
  int64_t order[CLRS_MAX_RANK];
  uint32_t order_count;
} arrangement;

static clrs_status append_dim(clrs_shape *shape, int64_t dim, clrs_error *error) {
  if (shape->rank == CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the pattern needs more than %d dims at a time for this shape",
                      CLRS_MAX_RANK);
  }
  shape->dims[shape->rank++] = dim;
  return CLRS_OK;
}

/* ---- the left ---- */

static clrs_status count_ellipsis(const clrs_shape *shape, arrangement *to, clrs_error *error) {
  bool has_ellipsis = false;
  for (uint32_t dim = 0; dim < to->recipe.left_dim_count; dim++) {
    has_ellipsis = has_ellipsis || to->recipe.left_dims[dim] == CLRS__ELLIPSIS;
  }
  const uint32_t others = to->recipe.left_dim_count - (has_ellipsis ? 1 : 0);
  if (has_ellipsis ? shape->rank < others : shape->rank != others) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH, "the left has %s%u dims; the shape %s has %u",
                      has_ellipsis ? "at least " : "", others,
                      clrs__dims_text(shape->rank, shape->dims).text, shape->rank);
  }
  to->ellipsis_count = shape->rank - others;
  return CLRS_OK;
}

/* The `count` axes from `first` on are one dim of the shape. Their lengths must multiply to the
 * extent of the dim. If one length is unknown, the other lengths must divide the extent, and the
 * unknown length is the quotient. */
static clrs_status infer(uint32_t first, int64_t count, uint32_t dim, int64_t extent,
                         arrangement *to, clrs_error *error) {
  int64_t known = 1, *unknown = NULL;
  for (int64_t i = 0; i < count; i++) {
    int64_t *length = &to->lengths[first + (uint32_t)i];
    if (*length == CLRS__UNKNOWN) {
      unknown = length;
    } else if (!clrs__multiply(known, *length, &known)) {
      return clrs__fail(error, CLRS_OVERFLOW,
                        "the lengths of dimension %u multiply to more than 64 bits", dim);
    }
  }
  if (unknown == NULL ? extent != known : known == 0 || extent % known != 0) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "dimension %u has extent %" PRId64 ", which is %s %" PRId64
                      ", the product of its lengths",
                      dim, extent, unknown == NULL ? "not" : "no multiple of", known);
  }
  if (unknown != NULL) {
    *unknown = extent / known;
  }
  return CLRS_OK;
}

static clrs_status split_dims(const clrs_shape *shape, arrangement *to, clrs_error *error) {
  uint32_t axis = 0, dim = 0;
  for (uint32_t i = 0; i < to->recipe.left_dim_count; i++) {
    const int64_t count = to->recipe.left_dims[i];
    if (count == CLRS__ELLIPSIS) {
      to->ellipsis_first = axis;
      for (uint32_t end = dim + to->ellipsis_count; dim < end; dim++) {
        CLRS_TRY(append_dim(&to->parts, shape->dims[dim], error));
      }
      continue;
    }
    CLRS_TRY(infer(axis, count, dim, shape->dims[dim], to, error));
    dim++;
    for (const uint32_t end = axis + (uint32_t)count; axis < end; axis++) {
      CLRS_TRY(append_dim(&to->parts, to->lengths[axis], error));
    }
  }
  return CLRS_OK;
}

/* ---- the right ---- */

/* Appends a factor of a dim of the result, `before` to with_ones and `after` to wide. */
static clrs_status append_factor(int64_t before, int64_t after, int64_t *extent, arrangement *to,
                                 clrs_error *error) {
  CLRS_TRY(append_dim(&to->with_ones, before, error));
  to->wide.dims[to->wide.rank++] = after; /* as many dims as with_ones */
  return clrs__multiply(*extent, after, extent)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OVERFLOW, "a dim of the result does not fit in 64 bits");
}

static clrs_status take_part(uint32_t part, int64_t *extent, arrangement *to, clrs_error *error) {
  to->order[to->order_count++] = part;
  return append_factor(to->parts.dims[part], to->parts.dims[part], extent, to, error);
}

/* Appends an axis of the right: a new axis, or the axis' place among the parts. Axes behind the
 * ellipsis of the left lie behind the ellipsis' dims. Example: a ... b on 5 dims has 3 dims in the
 * ellipsis, so b, axis 1, is part 4. */
static clrs_status take_axis(uint32_t axis, int64_t *extent, arrangement *to, clrs_error *error) {
  if (axis >= to->recipe.left_axis_count) {
    return append_factor(1, to->lengths[axis], extent, to, error);
  }
  return take_part(axis < to->ellipsis_first ? axis : axis + to->ellipsis_count, extent, to, error);
}

/* Appends one dim of the right, made of `count` members. */
static clrs_status join_members(const int64_t *members, int64_t count, arrangement *to,
                                clrs_error *error) {
  int64_t extent = 1;
  for (int64_t i = 0; i < count; i++) {
    if (members[i] != CLRS__ELLIPSIS) {
      CLRS_TRY(take_axis((uint32_t)members[i], &extent, to, error));
      continue;
    }
    for (uint32_t k = 0; k < to->ellipsis_count; k++) {
      CLRS_TRY(take_part(to->ellipsis_first + k, &extent, to, error));
    }
  }
  return append_dim(&to->result, extent, error);
}

static clrs_status join_dims(arrangement *to, clrs_error *error) {
  const int64_t *next = to->recipe.members;
  for (uint32_t i = 0; i < to->recipe.right_dim_count; i++) {
    const int64_t count = to->recipe.right_dims[i];
    if (count != CLRS__ELLIPSIS) {
      CLRS_TRY(join_members(next, count, to, error));
      next += count;
      continue;
    }
    for (uint32_t k = 0; k < to->ellipsis_count; k++) {
      int64_t extent = 1;
      CLRS_TRY(take_part(to->ellipsis_first + k, &extent, to, error));
      CLRS_TRY(append_dim(&to->result, extent, error));
    }
  }
  return CLRS_OK;
}

clrs_status clrs__einops_apply(const clrs__op *op, clrs_view *view, clrs_error *error) {
  arrangement to = {.recipe = read_recipe(op->values)};
  clrs_view next;
  clrs__dims_copy(to.lengths, to.recipe.lengths, to.recipe.axis_count);
  CLRS_TRY(count_ellipsis(&view->shape, &to, error));
  to.ellipsis_first = to.recipe.left_axis_count; /* without an ellipsis, nothing follows */
  CLRS_TRY(split_dims(&view->shape, &to, error));
  CLRS_TRY(join_dims(&to, error));
  clrs__view_copy(&next, view);
  CLRS_TRY(clrs_view_reshape(&next, &to.parts, error));
  CLRS_TRY(clrs_view_permute(&next, to.order_count, to.order, error));
  clrs__shape_copy(&next.shape, &to.with_ones); /* the same dims except for ones */
  CLRS_TRY(clrs_view_expand(&next, &to.wide, error));
  clrs__shape_copy(&next.shape, &to.result); /* products of its dims */
  clrs__view_copy(view, &next);
  return CLRS_OK;
}
