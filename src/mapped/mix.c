/* SPDX-License-Identifier: Apache-2.0 */
#include "mix.h"

#include <stddef.h>
#include <string.h>

#include "checked.h"
#include "nest.h"

enum { STEPS = 12, PIXELS = 2 /* of a pair */, FEWEST_PAIRS = 32 };

/* The fields that a key has for each step. */
enum { FIRST = offsetof(clrs__map_key, kinds), LAST = offsetof(clrs__map_key, views) };

/* The steps of a colour that chain/colors.c makes for OpenCV. */
static const clrs__map_key mixed = {
    .kinds = {CLRS_OP_SUBTRACT, CLRS_OP_AT_LEAST, CLRS_OP_MULTIPLY, CLRS_OP_TERM, CLRS_OP_MULTIPLY,
              CLRS_OP_ADD_TERM, CLRS_OP_TERM, CLRS_OP_MULTIPLY, CLRS_OP_ADD_TERM, CLRS_OP_ADD,
              CLRS_OP_SHIFT_RIGHT, CLRS_OP_ROUND},
    .dtypes = {CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32,
               CLRS_I32, CLRS_I32, CLRS_I32, CLRS_U8},
    .origins = {1, 1, 1, 3, 2, 0, 3, 2, 0, 2, 1, 0}, /* CLRS_ORIGIN_... */
    .types = {[3] = CLRS_U8, [4] = CLRS_F64, [6] = CLRS_U8, [7] = CLRS_F64, [9] = CLRS_F64},
    .views = {[3] = CLRS_OF_U,
              [4] = CLRS_OF_COLORS,
              [6] = CLRS_OF_V,
              [7] = CLRS_OF_COLORS,
              [9] = CLRS_OF_COLORS}};

static bool begins_with_colors(const clrs__map_key *key, const clrs_map *map) {
  bool all = key->geometry == CLRS__MAPPED_ROWS && key->from == CLRS_U8 && !key->is_indexed &&
             key->combine == 0;
  for (size_t at = FIRST; at <= LAST; at += CLRS_MAPPED_STEPS) {
    all = all && memcmp((const char *)key + at, (const char *)&mixed + at, STEPS) == 0;
  }
  for (size_t i = 0; all && i < STEPS; i++) {
    all = key->origins[i] != CLRS_ORIGIN_LIST || map->steps[i].parameter.count == CLRS_COLORS;
  }
  return all;
}

/* Drops the steps of a colour. The last of these remains if it is the last of all. */
static void drop_steps(clrs__map_key *key) {
  const uint32_t count = key->step_count > STEPS ? STEPS : STEPS - 1;
  for (size_t at = FIRST; at <= LAST; at += CLRS_MAPPED_STEPS) {
    uint8_t *field = (uint8_t *)key + at;
    memmove(field, field + count, CLRS_MAPPED_STEPS - count);
    memset(field + CLRS_MAPPED_STEPS - count, 0, count);
  }
  key->step_count = (uint8_t)(key->step_count - count);
  key->mixes = 1 << CLRS_OF_U | 1 << CLRS_OF_COLORS | 1 << CLRS_OF_V;
  key->first_step = (uint8_t)count;
  for (uint32_t i = 0; i < key->step_count; i++) {
    key->mixes &= (uint8_t) ~(1 << key->views[i]);
  }
}

static bool is_step(int64_t stride) {
  return stride == 1 || stride == 2 || stride == 4;
}

static bool has_steps(const clrs__nest_axis *loop, int64_t luma, int64_t chroma, int64_t color) {
  return loop->strides[CLRS_FROM] == luma && loop->strides[CLRS_OF_U] == chroma &&
         loop->strides[CLRS_OF_V] == chroma && loop->strides[CLRS_OF_COLORS] == color;
}

/* Moves the loop of colours behind the pixels, if these are dense, or before the pairs. Returns
 * false if a loop is not as the kernel has it. */
static bool order_loops(clrs__mapped_share *at) {
  const uint32_t count = at->nest.axis_count;
  clrs__nest_axis *axes = at->nest.axes;
  uint32_t found = 0;
  while (found < count && axes[found].strides[CLRS_OF_COLORS] == 0) {
    found++;
  }
  if (count < 3 || found == count) {
    return false;
  }
  const clrs__nest_axis *last = &axes[count - 1];
  const int64_t extent = axes[found].extent;
  const bool is_dense = extent == CLRS_COLORS && axes[found].strides[CLRS_TO] == 1 &&
                        last[-1].strides[CLRS_TO] == CLRS_COLORS &&
                        last[-2].strides[CLRS_TO] == (int64_t)PIXELS * CLRS_COLORS;
  clrs__move_axis(&at->nest, found, is_dense ? count - 1 : count - 3);
  const clrs__nest_axis *pixels = last - is_dense, *pairs = pixels - 1;
  const clrs__nest_axis *colors = is_dense ? last : pairs - 1;
  const int64_t luma = pixels->strides[CLRS_FROM], chroma = pairs->strides[CLRS_OF_U];
  at->run_axes = is_dense ? 3 : 2;
  at->run = clrs__exact_multiply(pairs->extent, is_dense ? PIXELS * CLRS_COLORS : PIXELS);
  return extent <= CLRS_COLORS && has_steps(colors, 0, 0, colors->strides[CLRS_OF_COLORS]) &&
         has_steps(pixels, luma, 0, 0) &&
         has_steps(pairs, clrs__exact_multiply(PIXELS, luma), chroma, 0) && is_step(luma) &&
         is_step(chroma) && pixels->extent == PIXELS && pairs->extent >= FEWEST_PAIRS;
}

void clrs__mix_take(clrs__mapped_share *at, clrs__map_key *key) {
  clrs__nest before;
  if (!begins_with_colors(key, &at->pass->map)) {
    return;
  }
  clrs__nest_copy(&before, &at->nest);
  if (order_loops(at)) {
    drop_steps(key);
    at->mixes = key->mixes;
  } else {
    clrs__nest_copy(&at->nest, &before);
    at->run_axes = 0;
  }
}

void clrs__mix_put(const clrs_map *map, clrs__launch_words *s) {
  static const uint32_t numbers[] = {0, 1, 2, 10}, lists[] = {4, 7, 9};
  for (uint32_t i = 0; i < 4; i++) {
    clrs__put_word(s, (int64_t)map->numbers[map->steps[numbers[i]].parameter.first]);
  }
  for (uint32_t i = 0; i < CLRS_COLORS * 3; i++) {
    clrs__put_word(s, (int64_t)map->numbers[map->steps[lists[i % 3]].parameter.first + i / 3]);
  }
}
