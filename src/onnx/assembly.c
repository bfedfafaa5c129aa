/*
 * Concat and Pad on the device, by the library's functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "assembly.h"

#include <clreshape/clreshape.h>

#include "status.h"

/* ---- parts that are evenly spaced in one buffer ----
 * Together the parts are a view already. Example: offsets 0, 1, 8, 9 are two steps of 1 within two
 * steps of 8. The common layout of the parts gets two more axes: 2 with stride 8, and 2 with stride
 * 1. */

enum { MAX_STEPS = 8 };

/* The axes that lead from part to part, the innermost first. */
typedef struct steps {
  uint32_t count;
  clrs_axis axes[MAX_STEPS];
} steps;

/* Returns the number of parts, from the first part on, at equal distances. */
static size_t even_run(size_t count, const int64_t *offsets) {
  size_t length = 2;
  while (length < count && offsets[length] - offsets[length - 1] == offsets[1] - offsets[0]) {
    length++;
  }
  return length;
}

/* Is every group of `length` offsets spaced like the first group? */
static bool groups_agree(size_t count, const int64_t *offsets, size_t length) {
  for (size_t i = 0; i < count; i++) {
    if (offsets[i] - offsets[i - i % length] != offsets[i % length] - offsets[0]) {
      return false;
    }
  }
  return true;
}

/* Takes the innermost axis out of the offsets, so that one offset for each group remains. The axis
 * is the longest even run. After a shorter run, the next axis would continue the run, and both
 * would be one axis. Example: 0, 1, 8, 9 becomes the axis of 2 with stride 1, and the offsets 0,
 * 8. */
static bool take_axis(size_t *count, int64_t *offsets, steps *found) {
  const int64_t step = offsets[1] - offsets[0];
  const size_t length = even_run(*count, offsets);
  if (found->count == MAX_STEPS || *count % length != 0 || !groups_agree(*count, offsets, length)) {
    return false;
  }
  *count /= length;
  for (size_t i = 0; i < *count; i++) {
    offsets[i] = offsets[i * length];
  }
  found->axes[found->count++] = (clrs_axis){(int64_t)length, step};
  return true;
}

/* Has the part the same buffer and strides as the first part? A mapped tensor has no buffer. The
 * stride of a dim of one element does not matter. */
static bool same_layout(const clrs_tensor *part, const clrs_tensor *first, const clrs_layout *of,
                        int64_t *offset) {
  const clrs_storage a = clrs_tensor_storage(part), b = clrs_tensor_storage(first);
  clrs_layout layout;
  if (a.buffer == NULL || a.buffer != b.buffer || a.byte_offset != b.byte_offset ||
      clrs_view_layout(clrs_tensor_view(part), &layout, NULL) != CLRS_OK) {
    return false;
  }
  for (uint32_t dim = 0; dim < of->rank; dim++) {
    if (layout.dims[dim] != of->dims[dim] || layout.dims[dim] == 0 ||
        (layout.dims[dim] > 1 && layout.strides[dim] != of->strides[dim])) {
      return false;
    }
  }
  *offset = layout.offset;
  return true;
}

static bool find_steps(const onnx_parts *parts, const clrs_layout *first, int64_t *offsets,
                       steps *found) {
  size_t count = parts->count;
  for (size_t i = 0; i < count; i++) {
    if (!same_layout(parts->tensors[i], parts->tensors[0], first, &offsets[i])) {
      return false;
    }
  }
  while (count > 1) {
    if (!take_axis(&count, offsets, found)) {
      return false;
    }
  }
  return true;
}

/* Makes the view of the whole. The steps, outermost first, are put in front of the dims, then moved
 * to the joined axis, and then merged by the reshape. */
static bool make_view(const onnx_parts *parts, const clrs_layout *first, const steps *found,
                      clrs_view *view) {
  int64_t dims[CLRS_MAX_RANK + MAX_STEPS], strides[CLRS_MAX_RANK + MAX_STEPS];
  int64_t order[CLRS_MAX_RANK + MAX_STEPS];
  const uint32_t rank = first->rank + found->count;
  clrs_layout layout;
  clrs_shape shape;
  for (uint32_t i = 0; i < rank; i++) {
    const bool is_step = i < found->count;
    const uint32_t from = is_step ? found->count - 1 - i : i - found->count;
    dims[i] = is_step ? found->axes[from].extent : first->dims[from];
    strides[i] = is_step ? found->axes[from].stride : first->strides[from];
    order[i] = i < parts->axis                  ? found->count + i
               : i < parts->axis + found->count ? i - parts->axis
                                                : i;
  }
  return clrs_shape_init(rank, dims, &shape, NULL) == CLRS_OK &&
         clrs_layout_init(first->dtype, &shape, strides, first->offset, &layout, NULL) == CLRS_OK &&
         clrs_view_from_layout(&layout, view, NULL) == CLRS_OK &&
         clrs_view_permute(view, rank, order, NULL) == CLRS_OK &&
         clrs_view_reshape(view, &parts->shape, NULL) == CLRS_OK;
}

/* Is the whole a view of the first part's buffer? */
static bool is_one_view(onnx_arena *arena, const onnx_parts *parts, clrs_view *view) {
  clrs_layout first;
  steps found = {0};
  if (clrs_view_layout(clrs_tensor_view(parts->tensors[0]), &first, NULL) != CLRS_OK) {
    return false;
  }
  int64_t *offsets;
  return onnx_arena_take(arena, parts->count, sizeof *offsets, &offsets, NULL) == CLRS_OK &&
         find_steps(parts, &first, offsets, &found) && make_view(parts, &first, &found, view);
}

/* ---- parts that move ---- */

/* The library's memory for each part while parts are joined: a tensor and a move. */
enum { PART_BYTES = ONNX_TENSOR_BYTES + 512 };

/* Makes a new tensor, which ends with the node unless the caller retains the tensor. */
static clrs_status allocate(const onnx_node *node, clrs_dtype dtype, const clrs_shape *shape,
                            clrs_tensor **whole, clrs_error *error) {
  clrs_onnx_graph *graph = node->graph;
  clrs_tensor *plain;
  CLRS_TRY(clrs_tensor_allocate(graph->device.library, graph->device.queue, dtype, shape, &plain,
                                error));
  CLRS_TRY(onnx_graph_attach(graph, plain, whole, error));
  return onnx_arena_hold(&graph->arena, *whole, error);
}

/* Plans the move of `part` to index `begins` of the whole. */
static clrs_status plan_part(clrs_tensor *part, clrs_tensor *whole, const int64_t *begins,
                             clrs_plan *plan, clrs_error *error) {
  const clrs_view *from = clrs_tensor_view(part);
  clrs_view view = *clrs_tensor_view(whole);
  clrs_slice slices[CLRS_MAX_RANK];
  clrs_tensor *place;
  for (uint32_t dim = 0; dim < from->shape.rank; dim++) {
    slices[dim] = (clrs_slice){dim, begins[dim], begins[dim] + from->shape.dims[dim], 1};
  }
  CLRS_TRY(clrs_view_slice(&view, from->shape.rank, slices, error));
  CLRS_TRY(clrs_tensor_with_view(whole, &view, &place, error));
  const clrs_status status = clrs_tensor_plan(part, place, CLRS_COPY_ALWAYS, plan, error);
  clrs_tensor_release(place);
  return status;
}

/* Is the part mapped, with no pass to the part's place, so that storing the part may help? */
static bool is_apart(clrs_status status, const clrs_tensor *part) {
  return status == CLRS_UNSUPPORTED && clrs_tensor_is_mapped(part);
}

/* Replaces *part by a copy in row-major order. */
static clrs_status store_part(const onnx_node *node, clrs_tensor **part, clrs_error *error) {
  const clrs_onnx_moved moved = onnx_node_moved(node);
  CLRS_TRY(onnx_graph_materialize(node->graph, *part, &moved, part, error));
  return onnx_arena_hold(&node->graph->arena, *part, error);
}

/* Counts the launches of a part, and tells the observer. Stores the part first if no pass
 * exists. */
static clrs_status count_part(const onnx_node *node, clrs_tensor **part, clrs_tensor *whole,
                              const int64_t *begins, clrs_error *error) {
  clrs_plan plan;
  clrs_onnx_moved moved = onnx_node_moved(node);
  clrs_status status = plan_part(*part, whole, begins, &plan, error);
  if (is_apart(status, *part)) {
    CLRS_TRY(store_part(node, part, error));
    status = plan_part(*part, whole, begins, &plan, error);
  }
  CLRS_TRY(status);
  moved.view = clrs_tensor_view(*part);
  moved.plan = &plan;
  return onnx_graph_launch(node->graph, plan.launch_count, &moved, error);
}

static clrs_status put_together(const onnx_node *node, const onnx_parts *parts, clrs_tensor *whole,
                                clrs_error *error) {
  onnx_device *device = &node->graph->device;
  int64_t begins[CLRS_MAX_RANK] = {0};
  const clrs_on on = onnx_device_on(device);
  cl_event event;
  for (size_t i = 0; i < parts->count; i++) {
    CLRS_TRY(count_part(node, &parts->tensors[i], whole, begins, error));
    begins[parts->axis] += clrs_tensor_view(parts->tensors[i])->shape.dims[parts->axis];
  }
  CLRS_TRY(clrs_enqueue_concat(parts->count, parts->tensors, parts->axis, whole, NULL, &on, &event,
                               error));
  onnx_device_follow(device, event);
  return CLRS_OK;
}

clrs_status onnx_assemble(const onnx_node *node, const onnx_parts *parts, clrs_tensor **whole,
                          clrs_error *error) {
  onnx_arena *arena = &node->graph->arena;
  clrs_view view;
  if (is_one_view(arena, parts, &view)) {
    CLRS_TRY(clrs_tensor_with_view(parts->tensors[0], &view, whole, error));
    return onnx_arena_hold(arena, *whole, error);
  }
  CLRS_TRY(onnx_arena_charge(arena, parts->tensors, parts->count * PART_BYTES, error));
  CLRS_TRY(allocate(node, clrs_tensor_view(parts->tensors[0])->dtype, &parts->shape, whole, error));
  return put_together(node, parts, *whole, error);
}

/* Counts the launches that fill a border: one for each side of each dim. */
static uint32_t count_fills(const clrs_shape *inner, const onnx_border *border) {
  uint32_t fills = 0;
  for (uint32_t dim = 0; dim < inner->rank; dim++) {
    fills += (uint32_t)(border->begins[dim] > 0) +
             (uint32_t)(border->begins[dim] + inner->dims[dim] < border->shape.dims[dim]);
  }
  return fills;
}

static bool is_empty(const clrs_shape *shape) {
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    if (shape->dims[dim] == 0) {
      return true;
    }
  }
  return false;
}

/* Counts the parts of a border. If the tensor's own elements form the border, each box of the pad
 * except the tensor itself is a part. */
static clrs_status count_border(const clrs_shape *inner, const onnx_border *border, uint32_t *parts,
                                clrs_error *error) {
  int64_t ends[CLRS_MAX_RANK];
  clrs_pad pad;
  if (border->mode == CLRS_PAD_CONSTANT) {
    *parts = count_fills(inner, border);
    return CLRS_OK;
  }
  for (uint32_t dim = 0; dim < inner->rank; dim++) {
    ends[dim] = border->shape.dims[dim] - border->begins[dim] - inner->dims[dim];
  }
  CLRS_TRY(clrs_pad_init(border->mode, inner, border->begins, ends, &pad, error));
  *parts = is_empty(&border->shape) ? 0 : (uint32_t)pad.box_count - 1;
  return CLRS_OK;
}

static clrs_status charge_parts(onnx_arena *arena, size_t parts, clrs_error *error) {
  void *block;
  CLRS_TRY(onnx_arena_take(arena, 1, 1, &block, error));
  return onnx_arena_charge(arena, block, parts * PART_BYTES, error);
}

static clrs_status enqueue_pad(const onnx_node *node, clrs_tensor *inner, const onnx_border *border,
                               clrs_tensor *whole, clrs_error *error) {
  onnx_device *device = &node->graph->device;
  const clrs_padding padding = {
      .begins = border->begins, .element = border->element, .mode = border->mode};
  const clrs_on on = onnx_device_on(device);
  cl_event event;
  CLRS_TRY(clrs_enqueue_pad(inner, &padding, whole, NULL, &on, &event, error));
  onnx_device_follow(device, event);
  return CLRS_OK;
}

clrs_status onnx_surround(const onnx_node *node, clrs_tensor *inner, const onnx_border *border,
                          clrs_tensor **whole, clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(inner);
  const clrs_onnx_moved moved = onnx_node_moved(node);
  uint32_t parts = 0;
  CLRS_TRY(count_border(&view->shape, border, &parts, error));
  CLRS_TRY(charge_parts(&node->graph->arena, parts, error));
  CLRS_TRY(allocate(node, view->dtype, &border->shape, whole, error));
  CLRS_TRY(onnx_graph_launch(node->graph, parts, &moved, error));
  CLRS_TRY(count_part(node, &inner, *whole, border->begins, error));
  const clrs_status status = enqueue_pad(node, inner, border, *whole, error);
  if (!is_apart(status, inner)) {
    return status;
  }
  CLRS_TRY(store_part(node, &inner, error)); /* the border needs a stored tensor */
  return enqueue_pad(node, inner, border, *whole, error);
}

/* ---- by indices ---- */

clrs_status onnx_gather_indexed(const onnx_node *node, const onnx_gathered *gathered,
                                clrs_tensor **whole, clrs_error *error) {
  onnx_device *device = &node->graph->device;
  const clrs_view *view = clrs_tensor_view(gathered->source);
  const clrs_indices indices = {
      .tensor = gathered->indices, .axis = gathered->axis, .from_end = true};
  clrs_onnx_moved moved = onnx_node_moved(node);
  const clrs_on on = onnx_device_on(device);
  cl_event event;
  clrs_plan plan;
  moved.view = view;
  CLRS_TRY(allocate(node, view->dtype, &gathered->shape, whole, error));
  CLRS_TRY(clrs_tensor_plan_gather(gathered->source, &indices, *whole, &plan, error));
  if (!is_empty(&gathered->shape)) {
    CLRS_TRY(onnx_graph_launch(node->graph, 1, &moved, error));
  }
  CLRS_TRY(clrs_enqueue_gather(gathered->source, &indices, *whole, NULL, &on, &event, error));
  onnx_device_follow(device, event);
  return CLRS_OK;
}
