/* SPDX-License-Identifier: Apache-2.0 */
#include "trial_maps.h"

#include <string.h>

#include "dtype.h"
#include "encode.h"
#include "view.h"

/* Matrices of up to MOST_ELEMENTS elements: whole and odd rows, transposes of whole and odd
 * tiles, and the colours of pixels as planes. */
typedef struct map_case {
  clrs_shape shape;
  bool is_turned; /* the source has the dims in the other order */
} map_case;
static const map_case cases[] = {
    {{2, {13, 139}}, false}, {{2, {16, 256}}, false}, {{2, {3, 1031}}, false},
    {{2, {1, 4096}}, false}, {{2, {3, 2048}}, false}, {{2, {67, 37}}, true},
    {{2, {48, 80}}, true},   {{2, {64, 64}}, true},   {{2, {3, 1501}}, true},
    {{2, {3, 2048}}, true},  {{2, {4, 2048}}, true},  {{2, {4, 7}}, true},
    {{2, {2, 2050}}, true},  {{2, {5, 1100}}, true}};
enum { CASES = sizeof cases / sizeof *cases, SPREADS = 3, MOST_BLOCKS = 16, MOST_ELEMENTS = 8192 };

/* ---- the map of a key ---- */

/* The number of a step with a parameter. */
static double number_of(clrs_step_kind kind) {
  static const double numbers[] = {
      [CLRS_STEP_SUBTRACT] = 3,      [CLRS_STEP_ADD] = 5,        [CLRS_STEP_MULTIPLY] = 3,
      [CLRS_STEP_DIVIDE] = 3,        [CLRS_STEP_AT_LEAST] = 7,   [CLRS_STEP_AT_MOST] = 90,
      [CLRS_STEP_ROUND_AND_ADD] = 1, [CLRS_STEP_SHIFT_LEFT] = 1, [CLRS_STEP_SHIFT_RIGHT] = 1,
      [CLRS_STEP_TERM] = 2};
  return numbers[kind];
}

/* The numbers of lists change along one axis: for each row, or for each block of columns. Lists of
 * the second view, if any, change along the other axis. */
static clrs_spread spread_of(const clrs__map_key *key, uint32_t at, const clrs_shape *shape,
                             int spread) {
  const bool is_first = key->views[at] == CLRS_FIRST_VIEW;
  const int64_t axis = is_first == (spread == 0) ? 0 : 1;
  const int64_t extent = shape->dims[axis];
  const int64_t most = spread == 2 ? 4 : MOST_BLOCKS;
  return (clrs_spread){CLRS_SPREAD_AXIS, axis, (extent + most - 1) / most};
}

static int64_t blocks_of(const clrs_spread *spread, const clrs_shape *shape) {
  return (shape->dims[spread->axis] + spread->block - 1) / spread->block;
}

static bool add_numbers(const clrs__map_key *key, uint32_t at, const clrs_shape *shape, int spread,
                        clrs_map *map) {
  clrs_parameter *parameter = &map->steps[at].parameter;
  parameter->first = map->number_count;
  parameter->count = 1;
  if (key->origins[at] != CLRS_ORIGIN_NUMBER) {
    parameter->spread = spread_of(key, at, shape, spread);
    parameter->count = (uint32_t)blocks_of(&parameter->spread, shape);
  }
  if (key->origins[at] == CLRS_ORIGIN_TENSOR) {
    parameter->count = 0;
    return true;
  }
  map->number_count += parameter->count;
  if (map->number_count > CLRS_MAP_NUMBERS) {
    return false;
  }
  for (uint32_t i = 0; i < parameter->count; i++) {
    map->numbers[parameter->first + i] = number_of(map->steps[at].kind) + (i % 3 == 2 ? 1 : 0);
  }
  return true;
}

static bool make_map(const clrs__map_key *key, const clrs_shape *shape, int spread, clrs_map *map) {
  bool is_made = true;
  memset(map, 0, sizeof *map);
  map->from = clrs__map_key_stored(key);
  map->to = (clrs_dtype)key->to;
  map->step_count = key->step_count;
  for (uint32_t i = 0; is_made && i < key->step_count; i++) {
    map->steps[i] = (clrs_step){.kind = (clrs_step_kind)key->kinds[i],
                                .dtype = (clrs_dtype)key->dtypes[i],
                                .rounding = (clrs_rounding)key->roundings[i],
                                .overflow = (clrs_overflow)key->overflows[i]};
    is_made = key->origins[i] == CLRS_ORIGIN_NONE || add_numbers(key, i, shape, spread, map);
  }
  return is_made;
}

/* ---- a plan of the variant ---- */

static clrs_status make_source(clrs_dtype dtype, const map_case *of, clrs_view *view) {
  static const int64_t turn[] = {1, 0};
  const clrs_shape turned = {2, {of->shape.dims[1], of->shape.dims[0]}};
  clrs__view_make_dense(dtype, of->is_turned ? &turned : &of->shape, view);
  return of->is_turned ? clrs_view_permute(view, 2, turn, NULL) : CLRS_OK;
}

static clrs_device_limits limits_for(const clrs_context *context, const clrs__variant *variant) {
  clrs_device_limits limits = clrs_context_limits(context);
  const uint8_t geometry = variant->map.geometry;
  const bool is_for_cpu = geometry == CLRS__MAPPED_ROWS || geometry == CLRS__MAPPED_TILE;
  limits.required_class = NULL;
  limits.min_index_bits = variant->index_bits;
  limits.execution = is_for_cpu ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
  limits.max_group_items =
      geometry == CLRS__MAPPED_ANY ? 1 : (uint32_t)clrs__map_group(&variant->map);
  return limits;
}

static bool is_planned(const clrs_context *context, const clrs__variant *variant,
                       const clrs_plan *plan) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  clrs__mapped_launch launch;
  launch.at = 0;
  launch.in_buffer = context->has_few_arguments;
  if (plan->launch_count != 1 ||
      clrs__mapped_encode(&data->mapped, &context->arithmetic, &launch, NULL) != CLRS_OK) {
    return false;
  }
  clrs__variant found = clrs__mapped_variant(&launch.key, launch.index_bits);
  found.is_batched = variant->is_batched;
  return clrs__variant_equal(found, *variant);
}

/* Binds the map, and describes the tensors: a list of numbers each. */
static clrs_status bind(const clrs__map_key *key, const clrs_map *map, const clrs_shape *shape,
                        clrs_mapped *mapped, clrs__trial *t) {
  clrs_view views[CLRS_MAP_STEPS];
  clrs_map_tensors tensors = {{NULL}};
  for (uint32_t i = 0; i < key->step_count; i++) {
    t->has_steps[i] = key->origins[i] == CLRS_ORIGIN_TENSOR;
    if (t->has_steps[i]) {
      const clrs_shape list = {1, {blocks_of(&map->steps[i].parameter.spread, shape)}};
      clrs__view_make_dense((clrs_dtype)key->types[i], &list, &views[i]);
      tensors.steps[i] = &views[i];
    }
  }
  return clrs_mapped_then(mapped, map, &tensors, NULL);
}

static bool find_plan(const clrs_context *context, const clrs__variant *variant, int at,
                      clrs_mapped *mapped, clrs__trial *t) {
  const map_case *of = &cases[at % CASES];
  const clrs_device_limits limits = limits_for(context, variant);
  const uint32_t alignment = variant->map.is_unaligned ? 1 : CLRS__BUFFER_ALIGNMENT;
  clrs_view source, destination;
  clrs_map map;
  clrs__view_make_dense((clrs_dtype)variant->map.to, &of->shape, &destination);
  if (!make_map(&variant->map, &of->shape, at / CASES, &map) ||
      make_source(map.from, of, &source) != CLRS_OK ||
      clrs_mapped_init(&source, mapped, NULL) != CLRS_OK ||
      bind(&variant->map, &map, &of->shape, mapped, t) != CLRS_OK) {
    return false;
  }
  const clrs_move move = {{&source, 0, alignment}, {&destination, 0, alignment}, CLRS_COPY_ALWAYS};
  return clrs_plan_mapped(mapped, &move, &limits, &t->plan, NULL) == CLRS_OK &&
         t->plan.outcome == CLRS_OUTCOME_MAPPED && is_planned(context, variant, &t->plan);
}

/* ---- its bytes ---- */

/* Writes bytes as elements: integers that every type holds or rounds. */
static clrs_status write_elements(clrs_dtype dtype, int64_t count, const unsigned char *bytes,
                                  void *elements, size_t size, clrs_error *error) {
  const clrs_shape all = {1, {count}};
  const clrs_map_data data = {.source = {bytes, (size_t)count}};
  clrs_map cast;
  clrs_map_views views;
  clrs_view list;
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, CLRS_U8, dtype, &cast, error));
  clrs__view_make_dense(CLRS_U8, &all, &list);
  CLRS_TRY(clrs_map_bind(&cast, &list, NULL, &views, error));
  return clrs_map_apply(&cast, &views, &data, elements, size, error);
}

static clrs_status draw_elements(const clrs__map_key *key, int64_t count, clrs__trial *t,
                                 clrs_error *error) {
  unsigned char drawn[MOST_ELEMENTS], numbers[MOST_BLOCKS];
  for (uint32_t i = 0; i < MOST_ELEMENTS; i++) {
    drawn[i] = (unsigned char)(i * 167 + i / 256 * 59 + 13);
  }
  for (uint32_t i = 0; i < key->step_count; i++) {
    if (!t->has_steps[i]) {
      continue;
    }
    for (uint32_t k = 0; k < MOST_BLOCKS; k++) {
      numbers[k] = (unsigned char)(number_of((clrs_step_kind)key->kinds[i]) + (k % 3 == 2));
    }
    CLRS_TRY(write_elements((clrs_dtype)key->types[i], MOST_BLOCKS, numbers, t->steps[i],
                            sizeof t->steps[i], error));
  }
  return write_elements(clrs__map_key_stored(key), count, drawn, t->source, t->source_bytes, error);
}

clrs_status clrs__trial_make_map(const clrs_context *context, const clrs__variant *variant,
                                 clrs__trial *t, clrs_error *error) {
  clrs_mapped mapped;
  int at = 0;
  while (at < CASES * SPREADS &&
         (variant->map.is_indexed || !find_plan(context, variant, at, &mapped, t))) {
    at++;
  }
  if (at == CASES * SPREADS) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "no small map is of this variant");
  }
  const clrs_shape *shape = &cases[at % CASES].shape;
  const int64_t count = clrs__shape_count(shape);
  CLRS_TRY(clrs__trial_make_memory(clrs__bytes_of(count, clrs_dtype_bits(mapped.map.from)),
                                   clrs__bytes_of(count, clrs_dtype_bits(mapped.map.to)), 0, t,
                                   error));
  CLRS_TRY(draw_elements(&variant->map, count, t, error));
  clrs_map_data data = {.source = {t->source, t->source_bytes}};
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    data.steps[i] = (clrs_bytes){t->steps[i], sizeof t->steps[i]};
  }
  return clrs_map_apply(&mapped.map, &mapped.views, &data, t->expected, t->destination_bytes,
                        error);
}
