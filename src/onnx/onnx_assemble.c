/*
 * Concat and Pad on the device, through the library's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_assemble.h"

#include "fail.h"
#include "onnx_characters.h"
#include "onnx_explain.h"
#include "onnx_stack.h"

/* What the library needs for each part while it puts parts together: a tensor, and its place among
 * the moves. */
enum { PART_BYTES = ONNX_TENSOR_BYTES + 512 };

static clrs_status allocate(const onnx_node *node, clrs_dtype dtype, const clrs_shape *shape,
                            clrs_tensor **whole, clrs_error *error) {
  clrs_tensor *plain;
  CLRS_TRY(clrs_tensor_allocate(node->graph->host->clreshape, dtype, shape, &plain, error));
  return onnx_characters_attach(node->graph, plain, whole, error);
}

/* Counts and explains what the library is to do to put `part` at `begins` of the whole. */
static clrs_status explain_part(const onnx_node *node, clrs_tensor *part, clrs_tensor *whole,
                                const int64_t *begins, clrs_error *error) {
  onnx_graph *graph = node->graph;
  const clrs_view *from = clrs_tensor_view(part);
  clrs_view view = *clrs_tensor_view(whole);
  clrs_slice slices[CLRS_MAX_RANK];
  clrs_tensor *place;
  clrs_plan plan;
  for (uint32_t dim = 0; dim < from->shape.rank; dim++)
    slices[dim] = (clrs_slice){dim, begins[dim], begins[dim] + from->shape.dims[dim], 1};
  CLRS_TRY(clrs_view_slice(&view, from->shape.rank, slices, error));
  CLRS_TRY(clrs_tensor_with_view(whole, &view, &place, error));
  clrs_status status =
      clrs_tensor_plan(graph->host->clreshape, part, place, CLRS_COPY_ALWAYS, &plan, error);
  clrs_tensor_release(place);
  CLRS_TRY(status);
  CLRS_TRY(onnx_graph_launch(graph, plan.launch_count, error));
  onnx_explain_node(graph->explain, node->index, node->proto);
  onnx_explain_plan(graph->explain, from, &plan);
  return CLRS_OK;
}

static clrs_status explain_parts(const onnx_node *node, const onnx_parts *parts, clrs_tensor *whole,
                                 clrs_error *error) {
  int64_t begins[CLRS_MAX_RANK] = {0};
  for (size_t i = 0; i < parts->count; i++) {
    CLRS_TRY(explain_part(node, parts->tensors[i], whole, begins, error));
    begins[parts->axis] += clrs_tensor_view(parts->tensors[i])->shape.dims[parts->axis];
  }
  return CLRS_OK;
}

static clrs_status put_together(const onnx_node *node, const onnx_parts *parts, clrs_tensor *whole,
                                clrs_error *error) {
  const cli_host *host = node->graph->host;
  cl_event event;
  CLRS_TRY(explain_parts(node, parts, whole, error));
  CLRS_TRY(clrs_enqueue_concat(host->clreshape, parts->count, parts->tensors, parts->axis, whole,
                               host->queue, 0, NULL, &event, error));
  return cli_host_wait(event, "putting parts together", error);
}

clrs_status onnx_assemble(const onnx_node *node, const onnx_parts *parts, clrs_tensor **whole,
                          clrs_error *error) {
  clrs_view view;
  if (onnx_stack(parts, &view))
    return clrs_tensor_with_view(parts->tensors[0], &view, whole, error);
  const size_t memory = parts->count * PART_BYTES;
  CLRS_TRY(model_values_take(&node->graph->values, memory, error));
  clrs_status status =
      allocate(node, clrs_tensor_view(parts->tensors[0])->dtype, &parts->shape, whole, error);
  if (status == CLRS_OK) {
    status = put_together(node, parts, *whole, error);
    if (status != CLRS_OK)
      clrs_tensor_release(*whole);
  }
  model_values_return(&node->graph->values, memory);
  return status;
}

/* One launch fills the border on one side of one dim. */
static clrs_status explain_borders(const onnx_node *node, const clrs_shape *inner,
                                   const onnx_border *border, clrs_error *error) {
  uint32_t fills = 0;
  for (uint32_t dim = 0; dim < inner->rank; dim++)
    fills += (uint32_t)(border->begins[dim] > 0) +
             (uint32_t)(border->begins[dim] + inner->dims[dim] < border->shape.dims[dim]);
  CLRS_TRY(onnx_graph_launch(node->graph, fills, error));
  onnx_explain_node(node->graph->explain, node->index, node->proto);
  if (node->graph->explain != NULL)
    fprintf(node->graph->explain, "%u launch%s to fill the border\n", fills,
            fills == 1 ? "" : "es");
  return CLRS_OK;
}

static clrs_status put_inside(const onnx_node *node, clrs_tensor *inner, const onnx_border *border,
                              clrs_tensor *whole, clrs_error *error) {
  const cli_host *host = node->graph->host;
  const clrs_padding padding = {border->begins, border->element};
  cl_event event;
  CLRS_TRY(explain_borders(node, &clrs_tensor_view(inner)->shape, border, error));
  CLRS_TRY(explain_part(node, inner, whole, border->begins, error));
  CLRS_TRY(clrs_enqueue_pad(host->clreshape, inner, whole, &padding, host->queue, 0, NULL, &event,
                            error));
  return cli_host_wait(event, "padding", error);
}

clrs_status onnx_surround(const onnx_node *node, clrs_tensor *inner, const onnx_border *border,
                          clrs_tensor **whole, clrs_error *error) {
  CLRS_TRY(allocate(node, clrs_tensor_view(inner)->dtype, &border->shape, whole, error));
  clrs_status status = put_inside(node, inner, border, *whole, error);
  if (status != CLRS_OK)
    clrs_tensor_release(*whole);
  return status;
}
