/*
 * Operators that regroup or repeat: DepthToSpace, SpaceToDepth, Tile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "fail.h"
#include "onnx_ops.h"

typedef struct blocks {
  int64_t size;
  clrs_block_order order;
} blocks;

static clrs_status read_blocks(const onnx_node *node, blocks *read, clrs_error *error) {
  const bool is_dcr = onnx_node_says(node, "mode", "DCR", "DCR");
  if (!is_dcr && !onnx_node_says(node, "mode", "DCR", "CRD"))
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "mode is neither DCR nor CRD");
  if (onnx_node_attribute(node, "blocksize") == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute blocksize is missing");
  read->size = onnx_node_int(node, "blocksize", 0);
  read->order = is_dcr ? CLRS_BLOCKS_FIRST : CLRS_DEPTH_FIRST;
  return CLRS_OK;
}

typedef clrs_status (*regroup_fn)(clrs_view *view, int64_t block, clrs_block_order order,
                                  clrs_error *error);

/* The library allows any number of spatial dims, ONNX two. */
static clrs_status regroup(const onnx_node *node, regroup_fn apply, clrs_error *error) {
  model_value *data;
  clrs_view view;
  blocks read = {0};
  CLRS_TRY(read_blocks(node, &read, error));
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  if (view.shape.rank != 4)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "its input has %u dims; it must have 4",
                      view.shape.rank);
  CLRS_TRY(apply(&view, read.size, read.order, error));
  return onnx_node_output(node, 0, data, &view, error);
}

clrs_status onnx_depth_to_space(const onnx_node *node, clrs_error *error) {
  return regroup(node, clrs_view_depth_to_space, error);
}

clrs_status onnx_space_to_depth(const onnx_node *node, clrs_error *error) {
  return regroup(node, clrs_view_space_to_depth, error);
}

static clrs_status tile(const onnx_node *node, const onnx_integers *repeats, clrs_error *error) {
  model_value *data;
  clrs_view view;
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  CLRS_TRY(clrs_view_tile(&view, repeats->count, repeats->values, error));
  return onnx_node_output(node, 0, data, &view, error);
}

clrs_status onnx_tile(const onnx_node *node, clrs_error *error) {
  onnx_integers repeats;
  CLRS_TRY(onnx_node_list(node, 1, "repeats", ONNX_INT64, CLRS_MAX_RANK, &repeats, error));
  clrs_status status = tile(node, &repeats, error);
  onnx_integers_free(&repeats);
  return status;
}

static clrs_status tile_axis(const onnx_node *node, int64_t tiles, int64_t axis,
                             clrs_error *error) {
  model_value *data;
  clrs_view view;
  int64_t repeats[CLRS_MAX_RANK];
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  const uint32_t rank = view.shape.rank;
  if (axis < 0 || axis >= rank)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "axis %" PRId64 " is out of range for a tensor of rank %u", axis, rank);
  for (uint32_t i = 0; i < rank; i++)
    repeats[i] = i == axis ? tiles : 1;
  CLRS_TRY(clrs_view_tile(&view, rank, repeats, error));
  return onnx_node_output(node, 0, data, &view, error);
}

/* Tile-1 repeats one dim; both numbers have the type of the data. */
clrs_status onnx_tile_axis(const onnx_node *node, clrs_error *error) {
  const unsigned types = ONNX_INT64 | ONNX_INT32 | ONNX_FLOATS | ONNX_SCALAR;
  onnx_integers tiles, axis = {0};
  clrs_status status = onnx_node_list(node, 1, "tiles", types, 1, &tiles, error);
  if (status == CLRS_OK)
    status = onnx_node_list(node, 2, "axis", types, 1, &axis, error);
  if (status == CLRS_OK)
    status =
        tiles.count == 1 && axis.count == 1
            ? tile_axis(node, tiles.values[0], axis.values[0], error)
            : clrs__fail(error, CLRS_INVALID_ARGUMENT, "tiles and axis must be one number each");
  onnx_integers_free(&tiles);
  onnx_integers_free(&axis);
  return status;
}
