/*
 * Finds the steps from part to part. Offsets 0, 1, 8, 9 are two steps of 1 in two steps of 8, so
 * that the parts are two more axes of the layout that they have in common.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_stack.h"

enum { MAX_STEPS = 8 };

/* The axes that lead from part to part, the innermost first. */
typedef struct steps {
  uint32_t count;
  clrs_axis axes[MAX_STEPS];
} steps;

/* How many parts, from the first one on, have the same distance from one to the next. */
static size_t even_run(size_t count, const int64_t *offsets) {
  size_t length = 2;
  while (length < count && offsets[length] - offsets[length - 1] == offsets[1] - offsets[0]) {
    length++;
  }
  return length;
}

/* Is every group of `length` offsets spaced like the first? */
static bool groups_agree(size_t count, const int64_t *offsets, size_t length) {
  for (size_t i = 0; i < count; i++) {
    if (offsets[i] - offsets[i - i % length] != offsets[i % length] - offsets[0]) {
      return false;
    }
  }
  return true;
}

/* Takes the innermost axis out of the offsets; what remains is one offset for each group. A shorter
 * run would leave groups that are as far apart as the elements of the first one, and so the whole
 * run is the axis, or there is none. */
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

/* The same bytes and the same strides; where a dim has one element its stride says nothing. */
static bool same_layout(const clrs_tensor *part, const clrs_tensor *first, const clrs_layout *of,
                        int64_t *offset) {
  const clrs_storage a = clrs_tensor_storage(part), b = clrs_tensor_storage(first);
  clrs_layout layout;
  if (a.buffer != b.buffer || a.byte_offset != b.byte_offset ||
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

/* The steps, outermost first, go in front of the dims that they are then moved into. */
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

bool onnx_stack(onnx_arena *arena, const onnx_parts *parts, clrs_view *view) {
  clrs_layout first;
  steps found = {0};
  if (clrs_view_layout(clrs_tensor_view(parts->tensors[0]), &first, NULL) != CLRS_OK) {
    return false;
  }
  int64_t *offsets;
  return onnx_arena_take(arena, parts->count, sizeof *offsets, &offsets, NULL) == CLRS_OK &&
         find_steps(parts, &first, offsets, &found) && make_view(parts, &first, &found, view);
}
