/*
 * Blocks of space that travel in the batch dim: OpenVINO's BatchToSpace and SpaceToBatch. Each is a
 * reshape, a permute and a reshape; crops are a slice behind it. What is here is the standard's
 * order of the pieces.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "checked.h"
#include "view.h"

/* One block size per dim, that of the batch being 1, and room for a cut of every other dim. */
static clrs_status check_blocks(const clrs_view *view, size_t count, const int64_t *blocks,
                                clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  const uint32_t rank = view->shape.rank;
  const bool is_over = rank > (CLRS_MAX_RANK + 1) / 2;
  if (rank < 2 || is_over) {
    return clrs__fail(error, is_over ? CLRS_LIMIT_EXCEEDED : CLRS_INVALID_ARGUMENT,
                      "the rank is %u; the batch and 1 to %d other dims are needed", rank,
                      (CLRS_MAX_RANK + 1) / 2 - 1);
  }
  if (count != rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "there are %zu block sizes; the rank is %u",
                      count, rank);
  }
  CLRS_TRY(clrs__require(blocks, "blocks", error));
  for (uint32_t dim = 0; dim < rank; dim++) {
    if (blocks[dim] < 1 || (dim == 0 && blocks[dim] != 1)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "block size %u is %" PRId64 "; it must be at least 1, and 1 for the batch",
                        dim, blocks[dim]);
    }
  }
  return CLRS_OK;
}

/* How many blocks one element of the smaller batch stands for. */
static clrs_status block_volume(uint32_t rank, const int64_t *blocks, int64_t *volume,
                                clrs_error *error) {
  *volume = 1;
  for (uint32_t dim = 1; dim < rank; dim++) {
    if (!clrs__multiply(*volume, blocks[dim], volume)) {
      return clrs__fail(error, CLRS_OVERFLOW, "the product of the block sizes overflows");
    }
  }
  return CLRS_OK;
}

static clrs_status rearrange(clrs_view *view, const clrs_shape *cut, const int64_t *order,
                             const clrs_shape *result, clrs_error *error) {
  CLRS_TRY(clrs_view_reshape(view, cut, error));
  CLRS_TRY(clrs_view_permute(view, cut->rank, order, error));
  return clrs_view_reshape(view, result, error);
}

static clrs_status check_crops(const clrs_view *view, const int64_t *begins, const int64_t *ends,
                               clrs_error *error) {
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    const int64_t extent = view->shape.dims[dim];
    const bool is_batch = dim == 0 && (begins[dim] != 0 || ends[dim] != 0);
    if (is_batch || begins[dim] < 0 || ends[dim] < 0 || begins[dim] > extent ||
        ends[dim] > extent - begins[dim]) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "crops %" PRId64 " and %" PRId64 " of dimension %u, of extent %" PRId64
                        ": they must be at least 0, fit into it, and be 0 for the batch",
                        begins[dim], ends[dim], dim, extent);
    }
  }
  return CLRS_OK;
}

static clrs_status crop(clrs_view *view, const int64_t *begins, const int64_t *ends,
                        clrs_error *error) {
  static const int64_t none[CLRS_MAX_RANK] = {0};
  clrs_slice slices[CLRS_MAX_RANK];
  begins = begins != NULL ? begins : none;
  ends = ends != NULL ? ends : none;
  CLRS_TRY(check_crops(view, begins, ends, error));
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    slices[dim] = (clrs_slice){dim, begins[dim], view->shape.dims[dim] - ends[dim], 1};
  }
  return clrs_view_slice(view, view->shape.rank, slices, error);
}

clrs_status clrs_view_batch_to_space(clrs_view *view, size_t count, const int64_t *blocks,
                                     const int64_t *crops_begin, const int64_t *crops_end,
                                     clrs_error *error) {
  CLRS_TRY(check_blocks(view, count, blocks, error));
  const uint32_t rank = view->shape.rank;
  const int64_t *dims = view->shape.dims;
  int64_t volume;
  CLRS_TRY(block_volume(rank, blocks, &volume, error));
  if (dims[0] % volume != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the product of the block sizes, %" PRId64 ", does not divide the batch, "
                      "%" PRId64,
                      volume, dims[0]);
  }
  /* [blocks..., batch, dims...] becomes [batch, dim, block, dim, block, ...] */
  clrs_shape cut = {.rank = 2 * rank - 1}, result = {.rank = rank};
  int64_t order[CLRS_MAX_RANK];
  cut.dims[rank - 1] = result.dims[0] = dims[0] / volume;
  order[0] = rank - 1;
  for (uint32_t dim = 1; dim < rank; dim++) {
    cut.dims[dim - 1] = blocks[dim];
    cut.dims[rank - 1 + dim] = dims[dim];
    order[(size_t)2 * dim - 1] = rank - 1 + dim;
    order[(size_t)2 * dim] = dim - 1;
    if (!clrs__multiply(dims[dim], blocks[dim], &result.dims[dim])) {
      return clrs__fail(error, CLRS_OVERFLOW, "dimension %u overflows", dim);
    }
  }
  clrs_view next;
  clrs__view_copy(&next, view);
  CLRS_TRY(rearrange(&next, &cut, order, &result, error));
  CLRS_TRY(crop(&next, crops_begin, crops_end, error));
  clrs__view_copy(view, &next);
  return CLRS_OK;
}

clrs_status clrs_view_space_to_batch(clrs_view *view, size_t count, const int64_t *blocks,
                                     clrs_error *error) {
  CLRS_TRY(check_blocks(view, count, blocks, error));
  const uint32_t rank = view->shape.rank;
  const int64_t *dims = view->shape.dims;
  /* [batch, dim, block, dim, block, ...] becomes [blocks..., batch, dims...] */
  clrs_shape cut = {.rank = 2 * rank - 1, .dims = {dims[0]}}, result = {.rank = rank};
  int64_t order[CLRS_MAX_RANK];
  int64_t volume;
  CLRS_TRY(block_volume(rank, blocks, &volume, error));
  if (!clrs__multiply(dims[0], volume, &result.dims[0])) {
    return clrs__fail(error, CLRS_OVERFLOW, "the batch, %" PRId64 " times %" PRId64 ", overflows",
                      dims[0], volume);
  }
  order[rank - 1] = 0;
  for (uint32_t dim = 1; dim < rank; dim++) {
    if (dims[dim] % blocks[dim] != 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "block size %" PRId64 " does not divide dimension %u, of extent %" PRId64,
                        blocks[dim], dim, dims[dim]);
    }
    result.dims[dim] = dims[dim] / blocks[dim];
    cut.dims[(size_t)2 * dim - 1] = result.dims[dim];
    cut.dims[(size_t)2 * dim] = blocks[dim];
    order[dim - 1] = 2 * (int64_t)dim;
    order[rank - 1 + dim] = 2 * (int64_t)dim - 1;
  }
  clrs_view next;
  clrs__view_copy(&next, view);
  CLRS_TRY(rearrange(&next, &cut, order, &result, error));
  clrs__view_copy(view, &next);
  return CLRS_OK;
}
