/*
 * Operators that take parts of a tensor: Slice and Split.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "operators.h"
#include "status.h"

/* ------------------------------------------------------------------------------------- Slice */

typedef struct slice_lists {
  onnx_integers starts, ends, axes, steps;
} slice_lists;

static clrs_status check_length(const char *name, const onnx_integers *list, size_t count,
                                clrs_error *error) {
  if (list->present && list->count != count) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s has %zu values and starts has %zu", name,
                      list->count, count);
  }
  return CLRS_OK;
}

static clrs_status check_lists(const slice_lists *lists, clrs_error *error) {
  const size_t count = lists->starts.count;
  CLRS_TRY(onnx_node_require(&lists->starts, "starts", error));
  CLRS_TRY(onnx_node_require(&lists->ends, "ends", error));
  if (count > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "starts has %zu values; at most %d are allowed",
                      count, CLRS_MAX_RANK);
  }
  CLRS_TRY(check_length("ends", &lists->ends, count, error));
  CLRS_TRY(check_length("axes", &lists->axes, count, error));
  return check_length("steps", &lists->steps, count, error);
}

clrs_status onnx_slice(const onnx_node *node, clrs_view *view, clrs_error *error) {
  const unsigned types = ONNX_INT64 | ONNX_INT32;
  slice_lists lists;
  clrs_slice slices[CLRS_MAX_RANK];
  CLRS_TRY(onnx_node_list(node, 1, "starts", types, CLRS_MAX_RANK, &lists.starts, error));
  CLRS_TRY(onnx_node_list(node, 2, "ends", types, CLRS_MAX_RANK, &lists.ends, error));
  CLRS_TRY(onnx_node_list(node, 3, "axes", types, CLRS_MAX_RANK, &lists.axes, error));
  CLRS_TRY(onnx_node_list(node, 4, "steps", types, CLRS_MAX_RANK, &lists.steps, error));
  CLRS_TRY(check_lists(&lists, error));
  for (size_t i = 0; i < lists.starts.count; i++) {
    slices[i] = (clrs_slice){.axis = lists.axes.present ? lists.axes.values[i] : (int64_t)i,
                             .start = lists.starts.values[i],
                             .end = lists.ends.values[i],
                             .step = lists.steps.present ? lists.steps.values[i] : 1};
  }
  return clrs_view_slice(view, lists.starts.count, slices, error);
}

/* ------------------------------------------------------------------------------------- Split */

/* The tensor to split, and the dim along which to split. */
typedef struct split_data {
  model_value *value;
  clrs_view view;
  uint32_t axis;
  int64_t extent;
} split_data;

static clrs_status read_data(const onnx_node *node, split_data *data, clrs_error *error) {
  CLRS_TRY(onnx_node_data(node, &data->value, &data->view, error));
  CLRS_TRY(onnx_node_axis(node, onnx_node_int(node, "axis", 0), data->view.shape.rank, &data->axis,
                          error));
  data->extent = data->view.shape.dims[data->axis];
  return CLRS_OK;
}

/* Checks that the sizes are not negative and add up to the extent of the dim. */
static clrs_status check_sizes(const onnx_node *node, const split_data *data,
                               const onnx_integers *sizes, clrs_error *error) {
  int64_t left = data->extent;
  if (sizes->count != node->proto->n_output) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "split has %zu values for %zu outputs",
                      sizes->count, node->proto->n_output);
  }
  for (size_t i = 0; i < sizes->count; i++) {
    if (sizes->values[i] < 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "value %zu of split is %" PRId64 "; it must be at least 0", i,
                        sizes->values[i]);
    }
    if (sizes->values[i] > left) {
      break;
    }
    left -= sizes->values[i];
    if (i + 1 == sizes->count && left == 0) {
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "the values of split do not add up to %" PRId64 ", the extent of dimension %u",
                    data->extent, data->axis);
}

static clrs_status split_by_sizes(const onnx_node *node, const split_data *data,
                                  const onnx_integers *sizes, clrs_error *error) {
  int64_t start = 0;
  CLRS_TRY(check_sizes(node, data, sizes, error));
  for (size_t i = 0; i < sizes->count; i++) {
    clrs_view view = data->view;
    clrs_slice part = {data->axis, start, start + sizes->values[i], 1};
    CLRS_TRY(clrs_view_slice(&view, 1, &part, error));
    CLRS_TRY(onnx_node_output(node, i, data->value, &view, error));
    start += sizes->values[i];
  }
  return CLRS_OK;
}

static clrs_status split_in_parts(const onnx_node *node, const split_data *data,
                                  clrs_error *error) {
  const int64_t parts = (int64_t)node->proto->n_output;
  for (int64_t i = 0; i < parts; i++) {
    clrs_view view = data->view;
    CLRS_TRY(onnx_apply("split", 3, (int64_t[]){data->axis, parts, i}, &view, error));
    CLRS_TRY(onnx_node_output(node, (size_t)i, data->value, &view, error));
  }
  return CLRS_OK;
}

/* Reads the sizes. Split-1 has the sizes as an attribute, or as an input of the data's type. */
static clrs_status read_sizes(const onnx_node *node, onnx_integers *sizes, clrs_error *error) {
  const unsigned types = node->op->since == 1 ? ONNX_FLOATS : ONNX_INT64;
  if (onnx_node_attribute(node, "split") == NULL) {
    return onnx_node_list(node, 1, "split", types, node->proto->n_output, sizes, error);
  }
  if (node->proto->n_input > 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "split is given as attribute and as input");
  }
  *sizes = onnx_node_ints(node, "split");
  return CLRS_OK;
}

/* Checks num_outputs, which opset 18 requires if no sizes are given. The last part may then be
 * smaller. */
static clrs_status check_outputs(const onnx_node *node, const onnx_integers *sizes,
                                 clrs_error *error) {
  const Onnx__AttributeProto *outputs = onnx_node_attribute(node, "num_outputs");
  if (sizes->present == (outputs != NULL)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "either the input split or the attribute num_outputs must be given; %s",
                      sizes->present ? "there are both" : "there is neither");
  }
  if (outputs != NULL && (outputs->i < 1 || (uint64_t)outputs->i != node->proto->n_output)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "num_outputs is %" PRId64 ", but the node has %zu outputs", outputs->i,
                      node->proto->n_output);
  }
  return CLRS_OK;
}

clrs_status onnx_split(const onnx_node *node, clrs_error *error) {
  const int64_t parts = (int64_t)node->proto->n_output;
  onnx_integers sizes;
  split_data data;
  CLRS_TRY(read_sizes(node, &sizes, error));
  if (node->op->since >= 18) {
    CLRS_TRY(check_outputs(node, &sizes, error));
  }
  CLRS_TRY(read_data(node, &data, error));
  if (sizes.present) {
    return split_by_sizes(node, &data, &sizes, error);
  }
  if (node->op->since < 18 && data.extent % parts != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dimension %u of extent %" PRId64 " does not split into %" PRId64
                      " equal parts",
                      data.axis, data.extent, parts);
  }
  return split_in_parts(node, &data, error);
}
