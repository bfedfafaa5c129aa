/* SPDX-License-Identifier: Apache-2.0 */
#include "mix.h"

#include <stddef.h>
#include <string.h>

#include "checked.h"
#include "elements.h"
#include "nest.h"

enum { PIXELS = 2 /* of a pair */, FEWEST_PAIRS = 32, FEWEST_GREY = 64, NONE = CLRS_MAPPED_STEPS };

/* The fields that a key has for each step. */
enum { FIRST = offsetof(clrs__map_key, kinds), LAST = offsetof(clrs__map_key, views) };

/* The steps of a colour that chain/colors.c makes. */
typedef struct form {
  clrs__map_key key;  /* with the number of the steps, and the kind of the colours */
  uint8_t mixes;      /* with the source, so that it is never 0 */
  uint8_t numbers[4]; /* the steps of CLRS_MAPPED_MIX_WORDS, or NONE */
  uint8_t lists[3];   /* the steps of the factors of U and V, and of the bias */
} form;

/* In the order of CLRS_COLORS_... Origins are CLRS_ORIGIN_... */
static const form forms[] = {
    /* By OpenCV, of luma and chroma. */
    {{.step_count = 12,
      .kinds = {CLRS_OP_SUBTRACT, CLRS_OP_AT_LEAST, CLRS_OP_MULTIPLY, CLRS_OP_TERM,
                CLRS_OP_MULTIPLY, CLRS_OP_ADD_TERM, CLRS_OP_TERM, CLRS_OP_MULTIPLY,
                CLRS_OP_ADD_TERM, CLRS_OP_ADD, CLRS_OP_SHIFT_RIGHT, CLRS_OP_ROUND},
      .dtypes = {CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32,
                 CLRS_I32, CLRS_I32, CLRS_I32, CLRS_U8},
      .origins = {1, 1, 1, 3, 2, 0, 3, 2, 0, 2, 1, 0},
      .types = {[3] = CLRS_U8, [4] = CLRS_F64, [6] = CLRS_U8, [7] = CLRS_F64, [9] = CLRS_F64},
      .views = {[3] = CLRS_OF_U,
                [4] = CLRS_OF_COLORS,
                [6] = CLRS_OF_V,
                [7] = CLRS_OF_COLORS,
                [9] = CLRS_OF_COLORS},
      .colors = CLRS_COLORS_INTEGERS},
     1 << CLRS_FROM | 1 << CLRS_OF_U | 1 << CLRS_OF_COLORS | 1 << CLRS_OF_V,
     {0, 1, 2, 10},
     {4, 7, 9}},
    /* By OpenVINO, of luma and chroma. */
    {{.step_count = 11,
      .kinds = {CLRS_OP_SUBTRACT, CLRS_OP_MULTIPLY, CLRS_OP_TERM, CLRS_OP_SUBTRACT,
                CLRS_OP_MULTIPLY, CLRS_OP_ADD_TERM, CLRS_OP_TERM, CLRS_OP_SUBTRACT,
                CLRS_OP_MULTIPLY, CLRS_OP_ADD_TERM, CLRS_OP_ROUND},
      .dtypes = {CLRS_F32, CLRS_F32, CLRS_F32, CLRS_F32, CLRS_F32, CLRS_F32, CLRS_F32, CLRS_F32,
                 CLRS_F32, CLRS_F32, CLRS_U8},
      .origins = {1, 1, 3, 1, 2, 0, 3, 1, 2, 0, 0},
      .types = {[2] = CLRS_U8, [4] = CLRS_F64, [6] = CLRS_U8, [8] = CLRS_F64},
      .views = {[2] = CLRS_OF_U, [4] = CLRS_OF_COLORS, [6] = CLRS_OF_V, [8] = CLRS_OF_COLORS},
      .colors = CLRS_COLORS_FLOATS},
     1 << CLRS_FROM | 1 << CLRS_OF_U | 1 << CLRS_OF_COLORS | 1 << CLRS_OF_V,
     {0, 3, 1, 7},
     {4, 8, NONE}},
    /* Grey of three colours. */
    {{.step_count = 10,
      .kinds = {CLRS_OP_MULTIPLY, CLRS_OP_TERM, CLRS_OP_MULTIPLY, CLRS_OP_ADD_TERM, CLRS_OP_TERM,
                CLRS_OP_MULTIPLY, CLRS_OP_ADD_TERM, CLRS_OP_ADD, CLRS_OP_SHIFT_RIGHT,
                CLRS_OP_ROUND},
      .dtypes = {CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32, CLRS_I32,
                 CLRS_I32, CLRS_U8},
      .origins = {1, 3, 1, 0, 3, 1, 0, 1, 1, 0},
      .types = {[1] = CLRS_U8, [4] = CLRS_U8},
      .views = {[1] = CLRS_OF_U, [4] = CLRS_OF_COLORS},
      .colors = CLRS_COLORS_GREY},
     1 << CLRS_FROM | 1 << CLRS_OF_U | 1 << CLRS_OF_COLORS,
     {NONE, NONE, 0, 8},
     {2, 5, 7}},
};

static bool has_steps_of(const clrs__map_key *key, const form *of, const clrs_map *map) {
  const bool is_on_gpu = key->geometry != CLRS__MAPPED_ROWS;
  bool all = !(is_on_gpu && of->key.colors == CLRS_COLORS_GREY) && key->from == CLRS_U8 &&
             !key->is_indexed && key->combine == 0 && key->step_count >= of->key.step_count;
  for (size_t at = FIRST; at <= LAST; at += CLRS_MAPPED_STEPS) {
    all =
        all && memcmp((const char *)key + at, (const char *)&of->key + at, of->key.step_count) == 0;
  }
  for (size_t i = 0; all && i < of->key.step_count; i++) {
    all = key->origins[i] != CLRS_ORIGIN_LIST || map->steps[i].parameter.count == CLRS_COLORS;
  }
  return all;
}

static const form *find_form(const clrs__map_key *key, const clrs_map *map) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (has_steps_of(key, &forms[i], map)) {
      return &forms[i];
    }
  }
  return NULL;
}

/* Drops the steps of a colour. The last of these remains if it is the last of all. */
static void drop_steps(const form *of, clrs__map_key *key) {
  const uint8_t steps = of->key.step_count;
  const uint32_t count = key->step_count == steps ? steps - 1u : steps;
  for (size_t at = FIRST; at <= LAST; at += CLRS_MAPPED_STEPS) {
    uint8_t *field = (uint8_t *)key + at;
    memmove(field, field + count, CLRS_MAPPED_STEPS - count);
    memset(field + CLRS_MAPPED_STEPS - count, 0, count);
  }
  key->step_count = (uint8_t)(key->step_count - count);
  key->mixes = of->mixes;
  key->colors = of->key.colors;
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

/* Returns true if the three colours of each pixel are as far apart as those of the next, and the
 * pixels of a row are 1 to 4 bytes apart. */
static bool are_pixels(const clrs__nest *nest) {
  const clrs__nest_axis *last = &nest->axes[nest->axis_count - 1];
  bool all = nest->axis_count > 0 && last->extent >= FEWEST_GREY && last->strides[CLRS_FROM] >= 1 &&
             last->strides[CLRS_FROM] <= CLRS_MAPPED_PLANES;
  for (uint32_t i = 0; all && i < nest->axis_count; i++) {
    const int64_t *strides = nest->axes[i].strides;
    all = strides[CLRS_FROM] == strides[CLRS_OF_U] && strides[CLRS_FROM] == strides[CLRS_OF_COLORS];
  }
  return all;
}

void clrs__mix_take(bool keeps_floats, clrs__mapped_share *at, clrs__map_key *key) {
  const form *of = find_form(key, &at->pass->map);
  const bool is_grey = of != NULL && of->key.colors == CLRS_COLORS_GREY;
  clrs__nest before;
  if (of == NULL || (of->key.colors == CLRS_COLORS_FLOATS && !keeps_floats)) {
    return;
  }
  clrs__nest_copy(&before, &at->nest);
  if (is_grey ? are_pixels(&at->nest) : order_loops(at)) {
    drop_steps(of, key);
    at->mixes = key->mixes;
    at->colors = is_grey ? 0 : CLRS_COLORS;
  } else {
    clrs__nest_copy(&at->nest, &before);
    at->run_axes = 0;
  }
}

/* Returns a number as the kernel takes it, an integer or the code of a float, or 0 for NONE. */
static int64_t number_at(const clrs_map *map, uint32_t step, uint32_t i) {
  if (step == NONE) {
    return 0;
  }
  const clrs_parameter *parameter = &map->steps[step].parameter;
  const double number = map->numbers[parameter->first + (i < parameter->count ? i : 0)];
  return map->steps[step].dtype == CLRS_F32 ? clrs__float_code((float)number) : (int64_t)number;
}

void clrs__mix_put(const clrs__mapped_share *at, const clrs__map_key *key, clrs__launch_words *s) {
  const form *of = &forms[key->colors - 1];
  const bool is_on_gpu = clrs__map_key_is_grouped(key);
  const int64_t first = is_on_gpu ? at->starts[CLRS_OF_COLORS] : 0;
  const int64_t step = is_on_gpu ? at->nest.axes[0].strides[CLRS_OF_COLORS] : 1;
  const int64_t colors = is_on_gpu ? at->nest.axes[0].extent : CLRS_COLORS;
  for (uint32_t i = 0; i < 4; i++) {
    clrs__put_word(s, number_at(&at->pass->map, of->numbers[i], 0));
  }
  for (int64_t i = 0; i < (int64_t)CLRS_COLORS * 3; i++) {
    const int64_t color = i / 3 < colors ? first + clrs__exact_multiply(i / 3, step) : 0;
    clrs__put_word(s, number_at(&at->pass->map, of->lists[i % 3], (uint32_t)color));
  }
}
