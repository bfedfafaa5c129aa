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

/* Can a zero point have this type, added to a value of the type or subtracted from the value? */
static bool has_zero_points(clrs_dtype dtype) {
  return is_integer(dtype) && clrs_dtype_bits(dtype) <= 32;
}

uint64_t map_case_offset(test_rng *rng, clrs_dtype dtype) {
  const uint32_t bits = clrs_dtype_bits(dtype);
  return rng_percent(rng, 15) ? (uint64_t)rng_between(rng, 0, 40)
                              : (uint64_t)rng_between(rng, 0, 8) * (bits < 8 ? 1 : bits / 8);
}

bool map_case_fits(const clrs_layout *layout) {
  const clrs_bounds bounds = bounds_of(layout);

  const uint64_t bits = clrs_dtype_bits(layout->dtype);
  return bounds.empty || (uint64_t)(bounds.highest + 9) * bits / 8 < CASE_BYTES - 64;
}

/* ---- parameters ---- */

/* Draws a spread for the shape of the mapped view, and returns the number of parameters in
 * *count. */
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
static void draw_tensor(map_case *c, bool is_zero, int64_t count) {
  const uint32_t at = c->map.step_count;
  clrs_error error;
  clrs_shape shape;
  const clrs_dtype dtype = random_parameter_type(&c->rng, is_zero);
  CHECK_OK(clrs_shape_init(1, &count, &shape, &error), error);
  c->tensors[at] = layout_random_of_shape(&c->rng, dtype, &shape, false, 0);
  c->tensor_offsets[at] = c->next_offset + map_case_offset(&c->rng, dtype);
  c->next_offset += TENSOR_ROOM;
  c->is_tensor[at] = true;
}

/* The parameter of the next step, spread if fewer than CLRS_MAP_VIEWS are, with room for numbers of
 * the map's own, or with a tensor. */
static clrs_parameter draw_parameter(map_case *c, bool is_zero) {
  clrs_parameter made = {.first = c->map.number_count};
  int64_t count = 1;
  made.spread = c->view_count < CLRS_MAP_VIEWS ? random_spread(c, &count) : (clrs_spread){0};
  const bool is_tensor = c->view_count < CLRS_MAP_VIEWS &&
                         (rng_percent(&c->rng, 35) || count > MOST_NUMBERS || count == 0);
  c->view_count += is_tensor || made.spread.kind == CLRS_SPREAD_AXIS;
  if (is_tensor) {
    draw_tensor(c, is_zero, count);
    return made;
  }
  made.count = (uint32_t)count;
  c->map.number_count += made.count;
  return made;
}

/* ---- maps ----
 * The steps are written by hand, so that a rounding stays which no bit shows. */

static void append(map_case *c, clrs_step step) {
  c->map.steps[c->map.step_count++] = step;
  c->map.to = step.dtype;
}

static clrs_dtype draw_arithmetic(map_case *c) {
  static const clrs_dtype arithmetics[] = {CLRS_F32, CLRS_F32, CLRS_F32,
                                           CLRS_F64, CLRS_F16, CLRS_BF16};
  return arithmetics[rng_between(&c->rng, 0, 5)];
}

/* Rounds to any type, by a valid rule. */
static clrs_step draw_rounding(map_case *c, clrs_dtype to) {
  const clrs_rounding rounding = (clrs_rounding)rng_between(&c->rng, 0, 4);
  const clrs_overflow overflow = to == CLRS_BOOL || rng_percent(&c->rng, 50)
                                     ? CLRS_OVERFLOW_SATURATE
                                 : is_integer(to) ? CLRS_OVERFLOW_WRAP
                                                  : CLRS_OVERFLOW_IEEE;
  return (clrs_step){
      .kind = CLRS_STEP_ROUND, .dtype = to, .rounding = rounding, .overflow = overflow};
}

static bool is_held_by_i32(clrs_dtype dtype) {
  return dtype == CLRS_BOOL || dtype == CLRS_I32 ||
         (is_integer(dtype) && clrs_dtype_bits(dtype) < 32);
}

/* One to three integer steps, behind a rounding if another type arrives. */
static void draw_integer_steps(map_case *c) {
  static const clrs_step_kind kinds[] = {
      CLRS_STEP_SUBTRACT, CLRS_STEP_ADD,        CLRS_STEP_MULTIPLY,   CLRS_STEP_AT_LEAST,
      CLRS_STEP_AT_MOST,  CLRS_STEP_SHIFT_LEFT, CLRS_STEP_SHIFT_RIGHT};
  const bool has_term = rng_percent(&c->rng, 30);
  const clrs_dtype at = c->map.step_count > 0 ? c->map.to : c->map.from;
  if (!is_held_by_i32(at) || rng_percent(&c->rng, 20)) {
    append(c, draw_rounding(c, CLRS_I32));
  }
  const int64_t count = rng_between(&c->rng, 1, 3);
  for (int64_t i = 0; i < count; i++) {
    const bool is_term = has_term && i == 0;
    const clrs_step_kind kind = is_term ? CLRS_STEP_TERM : kinds[rng_between(&c->rng, 0, 6)];
    const clrs_parameter parameter = draw_parameter(c, true);
    for (uint32_t k = 0; k < parameter.count; k++) {
      const bool shifts = kind == CLRS_STEP_SHIFT_LEFT || kind == CLRS_STEP_SHIFT_RIGHT;
      const int64_t bits = shifts ? 5 : rng_between(&c->rng, 1, 31);
      const int64_t number = rng_between(&c->rng, 0, (INT64_C(1) << bits) - 1);
      const bool is_negative = !shifts && rng_percent(&c->rng, 50);
      c->map.numbers[parameter.first + k] = (double)(is_negative ? -number - 1 : number);
    }
    append(c, (clrs_step){.kind = kind, .parameter = parameter, .dtype = CLRS_I32});
  }
  if (has_term) {
    append(c, (clrs_step){.kind = CLRS_STEP_ADD_TERM, .dtype = CLRS_I32});
  }
}

/* A sum of products: x + p * q. */
static void draw_term(map_case *c, clrs_dtype arithmetic) {
  for (clrs_step_kind kind = CLRS_STEP_TERM;; kind = CLRS_STEP_MULTIPLY) {
    const clrs_parameter parameter = draw_parameter(c, false);
    for (uint32_t i = 0; i < parameter.count; i++) {
      c->map.numbers[parameter.first + i] = (double)rng_between(&c->rng, -160, 160) / 16;
    }
    append(c, (clrs_step){.kind = kind, .parameter = parameter, .dtype = arithmetic});
    if (kind == CLRS_STEP_MULTIPLY) {
      break;
    }
  }
  append(c, (clrs_step){.kind = CLRS_STEP_ADD_TERM, .dtype = arithmetic});
}

static void draw_step(map_case *c, clrs_dtype arithmetic) {
  if (rng_percent(&c->rng, 20)) {
    append(c, draw_rounding(c, random_type(&c->rng)));
    return;
  }
  if (rng_percent(&c->rng, 20)) {
    draw_integer_steps(c);
    return;
  }
  if (rng_percent(&c->rng, 15)) {
    draw_term(c, arithmetic);
    return;
  }
  const clrs_parameter parameter = draw_parameter(c, false);
  for (uint32_t i = 0; i < parameter.count; i++) {
    const int64_t sixteenths = rng_between(&c->rng, -20 * 16, 100 * 16);
    c->map.numbers[parameter.first + i] =
        sixteenths == 0 ? 0.5 : (double)sixteenths / 16; /* some divide */
  }
  append(c, (clrs_step){.kind = (clrs_step_kind)rng_between(&c->rng, 0, CLRS_STEP_AT_MOST),
                        .parameter = parameter,
                        .dtype = rng_percent(&c->rng, 20) ? draw_arithmetic(c) : arithmetic});
}

/* A zero point is subtracted in the first step, or added in the last. */
static clrs_parameter draw_zero(map_case *c, clrs_dtype of) {
  const int64_t most = of == CLRS_I2 || of == CLRS_U1 ? 1 : clrs_dtype_bits(of) < 8 ? 3 : 100;
  const clrs_parameter parameter = draw_parameter(c, true);
  for (uint32_t i = 0; i < parameter.count; i++) {
    c->map.numbers[parameter.first + i] = (double)rng_between(&c->rng, 0, most);
  }
  return parameter;
}

static bool draw_map(map_case *c, clrs_dtype from, clrs_dtype to) {
  clrs_error error;
  c->map.from = from;
  if (has_zero_points(from) && rng_percent(&c->rng, 20)) {
    const clrs_parameter zero = draw_zero(c, from);
    append(c, (clrs_step){.kind = CLRS_STEP_SUBTRACT, .parameter = zero, .dtype = CLRS_I64});
  }
  const clrs_dtype arithmetic = draw_arithmetic(c);
  const int64_t steps = rng_percent(&c->rng, 40) ? 0 : rng_between(&c->rng, 1, MOST_STEPS);
  for (uint32_t i = 0; i < steps; i++) {
    draw_step(c, arithmetic);
  }
  clrs_step last = draw_rounding(c, to);
  if (has_zero_points(to) && rng_percent(&c->rng, 20)) {
    last.kind = CLRS_STEP_ROUND_AND_ADD;
    last.parameter = draw_zero(c, to);
  }
  if (last.kind != CLRS_STEP_ROUND || steps == 0 || rng_percent(&c->rng, 85)) {
    append(c, last);
  }
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
