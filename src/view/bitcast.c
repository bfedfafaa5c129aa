/* SPDX-License-Identifier: Apache-2.0 */
#include "bitcast.h"

#include <inttypes.h>

#include "checked.h"
#include "dtype.h"

/* The ratio of element counts: `before` elements of the old type have the bits of `after` elements
 * of the new type. Example: 4 elements of f32 and 1 of c128. */
typedef struct ratio {
  int64_t before, after;
  clrs_dtype from, to;
} ratio;

static ratio ratio_of(clrs_dtype from, clrs_dtype to) {
  int64_t a = clrs_dtype_bits(from), b = clrs_dtype_bits(to);
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return (ratio){clrs_dtype_bits(to) / a, clrs_dtype_bits(from) / a, from, to};
}

/* Elements below a byte begin at the lowest bit of the byte, except for u1. */
static clrs_status check_types(clrs_dtype from, clrs_dtype to, clrs_error *error) {
  if (from == CLRS_STRING || to == CLRS_STRING) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the bits of strings are not those of other types");
  }
  return clrs__dtype_is_msb_first(from) == clrs__dtype_is_msb_first(to) ||
                 clrs_dtype_bits(from) >= 8 || clrs_dtype_bits(to) >= 8
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the first %s and the first %s of a byte lie at different ends; u8 "
                          "between the two takes them as they lie",
                          clrs__dtype_text(from), clrs__dtype_text(to));
}

/* Converts a count to elements of the new type. If the count is not a whole number of new elements,
 * the error is `status`: the shape is wrong, or the places are, which a copy would change. */
static clrs_status recount(const char *what, int64_t *value, const ratio *by, clrs_status status,
                           clrs_error *error) {
  if (*value % by->before != 0) {
    return clrs__fail(error, status,
                      "%s of %" PRId64 " elements of %s is no multiple of the %u bits of %s%s",
                      what, *value, clrs__dtype_text(by->from), clrs_dtype_bits(by->to),
                      clrs__dtype_text(by->to), status == CLRS_WOULD_COPY ? "; copy it first" : "");
  }
  return clrs__multiply(*value / by->before, by->after, value)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OVERFLOW,
                          "a position does not fit in 64 bits when it counts elements of %s",
                          clrs__dtype_text(by->to));
}

static clrs_status recount_dim(clrs_shape *shape, const ratio *by, clrs_error *error) {
  int64_t count;
  if (shape->rank == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "without dims there is no axis for elements of another width; reshape to "
                      "[1] makes one");
  }
  CLRS_TRY(
      recount("the last axis", &shape->dims[shape->rank - 1], by, CLRS_INVALID_ARGUMENT, error));
  return clrs__shape_measure(shape, &count, error);
}

/* An axis of one element may have any stride. Its elements of the new type are then neighbours in
 * the storage. */
static clrs_status recount_walk(clrs__walk *walk, bool is_single, const ratio *by,
                                clrs_error *error) {
  const uint32_t count = walk->axis_count;
  const bool is_dense = count > 0 && walk->axes[count - 1].stride == 1 &&
                        walk->axes[count - 1].extent % by->before == 0;
  if (!is_dense && !is_single) {
    return clrs__fail(error, CLRS_WOULD_COPY,
                      "the last axis is not dense, as it must be for elements of another width; "
                      "copy it first");
  }
  CLRS_TRY(recount("an offset", &walk->offset, by, CLRS_WOULD_COPY, error));
  for (uint32_t i = 0; i < count - is_dense; i++) {
    CLRS_TRY(recount("a stride", &walk->axes[i].stride, by, CLRS_WOULD_COPY, error));
  }
  if (is_dense) {
    CLRS_TRY(recount("the last axis", &walk->axes[count - 1].extent, by, CLRS_WOULD_COPY, error));
  } else {
    clrs__walk_append(walk, (clrs_axis){by->after, 1});
  }
  clrs__walk_normalize(walk);
  return CLRS_OK;
}

/* Groups of neighbours in a level are also groups of neighbours in the level below. */
clrs_status clrs__view_bitcast(clrs_view *view, clrs_dtype to, clrs_error *error) {
  const ratio by = ratio_of(view->dtype, to);
  clrs_view next;
  clrs__view_copy(&next, view);
  CLRS_TRY(check_types(view->dtype, to, error));
  CLRS_TRY(recount_dim(&next.shape, &by, error));
  const bool is_single = view->shape.dims[view->shape.rank - 1] == 1;
  for (uint32_t level = 0; level < view->depth; level++) {
    clrs__walk walk;
    clrs__view_level(view, level, &walk);
    CLRS_TRY(recount_walk(&walk, is_single, &by, error));
    next.depth = level + 1;
    CLRS_TRY(clrs__view_set_top(&next, &walk, error));
  }
  next.dtype = to;
  clrs__view_copy(view, &next);
  return CLRS_OK;
}
