/*
 * Operations that cut dims into pieces and move the pieces: blocks of space that move to the
 * channels or to the batch, and channels that are shuffled. Each operation is a reshape, a permute
 * and a reshape, carried out by ops.c. This file has the order of each standard. A function cuts
 * the dims of the view, in their order, into numbered pieces, and lists the pieces of each dim of
 * the result, the outermost first. Example: SpaceToBatch of [b, h, w] by 2x2 is
 *
 *   pieces   0: b   1: h/2   2: 2   3: w/2   4: 2
 *   result   (2 4 0)   (1)   (3)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cells.h"

#include <inttypes.h>

#include "checked.h"

typedef struct cells {
  clrs_shape pieces;            /* the first reshape */
  int64_t order[CLRS_MAX_RANK]; /* the permute: the pieces in the order of put() */
  uint32_t put_count;
  clrs_shape result;  /* the last reshape */
  uint32_t too_large; /* 0, or 1 + the dim of the result that is over 64 bits */
} cells;

static void cut(cells *c, int64_t extent) {
  c->pieces.dims[c->pieces.rank++] = extent;
}

static void begin_dim(cells *c) {
  c->result.dims[c->result.rank++] = 1;
}

/* Makes a piece the innermost of the newest dim. */
static void put(cells *c, uint32_t piece) {
  int64_t *dim = &c->result.dims[c->result.rank - 1];
  c->order[c->put_count++] = piece;
  if (!clrs__multiply(*dim, c->pieces.dims[piece], dim)) {
    c->too_large = c->result.rank;
  }
}

static void put_dim(cells *c, uint32_t piece) {
  begin_dim(c);
  put(c, piece);
}

/* Reorders a copy of the view, and stores the copy only if every step succeeded. */
static clrs_status finish(clrs_view *view, const cells *c, clrs_error *error) {
  clrs_view next;
  if (c->too_large > 0) {
    return clrs__fail(error, CLRS_OVERFLOW, "dimension %u of the result does not fit in 64 bits",
                      c->too_large - 1);
  }
  clrs__view_copy(&next, view);
  CLRS_TRY(clrs_view_reshape(&next, &c->pieces, error));
  CLRS_TRY(clrs_view_permute(&next, c->put_count, c->order, error));
  clrs__shape_copy(&next.shape, &c->result); /* products of the pieces */
  clrs__view_copy(view, &next);
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

/* Checks the rank. The operations cut all dims except `whole` dims in two, and the rank of the
 * pieces must be within the limit. */
static clrs_status check_rank(const clrs_view *view, uint32_t whole, const char *needed,
                              clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  const uint32_t rank = view->shape.rank, most = (CLRS_MAX_RANK + 1) / 2;
  if (rank <= whole || rank > most) {
    return clrs__fail(error, rank > most ? CLRS_LIMIT_EXCEEDED : CLRS_INVALID_ARGUMENT,
                      "the rank is %u; %s and 1 to %u other dims are needed", rank, needed,
                      most - whole);
  }
  return CLRS_OK;
}

/* ---- the channels ---- */

/* *volume is how many places a block has. */
static clrs_status check_depth(const clrs_view *view, int64_t block, clrs__block_order order,
                               int64_t *volume, clrs_error *error) {
  CLRS_TRY(check_rank(view, 2, "batch, channels", error));
  if ((unsigned)order > (unsigned)CLRS__DEPTH_FIRST) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "block order %d is unknown; clrs__block_order has 0 and 1", (int)order);
  }
  if (block < 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the block size is %" PRId64 "; it must be at least 1", block);
  }
  *volume = 1;
  for (uint32_t dim = 2; dim < view->shape.rank; dim++) {
    if (!clrs__multiply(*volume, block, volume)) {
      return clrs__fail(error, CLRS_OVERFLOW, "block size %" PRId64 " to the power %u overflows",
                        block, view->shape.rank - 2);
    }
  }
  return CLRS_OK;
}

clrs_status clrs__view_depth_to_space(clrs_view *view, int64_t block, clrs__block_order order,
                                      clrs_error *error) {
  int64_t volume;
  CLRS_TRY(check_depth(view, block, order, &volume, error));
  const clrs_shape shape = view->shape;
  const uint32_t spatial = shape.rank - 2;
  CLRS_TRY(check_divides(volume, shape.dims[1], 1, "the block volume", error));
  const bool is_depth_first = order == CLRS__DEPTH_FIRST;
  const uint32_t depth = is_depth_first ? 1 : 1 + spatial, blocks = is_depth_first ? 2 : 1;
  cells c = {0};
  cut(&c, shape.dims[0]);
  for (uint32_t piece = 1; piece < 2 + spatial; piece++) {
    cut(&c, piece == depth ? shape.dims[1] / volume : block);
  }
  put_dim(&c, 0);
  put_dim(&c, depth);
  for (uint32_t i = 0; i < spatial; i++) {
    cut(&c, shape.dims[2 + i]);
    put_dim(&c, 2 + spatial + i);
    put(&c, blocks + i);
  }
  return finish(view, &c, error);
}

clrs_status clrs__view_space_to_depth(clrs_view *view, int64_t block, clrs__block_order order,
                                      clrs_error *error) {
  int64_t volume;
  CLRS_TRY(check_depth(view, block, order, &volume, error));
  const clrs_shape shape = view->shape;
  cells c = {0};
  cut(&c, shape.dims[0]);
  cut(&c, shape.dims[1]);
  for (uint32_t dim = 2; dim < shape.rank; dim++) {
    CLRS_TRY(check_divides(block, shape.dims[dim], dim, "block size", error));
    cut(&c, shape.dims[dim] / block);
    cut(&c, block);
  }
  put_dim(&c, 0);
  begin_dim(&c);
  if (order == CLRS__DEPTH_FIRST) {
    put(&c, 1);
  }
  for (uint32_t piece = 3; piece < c.pieces.rank; piece += 2) {
    put(&c, piece);
  }
  if (order == CLRS__BLOCKS_FIRST) {
    put(&c, 1);
  }
  for (uint32_t piece = 2; piece < c.pieces.rank; piece += 2) {
    put_dim(&c, piece);
  }
  return finish(view, &c, error);
}

clrs_status clrs__view_channel_shuffle(clrs_view *view, int64_t axis, int64_t groups,
                                       clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  uint32_t at;
  CLRS_TRY(clrs__axis_normalize(axis, view->shape.rank, "channel axis", &at, error));
  if (groups < 1 || view->shape.rank == CLRS_MAX_RANK) {
    return clrs__fail(error, groups < 1 ? CLRS_INVALID_ARGUMENT : CLRS_LIMIT_EXCEEDED,
                      "channel shuffle into %" PRId64
                      " groups at rank %u: it needs at least 1 group and a rank below %d",
                      groups, view->shape.rank, CLRS_MAX_RANK);
  }
  CLRS_TRY(check_divides(groups, view->shape.dims[at], at, "the group count", error));
  cells c = {0};
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    const uint32_t piece = c.pieces.rank;
    cut(&c, dim == at ? groups : view->shape.dims[dim]);
    if (dim == at) {
      cut(&c, view->shape.dims[at] / groups);
      put_dim(&c, piece + 1);
      put(&c, piece);
    } else {
      put_dim(&c, piece);
    }
  }
  return finish(view, &c, error);
}

/* ---- the batch ---- */

/* There is one block size per dim, 1 for the batch. *volume is the product of the sizes. */
static clrs_status check_blocks(const clrs_view *view, size_t count, const int64_t *blocks,
                                int64_t *volume, clrs_error *error) {
  CLRS_TRY(check_rank(view, 1, "the batch", error));
  if (count != view->shape.rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "there are %zu block sizes; the rank is %u",
                      count, view->shape.rank);
  }
  CLRS_TRY(clrs__require(blocks, "blocks", error));
  *volume = 1;
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    if (blocks[dim] < 1 || (dim == 0 && blocks[dim] != 1)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "block size %u is %" PRId64 "; it must be at least 1, and 1 for the batch",
                        dim, blocks[dim]);
    }
    if (!clrs__multiply(*volume, blocks[dim], volume)) {
      return clrs__fail(error, CLRS_OVERFLOW, "the product of the block sizes overflows");
    }
  }
  return CLRS_OK;
}

clrs_status clrs__view_batch_to_space(clrs_view *view, size_t count, const int64_t *blocks,
                                      clrs_error *error) {
  int64_t volume;
  CLRS_TRY(check_blocks(view, count, blocks, &volume, error));
  const uint32_t rank = view->shape.rank, batch = rank - 1;
  CLRS_TRY(check_divides(volume, view->shape.dims[0], 0, "the product of block sizes", error));
  cells c = {0};
  for (uint32_t dim = 1; dim < rank; dim++) {
    cut(&c, blocks[dim]);
  }
  cut(&c, view->shape.dims[0] / volume);
  put_dim(&c, batch);
  for (uint32_t dim = 1; dim < rank; dim++) {
    cut(&c, view->shape.dims[dim]);
    put_dim(&c, batch + dim);
    put(&c, dim - 1);
  }
  return finish(view, &c, error);
}

clrs_status clrs__view_space_to_batch(clrs_view *view, size_t count, const int64_t *blocks,
                                      clrs_error *error) {
  int64_t volume;
  CLRS_TRY(check_blocks(view, count, blocks, &volume, error));
  const clrs_shape shape = view->shape;
  cells c = {0};
  cut(&c, shape.dims[0]);
  begin_dim(&c);
  for (uint32_t dim = 1; dim < shape.rank; dim++) {
    CLRS_TRY(check_divides(blocks[dim], shape.dims[dim], dim, "block size", error));
    cut(&c, shape.dims[dim] / blocks[dim]);
    cut(&c, blocks[dim]);
    put(&c, 2 * dim);
  }
  put(&c, 0);
  for (uint32_t dim = 1; dim < shape.rank; dim++) {
    put_dim(&c, 2 * dim - 1);
  }
  return finish(view, &c, error);
}
