/*
 * Gather. Indices that the host can read now are checked against the range. Evenly spaced indices
 * become a slice, and a few evenly spaced runs become joined slices. The device gathers by all
 * other indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "arithmetic.h"
#include "assembly.h"
#include "maps.h"
#include "operators.h"
#include "status.h"

enum { MAX_RUNS = 64 };

typedef struct gather {
  model_value *data, *named; /* data and indices */
  clrs_view view;
  uint32_t axis;
  clrs_shape shape; /* shape of the result */
  size_t count;
  int64_t *indices; /* checked, 0 to extent - 1 */
} gather;

static size_t count_of(const onnx_dense *indices) {
  return indices->size / (clrs_dtype_bits(indices->dtype) / 8);
}

/* Reads index `i` and checks the range. A negative index counts from the end. Example: -1 on an
 * axis of 5 becomes 4. */
static clrs_status read_index(const onnx_dense *indices, size_t i, const gather *from,
                              int64_t *index, clrs_error *error) {
  const int64_t extent = from->view.shape.dims[from->axis];
  onnx_number number;
  CLRS_TRY(onnx_number_read(indices, i, &number, error));
  if (number.whole < -extent || number.whole >= extent) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "index %zu is %" PRId64 "; dimension %u has extent %" PRId64, i, number.whole,
                      from->axis, extent);
  }
  *index = number.whole < 0 ? number.whole + extent : number.whole;
  return CLRS_OK;
}

static clrs_status read_indices(const onnx_node *node, gather *to, clrs_error *error) {
  const onnx_dense *dense;
  CLRS_TRY(onnx_known_operand(node, 1, &dense, error));
  to->count = count_of(dense);
  CLRS_TRY(
      onnx_arena_take(&node->graph->arena, to->count, sizeof *to->indices, &to->indices, error));
  for (size_t i = 0; i < to->count; i++) {
    CLRS_TRY(read_index(dense, i, to, &to->indices[i], error));
  }
  return CLRS_OK;
}

static clrs_status check_indices(const onnx_node *node, const gather *from, clrs_error *error) {
  const onnx_dense *dense = &from->named->dense;
  const size_t count = count_of(dense);
  int64_t index;
  CLRS_TRY(onnx_arena_work(&node->graph->arena, count, error));
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(read_index(dense, i, from, &index, error));
  }
  return CLRS_OK;
}

/* Finds the result's shape: the data's shape with the axis replaced by the dims of the indices. */
static clrs_status find_shape(gather *to, clrs_error *error) {
  const clrs_shape *data = &to->view.shape, *indices = onnx_graph_shape(to->named);
  int64_t dims[2 * CLRS_MAX_RANK];
  size_t rank = 0;
  for (uint32_t i = 0; i < to->axis; i++) {
    dims[rank++] = data->dims[i];
  }
  for (uint32_t i = 0; i < indices->rank; i++) {
    dims[rank++] = indices->dims[i];
  }
  for (uint32_t i = to->axis + 1; i < data->rank; i++) {
    dims[rank++] = data->dims[i];
  }
  return clrs_shape_init(rank, dims, &to->shape, error);
}

static clrs_status read_gather(const onnx_node *node, gather *to, clrs_error *error) {
  CLRS_TRY(onnx_node_data(node, &to->data, &to->view, error));
  CLRS_TRY(
      onnx_node_axis(node, onnx_node_int(node, "axis", 0), to->view.shape.rank, &to->axis, error));
  CLRS_TRY(onnx_node_need(node, 1, &to->named, error));
  const clrs_dtype dtype = onnx_graph_dtype(to->named);
  if (dtype != CLRS_I64 && dtype != CLRS_I32) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "its indices are %s; int32 or int64 is allowed",
                      clrs_dtype_name(dtype, CLRS_TYPES_ONNX));
  }
  return find_shape(to, error);
}

/* ---------------------------------------------------------------------------------------- runs */

/* Returns the number of evenly spaced indices from `first` on. Returns at least 1 if an index is
 * left. Example: 0, 2, 4, 5 gives 3. */
static size_t run_length(const gather *from, size_t first) {
  const int64_t *at = from->indices + first;
  const size_t left = from->count - first;
  size_t length = left < 2 ? left : 2;
  while (length < left && at[length] - at[length - 1] == at[1] - at[0]) {
    length++;
  }
  return length;
}

static clrs_status view_run(const gather *from, size_t first, size_t length, clrs_view *view,
                            clrs_error *error) {
  const int64_t *at = from->indices + first;
  const int64_t step = length < 2 ? 1 : at[1] - at[0];
  clrs_shape wide = from->view.shape;
  clrs_slice slice = {from->axis, length == 0 ? 0 : at[0], 0, step == 0 ? 1 : step};
  if (step < 0) { /* an end of -1 would count from the end */
    slice.end = at[length - 1] == 0 ? INT64_MIN : at[length - 1] - 1;
  } else if (length > 0) {
    slice.end = at[length - 1] + 1;
  }
  *view = from->view;
  CLRS_TRY(clrs_view_slice(view, 1, &slice, error));
  wide.dims[from->axis] = (int64_t)length;
  return step == 0 ? clrs_view_expand(view, &wide, error) : CLRS_OK;
}

static clrs_status add_run(const onnx_node *node, const gather *from, size_t first, size_t length,
                           onnx_parts *parts, clrs_error *error) {
  clrs_tensor *tensor;
  clrs_view view;
  if (parts->count == MAX_RUNS) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "its indices fall into more than %d evenly spaced runs, and elements of %s "
                      "are gathered in runs only",
                      MAX_RUNS, clrs_dtype_name(from->view.dtype, CLRS_TYPES_ONNX));
  }
  CLRS_TRY(view_run(from, first, length, &view, error));
  CLRS_TRY(onnx_node_look(node, from->data, &view, &tensor, error));
  parts->tensors[parts->count++] = tensor;
  return CLRS_OK;
}

static clrs_status gather_runs(const onnx_node *node, const gather *from, clrs_error *error) {
  onnx_arena *arena = &node->graph->arena;
  onnx_parts parts = {0, NULL, from->axis, from->view.shape};
  clrs_tensor *whole;
  model_value *result;
  CLRS_TRY(onnx_arena_take(arena, MAX_RUNS, sizeof *parts.tensors, &parts.tensors, error));
  CLRS_TRY(model_value_new(arena, &result, error));
  parts.shape.dims[from->axis] = (int64_t)from->count;
  for (size_t first = 0, length; first < from->count; first += length) {
    length = run_length(from, first);
    CLRS_TRY(add_run(node, from, first, length, &parts, error));
  }
  CLRS_TRY(onnx_assemble(node, &parts, &whole, error));
  clrs_tensor_retain(whole);
  result->tensor = whole;
  clrs_view view = *clrs_tensor_view(whole);
  CLRS_TRY(clrs_view_reshape(&view, &from->shape, error));
  return onnx_node_output(node, 0, result, &view, error);
}

/* ------------------------------------------------------------------------------- on the device */

/* Are the elements whole bytes, as the library's gather requires? */
static bool has_whole_bytes(const gather *from) {
  return clrs_dtype_bits(from->view.dtype) % 8 == 0;
}

static bool has_few_runs(const gather *from) {
  size_t runs = 0;
  for (size_t first = 0; first < from->count && runs <= MAX_RUNS; runs++) {
    first += run_length(from, first);
  }
  return runs <= MAX_RUNS;
}

/* Are the indices few, and readable without waiting for the device? */
static bool is_readable(const gather *from) {
  const model_value *named = from->named;
  return onnx_known_fits(onnx_graph_dtype(named), onnx_graph_shape(named)) &&
         (named->on_host || named->input != NULL);
}

/* Gathers on the device. Mapped data is mapped in the gathering pass, if such a pass exists. */
static clrs_status gather_on_device(const onnx_node *node, const gather *from, clrs_error *error) {
  const clrs_onnx_moved moved = onnx_node_moved(node);
  onnx_gathered gathered = {.axis = from->axis, .shape = from->shape};
  clrs_tensor *whole;
  CLRS_TRY(onnx_graph_tensor(node->graph, from->data, &gathered.source, error));
  CLRS_TRY(onnx_graph_stored(node->graph, from->named, &moved, &gathered.indices, error));
  clrs_status status = onnx_gather_indexed(node, &gathered, &whole, error);
  if (clrs_tensor_is_mapped(gathered.source) && onnx_is_apart(status)) {
    CLRS_TRY(onnx_graph_store(node->graph, from->data, &moved, &gathered.source, error));
    status = onnx_gather_indexed(node, &gathered, &whole, error);
  }
  CLRS_TRY(status);
  return onnx_node_give(node, whole, error);
}

/* ----------------------------------------------------------------------------------- the whole */

/* Gathers known data on the host, by any indices. */
static clrs_status gather_known(const onnx_node *node, const gather *from, clrs_error *error) {
  const onnx_dense *data = &from->data->dense;
  onnx_dense result;
  size_t inner = clrs_dtype_bits(data->dtype) / 8, outer = 1;
  CLRS_TRY(onnx_known_make(&node->graph->arena, data->dtype, &from->shape, &result, error));
  for (uint32_t i = from->axis + 1; i < data->shape.rank; i++) {
    inner *= (size_t)data->shape.dims[i];
  }
  for (uint32_t i = 0; i < from->axis; i++) {
    outer *= (size_t)data->shape.dims[i];
  }
  const size_t extent = (size_t)data->shape.dims[from->axis];
  for (size_t i = 0; result.size > 0 && i < outer * from->count; i++) {
    const size_t index = i / from->count * extent + (size_t)from->indices[i % from->count];
    memcpy(result.owned + i * inner, data->bytes + index * inner, inner);
  }
  return onnx_node_give_known(node, &result, error);
}

/* Gathers by indices that the host has read. */
static clrs_status gather_read(const onnx_node *node, const gather *from, clrs_error *error) {
  clrs_view view;
  if (from->data->known && onnx_known_fits(from->view.dtype, &from->shape)) {
    return gather_known(node, from, error);
  }
  if (run_length(from, 0) < from->count) {
    return has_few_runs(from) || !has_whole_bytes(from) ? gather_runs(node, from, error)
                                                        : gather_on_device(node, from, error);
  }
  CLRS_TRY(view_run(from, 0, from->count, &view, error));
  CLRS_TRY(clrs_view_reshape(&view, &from->shape, error));
  return onnx_node_output(node, 0, from->data, &view, error);
}

clrs_status onnx_gather(const onnx_node *node, clrs_error *error) {
  gather from = {0};
  CLRS_TRY(read_gather(node, &from, error));
  if (is_readable(&from) || !has_whole_bytes(&from)) {
    CLRS_TRY(read_indices(node, &from, error));
    return gather_read(node, &from, error);
  }
  if (from.named->on_host) {
    CLRS_TRY(check_indices(node, &from, error));
  }
  return gather_on_device(node, &from, error);
}
