/*
 * The reference for blocks, repeats and windows. Each operation is a shape and a rule that says
 * which element of the old tensor stands at an index of the new one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "oracle_moves.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
  int64_t block, axis, other, step;
  bool depth_first;
  clrs_pad_mode mode;
  const int64_t *blocks, *begins;
  int64_t batch; /* the smaller one */
} arguments;

/* `to` is an index of the result, `old` the shape before. Fills `from`. */
typedef void (*rule)(const arguments *with, const clrs_shape *old, const int64_t *to,
                     int64_t *from);

static void rewrite(oracle *tensor, const clrs_shape *shape, rule where, const arguments *with) {
  const int64_t count = oracle_count(shape);
  int64_t *positions = malloc(((size_t)count + 1) * sizeof *positions);
  int64_t to[CLRS_MAX_RANK] = {0}, from[CLRS_MAX_RANK] = {0};
  if (!positions)
    abort();
  for (int64_t k = 0; k < count; k++) {
    int64_t linear = 0;
    where(with, &tensor->shape, to, from);
    for (uint32_t d = 0; d < tensor->shape.rank; d++)
      linear = linear * tensor->shape.dims[d] + from[d];
    positions[k] = tensor->positions[linear];
    for (uint32_t d = shape->rank; d-- > 0 && ++to[d] == shape->dims[d];)
      to[d] = 0;
  }
  free(tensor->positions);
  *tensor = (oracle){*shape, count, positions};
}

static int64_t power(int64_t base, uint32_t exponent) {
  int64_t result = 1;
  while (exponent-- > 0)
    result *= base;
  return result;
}

/* ---- blocks in the channels ----
 * Channel c of the block side holds depth d and the place p in the block. Places are counted in
 * row-major order. Blocks first means c = p * depths + d. Depth first means c = d * places + p. */

static void from_depth(const arguments *with, const clrs_shape *old, const int64_t *to,
                       int64_t *from) {
  const int64_t places = power(with->block, old->rank - 2), depths = old->dims[1] / places;
  int64_t place = 0;
  from[0] = to[0];
  for (uint32_t d = 2; d < old->rank; d++) {
    place = place * with->block + to[d] % with->block;
    from[d] = to[d] / with->block;
  }
  from[1] = with->depth_first ? to[1] * places + place : place * depths + to[1];
}

void oracle_depth_to_space(oracle *tensor, int64_t block, bool depth_first) {
  const arguments with = {.block = block, .depth_first = depth_first};
  clrs_shape shape = tensor->shape;
  shape.dims[1] /= power(block, shape.rank - 2);
  for (uint32_t d = 2; d < shape.rank; d++)
    shape.dims[d] *= block;
  rewrite(tensor, &shape, from_depth, &with);
}

static void from_space(const arguments *with, const clrs_shape *old, const int64_t *to,
                       int64_t *from) {
  const int64_t places = power(with->block, old->rank - 2), depths = old->dims[1];
  int64_t place = with->depth_first ? to[1] % places : to[1] / depths;
  from[0] = to[0];
  from[1] = with->depth_first ? to[1] / places : to[1] % depths;
  for (uint32_t d = old->rank; d-- > 2; place /= with->block)
    from[d] = to[d] * with->block + place % with->block;
}

void oracle_space_to_depth(oracle *tensor, int64_t block, bool depth_first) {
  const arguments with = {.block = block, .depth_first = depth_first};
  clrs_shape shape = tensor->shape;
  shape.dims[1] *= power(block, shape.rank - 2);
  for (uint32_t d = 2; d < shape.rank; d++)
    shape.dims[d] /= block;
  rewrite(tensor, &shape, from_space, &with);
}

/* Group g, member m stood at g * members + m and stands at m * groups + g. */
static void from_shuffle(const arguments *with, const clrs_shape *old, const int64_t *to,
                         int64_t *from) {
  const int64_t groups = with->block, members = old->dims[with->axis] / groups;
  memcpy(from, to, old->rank * sizeof *to);
  from[with->axis] = to[with->axis] % groups * members + to[with->axis] / groups;
}

void oracle_channel_shuffle(oracle *tensor, int64_t axis, int64_t groups) {
  const clrs_shape shape = tensor->shape;
  rewrite(tensor, &shape, from_shuffle, &(arguments){.axis = axis, .block = groups});
}

/* ---- blocks in the batch: place * batch + n, the place in row-major order ---- */

static void from_batch(const arguments *with, const clrs_shape *old, const int64_t *to,
                       int64_t *from) {
  int64_t place = 0;
  for (uint32_t d = 1; d < old->rank; d++) {
    place = place * with->blocks[d] + to[d] % with->blocks[d];
    from[d] = to[d] / with->blocks[d];
  }
  from[0] = place * with->batch + to[0];
}

void oracle_batch_to_space(oracle *tensor, const int64_t *blocks) {
  clrs_shape shape = tensor->shape;
  for (uint32_t d = 1; d < shape.rank; d++) {
    shape.dims[0] /= blocks[d];
    shape.dims[d] *= blocks[d];
  }
  rewrite(tensor, &shape, from_batch, &(arguments){.blocks = blocks, .batch = shape.dims[0]});
}

static void from_space_of_batch(const arguments *with, const clrs_shape *old, const int64_t *to,
                                int64_t *from) {
  int64_t place = to[0] / old->dims[0];
  from[0] = to[0] % old->dims[0];
  for (uint32_t d = old->rank; d-- > 1; place /= with->blocks[d])
    from[d] = to[d] * with->blocks[d] + place % with->blocks[d];
}

void oracle_space_to_batch(oracle *tensor, const int64_t *blocks) {
  clrs_shape shape = tensor->shape;
  for (uint32_t d = 1; d < shape.rank; d++) {
    shape.dims[0] *= blocks[d];
    shape.dims[d] /= blocks[d];
  }
  rewrite(tensor, &shape, from_space_of_batch, &(arguments){.blocks = blocks});
}

/* ---- repeats ---- */

static void from_tile(const arguments *with, const clrs_shape *old, const int64_t *to,
                      int64_t *from) {
  (void)with;
  for (uint32_t d = 0; d < old->rank; d++)
    from[d] = to[d] % old->dims[d];
}

void oracle_tile(oracle *tensor, const int64_t *repeats) {
  clrs_shape shape = tensor->shape;
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] *= repeats[d];
  rewrite(tensor, &shape, from_tile, &(arguments){0});
}

static void from_repeat(const arguments *with, const clrs_shape *old, const int64_t *to,
                        int64_t *from) {
  memcpy(from, to, old->rank * sizeof *to);
  from[with->axis] /= with->step;
}

void oracle_repeat(oracle *tensor, int64_t axis, int64_t repeats) {
  clrs_shape shape = tensor->shape;
  shape.dims[axis] *= repeats;
  rewrite(tensor, &shape, from_repeat, &(arguments){.axis = axis, .step = repeats});
}

/* ---- padding ---- */

/* Goes one step at a time, back into the dim. */
static int64_t step_inside(clrs_pad_mode mode, int64_t at, int64_t extent) {
  const int64_t last = extent - 1;
  while (at < 0 || at > last) {
    switch (mode) {
    case CLRS_PAD_WRAP:
      at += at < 0 ? extent : -extent;
      break;
    case CLRS_PAD_REFLECT:
      at = last == 0 ? 0 : at < 0 ? -at : last - (at - last);
      break;
    case CLRS_PAD_SYMMETRIC:
      at = at < 0 ? -at - 1 : last - (at - last - 1);
      break;
    default:
      at = at < 0 ? 0 : last;
    }
  }
  return at;
}

static void from_pad(const arguments *with, const clrs_shape *old, const int64_t *to,
                     int64_t *from) {
  for (uint32_t d = 0; d < old->rank; d++)
    from[d] = step_inside(with->mode, to[d] - with->begins[d], old->dims[d]);
}

void oracle_pad(oracle *tensor, clrs_pad_mode mode, const int64_t *begins, const int64_t *ends) {
  clrs_shape shape = tensor->shape;
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] += begins[d] + ends[d];
  rewrite(tensor, &shape, from_pad, &(arguments){.mode = mode, .begins = begins});
}

/* ---- windows, diagonals, axes ---- */

static void from_window(const arguments *with, const clrs_shape *old, const int64_t *to,
                        int64_t *from) {
  memcpy(from, to, old->rank * sizeof *to);
  from[with->axis] = to[with->axis] * with->step + to[old->rank];
}

void oracle_window(oracle *tensor, int64_t axis, int64_t size, int64_t step) {
  clrs_shape shape = tensor->shape;
  shape.dims[axis] = (shape.dims[axis] - size) / step + 1;
  shape.dims[shape.rank++] = size;
  rewrite(tensor, &shape, from_window, &(arguments){.axis = axis, .step = step});
}

/* The index i of the diagonal is (i, i + offset), or (i - offset, i) for a negative offset. */
static void from_diagonal(const arguments *with, const clrs_shape *old, const int64_t *to,
                          int64_t *from) {
  const int64_t i = to[old->rank - 2];
  uint32_t next = 0;
  for (uint32_t d = 0; d < old->rank; d++)
    if (d != with->axis && d != with->other)
      from[d] = to[next++];
  from[with->axis] = i + (with->step < 0 ? -with->step : 0);
  from[with->other] = i + (with->step > 0 ? with->step : 0);
}

void oracle_diagonal(oracle *tensor, int64_t offset, int64_t first, int64_t second) {
  clrs_shape shape = {.rank = 0};
  int64_t rows = tensor->shape.dims[first] - (offset < 0 ? -offset : 0);
  int64_t columns = tensor->shape.dims[second] - (offset > 0 ? offset : 0);
  int64_t length = rows < columns ? rows : columns;
  for (uint32_t d = 0; d < tensor->shape.rank; d++)
    if (d != first && d != second)
      shape.dims[shape.rank++] = tensor->shape.dims[d];
  shape.dims[shape.rank++] = length < 0 ? 0 : length;
  rewrite(tensor, &shape, from_diagonal,
          &(arguments){.axis = first, .other = second, .step = offset});
}

/* Takes the axis out and inserts the axis as number `to`. */
void oracle_move_axis(oracle *tensor, int64_t from, int64_t to) {
  int64_t axes[CLRS_MAX_RANK];
  int64_t next = 0;
  for (int64_t d = 0; d < tensor->shape.rank; d++) {
    next += next == from;
    axes[d] = d == to ? from : next++;
  }
  oracle_permute(tensor, axes);
}

void oracle_swap_axes(oracle *tensor, int64_t first, int64_t second) {
  int64_t axes[CLRS_MAX_RANK];
  for (int64_t d = 0; d < tensor->shape.rank; d++)
    axes[d] = d == first ? second : d == second ? first : d;
  oracle_permute(tensor, axes);
}
