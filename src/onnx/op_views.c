/*
 * Operators that change the shape, regroup or repeat: Reshape, Transpose, Squeeze, Unsqueeze,
 * Flatten, Expand, DepthToSpace, SpaceToDepth, Tile, Identity.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "operators.h"
#include "status.h"

clrs_status onnx_reshape(const onnx_node *node, clrs_view *view, clrs_error *error) {
  const int64_t allowzero = onnx_node_int(node, "allowzero", 0);
  onnx_integers shape;
  clrs_pattern pattern;
  CLRS_TRY(onnx_node_list(node, 1, "shape", ONNX_INT64, CLRS_MAX_RANK, &shape, error));
  CLRS_TRY(onnx_node_require(&shape, "shape", error));
  if (allowzero != 0 && allowzero != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "allowzero is %" PRId64 "; it must be 0 or 1",
                      allowzero);
  }
  CLRS_TRY(clrs_pattern_init(CLRS_ONNX, allowzero ? CLRS_ZERO_IS_LITERAL : CLRS_ZERO_COPIES,
                             shape.count, shape.values, &pattern, error));
  clrs_shape result;
  CLRS_TRY(clrs_pattern_resolve(&pattern, &view->shape, &result, error));
  return clrs_view_reshape(view, &result, error);
}

/* Checks the axes' signs. Before opset 11 the standard allows no negative axes. */
static clrs_status check_signs(const onnx_node *node, size_t count, const int64_t *axes,
                               clrs_error *error) {
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(onnx_node_check_sign(node, axes[i], error));
  }
  return CLRS_OK;
}

clrs_status onnx_transpose(const onnx_node *node, clrs_view *view, clrs_error *error) {
  const onnx_integers perm = onnx_node_ints(node, "perm");
  const uint32_t rank = view->shape.rank;
  int64_t reversed[CLRS_MAX_RANK];
  CLRS_TRY(check_signs(node, perm.count, perm.values, error));
  for (uint32_t i = 0; i < rank; i++) {
    reversed[i] = (int64_t)(rank - 1 - i);
  }
  return perm.present ? clrs_view_permute(view, perm.count, perm.values, error)
                      : clrs_view_permute(view, rank, reversed, error);
}

/* Squeeze. Without axes, every dim of 1 is removed. As in ONNX's reference, an empty attribute
 * counts as no axes, and an empty input removes no dim. */
clrs_status onnx_squeeze(const onnx_node *node, clrs_view *view, clrs_error *error) {
  onnx_integers axes;
  CLRS_TRY(onnx_node_list(node, 1, "axes", ONNX_INT64, CLRS_MAX_RANK, &axes, error));
  CLRS_TRY(check_signs(node, axes.count, axes.values, error));
  if (axes.present && axes.count == 0 && node->op->max_inputs > 1) {
    return CLRS_OK;
  }
  return onnx_apply("squeeze", axes.count, axes.values, view, error);
}

clrs_status onnx_unsqueeze(const onnx_node *node, clrs_view *view, clrs_error *error) {
  onnx_integers axes;
  CLRS_TRY(onnx_node_list(node, 1, "axes", ONNX_INT64, CLRS_MAX_RANK, &axes, error));
  CLRS_TRY(onnx_node_require(&axes, "axes", error));
  CLRS_TRY(check_signs(node, axes.count, axes.values, error));
  return axes.count == 0 ? CLRS_OK : onnx_apply("unsqueeze", axes.count, axes.values, view, error);
}

clrs_status onnx_flatten(const onnx_node *node, clrs_view *view, clrs_error *error) {
  const int64_t axis = onnx_node_int(node, "axis", 1);
  CLRS_TRY(onnx_node_check_sign(node, axis, error));
  return onnx_apply("flatten", 1, &axis, view, error);
}

clrs_status onnx_expand(const onnx_node *node, clrs_view *view, clrs_error *error) {
  onnx_integers dims;
  clrs_shape shape;
  CLRS_TRY(onnx_node_list(node, 1, "shape", ONNX_INT64, CLRS_MAX_RANK, &dims, error));
  CLRS_TRY(clrs_shape_init(dims.count, dims.values, &shape, error));
  return clrs_view_expand(view, &shape, error);
}

/* The library allows any number of spatial dims, ONNX two. */
static clrs_status regroup(const onnx_node *node, const char *operation, clrs_view *view,
                           clrs_error *error) {
  char text[64];
  const bool is_dcr = onnx_node_says(node, "mode", "DCR", "DCR");
  if (!is_dcr && !onnx_node_says(node, "mode", "DCR", "CRD")) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "mode is neither DCR nor CRD");
  }
  if (onnx_node_attribute(node, "blocksize") == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute blocksize is missing");
  }
  if (view->shape.rank != 4) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "its input has %u dims; it must have 4",
                      view->shape.rank);
  }
  snprintf(text, sizeof text, "%s=%" PRId64 ",%s", operation, onnx_node_int(node, "blocksize", 0),
           is_dcr ? "DCR" : "CRD");
  return clrs_view_apply(view, text, error);
}

clrs_status onnx_depth_to_space(const onnx_node *node, clrs_view *view, clrs_error *error) {
  return regroup(node, "depth_to_space", view, error);
}

clrs_status onnx_space_to_depth(const onnx_node *node, clrs_view *view, clrs_error *error) {
  return regroup(node, "space_to_depth", view, error);
}

clrs_status onnx_tile(const onnx_node *node, clrs_view *view, clrs_error *error) {
  onnx_integers repeats;
  CLRS_TRY(onnx_node_list(node, 1, "repeats", ONNX_INT64, CLRS_MAX_RANK, &repeats, error));
  return repeats.count == 0 && view->shape.rank == 0
             ? CLRS_OK
             : onnx_apply("tile", repeats.count, repeats.values, view, error);
}

/* Tile-1 repeats one dim. Both numbers have the type of the data. */
clrs_status onnx_tile_axis(const onnx_node *node, clrs_view *view, clrs_error *error) {
  const unsigned types = ONNX_INT64 | ONNX_INT32 | ONNX_FLOATS | ONNX_SCALAR;
  onnx_integers tiles, axis;
  int64_t repeats[CLRS_MAX_RANK];
  uint32_t dim = 0;
  CLRS_TRY(onnx_node_list(node, 1, "tiles", types, 1, &tiles, error));
  CLRS_TRY(onnx_node_list(node, 2, "axis", types, 1, &axis, error));
  if (tiles.count != 1 || axis.count != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "tiles and axis must be one number each");
  }
  CLRS_TRY(onnx_node_axis(node, axis.values[0], view->shape.rank, &dim, error));
  for (uint32_t i = 0; i < view->shape.rank; i++) {
    repeats[i] = i == dim ? tiles.values[0] : 1;
  }
  return onnx_apply("tile", view->shape.rank, repeats, view, error);
}

clrs_status onnx_identity(const onnx_node *node, clrs_error *error) {
  return onnx_node_change(node, NULL, error);
}
