/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped_case.h"

#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"

enum { MOST_NUMBERS = 16, MOST_STEPS = 3, MOST_BEFORE = 2, TENSOR_ROOM = CASE_BYTES / 4 };

static const clrs_dtype types[] = {
    CLRS_BOOL,   CLRS_I8,       CLRS_U8,         CLRS_I16,    CLRS_U16,        CLRS_I32,
    CLRS_U32,    CLRS_I64,      CLRS_U64,        CLRS_F16,    CLRS_BF16,       CLRS_F32,
    CLRS_F64,    CLRS_U1,       CLRS_I2,         CLRS_U2,     CLRS_I4,         CLRS_U4,
    CLRS_F4E2M1, CLRS_F8E4M3FN, CLRS_F8E4M3FNUZ, CLRS_F8E5M2, CLRS_F8E5M2FNUZ, CLRS_F8E8M0};
enum { TYPES = sizeof types / sizeof *types };

static clrs_dtype random_type(test_rng *rng) {
  return types[rng_between(rng, 0, TYPES - 1)];
}

static bool is_integer(clrs_dtype dtype) {
  return (dtype >= CLRS_I8 && dtype <= CLRS_U64) || dtype == CLRS_U1 || dtype == CLRS_I2 ||
         dtype == CLRS_U2 || dtype == CLRS_I4 || dtype == CLRS_U4;
}

/* May a zero point be of this type, added to it or subtracted from it? */
static bool has_zero_points(clrs_dtype dtype) {
  return is_integer(dtype) && clrs_dtype_bits(dtype) <= 32;
}

uint64_t map_case_offset(test_rng *rng, clrs_dtype dtype) {
  const uint32_t bits = clrs_dtype_bits(dtype);
  return rng_percent(rng, 15) ? (uint64_t)rng_between(rng, 0, 40)
                              : (uint64_t)rng_between(rng, 0, 8) * (bits < 8 ? 1 : bits / 8);
}

bool map_case_fits(const clrs_layout *layout) {
  clrs_error error;
  clrs_bounds bounds;
  CHECK_OK(clrs_layout_bounds(layout, &bounds, &error), error);
  const uint64_t bits = clrs_dtype_bits(layout->dtype);
  return bounds.empty || (uint64_t)(bounds.highest + 9) * bits / 8 < CASE_BYTES - 64;
}

/* ---- parameters ---- */

/* A spread for the shape of what is mapped, and how many numbers it takes. */
static clrs_spread random_spread(map_case *c, int64_t *count) {
  test_rng *rng = &c->rng;
  clrs_spread spread = {0};
  *count = 1;
  if (c->seen.shape.rank == 0 || rng_percent(rng, 30)) {
    return spread;
  }
  spread.kind = CLRS_SPREAD_AXIS;
  spread.axis = rng_between(rng, 0, c->seen.shape.rank - 1);
  const int64_t extent = c->seen.shape.dims[spread.axis];
  if (rng_percent(rng, 40) && extent > 2) {
    spread.block = rng_between(rng, 2, extent);
    *count = (extent + spread.block - 1) / spread.block;
  } else {
    *count = extent;
  }
  return spread;
}

static clrs_dtype random_parameter_type(test_rng *rng, bool is_zero) {
  for (;;) {
    const clrs_dtype dtype = random_type(rng);
    if (dtype != CLRS_BOOL && dtype != CLRS_F8E8M0 && (!is_zero || has_zero_points(dtype))) {
      return dtype;
    }
  }
}

/* A dense tensor of the spread's numbers. */
static void draw_tensor(map_case *c, uint32_t at, int64_t count) {
  clrs_error error;
  clrs_shape shape;
  const clrs_dtype dtype = random_parameter_type(&c->rng, at == CLRS_MAP_STEPS);
  CHECK_OK(clrs_shape_init(1, &count, &shape, &error), error);
  c->tensors[at] = layout_random_of_shape(&c->rng, dtype, &shape, false, 0);
  c->tensor_offsets[at] = c->next_offset + map_case_offset(&c->rng, dtype);
  c->next_offset += TENSOR_ROOM;
  c->is_tensor[at] = true;
}

/* How many numbers of the map's own the parameter has: none if it is a tensor, which is drawn. */
static size_t draw_spread(map_case *c, uint32_t at, clrs_spread *spread) {
  int64_t count;
  *spread = random_spread(c, &count);
  if (rng_percent(&c->rng, 35) || count > MOST_NUMBERS || count == 0) {
    draw_tensor(c, at, count);
    return 0;
  }
  return (size_t)count;
}

/* ---- maps ---- */

static clrs_dtype draw_arithmetic(map_case *c) {
  static const clrs_dtype arithmetics[] = {CLRS_F32, CLRS_F32, CLRS_F32,
                                           CLRS_F64, CLRS_F16, CLRS_BF16};
  return arithmetics[rng_between(&c->rng, 0, 5)];
}

/* Of those that the type has. */
static clrs_overflow draw_overflow(map_case *c, clrs_dtype to) {
  return to == CLRS_BOOL || rng_percent(&c->rng, 50) ? CLRS_OVERFLOW_SATURATE
         : is_integer(to)                            ? CLRS_OVERFLOW_WRAP
                                                     : CLRS_OVERFLOW_IEEE;
}

static void draw_rules(map_case *c) {
  c->map.arithmetic = draw_arithmetic(c);
  c->map.rounding = (clrs_rounding)rng_between(&c->rng, 0, 4);
  c->map.overflow = draw_overflow(c, c->map.to);
}

/* A rounding between steps, to any type. */
static void draw_rounding(map_case *c) {
  const clrs_dtype to = random_type(&c->rng);
  c->map.steps[c->map.step_count++] =
      (clrs_step){.kind = CLRS_STEP_ROUND,
                  .dtype = to,
                  .rounding = (clrs_rounding)rng_between(&c->rng, 0, 4),
                  .overflow = draw_overflow(c, to)};
}

static void draw_step(map_case *c, uint32_t at) {
  if (rng_percent(&c->rng, 20)) {
    draw_rounding(c);
    return;
  }
  clrs_error error;
  double values[MOST_NUMBERS];
  clrs_numbers numbers;
  const clrs_step_kind kind = (clrs_step_kind)rng_between(&c->rng, 0, CLRS_STEP_AT_MOST);
  numbers.count = draw_spread(c, at, &numbers.spread);
  numbers.values = numbers.count > 0 ? values : NULL;
  for (size_t i = 0; i < numbers.count; i++) {
    const int64_t sixteenths = rng_between(&c->rng, -20 * 16, 100 * 16);
    values[i] = sixteenths == 0 ? 0.5 : (double)sixteenths / 16; /* some divide */
  }
  CHECK_OK(clrs_map_step(&c->map, kind, &numbers, &error), error);
  if (rng_percent(&c->rng, 20)) {
    c->map.steps[at].dtype = draw_arithmetic(c);
  }
}

static void draw_zero(map_case *c) {
  clrs_map *map = &c->map;
  clrs_spread spread;
  const bool may_subtract = has_zero_points(map->from), may_add = has_zero_points(map->to);
  if (!(may_subtract || may_add) || !rng_percent(&c->rng, 30)) {
    return;
  }
  const bool adds = may_add && (!may_subtract || rng_percent(&c->rng, 50));
  const clrs_dtype of = adds ? map->to : map->from;
  const int64_t most = of == CLRS_I2 || of == CLRS_U1 ? 1 : clrs_dtype_bits(of) < 8 ? 3 : 100;
  const size_t count = draw_spread(c, CLRS_MAP_STEPS, &spread);
  map->zero_place = adds ? CLRS_ZERO_ADDED : CLRS_ZERO_SUBTRACTED;
  map->zero = (clrs_parameter){(uint32_t)count, map->number_count, spread};
  for (size_t i = 0; i < count; i++) {
    map->numbers[map->number_count++] = (double)rng_between(&c->rng, 0, most);
  }
}

static bool draw_map(map_case *c, clrs_dtype from, clrs_dtype to) {
  clrs_error error;
  if (clrs_map_cast(CLRS_NUMPY, from, to, &c->map, &error) != CLRS_OK) {
    return false;
  }
  draw_rules(c);
  const int64_t steps = rng_percent(&c->rng, 40) ? 0 : rng_between(&c->rng, 1, MOST_STEPS);
  for (uint32_t i = 0; i < steps; i++) {
    draw_step(c, i);
  }
  draw_zero(c);
  return clrs_map_check(&c->map, &error) == CLRS_OK;
}

/* ---- cases ---- */

static void draw_source(map_case *c, clrs_dtype from) {
  const layout_wish wish = {.max_rank = 4,
                            .max_dim = 24,
                            .max_count = CASE_COUNT,
                            .zero_percent = 2,
                            .allow_repeats = true};
  c->source = layout_random(&c->rng, from, &wish, rng_between(&c->rng, 0, 5));
  c->source_offset = map_case_offset(&c->rng, from);
}

/* Movement operations before the map. */
static void draw_moves(map_case *c) {
  clrs_error error;
  int64_t count;
  CHECK_OK(clrs_view_from_layout(&c->source, &c->seen, &error), error);
  const int64_t moves = rng_percent(&c->rng, 50) ? 0 : rng_between(&c->rng, 1, MOST_BEFORE);
  for (int64_t i = 0; i < moves; i++) {
    CHECK_OK(clrs_shape_count(&c->seen.shape, &count, &error), error);
    if (count == 0) {
      return;
    }
    const move step = move_random(&c->rng, &c->seen.shape, CASE_COUNT);
    if (move_apply_view(&step, &c->seen, &error) != CLRS_OK) {
      return;
    }
  }
}

bool map_case_draw(uint64_t seed, map_case *drawn) {
  *drawn = (map_case){.seed = seed, .rng = rng_start(seed)};
  const clrs_dtype from = random_type(&drawn->rng), to = random_type(&drawn->rng);
  draw_source(drawn, from);
  draw_moves(drawn);
  return from != to && map_case_fits(&drawn->source) && draw_map(drawn, from, to);
}

bool map_case_draw_cast(uint64_t seed, clrs_dtype from, clrs_dtype to, map_case *drawn) {
  clrs_error error;
  *drawn = (map_case){.seed = seed, .rng = rng_start(seed)};
  draw_source(drawn, from);
  draw_moves(drawn);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, from, to, &drawn->map, &error), error);
  return map_case_fits(&drawn->source);
}

void map_case_bytes(map_case *c, unsigned char *source, unsigned char *tensors) {
  const bool is_double = c->map.from == CLRS_F64;
  const size_t width = is_double ? 8 : 4;
  rng_fill(&c->rng, source, CASE_BYTES);
  rng_fill(&c->rng, tensors, CASE_BYTES);
  if (!is_double && c->map.from != CLRS_F32) {
    return;
  }
  for (size_t i = c->source_offset; i + width <= CASE_BYTES; i += width) {
    const double sixteenths = (double)rng_between(&c->rng, -700 * 16, 700 * 16);
    const double value = sixteenths / 16 * (rng_percent(&c->rng, 20) ? 1000 : 1);
    const float narrow = (float)value;
    if (rng_percent(&c->rng, 70)) {
      memcpy(source + i, is_double ? (const void *)&value : (const void *)&narrow, width);
    }
  }
}
