/*
 * Concat and Pad on the device, through the library's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_assemble.h"

#include "onnx_characters.h"
#include "onnx_stack.h"
#include "status.h"

/* What the library needs for each part while it puts parts together: a tensor, and its place among
 * the moves. */
enum { PART_BYTES = ONNX_TENSOR_BYTES + 512 };

/* A new tensor, which ends with the node unless it is retained. */
static clrs_status allocate(const onnx_node *node, clrs_dtype dtype, const clrs_shape *shape,
                            clrs_tensor **whole, clrs_error *error) {
  onnx_graph *graph = node->graph;
  clrs_tensor *plain;
  CLRS_TRY(clrs_tensor_allocate(graph->device.library, dtype, shape, &plain, error));
  CLRS_TRY(onnx_characters_attach(graph, plain, whole, error));
  return onnx_arena_hold(&graph->arena, *whole, error);
}

static onnx_moved moved_by(const onnx_node *node) {
  const char *name = node->proto->name;
  return (onnx_moved){
      .index = node->index, .name = name != NULL ? name : "", .op = node->proto->op_type};
}

/* Counts and tells what the library is to do to put `part` at `begins` of the whole. */
static clrs_status count_part(const onnx_node *node, clrs_tensor *part, clrs_tensor *whole,
                              const int64_t *begins, clrs_error *error) {
  const clrs_view *from = clrs_tensor_view(part);
  clrs_view view = *clrs_tensor_view(whole);
  clrs_slice slices[CLRS_MAX_RANK];
  clrs_tensor *place;
  clrs_plan plan;
  for (uint32_t dim = 0; dim < from->shape.rank; dim++) {
    slices[dim] = (clrs_slice){dim, begins[dim], begins[dim] + from->shape.dims[dim], 1};
  }
  CLRS_TRY(clrs_view_slice(&view, from->shape.rank, slices, error));
  CLRS_TRY(clrs_tensor_with_view(whole, &view, &place, error));
  const clrs_status status =
      clrs_tensor_plan(node->graph->device.library, part, place, CLRS_COPY_ALWAYS, &plan, error);
  clrs_tensor_release(place);
  CLRS_TRY(status);
  onnx_moved moved = moved_by(node);
  moved.view = from;
  moved.plan = &plan;
  return onnx_graph_launch(node->graph, plan.launch_count, &moved, error);
}

static clrs_status put_together(const onnx_node *node, const onnx_parts *parts, clrs_tensor *whole,
                                clrs_error *error) {
  onnx_device *device = &node->graph->device;
  const clrs_sources sources = {parts->count, parts->tensors};
  int64_t begins[CLRS_MAX_RANK] = {0};
  cl_event event;
  for (size_t i = 0; i < parts->count; i++) {
    CLRS_TRY(count_part(node, parts->tensors[i], whole, begins, error));
    begins[parts->axis] += clrs_tensor_view(parts->tensors[i])->shape.dims[parts->axis];
  }
  CLRS_TRY(clrs_enqueue_concat(device->library, &sources, parts->axis, whole, device->queue,
                               onnx_device_wait_count(device), onnx_device_wait_list(device),
                               &event, error));
  onnx_device_follow(device, event);
  return CLRS_OK;
}

clrs_status onnx_assemble(const onnx_node *node, const onnx_parts *parts, clrs_tensor **whole,
                          clrs_error *error) {
  onnx_arena *arena = &node->graph->arena;
  clrs_view view;
  if (onnx_stack(arena, parts, &view)) {
    CLRS_TRY(clrs_tensor_with_view(parts->tensors[0], &view, whole, error));
    return onnx_arena_hold(arena, *whole, error);
  }
  CLRS_TRY(onnx_arena_charge(arena, parts->tensors, parts->count * PART_BYTES, error));
  CLRS_TRY(allocate(node, clrs_tensor_view(parts->tensors[0])->dtype, &parts->shape, whole, error));
  return put_together(node, parts, *whole, error);
}

/* One launch fills the border on one side of one dim. */
static uint32_t count_fills(const clrs_shape *inner, const onnx_border *border) {
  uint32_t fills = 0;
  for (uint32_t dim = 0; dim < inner->rank; dim++) {
    fills += (uint32_t)(border->begins[dim] > 0) +
             (uint32_t)(border->begins[dim] + inner->dims[dim] < border->shape.dims[dim]);
  }
  return fills;
}

clrs_status onnx_surround(const onnx_node *node, clrs_tensor *inner, const onnx_border *border,
                          clrs_tensor **whole, clrs_error *error) {
  onnx_device *device = &node->graph->device;
  const clrs_view *view = clrs_tensor_view(inner);
  const clrs_padding padding = {border->begins, border->element};
  const onnx_moved moved = moved_by(node);
  cl_event event;
  CLRS_TRY(allocate(node, view->dtype, &border->shape, whole, error));
  CLRS_TRY(onnx_graph_launch(node->graph, count_fills(&view->shape, border), &moved, error));
  CLRS_TRY(count_part(node, inner, *whole, border->begins, error));
  CLRS_TRY(clrs_enqueue_pad(device->library, inner, *whole, &padding, device->queue,
                            onnx_device_wait_count(device), onnx_device_wait_list(device), &event,
                            error));
  onnx_device_follow(device, event);
  return CLRS_OK;
}
