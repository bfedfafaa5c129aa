/*
 * Movement operations as data: applying and printing. chain_random.c draws random operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "chain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void move_apply_oracle(const move *step, oracle *tensor) {
  switch (step->kind) {
  case MOVE_RESHAPE:
  case MOVE_PATTERN:
    oracle_reshape(tensor, &step->shape);
    break;
  case MOVE_PERMUTE:
    oracle_permute(tensor, step->axes);
    break;
  case MOVE_SQUEEZE:
    oracle_squeeze(tensor, step->count, step->axes);
    break;
  case MOVE_UNSQUEEZE:
    oracle_unsqueeze(tensor, step->count, step->axes);
    break;
  case MOVE_FLATTEN:
    oracle_flatten(tensor, step->axes[0]);
    break;
  case MOVE_EXPAND:
    oracle_expand(tensor, &step->shape);
    break;
  case MOVE_SLICE:
    oracle_slice(tensor, step->count, step->slices);
    break;
  case MOVE_FLIP:
    oracle_flip(tensor, step->count, step->axes);
    break;
  case MOVE_SPLIT:
    oracle_split(tensor, step->axes[0], step->axes[1], step->axes[2]);
    break;
  case MOVE_KIND_COUNT:
    break;
  }
}

/* Writes the axes as the library reads axes. */
static void spell_axes(const move *step, uint32_t rank, int64_t *axes) {
  for (size_t i = 0; i < step->count; i++)
    axes[i] = step->axes[i] - (step->from_end ? (int64_t)rank : 0);
}

static clrs_status apply_slices(const move *step, clrs_view *view, clrs_error *error) {
  clrs_slice slices[CLRS_MAX_RANK];
  memcpy(slices, step->slices, sizeof slices);
  for (size_t i = 0; i < step->count && step->from_end; i++)
    slices[i].axis -= view->shape.rank;
  return clrs_view_slice(view, step->count, slices, error);
}

static size_t print_list(char *text, size_t size, size_t count, const int64_t *values) {
  size_t used = 0;
  for (size_t i = 0; i < count && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, i ? "," : "", values[i]);
  return used;
}

static clrs_status apply_text(const char *name, size_t count, const int64_t *values,
                              clrs_view *view, clrs_error *error) {
  char text[32 + 21 * CLRS_MAX_RANK];
  const int used = snprintf(text, sizeof text, "%s%s", name, count > 0 ? "=" : "");
  print_list(text + used, sizeof text - (size_t)used, count, values);
  return clrs_view_apply(view, text, error);
}

static clrs_status apply_pattern(const move *step, clrs_view *view, clrs_error *error) {
  clrs_shape shape;
  const clrs_status status = clrs_pattern_resolve(&step->pattern, &view->shape, &shape, error);
  return status != CLRS_OK ? status : clrs_view_reshape(view, &shape, error);
}

clrs_status move_apply_view(const move *step, clrs_view *view, clrs_error *error) {
  const uint32_t rank = view->shape.rank;
  const int64_t shift = step->from_end ? (int64_t)rank : 0;
  int64_t axes[CLRS_MAX_RANK];
  spell_axes(step, step->kind == MOVE_UNSQUEEZE ? rank + (uint32_t)step->count : rank, axes);
  switch (step->kind) {
  case MOVE_RESHAPE:
    return clrs_view_reshape(view, &step->shape, error);
  case MOVE_PATTERN:
    return apply_pattern(step, view, error);
  case MOVE_PERMUTE:
    return clrs_view_permute(view, step->count, axes, error);
  case MOVE_SQUEEZE:
    return apply_text("squeeze", step->count, axes, view, error);
  case MOVE_UNSQUEEZE:
    return step->count == 0 ? CLRS_OK : apply_text("unsqueeze", step->count, axes, view, error);
  case MOVE_FLATTEN:
    axes[0] = step->axes[0] - (step->axes[0] < rank ? shift : 0);
    return apply_text("flatten", 1, axes, view, error);
  case MOVE_EXPAND:
    return clrs_view_expand(view, &step->shape, error);
  case MOVE_SLICE:
    return apply_slices(step, view, error);
  case MOVE_FLIP:
    return clrs_view_flip(view, step->count, axes, error);
  case MOVE_SPLIT:
    return apply_text("split", 3, (int64_t[]){step->axes[0] - shift, step->axes[1], step->axes[2]},
                      view, error);
  case MOVE_KIND_COUNT:
    break;
  }
  return CLRS_INVALID_ARGUMENT;
}

/* One for each dim up to the last that is sliced. */
static void print_slices(const move *step, char *text, size_t size) {
  int64_t last = 0;
  size_t used = 0;
  for (size_t i = 0; i < step->count; i++)
    last = step->slices[i].axis > last ? step->slices[i].axis : last;
  for (int64_t axis = 0; axis <= last && used < size; axis++) {
    const clrs_slice *found = NULL;
    for (size_t i = 0; i < step->count; i++)
      found = step->slices[i].axis == axis ? &step->slices[i] : found;
    used += (size_t)snprintf(text + used, size - used, axis > 0 ? ",:" : ":");
    if (found != NULL && --used < size)
      used += (size_t)snprintf(text + used, size - used, "%" PRId64 ":%" PRId64 ":%" PRId64,
                               found->start, found->end, found->step);
  }
}

void move_print(const move *step, char *text, size_t size) {
  static const char *const names[MOVE_KIND_COUNT] = {"reshape",   "reshape", "permute", "squeeze",
                                                     "unsqueeze", "flatten", "expand",  "slice",
                                                     "flip",      "split"};
  const bool is_bare = step->kind == MOVE_SQUEEZE && step->count == 0;
  const size_t used = (size_t)snprintf(text, size, "%s%s", names[step->kind], is_bare ? "" : "=");
  if (used >= size)
    return;
  if (step->kind == MOVE_SLICE)
    print_slices(step, text + used, size - used);
  else if (step->kind == MOVE_RESHAPE || step->kind == MOVE_EXPAND)
    print_list(text + used, size - used, step->shape.rank, step->shape.dims);
  else if (step->kind == MOVE_PATTERN)
    print_list(text + used, size - used, step->pattern.length, step->pattern.values);
  else
    print_list(text + used, size - used, step->count, step->axes);
}

clrs_rules move_rules(const move *step) {
  return step->kind == MOVE_PATTERN ? (clrs_rules){step->pattern.dialect, step->pattern.zero_mode}
                                    : (clrs_rules){CLRS_ONNX, CLRS_ZERO_IS_LITERAL};
}
