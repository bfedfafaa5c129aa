/*
 * Blocked layouts as views: each dim has an outer axis and an axis for each of its blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/core.h"

#include <inttypes.h>

#include "checked.h"
#include "dtype.h"
#include "view.h"

static clrs_status check_block(const clrs_blocked_layout *blocked, uint32_t index,
                               clrs_error *error) {
  const clrs_block block = blocked->blocks[index];
  if (block.dim >= blocked->shape.rank || block.size < 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "block %u is %" PRId64 " of dimension %u; sizes must be at least 1 and the "
                      "rank is %u",
                      index, block.size, block.dim, blocked->shape.rank);
  }
  return CLRS_OK;
}

/* The product of the dim's blocks. The padded extent must be a multiple of the product. */
static clrs_status blocks_of_dim(const clrs_blocked_layout *blocked, uint32_t dim, int64_t *product,
                                 clrs_error *error) {
  *product = 1;
  for (uint32_t i = 0; i < blocked->block_count; i++) {
    if (blocked->blocks[i].dim == dim &&
        !clrs__multiply(*product, blocked->blocks[i].size, product)) {
      return clrs__fail(error, CLRS_OVERFLOW, "the blocks of dimension %u overflow", dim);
    }
  }
  return CLRS_OK;
}

static clrs_status check_padding(const clrs_blocked_layout *blocked, uint32_t dim,
                                 int64_t *outer_extent, clrs_error *error) {
  const int64_t padded = blocked->padded_dims[dim];
  int64_t product;
  CLRS_TRY(blocks_of_dim(blocked, dim, &product, error));
  if (padded < blocked->shape.dims[dim] || padded % product != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dimension %u of extent %" PRId64 " is padded to %" PRId64
                      "; that must be no less and a multiple of its blocks, %" PRId64,
                      dim, blocked->shape.dims[dim], padded, product);
  }
  *outer_extent = padded / product;
  return CLRS_OK;
}

static clrs_status check_blocked(const clrs_blocked_layout *blocked, clrs_error *error) {
  CLRS_TRY(clrs__require(blocked, "blocked", error));
  CLRS_TRY(clrs__dtype_check(blocked->dtype, error));
  CLRS_TRY(clrs__shape_check(&blocked->shape, error));
  if (blocked->block_count > CLRS_MAX_BLOCKS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%u blocks are over the limit of %d",
                      blocked->block_count, CLRS_MAX_BLOCKS);
  }
  for (uint32_t i = 0; i < blocked->block_count; i++) {
    CLRS_TRY(check_block(blocked, i, error));
  }
  return CLRS_OK;
}

/* Elements between two indices of a block: the product of the blocks inside. Example: the blocks 4a
 * 8b have the strides 8 and 1. */
static clrs_status block_stride(const clrs_blocked_layout *blocked, uint32_t index, int64_t *stride,
                                clrs_error *error) {
  *stride = 1;
  for (uint32_t i = index + 1; i < blocked->block_count; i++) {
    if (!clrs__multiply(*stride, blocked->blocks[i].size, stride)) {
      return clrs__fail(error, CLRS_OVERFLOW, "the blocks multiply to more than 64 bits");
    }
  }
  return CLRS_OK;
}

/* Makes a layout over dims that are cut into their axes. Example: nChw16c has the dims
 * [N][C/16][16][H][W]. */
static clrs_status cut_layout(const clrs_blocked_layout *blocked, clrs_layout *cut,
                              clrs_error *error) {
  if (blocked->shape.rank + blocked->block_count > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "rank %u and %u blocks are over %d together",
                      blocked->shape.rank, blocked->block_count, CLRS_MAX_RANK);
  }
  clrs_shape extents = {0};
  int64_t strides[CLRS_MAX_RANK];
  for (uint32_t dim = 0; dim < blocked->shape.rank; dim++) {
    strides[extents.rank] = blocked->outer_strides[dim];
    CLRS_TRY(check_padding(blocked, dim, &extents.dims[extents.rank], error));
    extents.rank++;
    for (uint32_t i = 0; i < blocked->block_count; i++) {
      if (blocked->blocks[i].dim == dim) {
        CLRS_TRY(block_stride(blocked, i, &strides[extents.rank], error));
        extents.dims[extents.rank++] = blocked->blocks[i].size;
      }
    }
  }
  return clrs_layout_init(blocked->dtype, &extents, strides, blocked->offset, cut, error);
}

/* The view of the elements and the padding. */
static clrs_status padded_view(const clrs_blocked_layout *blocked, clrs_view *view,
                               clrs_error *error) {
  CLRS_TRY(check_blocked(blocked, error));
  clrs_layout cut;
  clrs_view padded;
  clrs_shape shape;
  CLRS_TRY(cut_layout(blocked, &cut, error));
  CLRS_TRY(clrs_view_from_layout(&cut, &padded, error));
  CLRS_TRY(clrs_shape_init(blocked->shape.rank, blocked->padded_dims, &shape, error));
  CLRS_TRY(clrs_view_reshape(&padded, &shape, error));
  *view = padded;
  return CLRS_OK;
}

clrs_status clrs_blocked_view(const clrs_blocked_layout *blocked, clrs_view *view,
                              clrs_error *error) {
  clrs_view inner;
  CLRS_TRY(clrs__require(view, "view", error));
  CLRS_TRY(padded_view(blocked, &inner, error));
  clrs_slice slices[CLRS_MAX_RANK];
  for (uint32_t dim = 0; dim < blocked->shape.rank; dim++) {
    slices[dim] = (clrs_slice){dim, 0, blocked->shape.dims[dim], 1};
  }
  CLRS_TRY(clrs_view_slice(&inner, blocked->shape.rank, slices, error));
  *view = inner;
  return CLRS_OK;
}
