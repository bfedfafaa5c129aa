/*
 * Two maps joined: if a joint map exists, the map gives the same bits as the two maps in sequence,
 * for every source of up to 16 bits and random wider sources. A joint map must exist for common
 * preprocessing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bound.h"
#include "harness/rng.h"

#include "elements.h"

enum { MOST = 65536, BYTES = 256, WIDE = 1024 };

static clrs_error the_error;
static uint8_t source[MOST * 8], between[MOST * 8], twice[MOST * 8], once[MOST * 8];

/* ---- sources ---- */

/* Every code in turn, or as many random codes, some small and some with all bits set. */
static int64_t fill_source(test_rng *rng, clrs_dtype dtype) {
  const clrs__element element = clrs__element_of(dtype);
  const int64_t count = element.bits <= 8 ? BYTES : element.bits <= 16 ? MOST : WIDE;
  for (int64_t i = 0; i < count; i++) {
    clrs__word code = (clrs__word)i;
    if (element.bits > 16) {
      code = rng_next(rng) >> (rng_next(rng) % (uint64_t)element.bits);
      code = rng_percent(rng, 10) ? ~code : code;
    }
    clrs__element_store(&element, source, i, code & clrs__ones(element.bits));
  }
  return count;
}

static void apply(const clrs_map *map, int64_t count, const uint8_t *from, uint8_t *to) {
  static clrs_map_views views;
  const clrs_view view = view_of(map->from, 2, LIST(count / 4, 4));
  const clrs_map_data data = {.source = {from, sizeof source}};
  memset(to, 0, sizeof once);
  CHECK_OK(clrs_map_bind(map, &view, NULL, &views, &the_error), the_error);
  CHECK_OK(clrs_map_apply(map, &views, &data, to, sizeof once, &the_error), the_error);
}

static bool are_equal(test_rng *rng, const clrs_map *first, const clrs_map *second,
                      const clrs_map *both) {
  const int64_t count = fill_source(rng, first->from);
  apply(first, count, source, between);
  apply(second, count, between, twice);
  apply(both, count, source, once);
  return memcmp(once, twice, sizeof once) == 0;
}

/* ---- random maps ---- */

static clrs_dtype draw_type(test_rng *rng) {
  clrs_dtype dtype;
  do {
    static const clrs_dtype usual[] = {CLRS_U8,   CLRS_I8,  CLRS_I32, CLRS_F16,
                                       CLRS_BF16, CLRS_F32, CLRS_F64};
    dtype = rng_percent(rng, 60) ? usual[rng_next(rng) % COUNT(usual)]
                                 : (clrs_dtype)(rng_next(rng) % CLRS_DTYPE_COUNT);
  } while (clrs__element_of(dtype).kind == CLRS__NO_VALUE);
  return dtype;
}

/* Maps without a rounding before the steps do not always join. */
static void draw_integer_steps(test_rng *rng, clrs_map *map) {
  for (int64_t left = rng_between(rng, 1, 3); left > 0; left--) {
    const bool shifts = rng_percent(rng, 30);
    const double number = (double)(shifts ? rng_between(rng, 0, 31) : rng_between(rng, -90, 99999));
    const clrs_numbers one = {1, &number, {0}};
    const clrs_step_kind kind = shifts
                                    ? CLRS_STEP_SHIFT_LEFT + (clrs_step_kind)rng_between(rng, 0, 1)
                                    : (clrs_step_kind)rng_between(rng, 0, CLRS_STEP_MULTIPLY);
    (void)(clrs_map_step(map, kind, CLRS_I32, &one, &the_error) == CLRS_OK);
  }
}

static void draw_steps(test_rng *rng, clrs_map *map) {
  static const clrs_dtype arithmetic[] = {CLRS_F32, CLRS_F32, CLRS_F64, CLRS_F16, CLRS_BF16};
  static const double numbers[] = {1, 0.5, -3, 255, 1 / 255.0, 0.1, 1e-3, 100, 57.4, -0.485};
  const clrs_spread last = {CLRS_SPREAD_AXIS, -1, 0};
  const clrs_dtype dtype = arithmetic[rng_next(rng) % COUNT(arithmetic)];
  for (int64_t left = rng_between(rng, 0, 3); left > 0; left--) {
    const size_t at = rng_next(rng) % (COUNT(numbers) - 4);
    const clrs_numbers some = {rng_percent(rng, 50) ? 1 : 4, numbers + at, last};
    const clrs_step_kind kind = (clrs_step_kind)rng_between(rng, 0, CLRS_STEP_AT_MOST);
    CHECK_OK(clrs_map_step(map, kind, dtype, &some, &the_error), the_error);
  }
}

static clrs_status draw_zero(test_rng *rng, clrs_map *map, clrs_step_kind kind, clrs_dtype dtype) {
  const double zeros[] = {0, 1, 100, 127, -1, -128, 3, 200};
  double points[2];
  const clrs_numbers numbers = {rng_percent(rng, 50) ? 1 : 2, points, {CLRS_SPREAD_AXIS, -1, 2}};
  for (size_t i = 0; i < COUNT(points); i++) {
    points[i] = zeros[rng_next(rng) % COUNT(zeros)];
  }
  return clrs_map_step(map, kind, dtype, &numbers, &the_error);
}

/* A zero point before the steps, or behind the steps, or a rounding there. Some end with
 * arithmetic. */
static bool draw_map(test_rng *rng, clrs_dtype from, clrs_map *map) {
  const clrs_dtype to = draw_type(rng);
  if (rng_percent(rng, 10)) {
    return clrs_map_bitcast(from, to, map, &the_error) == CLRS_OK;
  }
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, from, from, map, &the_error), the_error);
  if (rng_percent(rng, 15) && draw_zero(rng, map, CLRS_STEP_SUBTRACT, CLRS_I64) != CLRS_OK) {
    return false;
  }
  if (rng_percent(rng, 20)) {
    draw_integer_steps(rng, map);
  }
  if (rng_percent(rng, 60)) {
    draw_steps(rng, map);
  }
  if (rng_percent(rng, 15)) {
    return draw_zero(rng, map, CLRS_STEP_ROUND_AND_ADD, to) == CLRS_OK;
  }
  if (rng_percent(rng, 15)) {
    return true;
  }
  const clrs__value_kind kind = clrs__element_of(to).kind;
  clrs_overflow overflow = kind == CLRS__FLOAT ? CLRS_OVERFLOW_IEEE : CLRS_OVERFLOW_WRAP;
  clrs_rounding rounding = CLRS_ROUND_EVEN;
  if (rng_percent(rng, 40)) {
    rounding = (clrs_rounding)rng_between(rng, 0, CLRS_ROUND_UP);
    overflow = (clrs_overflow)rng_between(rng, 0, CLRS_OVERFLOW_IEEE);
  }
  return clrs_map_round(map, to, rounding, overflow, &the_error) == CLRS_OK;
}

TEST(one_map_gives_the_bits_of_two) {
  const uint64_t seed = test_seed(1500);
  const int64_t cases = test_cases(600);
  int64_t joined = 0, refused = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    clrs_map first, second, both;
    if (!draw_map(&rng, draw_type(&rng), &first) || !draw_map(&rng, first.to, &second)) {
      continue;
    }
    memset(&both, 0x5a, sizeof both);
    const clrs_map before = both;
    const clrs_status status = clrs_map_then(&first, &second, &both, &the_error);
    if (status == CLRS_OK) {
      joined++;
      CHECK_SEEDED(
          are_equal(&rng, &first, &second, &both), seed + (uint64_t)i,
          "%s to %s to %s, of %u and %u steps", clrs_dtype_name(first.from, CLRS_TYPES_CLRESHAPE),
          clrs_dtype_name(first.to, CLRS_TYPES_CLRESHAPE),
          clrs_dtype_name(second.to, CLRS_TYPES_CLRESHAPE), first.step_count, second.step_count);
    } else {
      refused++;
      assert_int_equal(status, CLRS_UNSUPPORTED);
      assert_true(first.reinterprets != second.reinterprets);
      assert_memory_equal(&both, &before, sizeof both);
    }
  }
  print_message("  %d joined, %d refused\n", (int)joined, (int)refused);
  assert_true(cases < 1000 || (joined > cases / 3 && refused > cases / 100));
}

/* ---- what preprocessing does ---- */

static const double numbers[] = {123.675, 116.28, 103.53, 0.5};
static const clrs_numbers list = {4, numbers, {CLRS_SPREAD_AXIS, -1, 0}},
                          scalar = {1, numbers, {0}};

enum kind { CAST, MEAN, STD, SCALE, CLAMP, QUANTIZE, DEQUANTIZE };

/* As a chain makes each: arithmetic is that of the source's type. */
static clrs_map make(enum kind kind, clrs_dtype from, clrs_dtype to) {
  static const clrs_step_kind steps[] = {
      [MEAN] = CLRS_STEP_SUBTRACT, [STD] = CLRS_STEP_DIVIDE, [SCALE] = CLRS_STEP_MULTIPLY};
  const double point = 3;
  const clrs_numbers points = {1, &point, {0}};
  clrs_map map;
  if (kind == QUANTIZE) {
    CHECK_OK(clrs_map_quantize(from, to, &scalar, &points, &map, &the_error), the_error);
  } else if (kind == DEQUANTIZE) {
    CHECK_OK(clrs_map_dequantize(from, to, &scalar, &points, &map, &the_error), the_error);
  } else {
    map = cast_of(CLRS_ONNX, from, kind == CAST ? to : from);
  }
  if (kind == CLAMP) {
    CHECK_OK(clrs_map_step(&map, CLRS_STEP_AT_LEAST, from, &(clrs_numbers){1, (double[]){0}, {0}},
                           &the_error),
             the_error);
    CHECK_OK(clrs_map_step(&map, CLRS_STEP_AT_MOST, from, &(clrs_numbers){1, (double[]){6}, {0}},
                           &the_error),
             the_error);
  } else if (kind == MEAN || kind == STD || kind == SCALE) {
    const clrs_numbers *numbers_of = kind == SCALE ? &scalar : &list;
    CHECK_OK(clrs_map_step(&map, steps[kind], from, numbers_of, &the_error), the_error);
    CHECK_OK(clrs_map_round(&map, to, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE, &the_error), the_error);
  }
  return map;
}

typedef struct link {
  enum kind kind;
  clrs_dtype to;
} link;

typedef struct row {
  const char *name;
  clrs_dtype from;
  link links[5];
  uint32_t count, steps; /* of the joint map */
} row;

static const row rows[] = {
    {"camera to planes", CLRS_U8, {{CAST, CLRS_F32}, {MEAN, CLRS_F32}, {STD, CLRS_F32}}, 3, 2},
    {"and to halves",
     CLRS_U8,
     {{CAST, CLRS_F32}, {MEAN, CLRS_F32}, {STD, CLRS_F32}, {CAST, CLRS_F16}},
     4,
     3},
    {"torchvision",
     CLRS_U8,
     {{CAST, CLRS_F32}, {SCALE, CLRS_F32}, {MEAN, CLRS_F32}, {STD, CLRS_F32}, {CAST, CLRS_BF16}},
     5,
     4},
    {"to an integer engine",
     CLRS_U8,
     {{CAST, CLRS_F32}, {MEAN, CLRS_F32}, {STD, CLRS_F32}, {QUANTIZE, CLRS_I8}},
     4,
     4},
    {"16-bit camera", CLRS_U16, {{CAST, CLRS_F32}, {SCALE, CLRS_F32}, {CAST, CLRS_F16}}, 3, 2},
    {"depth in doubles", CLRS_F64, {{CAST, CLRS_F32}, {SCALE, CLRS_F32}, {CAST, CLRS_F16}}, 3, 2},
    {"labels", CLRS_I64, {{CAST, CLRS_F32}, {SCALE, CLRS_F32}}, 2, 1},
    {"in halves", CLRS_U8, {{CAST, CLRS_F16}, {MEAN, CLRS_F16}, {STD, CLRS_F16}}, 3, 2},
    {"halves to bytes", CLRS_F16, {{CAST, CLRS_F32}, {SCALE, CLRS_F32}, {CAST, CLRS_U8}}, 3, 2},
    {"clamped", CLRS_BF16, {{CAST, CLRS_F32}, {CLAMP, CLRS_F32}, {CAST, CLRS_BF16}}, 3, 3},
    {"weights", CLRS_U4, {{DEQUANTIZE, CLRS_F32}, {CAST, CLRS_F16}}, 2, 3},
    {"result of an engine", CLRS_I8, {{DEQUANTIZE, CLRS_F32}, {CLAMP, CLRS_F32}}, 2, 4},
    {"quantized anew", CLRS_U8, {{DEQUANTIZE, CLRS_F32}, {QUANTIZE, CLRS_I8}}, 2, 4},
    {"widened first", CLRS_U4, {{CAST, CLRS_U8}, {DEQUANTIZE, CLRS_F16}}, 2, 4},
    {"indices", CLRS_I64, {{CAST, CLRS_I32}, {CAST, CLRS_I8}}, 2, 1},
    {"there and back", CLRS_U8, {{CAST, CLRS_F32}, {CAST, CLRS_U8}}, 2, 0},
    {"to what it is", CLRS_F16, {{CAST, CLRS_F16}, {CAST, CLRS_F32}, {CAST, CLRS_F32}}, 3, 1},
    {"masks", CLRS_BOOL, {{CAST, CLRS_U8}, {CAST, CLRS_F32}, {SCALE, CLRS_F32}}, 3, 1},
};

TEST(preprocessing_is_one_map) {
  test_rng rng = rng_start(7);
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_map all = make(rows[i].links[0].kind, rows[i].from, rows[i].links[0].to);
    print_message("  %s\n", rows[i].name);
    for (uint32_t k = 1; k < rows[i].count; k++) {
      const clrs_map next = make(rows[i].links[k].kind, all.to, rows[i].links[k].to);
      clrs_map both;
      CHECK_OK(clrs_map_then(&all, &next, &both, &the_error), the_error);
      assert_true(are_equal(&rng, &all, &next, &both));
      all = both;
    }
    assert_int_equal(all.step_count, rows[i].steps);
  }
}

/* ---- the rounding between the two ---- */

/* The number of steps left of two maps: a rounding is left out if no bit shows the rounding. */
TEST(a_rounding_stays_where_a_bit_shows_it) {
  static const struct {
    clrs_dtype from;
    link first, second;
    uint32_t steps;
  } pairs[] = {
      {CLRS_F32, {CAST, CLRS_F16}, {CAST, CLRS_F32}, 2},
      {CLRS_F64, {CAST, CLRS_F32}, {CAST, CLRS_F16}, 2},
      {CLRS_F64, {MEAN, CLRS_F64}, {CAST, CLRS_F16}, 2},
      {CLRS_F64, {MEAN, CLRS_F32}, {MEAN, CLRS_F32}, 2},  /* each map begins with the type */
      {CLRS_F16, {CAST, CLRS_F32}, {CAST, CLRS_F16}, 1},  /* NaN becomes the quiet NaN */
      {CLRS_BOOL, {CAST, CLRS_U8}, {CAST, CLRS_BOOL}, 1}, /* and a byte 0 or 1 */
      {CLRS_F16, {SCALE, CLRS_F16}, {QUANTIZE, CLRS_U8}, 3},
      {CLRS_I8, {CAST, CLRS_I16}, {DEQUANTIZE, CLRS_F32}, 3},
      {CLRS_F32, {QUANTIZE, CLRS_U8}, {DEQUANTIZE, CLRS_F32}, 4},
      {CLRS_F32, {QUANTIZE, CLRS_U8}, {CAST, CLRS_I8}, 3},
      {CLRS_I32, {CAST, CLRS_I16}, {CAST, CLRS_I32}, 2},
  };
  test_rng rng = rng_start(11);
  for (size_t i = 0; i < COUNT(pairs); i++) {
    const clrs_map first = make(pairs[i].first.kind, pairs[i].from, pairs[i].first.to);
    const clrs_map second = make(pairs[i].second.kind, first.to, pairs[i].second.to);
    clrs_map both;
    CHECK_OK(clrs_map_then(&first, &second, &both, &the_error), the_error);
    assert_true(are_equal(&rng, &first, &second, &both));
    assert_int_equal(both.step_count, pairs[i].steps);
  }
}

/* The steps of the second map would round doubles to floats, but too large doubles to infinity. */
TEST(a_middle_that_saturates_is_not_what_steps_begin_with) {
  clrs_map first = make(CAST, CLRS_F64, CLRS_F32), second = make(MEAN, CLRS_F32, CLRS_F32), both;
  test_rng rng = rng_start(12);
  CHECK_OK(clrs_map_then(&first, &second, &both, &the_error), the_error);
  assert_int_equal(both.step_count, 1);
  first.steps[0].overflow = CLRS_OVERFLOW_SATURATE;
  CHECK_OK(clrs_map_then(&first, &second, &both, &the_error), the_error);
  assert_int_equal(both.step_count, 2);
  assert_true(are_equal(&rng, &first, &second, &both));
}

/* Differences that a wider integer holds, minus another zero point, and a difference that the first
 * type cannot hold. */
TEST(zero_points_are_steps) {
  clrs_map first = make(DEQUANTIZE, CLRS_I32, CLRS_F32), second = make(QUANTIZE, CLRS_F32, CLRS_I8);
  const double far = 300, three = 3;
  test_rng rng = rng_start(13);
  clrs_map both;
  CHECK_OK(clrs_map_then(&first, &second, &both, &the_error), the_error);
  assert_true(are_equal(&rng, &first, &second, &both));
  first = cast_of(CLRS_ONNX, CLRS_I8, CLRS_I8), second = make(DEQUANTIZE, CLRS_I16, CLRS_F32);
  CHECK_OK(clrs_map_step(&first, CLRS_STEP_SUBTRACT, CLRS_I64, &(clrs_numbers){1, &three, {0}},
                         &the_error),
           the_error);
  CHECK_OK(clrs_map_round(&first, CLRS_I16, CLRS_ROUND_ZERO, CLRS_OVERFLOW_WRAP, &the_error),
           the_error);
  CHECK_OK(clrs_map_then(&first, &second, &both, &the_error), the_error);
  assert_true(are_equal(&rng, &first, &second, &both));
  first = make(CAST, CLRS_I8, CLRS_I16);
  CHECK_OK(clrs_map_dequantize(CLRS_I16, CLRS_F32, &scalar, &(clrs_numbers){1, &far, {0}}, &second,
                               &the_error),
           the_error);
  CHECK_OK(clrs_map_then(&first, &second, &both, &the_error), the_error);
  assert_true(are_equal(&rng, &first, &second, &both));
}

TEST(bitcasts_join_only_each_other) {
  clrs_map first, second, both;
  CHECK_OK(clrs_map_bitcast(CLRS_U16, CLRS_F16, &first, &the_error), the_error);
  CHECK_OK(clrs_map_bitcast(CLRS_F16, CLRS_BF16, &second, &the_error), the_error);
  CHECK_OK(clrs_map_then(&first, &second, &both, &the_error), the_error);
  assert_true(both.reinterprets && both.from == CLRS_U16 && both.to == CLRS_BF16);
  second = make(CAST, CLRS_F16, CLRS_F32);
  CHECK_FAILS(clrs_map_then(&first, &second, &both, &the_error), CLRS_UNSUPPORTED, the_error);
  CHECK_SAYS(the_error, "a bitcast from u16 to f16, and a map from f16 to f32");
}

TEST(types_must_meet_and_limits_hold) {
  clrs_map first = make(CAST, CLRS_U8, CLRS_F32), second = make(MEAN, CLRS_F16, CLRS_F16), both;
  CHECK_FAILS(clrs_map_then(&first, &second, &both, &the_error), CLRS_INVALID_ARGUMENT, the_error);
  CHECK_SAYS(the_error, "the first map is to f32 and the second from f16");
  first = second = make(MEAN, CLRS_F32, CLRS_F32);
  for (uint32_t i = 2; i < CLRS_MAP_STEPS; i++) {
    CHECK_OK(clrs_map_then(&first, &second, &first, &the_error), the_error); /* in place */
  }
  assert_int_equal(first.step_count, CLRS_MAP_STEPS - 1); /* the last rounding is another */
  CHECK_FAILS(clrs_map_then(&first, &second, &both, &the_error), CLRS_LIMIT_EXCEEDED, the_error);
  CHECK_SAYS(the_error, "16 steps; a map has at most 16, and the last one rounds then");
  first = make(DEQUANTIZE, CLRS_U8, CLRS_F32); /* where the zero point is a step too */
  for (int i = 3; i < CLRS_MAP_STEPS; i++) {
    add_step(&first, CLRS_STEP_ADD, 1, numbers, (clrs_spread){0});
  }
  second = make(CAST, CLRS_F32, CLRS_F16);
  CHECK_OK(clrs_map_then(&first, &second, &both, &the_error), the_error);
  second = make(QUANTIZE, CLRS_F32, CLRS_I8);
  CHECK_FAILS(clrs_map_then(&first, &second, &both, &the_error), CLRS_LIMIT_EXCEEDED, the_error);
  CHECK_SAYS(the_error, "more than 16 steps");
  second = make(CLAMP, CLRS_F32, CLRS_F32);
  const double many[CLRS_MAP_NUMBERS] = {1};
  first = cast_of(CLRS_ONNX, CLRS_F32, CLRS_F32);
  add_step(&first, CLRS_STEP_ADD, CLRS_MAP_NUMBERS, many, list.spread);
  CHECK_FAILS(clrs_map_then(&first, &second, &both, &the_error), CLRS_LIMIT_EXCEEDED, the_error);
  CHECK_SAYS(the_error, "more than 64 numbers together");
}

TESTS(NULL, NULL)
