/*
 * Operators that change the shape or the order of dims: Reshape, Transpose, Squeeze, Unsqueeze,
 * Flatten, Expand, Identity.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "fail.h"
#include "onnx_ops.h"

static clrs_status reshape(const onnx_node *node, const onnx_integers *shape, clrs_error *error) {
  model_value *data;
  clrs_view view;
  clrs_pattern pattern;
  int64_t allowzero = onnx_node_int(node, "allowzero", 0);
  if (allowzero != 0 && allowzero != 1)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "allowzero is %" PRId64 "; it must be 0 or 1",
                      allowzero);
  CLRS_TRY(clrs_pattern_init(CLRS_ONNX, allowzero ? CLRS_ZERO_IS_LITERAL : CLRS_ZERO_COPIES,
                             shape->count, shape->values, &pattern, error));
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  CLRS_TRY(clrs_view_reshape_pattern(&view, &pattern, error));
  return onnx_node_output(node, 0, data, &view, error);
}

clrs_status onnx_reshape_attribute(const onnx_node *node, clrs_error *error) {
  onnx_integers shape;
  CLRS_TRY(onnx_node_ints(node, "shape", &shape, error));
  clrs_status status = shape.present
                           ? reshape(node, &shape, error)
                           : clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute shape is missing");
  onnx_integers_free(&shape);
  return status;
}

clrs_status onnx_reshape_input(const onnx_node *node, clrs_error *error) {
  onnx_integers shape;
  CLRS_TRY(onnx_node_list(node, 1, "shape", ONNX_INT64, CLRS_MAX_RANK, &shape, error));
  clrs_status status = reshape(node, &shape, error);
  onnx_integers_free(&shape);
  return status;
}

/* Before opset 11 the standard allows only axes that count from the start. */
static clrs_status check_signs(const onnx_node *node, size_t count, const int64_t *axes,
                               clrs_error *error) {
  for (size_t i = 0; i < count && !node->op->negative_axes; i++) {
    if (axes[i] < 0)
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "axis %" PRId64 " is negative, which opset %" PRId64 " does not allow",
                        axes[i], node->graph->model->opset);
  }
  return CLRS_OK;
}

static clrs_status transpose(const onnx_node *node, onnx_integers *perm, clrs_error *error) {
  model_value *data;
  clrs_view view;
  int64_t reversed[CLRS_MAX_RANK];
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  CLRS_TRY(check_signs(node, perm->count, perm->values, error));
  for (uint32_t i = 0; i < view.shape.rank; i++)
    reversed[i] = (int64_t)(view.shape.rank - 1 - i);
  CLRS_TRY(perm->present ? clrs_view_permute(&view, perm->count, perm->values, error)
                         : clrs_view_permute(&view, view.shape.rank, reversed, error));
  return onnx_node_output(node, 0, data, &view, error);
}

clrs_status onnx_transpose(const onnx_node *node, clrs_error *error) {
  onnx_integers perm;
  CLRS_TRY(onnx_node_ints(node, "perm", &perm, error));
  clrs_status status = transpose(node, &perm, error);
  onnx_integers_free(&perm);
  return status;
}

static clrs_status squeeze(const onnx_node *node, const onnx_integers *axes, clrs_error *error) {
  model_value *data;
  clrs_view view;
  CLRS_TRY(check_signs(node, axes->count, axes->values, error));
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  if (!axes->present || axes->count > 0)
    CLRS_TRY(clrs_view_squeeze(&view, axes->count, axes->values, error));
  return onnx_node_output(node, 0, data, &view, error);
}

/* ONNX's reference takes an empty attribute for none at all, which means every dim of 1, but an
 * empty input for a list that names no dim. */
clrs_status onnx_squeeze_attribute(const onnx_node *node, clrs_error *error) {
  onnx_integers axes;
  CLRS_TRY(onnx_node_ints(node, "axes", &axes, error));
  axes.present = axes.count > 0;
  clrs_status status = squeeze(node, &axes, error);
  onnx_integers_free(&axes);
  return status;
}

clrs_status onnx_squeeze_input(const onnx_node *node, clrs_error *error) {
  onnx_integers axes;
  CLRS_TRY(onnx_node_list(node, 1, "axes", ONNX_INT64, CLRS_MAX_RANK, &axes, error));
  clrs_status status = squeeze(node, &axes, error);
  onnx_integers_free(&axes);
  return status;
}

static clrs_status unsqueeze(const onnx_node *node, const onnx_integers *axes, clrs_error *error) {
  model_value *data;
  clrs_view view;
  if (!axes->present)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute axes is missing");
  CLRS_TRY(check_signs(node, axes->count, axes->values, error));
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  CLRS_TRY(clrs_view_unsqueeze(&view, axes->count, axes->values, error));
  return onnx_node_output(node, 0, data, &view, error);
}

clrs_status onnx_unsqueeze_attribute(const onnx_node *node, clrs_error *error) {
  onnx_integers axes;
  CLRS_TRY(onnx_node_ints(node, "axes", &axes, error));
  clrs_status status = unsqueeze(node, &axes, error);
  onnx_integers_free(&axes);
  return status;
}

clrs_status onnx_unsqueeze_input(const onnx_node *node, clrs_error *error) {
  onnx_integers axes;
  CLRS_TRY(onnx_node_list(node, 1, "axes", ONNX_INT64, CLRS_MAX_RANK, &axes, error));
  clrs_status status = unsqueeze(node, &axes, error);
  onnx_integers_free(&axes);
  return status;
}

clrs_status onnx_flatten(const onnx_node *node, clrs_error *error) {
  model_value *data;
  clrs_view view;
  int64_t axis = onnx_node_int(node, "axis", 1);
  CLRS_TRY(check_signs(node, 1, &axis, error));
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  CLRS_TRY(clrs_view_flatten(&view, axis, error));
  return onnx_node_output(node, 0, data, &view, error);
}

static clrs_status expand(const onnx_node *node, const onnx_integers *dims, clrs_error *error) {
  model_value *data;
  clrs_view view;
  clrs_shape shape;
  CLRS_TRY(clrs_shape_init(dims->count, dims->values, &shape, error));
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  CLRS_TRY(clrs_view_expand(&view, &shape, error));
  return onnx_node_output(node, 0, data, &view, error);
}

clrs_status onnx_expand(const onnx_node *node, clrs_error *error) {
  onnx_integers dims;
  CLRS_TRY(onnx_node_list(node, 1, "shape", ONNX_INT64, CLRS_MAX_RANK, &dims, error));
  clrs_status status = expand(node, &dims, error);
  onnx_integers_free(&dims);
  return status;
}

clrs_status onnx_identity(const onnx_node *node, clrs_error *error) {
  model_value *data;
  clrs_view view;
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  return onnx_node_output(node, 0, data, &view, error);
}
