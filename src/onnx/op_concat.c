/*
 * Concat: known values are joined on the host, other parts on the device, each by one move.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "assembly.h"
#include "fold.h"
#include "operators.h"
#include "status.h"

typedef struct concat {
  size_t count;
  model_value **inputs;
  clrs_dtype dtype;
  bool known;
  uint32_t axis;
  clrs_shape shape;
} concat;

/* Reads the axis. Concat-1 has a default, later forms do not. */
static clrs_status read_axis(const onnx_node *node, uint32_t rank, uint32_t *axis,
                             clrs_error *error) {
  const int64_t given = onnx_node_int(node, "axis", 1);
  if (node->op->since >= 4 && onnx_node_attribute(node, "axis") == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute axis is missing");
  }
  return onnx_node_axis(node, given, rank, axis, error);
}

/* Checks input `index` against the first input, and adds to the extent along the axis. */
static clrs_status add_input(concat *whole, size_t index, clrs_error *error) {
  const clrs_shape *shape = onnx_graph_shape(whole->inputs[index]);
  const clrs_dtype dtype = onnx_graph_dtype(whole->inputs[index]);
  if (dtype != whole->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "input %zu is %s and input 0 %s; all must be of one type", index,
                      clrs_dtype_name(dtype, CLRS_TYPES_ONNX),
                      clrs_dtype_name(whole->dtype, CLRS_TYPES_ONNX));
  }
  if (shape->rank != whole->shape.rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "input %zu has %u dims and input 0 %u", index,
                      shape->rank, whole->shape.rank);
  }
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    if (dim != whole->axis && shape->dims[dim] != whole->shape.dims[dim]) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "dimension %u of input %zu is %" PRId64 " and of input 0 %" PRId64
                        "; only dimension %u, the axis, may differ",
                        dim, index, shape->dims[dim], whole->shape.dims[dim], whole->axis);
    }
  }
  if (__builtin_add_overflow(whole->shape.dims[whole->axis], shape->dims[whole->axis],
                             &whole->shape.dims[whole->axis])) {
    return clrs__fail(error, CLRS_OVERFLOW, "the extents along axis %u do not fit in 64 bits",
                      whole->axis);
  }
  whole->known = whole->known && whole->inputs[index]->known;
  return CLRS_OK;
}

static clrs_status read_inputs(const onnx_node *node, concat *whole, clrs_error *error) {
  for (size_t i = 0; i < whole->count; i++) {
    CLRS_TRY(onnx_node_need(node, i, &whole->inputs[i], error));
  }
  whole->shape = *onnx_graph_shape(whole->inputs[0]);
  whole->dtype = onnx_graph_dtype(whole->inputs[0]);
  whole->known = true;
  CLRS_TRY(read_axis(node, whole->shape.rank, &whole->axis, error));
  whole->shape.dims[whole->axis] = 0;
  for (size_t i = 0; i < whole->count; i++) {
    CLRS_TRY(add_input(whole, i, error));
  }
  return clrs_shape_init(whole->shape.rank, whole->shape.dims, &whole->shape, error);
}

/* Copies the parts. A part has one run of neighbours for each combination of the dims before the
 * axis. Example: joining [2,3] and [2,1] along axis 1 copies runs of 3 and of 1 to offsets 0 and 3
 * of each row of 4. */
static void copy_parts(const concat *whole, onnx_dense *result) {
  size_t runs = 1, inner = clrs_dtype_bits(whole->dtype) / 8, start = 0;
  for (uint32_t dim = 0; dim < whole->axis; dim++) {
    runs *= (size_t)whole->shape.dims[dim];
  }
  for (uint32_t dim = whole->axis + 1; dim < whole->shape.rank; dim++) {
    inner *= (size_t)whole->shape.dims[dim];
  }
  const size_t row = inner * (size_t)whole->shape.dims[whole->axis];
  for (size_t i = 0; i < whole->count && result->size > 0; i++) {
    const onnx_dense *part = &whole->inputs[i]->dense;
    const size_t length = inner * (size_t)part->shape.dims[whole->axis];
    for (size_t run = 0; run < runs && length > 0; run++) {
      memcpy(result->owned + run * row + start, part->bytes + run * length, length);
    }
    start += length;
  }
}

static clrs_status concat_known(const onnx_node *node, const concat *whole, clrs_error *error) {
  onnx_dense result;
  CLRS_TRY(onnx_known_make(&node->graph->arena, whole->dtype, &whole->shape, &result, error));
  copy_parts(whole, &result);
  return onnx_node_give_known(node, &result, error);
}

static clrs_status concat_data(const onnx_node *node, const concat *whole, clrs_error *error) {
  clrs_onnx_graph *graph = node->graph;
  onnx_parts parts = {whole->count, NULL, whole->axis, whole->shape};
  clrs_tensor *result;
  CLRS_TRY(
      onnx_arena_take(&graph->arena, whole->count, sizeof *parts.tensors, &parts.tensors, error));
  for (size_t i = 0; i < whole->count; i++) {
    CLRS_TRY(onnx_graph_tensor(graph, whole->inputs[i], &parts.tensors[i], error));
  }
  CLRS_TRY(onnx_assemble(node, &parts, &result, error));
  return onnx_node_give(node, result, error);
}

clrs_status onnx_concat(const onnx_node *node, clrs_error *error) {
  concat whole = {.count = node->proto->n_input};
  CLRS_TRY(onnx_arena_take(&node->graph->arena, whole.count, sizeof *whole.inputs, &whole.inputs,
                           error));
  CLRS_TRY(read_inputs(node, &whole, error));
  if (whole.count == 1) {
    return onnx_identity(node, error);
  }
  if (whole.known && onnx_known_fits(whole.dtype, &whole.shape)) {
    return concat_known(node, &whole, error);
  }
  return concat_data(node, &whole, error);
}
