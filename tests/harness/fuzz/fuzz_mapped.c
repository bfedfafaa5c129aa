/*
 * Maps and mapped views as a caller may make them by hand. The input sets every field, most often
 * to a value that the field can have. The harness calls all functions that take such structs. Each
 * function must refuse the structs that clrs_mapped_check refuses, and leave its result alone then.
 * The harness follows every parameter's view that the check takes, element by element, and requires
 * a number of the parameter there. Memory has as many bytes as the views reach.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/plan.h>
#include <math.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_BYTES = 1 << 14, MOST_FOLLOWED = 4096 };

/* ---- what a hand makes ---- */

/* Draws a number below `count`, or sometimes any number. */
static int64_t draw(fuzz_source *in, int64_t count) {
  const uint8_t byte = fuzz_byte(in);
  return byte < 250 ? byte % count : fuzz_number(in);
}

static clrs_dtype draw_dtype(fuzz_source *in) {
  static const clrs_dtype usual[] = {CLRS_F32, CLRS_U8,  CLRS_I8, CLRS_F16, CLRS_BOOL,
                                     CLRS_F64, CLRS_I32, CLRS_U4, CLRS_U1,  CLRS_BITS1};
  const uint8_t byte = fuzz_byte(in);
  return byte < 150 ? usual[byte % (sizeof usual / sizeof *usual)]
                    : (clrs_dtype)draw(in, CLRS_DTYPE_COUNT);
}

static double draw_double(fuzz_source *in) {
  static const double some[] = {1, 2, 0.5, -1, 0, 3, 100, 1e-9, 1e300, -0.0};
  const uint8_t byte = fuzz_byte(in);
  return byte == 255   ? (double)NAN
         : byte == 254 ? (double)INFINITY
                       : some[byte % (sizeof some / sizeof *some)];
}

static clrs_parameter draw_parameter(fuzz_source *in) {
  const uint8_t kind = fuzz_byte(in);
  clrs_parameter made = {.count = 1, .first = (uint32_t)draw(in, 4)};
  made.count = (uint32_t)(kind < 100 ? 1 : draw(in, kind < 200 ? 7 : 65));
  made.spread.kind = (clrs_spread_kind)draw(in, 3);
  made.spread.axis = draw(in, 3);
  made.spread.block = draw(in, 3);
  return made;
}

/* Most steps are valid by themselves, and most maps end in the type of the last step. */
static void draw_map(fuzz_source *in, clrs_map *map) {
  static const clrs_dtype arithmetics[] = {CLRS_F32, CLRS_F64, CLRS_F16, CLRS_BF16, CLRS_I32};
  map->from = draw_dtype(in);
  map->to = draw_dtype(in);
  map->reinterprets = fuzz_byte(in) % 8 == 1;
  map->step_count = (uint32_t)draw(in, 5);
  map->number_count = (uint32_t)draw(in, CLRS_MAP_NUMBERS + 2);
  for (int i = 0; i < CLRS_MAP_STEPS; i++) {
    clrs_step *step = &map->steps[i];
    const uint8_t type = fuzz_byte(in);
    step->kind = (clrs_step_kind)draw(in, CLRS_STEP_RESAMPLE + 1);
    step->parameter = draw_parameter(in);
    step->dtype =
        type < 150 && step->kind < CLRS_STEP_ROUND ? arithmetics[type % 5] : draw_dtype(in);
    step->rounding = (clrs_rounding)draw(in, 5);
    step->overflow = (clrs_overflow)draw(in, 3);
  }
  if (map->step_count < CLRS_MAP_STEPS && fuzz_byte(in) < 240) {
    map->to = map->step_count > 0 ? map->steps[map->step_count - 1].dtype : map->from;
  }
  for (int i = 0; i < CLRS_MAP_NUMBERS; i++) {
    map->numbers[i] = i < 8 ? draw_double(in) : map->numbers[i % 8];
  }
}

/* A strided view of that shape, with at most one field that is any number. */
static void draw_view(fuzz_source *in, clrs_dtype dtype, const clrs_shape *shape, clrs_view *view) {
  clrs_layout layout;
  int64_t strides[CLRS_MAX_RANK];
  for (uint32_t i = 0; i < shape->rank; i++) {
    strides[i] = draw(in, 4);
  }
  memset(view, 0, sizeof *view);
  if (clrs_layout_init(dtype, shape, strides, draw(in, 3), &layout, NULL) == CLRS_OK) {
    (void)(clrs_view_from_layout(&layout, view, NULL) == CLRS_OK);
  }
  int64_t *const wide[] = {&view->shape.dims[fuzz_byte(in) % 4], &view->levels[0].offset,
                           &view->levels[1].offset, &view->axes[fuzz_byte(in) % 4].extent,
                           &view->axes[fuzz_byte(in) % 4].stride};
  uint32_t *const narrow[] = {&view->shape.rank, &view->depth, &view->levels[0].axis_count,
                              &view->levels[1].axis_count};
  const uint8_t edit = fuzz_byte(in);
  if (edit < 40) {
    *wide[edit % 5] = fuzz_number(in);
  } else if (edit < 60) {
    *narrow[edit % 4] = (uint32_t)fuzz_number(in);
  } else if (edit < 80) {
    view->dtype = (clrs_dtype)draw(in, CLRS_DTYPE_COUNT);
  }
}

static void draw_mapped(fuzz_source *in, clrs_mapped *mapped) {
  clrs_map_views *views = &mapped->views;
  clrs_shape shape = {.rank = fuzz_byte(in) % 4};
  for (uint32_t i = 0; i < shape.rank; i++) {
    shape.dims[i] = fuzz_byte(in) % 6;
  }
  draw_map(in, &mapped->map);
  draw_view(in, fuzz_byte(in) < 250 ? mapped->map.from : draw_dtype(in), &shape, &views->source);
  views->count = (uint32_t)draw(in, CLRS_MAP_VIEWS + 1);
  for (int i = 0; i < CLRS_MAP_VIEWS; i++) {
    draw_view(in, fuzz_byte(in) < 180 ? CLRS_F64 : draw_dtype(in), &shape, &views->views[i]);
  }
  for (int i = 0; i < CLRS_MAP_STEPS; i++) {
    const uint8_t byte = fuzz_byte(in);
    views->of_step[i] = byte < 120 ? CLRS_MAP_SCALAR : (uint32_t)draw(in, CLRS_MAP_VIEWS);
  }
  mapped->dtype = fuzz_byte(in) < 200 ? mapped->map.to : draw_dtype(in);
}

/* ---- what the check takes ---- */

/* Returns the position of element number `index`, by the rule in core.h, level by level. */
static int64_t position_of(const clrs_view *view, int64_t index) {
  uint32_t end = 0;
  for (uint32_t level = 0; level < view->depth; level++) {
    end += view->levels[level].axis_count;
  }
  for (uint32_t level = view->depth; level-- > 0;) {
    int64_t position = view->levels[level].offset;
    for (uint32_t i = 0; i < view->levels[level].axis_count; i++) {
      const clrs_axis axis = view->axes[--end];
      position += index % axis.extent * axis.stride;
      index /= axis.extent;
    }
    index = position;
  }
  return index;
}

static void follow(const clrs_parameter *parameter, const clrs_map_views *views, uint32_t which) {
  int64_t count = 0;
  if (which == CLRS_MAP_SCALAR) {
    REQUIRE(parameter->count == 1);
    return;
  }
  REQUIRE(which < views->count);
  const clrs_view *view = &views->views[which];
  REQUIRE(clrs_shape_equal(&view->shape, &views->source.shape));
  REQUIRE(clrs_shape_count(&view->shape, &count, NULL) == CLRS_OK);
  for (int64_t i = 0; parameter->count > 0 && i < count && i < MOST_FOLLOWED; i++) {
    const int64_t position = position_of(view, i);
    REQUIRE(position >= 0 && position < parameter->count);
  }
}

static void follow_all(const clrs_mapped *mapped) {
  const clrs_map *map = &mapped->map;
  if (map->reinterprets) {
    return;
  }
  for (uint32_t i = 0; i < map->step_count; i++) {
    if (map->steps[i].kind != CLRS_STEP_ROUND) { /* which has no parameter */
      follow(&map->steps[i].parameter, &mapped->views, mapped->views.of_step[i]);
    }
  }
}

/* ---- the functions ---- */

static void maps_alone(const clrs_map *map, const clrs_map *other) {
  clrs_map made = *map;
  clrs_error error;
  char words[40];
  const bool is_good = clrs_map_check(map, &error) == CLRS_OK;
  const double one = 1;
  REQUIRE(clrs_map_explain(map, words, sizeof words) >= strlen(words));
  REQUIRE(is_good || (!clrs_map_keeps_bits(map) && words[0] == '\0'));
  REQUIRE(clrs_map_then(map, other, &made, &error) != CLRS_OK ||
          (is_good && clrs_map_check(&made, &error) == CLRS_OK));
  made = *map;
  REQUIRE(clrs_map_step(&made, CLRS_STEP_ADD, CLRS_F16, &(clrs_numbers){1, &one, {0}}, &error) !=
              CLRS_OK ||
          is_good);
  REQUIRE(clrs_map_step(&made, CLRS_STEP_AT_MOST, CLRS_F32, &(clrs_numbers){1, &one, {0}},
                        &error) != CLRS_OK ||
          is_good);
  REQUIRE(clrs_map_round(&made, other->to, CLRS_ROUND_UP, CLRS_OVERFLOW_WRAP, &error) != CLRS_OK ||
          is_good);
  REQUIRE(!is_good || clrs_map_check(&made, &error) == CLRS_OK);
}

/* Binds the map to the source, with the views for tensors. */
static void bind(const clrs_mapped *mapped) {
  const clrs_map *map = &mapped->map;
  clrs_map_tensors tensors;
  clrs_mapped bound = {.map = *map, .dtype = map->to};
  for (int i = 0; i < CLRS_MAP_STEPS; i++) {
    tensors.steps[i] = &mapped->views.views[i % CLRS_MAP_VIEWS];
  }
  if (clrs_map_bind(map, &mapped->views.source, &tensors, &bound.views, NULL) == CLRS_OK) {
    REQUIRE(clrs_mapped_check(&bound, NULL) == CLRS_OK);
    follow_all(&bound);
  }
}

/* As many bytes as the view reaches, or few. The caller frees the bytes. */
static clrs_bytes bytes_of(const clrs_view *view) {
  clrs_bounds bounds;
  size_t size = 7;
  if (clrs_view_bounds(view, &bounds, NULL) == CLRS_OK && bounds.highest >= 0 &&
      bounds.highest < MOST_BYTES / 8) {
    size = ((size_t)(bounds.highest + 1) * clrs_dtype_bits(view->dtype) + 7) / 8;
  }
  return (clrs_bytes){calloc(size + (size == 0), 1), size};
}

static void apply(const clrs_mapped *mapped) {
  clrs_map_data data = {.source = bytes_of(&mapped->views.source)};
  clrs_bytes tensors[CLRS_MAP_VIEWS];
  clrs_mapped plain = *mapped;
  const size_t size = MOST_BYTES;
  void *to = malloc(size);
  REQUIRE(to != NULL);
  for (int i = 0; i < CLRS_MAP_VIEWS; i++) {
    tensors[i] = bytes_of(&mapped->views.views[i]);
  }
  for (int i = 0; i < CLRS_MAP_STEPS; i++) {
    data.steps[i] = tensors[mapped->views.of_step[i] % CLRS_MAP_VIEWS];
  }
  plain.dtype = mapped->map.to;
  const clrs_status status = clrs_map_apply(&mapped->map, &mapped->views, &data, to, size, NULL);
  REQUIRE(status != CLRS_OK || clrs_mapped_check(&plain, NULL) == CLRS_OK);
  for (int i = 0; i < CLRS_MAP_VIEWS; i++) {
    free((void *)(uintptr_t)tensors[i].data);
  }
  free((void *)(uintptr_t)data.source.data);
  free(to);
}

static void plan(const clrs_mapped *mapped, bool is_good, const clrs_view *to) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  const clrs_move move = {.source.alignment = 64, .destination = {to, 0, 64}};
  clrs_plan made;
  for (int i = 0; i < 2; i++) {
    limits.execution = i == 0 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
    REQUIRE(clrs_plan_mapped(mapped, &move, &limits, &made, NULL) != CLRS_OK || is_good);
  }
}

static void join(const clrs_mapped *mapped, const clrs_mapped *other, bool is_good) {
  clrs_mapped made = *mapped;
  clrs_map_tensors tensors = {.steps = {&other->views.views[0]}};
  clrs_error error;
  const clrs_status then = clrs_mapped_then(&made, &other->map, &tensors, &error);
  REQUIRE(then == CLRS_OK ? is_good && clrs_mapped_check(&made, &error) == CLRS_OK
                          : memcmp(&made, mapped, sizeof made) == 0);
  made = *mapped;
  const clrs_status joined = clrs_mapped_join(&made, other, &error);
  REQUIRE(joined == CLRS_OK ? is_good && clrs_mapped_check(&made, &error) == CLRS_OK
                            : memcmp(&made, mapped, sizeof made) == 0);
}

static void chain(const clrs_mapped *mapped, bool is_good, uint8_t which) {
  static const char *const texts[] = {"cast=f32 scale=2", "flip=0 flip=-1", "unsqueeze=0 tile=3",
                                      "flatten=0 slice=:,1:5", "clamp=0,1 reshape=-1"};
  clrs_mapped made = *mapped;
  clrs_chain parsed;
  const char *text = texts[which % (sizeof texts / sizeof *texts)];
  REQUIRE(clrs_chain_parse(text, &parsed, NULL) == CLRS_OK);
  REQUIRE(clrs_chain_map(&parsed, NULL, &made, NULL) != CLRS_OK ||
          (is_good && clrs_mapped_check(&made, NULL) == CLRS_OK));
}

static void use(const clrs_mapped *mapped, const clrs_mapped *other, fuzz_source *in) {
  const bool is_good = clrs_mapped_check(mapped, NULL) == CLRS_OK;
  const clrs_shape *shape = &mapped->views.source.shape;
  clrs_view to;
  if (is_good) {
    follow_all(mapped);
  }
  plan(mapped, is_good, NULL);
  join(mapped, other, is_good);
  chain(mapped, is_good, fuzz_byte(in));
  if (clrs_view_dense(mapped->dtype, shape, &to, NULL) == CLRS_OK) {
    plan(mapped, is_good, &to);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static clrs_mapped mapped, other;
  fuzz_source in = {data, size};
  fuzz_memory_begin(size);
  /* padding between the fields too, because copies are compared */
  memset(&mapped, 0, sizeof mapped);
  memset(&other, 0, sizeof other);
  draw_mapped(&in, &mapped);
  draw_mapped(&in, &other);
  maps_alone(&mapped.map, &other.map);
  bind(&mapped);
  apply(&mapped);
  use(&mapped, &other, &in);
  fuzz_memory_end();
  return 0;
}
