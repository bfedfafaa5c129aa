/*
 * Random layouts, and the meaning of views. See tensors.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tensors.h"

#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t lowest_of(const clrs_layout *layout) {
  int64_t lowest = 0;
  for (uint32_t d = 0; d < layout->rank; d++)
    if (layout->strides[d] < 0 && layout->dims[d] > 0)
      lowest += (layout->dims[d] - 1) * layout->strides[d];
  return lowest;
}

/* Dims in a random order of nesting, each followed by a random gap: no two elements share a
 * place. */
static void stride_nested(test_rng *rng, clrs_layout *layout, int padded_percent) {
  int64_t order[CLRS_MAX_RANK];
  rng_permutation(rng, layout->rank, order);
  const bool row_major = rng_percent(rng, 40);
  int64_t stride = rng_percent(rng, padded_percent / 2) ? rng_between(rng, 2, 4) : 1;
  for (uint32_t i = 0; i < layout->rank; i++) {
    const int64_t d = row_major ? (int64_t)layout->rank - 1 - i : order[i];
    const int64_t extent = layout->dims[d] > 0 ? layout->dims[d] : 1;
    layout->strides[d] = stride;
    if (extent == 1 && rng_percent(rng, 40))
      layout->strides[d] = rng_between(rng, -777, 777); /* means nothing */
    stride *= extent + (rng_percent(rng, padded_percent) ? rng_between(rng, 1, 3) : 0);
  }
}

static void reverse_some(test_rng *rng, clrs_layout *layout) {
  for (uint32_t d = 0; d < layout->rank; d++)
    if (rng_percent(rng, 35))
      layout->strides[d] = -layout->strides[d];
}

static void repeat_some(test_rng *rng, clrs_layout *layout) {
  const bool wild = rng_percent(rng, 30);
  for (uint32_t d = 0; d < layout->rank; d++)
    if (wild)
      layout->strides[d] = rng_between(rng, -8, 8);
    else if (rng_percent(rng, 35))
      layout->strides[d] = 0;
}

clrs_dtype dtype_of_two(clrs_dtype dtype) {
  return clrs_dtype_bits(dtype) < 8 ? CLRS_U2 : CLRS_F32;
}

clrs_layout layout_random_of_shape(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape,
                                   bool allow_repeats, int64_t floor) {
  clrs_layout layout = {.dtype = dtype, .rank = shape->rank};
  memcpy(layout.dims, shape->dims, shape->rank * sizeof layout.dims[0]);
  stride_nested(rng, &layout, rng_percent(rng, 50) ? 0 : 50);
  if (rng_percent(rng, 35))
    reverse_some(rng, &layout);
  if (allow_repeats && rng_percent(rng, 30))
    repeat_some(rng, &layout);
  layout.offset = floor - lowest_of(&layout);
  return layout;
}

clrs_layout layout_wild_of_shape(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape,
                                 int64_t floor) {
  clrs_layout layout = {.dtype = dtype, .rank = shape->rank};
  memcpy(layout.dims, shape->dims, shape->rank * sizeof layout.dims[0]);
  for (uint32_t d = 0; d < layout.rank; d++)
    layout.strides[d] = rng_between(rng, 1, 60) * (rng_percent(rng, 25) ? -1 : 1);
  layout.offset = floor - lowest_of(&layout);
  return layout;
}

clrs_layout layout_random(test_rng *rng, clrs_dtype dtype, const layout_wish *wish, int64_t floor) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 0, wish->max_rank)};
  int64_t left = wish->max_count;
  for (uint32_t d = 0; d < shape.rank; d++) {
    const int64_t limit = left < wish->max_dim ? left : wish->max_dim;
    shape.dims[d] = rng_percent(rng, wish->zero_percent) ? 0 : rng_between(rng, 1, limit);
    left /= shape.dims[d] ? shape.dims[d] : 1;
  }
  return layout_random_of_shape(rng, dtype, &shape, wish->allow_repeats, floor);
}

/* Returns the position of the k-th element of a level. */
static int64_t level_position(const clrs_level *level, const clrs_axis *axes, int64_t k) {
  int64_t position = level->offset;
  for (uint32_t a = level->axis_count; a-- > 0;) {
    position += k % axes[a].extent * axes[a].stride;
    k /= axes[a].extent;
  }
  return position;
}

static int64_t level_count(const clrs_level *level, const clrs_axis *axes) {
  int64_t count = 1;
  for (uint32_t a = 0; a < level->axis_count; a++)
    count *= axes[a].extent;
  return count;
}

static const char *form_broken(const clrs_view *view) {
  const clrs_axis *axes = view->axes;
  if (view->depth > CLRS_MAX_DEPTH)
    return "depth over the limit";
  for (uint32_t l = 0; l < view->depth; l++) {
    const uint32_t count = view->levels[l].axis_count;
    if ((size_t)(axes - view->axes) + count > CLRS_VIEW_AXES)
      return "more axes than there is room for";
    for (uint32_t a = 0; a < count; a++) {
      if (axes[a].extent < 2)
        return "an axis of extent 1 or less";
      if (a > 0 && axes[a - 1].stride == axes[a].extent * axes[a].stride)
        return "two neighbouring axes that could be one";
    }
    axes += count;
  }
  return NULL;
}

int64_t view_position_at(const clrs_view *view, int64_t k) {
  const clrs_axis *axes = view->axes;
  for (uint32_t l = 0; l + 1 < view->depth; l++)
    axes += view->levels[l].axis_count;
  for (uint32_t l = view->depth; l-- > 0;) {
    k = level_position(&view->levels[l], axes, k);
    axes -= l > 0 ? view->levels[l - 1].axis_count : 0;
  }
  return k;
}

bool view_positions(const clrs_view *view, int64_t *positions, const char **why) {
  const int64_t count = oracle_count(&view->shape);
  *why = form_broken(view);
  if (!*why && (count == 0) != (view->depth == 0))
    *why = "depth is 0 exactly for a view without elements";
  if (*why)
    return false;
  const clrs_axis *axes[CLRS_MAX_DEPTH] = {view->axes};
  for (uint32_t l = 1; l < view->depth; l++)
    axes[l] = axes[l - 1] + view->levels[l - 1].axis_count;
  for (int64_t k = 0; k < count; k++) {
    positions[k] = k;
    for (uint32_t l = view->depth; l-- > 0;) {
      if (positions[k] < 0 || positions[k] >= level_count(&view->levels[l], axes[l])) {
        *why = "a level leaves the one below it, or the shape";
        return false;
      }
      positions[k] = level_position(&view->levels[l], axes[l], positions[k]);
    }
  }
  return true;
}

clrs_view view_strided(clrs_dtype dtype, uint32_t rank, const int64_t *dims, const int64_t *strides,
                       int64_t offset) {
  clrs_shape shape;
  clrs_layout layout;
  clrs_view view;
  if (clrs_shape_init(rank, dims, &shape, NULL) != CLRS_OK ||
      clrs_layout_init(dtype, &shape, strides, offset, &layout, NULL) != CLRS_OK ||
      clrs_view_from_layout(&layout, &view, NULL) != CLRS_OK)
    abort();
  return view;
}

clrs_mapped mapped_after(const clrs_view *view, const char *chain) {
  clrs_chain parsed;
  clrs_mapped mapped;
  clrs_error why;
  if (clrs_chain_parse(chain, &parsed, &why) != CLRS_OK ||
      clrs_mapped_init(view, &mapped, &why) != CLRS_OK ||
      clrs_chain_map(&parsed, NULL, &mapped, &why) != CLRS_OK) {
    fprintf(stderr, "%s: %s\n", chain, why.message);
    abort();
  }
  return mapped;
}

bool view_matches(const clrs_view *view, const oracle *expected, const char **why) {
  *why = "the shape differs";
  if (view->shape.rank != expected->shape.rank ||
      memcmp(view->shape.dims, expected->shape.dims, view->shape.rank * sizeof(int64_t)) != 0)
    return false;
  int64_t *positions = malloc(((size_t)expected->count + 1) * sizeof *positions);
  if (!positions)
    abort();
  bool same = view_positions(view, positions, why);
  if (same) {
    same = memcmp(positions, expected->positions, (size_t)expected->count * sizeof *positions) == 0;
    *why = same ? NULL : "an element is elsewhere";
  }
  free(positions);
  return same;
}

bool layout_matches(const clrs_layout *layout, const oracle *expected) {
  if (layout->rank != expected->shape.rank ||
      memcmp(layout->dims, expected->shape.dims, layout->rank * sizeof(int64_t)) != 0)
    return false;
  oracle meaning = oracle_from_layout(layout);
  const size_t size = (size_t)expected->count * sizeof *meaning.positions;
  const bool same = memcmp(meaning.positions, expected->positions, size) == 0;
  oracle_free(&meaning);
  return same;
}

void print_layout(const clrs_layout *layout, char *text, size_t size) {
  size_t used =
      (size_t)snprintf(text, size, "%s [", clrs_dtype_name(layout->dtype, CLRS_TYPES_CLRESHAPE));
  for (uint32_t d = 0; d < layout->rank && used < size; d++)
    used += (size_t)snprintf(text + used, size - used, "%s%" PRId64 ":%" PRId64, d ? ", " : "",
                             layout->dims[d], layout->strides[d]);
  if (used < size)
    (void)snprintf(text + used, size - used, "] at %" PRId64, layout->offset);
}

/* Between rows: a little, a line of some width, or up to where a vector may begin again. */
static int64_t draw_gap(test_rng *rng, int64_t row) {
  const int64_t gaps[] = {0, 0, 2, 16, -row & 15};
  return gaps[rng_between(rng, 0, 4)];
}

clrs_layout layout_nested(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape,
                          const uint32_t *order) {
  clrs_layout layout = {.dtype = dtype, .rank = shape->rank};
  const bool pitched = rng_percent(rng, 30);
  int64_t stride = 1;
  memcpy(layout.dims, shape->dims, sizeof layout.dims);
  for (uint32_t i = shape->rank; i-- > 0;) {
    layout.strides[order[i]] = stride;
    stride *= shape->dims[order[i]];
    stride += pitched ? draw_gap(rng, stride) : 0;
  }
  return layout;
}

clrs_bounds bounds_of(const clrs_layout *layout) {
  clrs_bounds bounds;
  clrs_error error;
  clrs_view view;
  CHECK_OK(clrs_view_from_layout(layout, &view, &error), error);
  CHECK_OK(clrs_view_bounds(&view, &bounds, &error), error);
  return bounds;
}
