/* SPDX-License-Identifier: Apache-2.0 */
#include "listed.h"

#include "checked.h"

enum { CHUNK = 1024 }; /* elements of the smaller side in memory at a time: 8 KiB */

/* The most bytes of an element. */
static int64_t element_bytes(const clrs_operand *operand) {
  const int64_t width = (int64_t)clrs_dtype_bits(operand->view->dtype);
  return width >= 8 ? width / 8 : 8 % width == 0 ? 1 : 2;
}

/* Returns the position of element k of a level in the level below. Example: extents 2 and 3 with
 * strides 10 and 1 have element 4 at the digits (1,1), which is position 11. */
static int64_t position_below(const clrs_level *level, const clrs_axis *axes, int64_t k) {
  int64_t position = level->offset;
  for (uint32_t axis = level->axis_count; axis > 0;) {
    axis--;
    (void)clrs__multiply_add(position, k % axes[axis].extent, axes[axis].stride,
                             &position); /* within the level's bounds, which were checked */
    k /= axes[axis].extent;
  }
  return position;
}

/* The first byte of element k. */
static int64_t element_byte(const clrs_operand *operand, int64_t k) {
  const clrs_view *view = operand->view;
  uint32_t axes = 0;
  int64_t bits = 0;
  for (uint32_t level = 0; level < view->depth; level++) {
    axes += view->levels[level].axis_count;
  }
  for (uint32_t level = view->depth; level > 0;) {
    level--;
    axes -= view->levels[level].axis_count;
    k = position_below(&view->levels[level], view->axes + axes, k);
  }
  (void)clrs__multiply((int64_t)operand->byte_offset, 8, &bits);
  (void)clrs__multiply_add(bits, k, (int64_t)clrs_dtype_bits(view->dtype), &bits); /* they fit */
  return bits / 8;
}

/* Shell sort, because qsort may allocate memory. */
static void sort(int64_t *values, int64_t count) {
  for (int64_t gap = count / 2; gap > 0; gap /= 2) {
    for (int64_t i = gap; i < count; i++) {
      const int64_t value = values[i];
      int64_t at = i;
      for (; at >= gap && values[at - gap] > value; at -= gap) {
        values[at] = values[at - gap];
      }
      values[at] = value;
    }
  }
}

/* Returns true if a sorted list has a value in [least, end). */
static bool has_value_within(const int64_t *values, int64_t count, int64_t least, int64_t end) {
  int64_t low = 0, high = count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (values[middle] < least) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count && values[low] < end;
}

static bool chunk_meets(const int64_t *bytes, int64_t count, int64_t size,
                        const clrs_operand *other) {
  const int64_t other_count = clrs__shape_count(&other->view->shape);
  const int64_t other_size = element_bytes(other);
  for (int64_t k = 0; k < other_count; k++) {
    const int64_t byte = element_byte(other, k);
    if (has_value_within(bytes, count, byte - size + 1, byte + other_size)) {
      return true;
    }
  }
  return false;
}

int64_t clrs__listing_effort(const clrs_operand *a, const clrs_operand *b) {
  const int64_t count_a = clrs__shape_count(&a->view->shape);
  const int64_t count_b = clrs__shape_count(&b->view->shape);
  const int64_t fewer = count_a < count_b ? count_a : count_b;
  int64_t effort = INT64_MAX;
  (void)clrs__multiply(clrs__divide_up(fewer, CHUNK), count_a < count_b ? count_b : count_a,
                       &effort);
  return effort;
}

bool clrs__lists_meet(const clrs_operand *a, const clrs_operand *b) {
  int64_t bytes[CHUNK];
  const bool a_is_smaller = clrs__shape_count(&a->view->shape) < clrs__shape_count(&b->view->shape);
  const clrs_operand *fewer = a_is_smaller ? a : b, *more = a_is_smaller ? b : a;
  const int64_t count = clrs__shape_count(&fewer->view->shape);
  for (int64_t first = 0; first < count; first += CHUNK) {
    const int64_t held = count - first < CHUNK ? count - first : CHUNK;
    for (int64_t i = 0; i < held; i++) {
      bytes[i] = element_byte(fewer, first + i);
    }
    sort(bytes, held);
    if (chunk_meets(bytes, held, element_bytes(fewer), more)) {
      return true;
    }
  }
  return false;
}
