/*
 * Draws random movement operations that are valid for a given shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "chain.h"

#include <string.h>

enum { MAX_TEST_RANK = 12 };

static int64_t random_divisor(test_rng *rng, int64_t count) {
  int64_t divisor = rng_between(rng, 1, count < 12 ? count : 12);
  while (count % divisor)
    divisor--;
  return divisor;
}

static void shuffle(test_rng *rng, uint32_t count, int64_t *values) {
  for (uint32_t i = count; i > 1; i--) {
    const int64_t j = rng_between(rng, 0, i - 1);
    const int64_t other = values[j];
    values[j] = values[i - 1];
    values[i - 1] = other;
  }
}

clrs_shape shape_random_of_count(test_rng *rng, int64_t count) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 1, 5)};
  if (count == 1 && rng_percent(rng, 30))
    return (clrs_shape){.rank = 0};
  int64_t left = count ? count : rng_between(rng, 1, 24);
  for (uint32_t d = 0; d + 1 < shape.rank; d++) {
    shape.dims[d] = random_divisor(rng, left);
    left /= shape.dims[d];
  }
  shape.dims[shape.rank - 1] = count ? left : 0;
  shuffle(rng, shape.rank, shape.dims);
  return shape;
}

static void draw_pattern(test_rng *rng, const clrs_shape *from, move *step) {
  const int64_t count = oracle_count(from);
  step->shape = shape_random_of_count(rng, count);
  clrs_pattern *pattern = &step->pattern;
  *pattern = (clrs_pattern){CLRS_ONNX, CLRS_ZERO_IS_LITERAL, step->shape.rank, {0}};
  memcpy(pattern->values, step->shape.dims, sizeof pattern->values);
  if (count == 0)
    return;
  pattern->zero_mode = CLRS_ZERO_COPIES;
  for (uint32_t d = 0; d < pattern->length; d++)
    if (d < from->rank && from->dims[d] == step->shape.dims[d] && rng_percent(rng, 50))
      pattern->values[d] = 0;
  if (pattern->length > 0 && rng_percent(rng, 60))
    pattern->values[rng_between(rng, 0, pattern->length - 1)] = -1;
}

static void draw_permute(test_rng *rng, const clrs_shape *from, move *step) {
  step->count = from->rank;
  rng_permutation(rng, step->count, step->axes);
}

static void draw_squeeze(test_rng *rng, const clrs_shape *from, move *step) {
  for (uint32_t d = 0; d < from->rank; d++)
    if (from->dims[d] == 1 && rng_percent(rng, 60))
      step->axes[step->count++] = d;
  shuffle(rng, (uint32_t)step->count, step->axes);
}

static void draw_unsqueeze(test_rng *rng, const clrs_shape *from, move *step) {
  int64_t order[CLRS_MAX_RANK];
  step->count = (size_t)rng_between(rng, 1, 3);
  rng_permutation(rng, from->rank + step->count, order);
  memcpy(step->axes, order, step->count * sizeof order[0]);
}

static void draw_expand(test_rng *rng, const clrs_shape *from, move *step) {
  const uint32_t lead = (uint32_t)rng_between(rng, 0, 2);
  const uint32_t cut = rng_percent(rng, 25) ? (uint32_t)rng_between(rng, 0, from->rank) : 0;
  step->shape.rank = lead + from->rank;
  for (uint32_t d = 0; d < step->shape.rank; d++) {
    const int64_t old = d < lead ? 1 : from->dims[d - lead];
    const int64_t wider = rng_percent(rng, 2) ? 0 : rng_between(rng, 1, 5);
    step->shape.dims[d] = old == 1 ? wider : rng_percent(rng, 20) ? 1 : old;
  }
  if (lead == 0 && cut > 0) { /* a shape of lower rank than the tensor is legal too */
    step->shape.rank -= cut;
    memmove(step->shape.dims, step->shape.dims + cut, step->shape.rank * sizeof(int64_t));
  }
}

static int64_t random_bound(test_rng *rng, int64_t dim) {
  if (rng_percent(rng, 4))
    return rng_percent(rng, 50) ? INT64_MIN : INT64_MAX;
  return rng_between(rng, -dim - 2, dim + 2);
}

static int64_t random_step(test_rng *rng) {
  if (rng_percent(rng, 2))
    return rng_percent(rng, 50) ? INT64_MIN : INT64_MAX;
  const int64_t step = rng_between(rng, -3, 3);
  return step ? step : 1;
}

static void draw_slice(test_rng *rng, const clrs_shape *from, move *step) {
  int64_t order[CLRS_MAX_RANK];
  rng_permutation(rng, from->rank, order);
  step->count = (size_t)rng_between(rng, 0, from->rank < 3 ? from->rank : 3);
  for (size_t i = 0; i < step->count; i++) {
    const int64_t dim = from->dims[order[i]];
    clrs_slice *slice = &step->slices[i];
    *slice =
        (clrs_slice){order[i], random_bound(rng, dim), random_bound(rng, dim), random_step(rng)};
    if (rng_percent(rng, 40)) { /* mostly whole: keep the chain alive */
      slice->start = slice->step > 0 ? rng_between(rng, 0, 1) : dim - rng_between(rng, 1, 2);
      slice->end = slice->step > 0 ? dim : INT64_MIN;
    }
  }
}

static void draw_flip(test_rng *rng, const clrs_shape *from, move *step) {
  for (uint32_t d = 0; d < from->rank; d++)
    if (rng_percent(rng, 40))
      step->axes[step->count++] = d;
  shuffle(rng, (uint32_t)step->count, step->axes);
}

static bool draw_split(test_rng *rng, const clrs_shape *from, move *step) {
  if (from->rank == 0)
    return false;
  const int64_t axis = rng_between(rng, 0, from->rank - 1);
  const int64_t dim = from->dims[axis];
  const int64_t parts = rng_between(rng, 1, dim < 4 ? dim + 1 : 4);
  const int64_t part = (dim + parts - 1) / parts;
  step->axes[0] = axis;
  step->axes[1] = parts;
  step->axes[2] = rng_between(rng, 0, parts - 1);
  step->count = 3;
  return part * (parts - 1) <= dim; /* else the last part would have less than nothing */
}

static bool draw(test_rng *rng, const clrs_shape *from, move *step) {
  *step = (move){.kind = (move_kind)rng_between(rng, 0, MOVE_KIND_COUNT - 1),
                 .from_end = rng_percent(rng, 30)};
  switch (step->kind) {
  case MOVE_RESHAPE:
    step->shape = shape_random_of_count(rng, oracle_count(from));
    break;
  case MOVE_PATTERN:
    draw_pattern(rng, from, step);
    break;
  case MOVE_PERMUTE:
    draw_permute(rng, from, step);
    break;
  case MOVE_SQUEEZE:
    draw_squeeze(rng, from, step);
    break;
  case MOVE_UNSQUEEZE:
    draw_unsqueeze(rng, from, step);
    break;
  case MOVE_FLATTEN:
    step->axes[0] = rng_between(rng, 0, from->rank), step->count = 1;
    break;
  case MOVE_EXPAND:
    draw_expand(rng, from, step);
    break;
  case MOVE_SLICE:
    draw_slice(rng, from, step);
    break;
  case MOVE_FLIP:
    draw_flip(rng, from, step);
    break;
  case MOVE_SPLIT:
    return draw_split(rng, from, step);
  case MOVE_KIND_COUNT:
    return false;
  }
  return true;
}

static int64_t count_after(const move *step, const clrs_shape *from) {
  oracle trial = {.shape = *from, .count = oracle_count(from)};
  /* only this kind grows the tensor, here a result without elements */
  if (step->kind == MOVE_EXPAND) {
    int64_t count = 1;
    for (uint32_t back = 1; back <= from->rank || back <= step->shape.rank; back++) {
      const int64_t mine = back <= from->rank ? from->dims[from->rank - back] : 1;
      const int64_t wish = back <= step->shape.rank ? step->shape.dims[step->shape.rank - back] : 1;
      count *= mine == 1 ? wish : mine;
    }
    return count;
  }
  if (step->kind != MOVE_SLICE && step->kind != MOVE_SPLIT)
    return trial.count;
  clrs_layout dense = {.rank = from->rank};
  memcpy(dense.dims, from->dims, sizeof dense.dims);
  trial = oracle_from_layout(&dense);
  move_apply_oracle(step, &trial);
  const int64_t count = trial.count;
  oracle_free(&trial);
  return count;
}

move move_random(test_rng *rng, const clrs_shape *shape, int64_t max_count) {
  for (;;) {
    move step;
    if (!draw(rng, shape, &step))
      continue;
    const uint32_t added = step.kind == MOVE_UNSQUEEZE ? (uint32_t)step.count : 0;
    if (shape->rank + added > MAX_TEST_RANK || step.shape.rank > MAX_TEST_RANK)
      continue;
    const int64_t count = count_after(&step, shape);
    const bool dies = count == 0 && oracle_count(shape) > 0;
    if (count <= max_count && !(dies && rng_percent(rng, 92)))
      return step;
  }
}
