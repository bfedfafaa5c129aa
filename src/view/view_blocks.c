/*
 * Operations that cut dims into blocks and put the pieces elsewhere. Each is a reshape, a permute
 * and a reshape, so the algebra of view_ops.c does all the work; what is here is the standards'
 * order of the pieces.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "checked.h"
#include "view.h"

/* Cuts and reorders a copy of a view, and stores it only when every step went well. */
typedef struct regrouping {
  clrs_shape cut;               /* the first reshape */
  int64_t order[CLRS_MAX_RANK]; /* the permute */
  clrs_shape result;            /* the last reshape */
} regrouping;

static void add_piece(regrouping *plan, int64_t extent) {
  plan->cut.dims[plan->cut.rank++] = extent;
}

static clrs_status regroup(clrs_view *view, const regrouping *plan, clrs_error *error) {
  clrs_view next;
  clrs__view_copy(&next, view);
  CLRS_TRY(clrs_view_reshape(&next, &plan->cut, error));
  CLRS_TRY(clrs_view_permute(&next, plan->cut.rank, plan->order, error));
  CLRS_TRY(clrs_view_reshape(&next, &plan->result, error));
  clrs__view_copy(view, &next);
  return CLRS_OK;
}

/* blocks ** count */
static clrs_status block_volume(int64_t block, uint32_t count, int64_t *volume, clrs_error *error) {
  if (block < 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the block size is %" PRId64 "; it must be at least 1", block);
  }
  *volume = 1;
  for (uint32_t i = 0; i < count; i++) {
    if (!clrs__multiply(*volume, block, volume)) {
      return clrs__fail(error, CLRS_OVERFLOW, "block size %" PRId64 " to the power %u overflows",
                        block, count);
    }
  }
  return CLRS_OK;
}

static clrs_status check_divides(int64_t divisor, int64_t extent, uint32_t dim, const char *what,
                                 clrs_error *error) {
  if (extent % divisor != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s %" PRId64 " does not divide dimension %u, of extent %" PRId64, what,
                      divisor, dim, extent);
  }
  return CLRS_OK;
}

/* Rank of a batch dim, a channel dim and at least one spatial dim, and room for a cut of each. */
static clrs_status check_spatial(const clrs_view *view, clrs_block_order order, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  const bool is_over = view->shape.rank > (CLRS_MAX_RANK + 1) / 2;
  if (view->shape.rank < 3 || is_over) {
    return clrs__fail(error, is_over ? CLRS_LIMIT_EXCEEDED : CLRS_INVALID_ARGUMENT,
                      "the rank is %u; batch, channels and 1 to %d spatial dims are needed",
                      view->shape.rank, (CLRS_MAX_RANK + 1) / 2 - 2);
  }
  if ((unsigned)order > (unsigned)CLRS_DEPTH_FIRST) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "block order %d is unknown; clrs_block_order has 0 and 1", (int)order);
  }
  return CLRS_OK;
}

clrs_status clrs_view_depth_to_space(clrs_view *view, int64_t block, clrs_block_order order,
                                     clrs_error *error) {
  CLRS_TRY(check_spatial(view, order, error));
  const int64_t *dims = view->shape.dims;
  const uint32_t spatial = view->shape.rank - 2;
  int64_t volume;
  CLRS_TRY(block_volume(block, spatial, &volume, error));
  CLRS_TRY(check_divides(volume, dims[1], 1, "the block volume", error));
  regrouping plan = {.result = {.rank = view->shape.rank, .dims = {dims[0], dims[1] / volume}}};
  const uint32_t depth_at = order == CLRS_DEPTH_FIRST ? 1 : 1 + spatial;
  const uint32_t blocks_at = order == CLRS_DEPTH_FIRST ? 2 : 1;
  plan.cut = (clrs_shape){.rank = 2 * spatial + 2, .dims = {dims[0]}};
  plan.cut.dims[depth_at] = dims[1] / volume;
  plan.order[1] = depth_at;
  for (uint32_t i = 0; i < spatial; i++) {
    plan.cut.dims[blocks_at + i] = block;
    plan.cut.dims[2 + spatial + i] = dims[2 + i];
    plan.order[2 + 2 * i] = 2 + spatial + i;
    plan.order[3 + 2 * i] = blocks_at + i;
    if (!clrs__multiply(dims[2 + i], block, &plan.result.dims[2 + i])) {
      return clrs__fail(error, CLRS_OVERFLOW, "spatial dimension %u overflows", 2 + i);
    }
  }
  return regroup(view, &plan, error);
}

clrs_status clrs_view_space_to_depth(clrs_view *view, int64_t block, clrs_block_order order,
                                     clrs_error *error) {
  CLRS_TRY(check_spatial(view, order, error));
  const int64_t *dims = view->shape.dims;
  const uint32_t spatial = view->shape.rank - 2;
  int64_t volume;
  CLRS_TRY(block_volume(block, spatial, &volume, error));
  regrouping plan = {.cut = {.rank = 2, .dims = {dims[0], dims[1]}},
                     .result = {.rank = view->shape.rank, .dims = {dims[0]}}};
  if (!clrs__multiply(dims[1], volume, &plan.result.dims[1])) {
    return clrs__fail(error, CLRS_OVERFLOW, "the channels overflow");
  }
  const uint32_t depth_at = order == CLRS_DEPTH_FIRST ? 1 : 1 + spatial;
  const uint32_t blocks_at = order == CLRS_DEPTH_FIRST ? 2 : 1;
  plan.order[depth_at] = 1;
  for (uint32_t i = 0; i < spatial; i++) {
    CLRS_TRY(check_divides(block, dims[2 + i], 2 + i, "block size", error));
    plan.order[blocks_at + i] = 3 + 2 * (int64_t)i;
    plan.order[2 + spatial + i] = 2 + 2 * (int64_t)i;
    plan.result.dims[2 + i] = dims[2 + i] / block;
    add_piece(&plan, dims[2 + i] / block);
    add_piece(&plan, block);
  }
  return regroup(view, &plan, error);
}

clrs_status clrs_view_channel_shuffle(clrs_view *view, int64_t axis, int64_t groups,
                                      clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  uint32_t at;
  CLRS_TRY(clrs__axis_normalise(axis, view->shape.rank, "channel axis", &at, error));
  if (groups < 1 || view->shape.rank == CLRS_MAX_RANK) {
    return clrs__fail(error, groups < 1 ? CLRS_INVALID_ARGUMENT : CLRS_LIMIT_EXCEEDED,
                      "channel shuffle into %" PRId64
                      " groups at rank %u: it needs at least 1 group and a rank below %d",
                      groups, view->shape.rank, CLRS_MAX_RANK);
  }
  CLRS_TRY(check_divides(groups, view->shape.dims[at], at, "the group count", error));
  regrouping plan = {.result = view->shape};
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    plan.order[plan.cut.rank] = plan.cut.rank;
    add_piece(&plan, dim == at ? groups : view->shape.dims[dim]);
    if (dim == at) {
      plan.order[plan.cut.rank - 1] = plan.cut.rank;
      plan.order[plan.cut.rank] = plan.cut.rank - 1;
      add_piece(&plan, view->shape.dims[at] / groups);
    }
  }
  return regroup(view, &plan, error);
}
