/*
 * The reference for movement operations, element by element. See oracle.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

static int64_t *positions_allocate(int64_t count) {
  int64_t *positions = malloc(((size_t)count + 1) * sizeof *positions);
  if (!positions)
    abort();
  return positions;
}

int64_t oracle_count(const clrs_shape *shape) {
  int64_t count = 1;
  for (uint32_t d = 0; d < shape->rank; d++)
    count *= shape->dims[d];
  return count;
}

/* The next multi-index in row-major order. */
static void index_advance(const clrs_shape *shape, int64_t *index) {
  for (uint32_t d = shape->rank; d-- > 0;) {
    if (++index[d] < shape->dims[d])
      return;
    index[d] = 0;
  }
}

static int64_t index_linear(const clrs_shape *shape, const int64_t *index) {
  int64_t linear = 0;
  for (uint32_t d = 0; d < shape->rank; d++)
    linear = linear * shape->dims[d] + index[d];
  return linear;
}

oracle oracle_from_layout(const clrs_layout *layout) {
  oracle tensor = {.shape = {.rank = layout->rank}};
  memcpy(tensor.shape.dims, layout->dims, layout->rank * sizeof layout->dims[0]);
  tensor.count = oracle_count(&tensor.shape);
  tensor.positions = positions_allocate(tensor.count);
  int64_t index[CLRS_MAX_RANK] = {0};
  for (int64_t k = 0; k < tensor.count; k++) {
    tensor.positions[k] = layout->offset;
    for (uint32_t d = 0; d < layout->rank; d++)
      tensor.positions[k] += index[d] * layout->strides[d];
    index_advance(&tensor.shape, index);
  }
  return tensor;
}

oracle oracle_copy(const oracle *from) {
  oracle copy = *from;
  copy.positions = positions_allocate(from->count);
  memcpy(copy.positions, from->positions, (size_t)from->count * sizeof *copy.positions);
  return copy;
}

void oracle_free(oracle *tensor) {
  free(tensor->positions);
  memset(tensor, 0, sizeof *tensor);
}

/* Says which element of the old tensor is at `to` in the new tensor. */
typedef void (*pull_rule)(const void *rule, const oracle *old, const int64_t *to, int64_t *from);

static void pull(oracle *tensor, const clrs_shape *shape, pull_rule where, const void *rule) {
  const int64_t count = oracle_count(shape);
  int64_t *positions = positions_allocate(count);
  int64_t to[CLRS_MAX_RANK] = {0}, from[CLRS_MAX_RANK] = {0};
  for (int64_t k = 0; k < count; k++) {
    where(rule, tensor, to, from);
    positions[k] = tensor->positions[index_linear(&tensor->shape, from)];
    index_advance(shape, to);
  }
  free(tensor->positions);
  *tensor = (oracle){*shape, count, positions};
}

/* Reshape keeps the row-major order, so the list of positions stays the same. */
void oracle_reshape(oracle *tensor, const clrs_shape *shape) {
  if (oracle_count(shape) != tensor->count)
    abort();
  tensor->shape = *shape;
}

static void pull_permuted(const void *rule, const oracle *old, const int64_t *to, int64_t *from) {
  const int64_t *axes = rule;
  for (uint32_t d = 0; d < old->shape.rank; d++)
    from[axes[d]] = to[d];
}

void oracle_permute(oracle *tensor, const int64_t *axes) {
  clrs_shape shape = {.rank = tensor->shape.rank};
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = tensor->shape.dims[axes[d]];
  pull(tensor, &shape, pull_permuted, axes);
}

static bool is_listed(int64_t value, size_t count, const int64_t *list) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == value)
      return true;
  return false;
}

void oracle_squeeze(oracle *tensor, size_t count, const int64_t *axes) {
  clrs_shape shape = {.rank = 0};
  for (uint32_t d = 0; d < tensor->shape.rank; d++) {
    const bool drop = count ? is_listed(d, count, axes) : tensor->shape.dims[d] == 1;
    if (!drop)
      shape.dims[shape.rank++] = tensor->shape.dims[d];
  }
  oracle_reshape(tensor, &shape);
}

void oracle_unsqueeze(oracle *tensor, size_t count, const int64_t *axes) {
  clrs_shape shape = {.rank = tensor->shape.rank + (uint32_t)count};
  uint32_t next = 0;
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = is_listed(d, count, axes) ? 1 : tensor->shape.dims[next++];
  oracle_reshape(tensor, &shape);
}

void oracle_flatten(oracle *tensor, int64_t axis) {
  clrs_shape shape = {.rank = 2, .dims = {1, 1}};
  for (uint32_t d = 0; d < tensor->shape.rank; d++)
    shape.dims[d < axis ? 0 : 1] *= tensor->shape.dims[d];
  oracle_reshape(tensor, &shape);
}

static void pull_broadcast(const void *rule, const oracle *old, const int64_t *to, int64_t *from) {
  const clrs_shape *result = rule;
  const uint32_t lead = result->rank - old->shape.rank;
  for (uint32_t d = 0; d < old->shape.rank; d++)
    from[d] = old->shape.dims[d] == 1 ? 0 : to[lead + d];
}

/* Both shapes are aligned at the right. If a shape has 1 (or nothing), the other shape decides. */
void oracle_expand(oracle *tensor, const clrs_shape *shape) {
  const clrs_shape old = tensor->shape;
  clrs_shape result = {.rank = old.rank > shape->rank ? old.rank : shape->rank};
  for (uint32_t back = 1; back <= result.rank; back++) {
    const int64_t mine = back <= old.rank ? old.dims[old.rank - back] : 1;
    const int64_t theirs = back <= shape->rank ? shape->dims[shape->rank - back] : 1;
    result.dims[result.rank - back] = mine == 1 ? theirs : mine;
  }
  pull(tensor, &result, pull_broadcast, &result);
}

typedef struct slice_rule {
  int64_t *chosen[CLRS_MAX_RANK]; /* the old indices along an axis, in the new order */
} slice_rule;

static void pull_chosen(const void *rule, const oracle *old, const int64_t *to, int64_t *from) {
  const slice_rule *slices = rule;
  for (uint32_t d = 0; d < old->shape.rank; d++)
    from[d] = slices->chosen[d] ? slices->chosen[d][to[d]] : to[d];
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

/* ONNX Slice-13: negative bounds count from the end. Then both bounds are clamped, to [0, dim] for
 * a positive step and to [0, dim-1] and [-1, dim-1] for a negative step. Returns the number of
 * indices. */
static int64_t choose(const clrs_slice *slice, int64_t dim, int64_t *chosen) {
  const bool up = slice->step > 0;
  int64_t start = slice->start, end = slice->end, count = 0;
  start = clamp(start < 0 ? start + dim : start, 0, up ? dim : dim - 1);
  end = clamp(end < 0 ? end + dim : end, up ? 0 : -1, up ? dim : dim - 1);
  for (int64_t i = start; dim > 0 && (up ? i < end : i > end);) {
    chosen[count++] = i;
    if (__builtin_add_overflow(i, slice->step, &i))
      break;
  }
  return count;
}

void oracle_slice(oracle *tensor, size_t count, const clrs_slice *slices) {
  slice_rule rule = {{NULL}};
  clrs_shape shape = tensor->shape;
  for (size_t i = 0; i < count; i++) {
    const int64_t axis = slices[i].axis;
    rule.chosen[axis] = positions_allocate(tensor->shape.dims[axis]);
    shape.dims[axis] = choose(&slices[i], tensor->shape.dims[axis], rule.chosen[axis]);
  }
  pull(tensor, &shape, pull_chosen, &rule);
  for (uint32_t d = 0; d < CLRS_MAX_RANK; d++)
    free(rule.chosen[d]);
}

typedef struct flip_rule {
  size_t count;
  const int64_t *axes;
} flip_rule;

static void pull_flipped(const void *rule, const oracle *old, const int64_t *to, int64_t *from) {
  const flip_rule *flips = rule;
  for (uint32_t d = 0; d < old->shape.rank; d++)
    from[d] = is_listed(d, flips->count, flips->axes) ? old->shape.dims[d] - 1 - to[d] : to[d];
}

void oracle_flip(oracle *tensor, size_t count, const int64_t *axes) {
  const clrs_shape shape = tensor->shape;
  const flip_rule rule = {count, axes};
  pull(tensor, &shape, pull_flipped, &rule);
}

/* ONNX Split-18 with num_outputs: parts of ceil(dim / parts), and the last part takes the rest. */
void oracle_split(oracle *tensor, int64_t axis, int64_t parts, int64_t which) {
  const int64_t dim = tensor->shape.dims[axis];
  const int64_t part = dim / parts + (dim % parts ? 1 : 0);
  const clrs_slice slice = {axis, which * part, which == parts - 1 ? dim : (which + 1) * part, 1};
  oracle_slice(tensor, 1, &slice);
}

bool oracle_strides(const oracle *tensor, int64_t *strides) {
  clrs_layout guess = {.rank = tensor->shape.rank};
  memcpy(guess.dims, tensor->shape.dims, sizeof guess.dims);
  guess.offset = tensor->count ? tensor->positions[0] : 0;
  for (uint32_t d = 0; d < guess.rank && tensor->count; d++) {
    int64_t step[CLRS_MAX_RANK] = {0};
    step[d] = 1;
    if (guess.dims[d] > 1)
      guess.strides[d] = tensor->positions[index_linear(&tensor->shape, step)] - guess.offset;
  }
  oracle trial = oracle_from_layout(&guess);
  const size_t size = (size_t)tensor->count * sizeof *trial.positions;
  const bool fits = memcmp(trial.positions, tensor->positions, size) == 0;
  oracle_free(&trial);
  memcpy(strides, guess.strides, sizeof guess.strides);
  return fits;
}

static int compare_positions(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

bool oracle_has_duplicates(const oracle *tensor) {
  oracle sorted = oracle_copy(tensor);
  qsort(sorted.positions, (size_t)sorted.count, sizeof *sorted.positions, compare_positions);
  bool found = false;
  for (int64_t k = 1; k < sorted.count && !found; k++)
    found = sorted.positions[k] == sorted.positions[k - 1];
  oracle_free(&sorted);
  return found;
}

void oracle_range(const oracle *tensor, int64_t *lowest, int64_t *highest) {
  *lowest = *highest = tensor->count ? tensor->positions[0] : 0;
  for (int64_t k = 1; k < tensor->count; k++) {
    *lowest = tensor->positions[k] < *lowest ? tensor->positions[k] : *lowest;
    *highest = tensor->positions[k] > *highest ? tensor->positions[k] : *highest;
  }
}
