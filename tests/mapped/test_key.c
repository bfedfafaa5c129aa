/*
 * A program of a map never uses arithmetic that a device lacks: the map is refused with the name of
 * the missing feature, or computed in another way. The compiler of a device without doubles ends
 * with an error over a program that has any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "elements.h"
#include "mapped/way.h"

enum { KINDS = CLRS_STEP_AT_MOST + 1, NO_STEP = KINDS };

static const clrs__arithmetic devices[] = {
    {true, true, true, false, false},   {true, true, false, false, false},
    {true, false, true, false, false},  {true, false, false, false, false},
    {false, true, true, false, false},  {false, true, false, false, false},
    {false, false, true, false, false}, {false, false, false, false, false},
    {true, true, false, true, false},   {true, false, false, true, false},
    {false, true, false, true, false},  {false, false, false, true, false},
    {false, true, true, false, true},   {false, false, false, true, true},
};

typedef struct seen {
  long made, refused, with_doubles;
} seen;

/* As kernels/convert.cl asks. */
static bool has_doubles(const clrs__map_key *key) {
  char options[CLRS__MAP_OPTIONS_BYTES];
  clrs__map_key_options(key, 32, options, sizeof options);
  assert_non_null(strstr(options, "-DVALUE_BITS="));
  assert_non_null(strstr(options, "-DDIVISION="));
  return strstr(options, "-DVALUE_BITS=64 ") != NULL || strstr(options, "-DDIVISION=3 ") != NULL;
}

static void ask(const clrs_map *map, const clrs_map_views *views, const clrs__arithmetic *device,
                seen *so_far) {
  clrs__map_key key;
  clrs_error error = {0};
  CHECK_OK(clrs__map_key_of(map, views, &key, &error), error);
  const clrs_status status = clrs__map_key_settle(device, &key, &error);
  if (status == CLRS_OK) {
    so_far->made++;
    so_far->with_doubles += has_doubles(&key);
    assert_true(device->has_doubles || !has_doubles(&key));
    return;
  }
  so_far->refused++;
  assert_int_equal(status, CLRS_UNSUPPORTED);
  assert_true(map->step_count > 0 && !device->has_doubles);
  CHECK_SAYS(error, "steps are of f64, and the device has no cl_khr_fp64");
}

/* False if no such map exists, for elements without a value. */
static bool make_map(clrs_dtype from, clrs_dtype to, clrs_dtype arithmetic, int kind,
                     clrs_map *map) {
  const clrs_numbers two = {1, (const double[]){2}, {0}};
  clrs_error error;
  if (clrs_map_cast(CLRS_NUMPY, from, kind == NO_STEP ? to : from, map, &error) != CLRS_OK)
    return false;
  if (kind == NO_STEP)
    return true;
  const clrs_overflow overflow =
      clrs__element_of(to).kind == CLRS__FLOAT ? CLRS_OVERFLOW_IEEE : CLRS_OVERFLOW_WRAP;
  return clrs_map_step(map, (clrs_step_kind)kind, arithmetic, &two, &error) == CLRS_OK &&
         clrs_map_round(map, to, CLRS_ROUND_ZERO, overflow, &error) == CLRS_OK;
}

static void ask_of_types(clrs_dtype from, clrs_dtype to, const clrs__arithmetic *device,
                         seen *so_far) {
  static const clrs_dtype arithmetics[] = {CLRS_F16, CLRS_BF16, CLRS_F32, CLRS_F64};
  static clrs_map map;
  static clrs_map_views views;
  for (int i = 0; i < 4; i++)
    for (int kind = 0; kind <= NO_STEP; kind++) {
      if (!make_map(from, to, arithmetics[i], kind, &map))
        continue;
      memset(&views, 0, sizeof views);
      for (int k = 0; k < CLRS_MAP_STEPS; k++)
        views.of_step[k] = CLRS_MAP_SCALAR;
      ask(&map, &views, device, so_far);
    }
}

static seen ask_all(const clrs__arithmetic *device) {
  seen so_far = {0};
  for (int from = 0; from < CLRS_DTYPE_COUNT; from++)
    for (int to = 0; to < CLRS_DTYPE_COUNT; to++)
      ask_of_types((clrs_dtype)from, (clrs_dtype)to, device, &so_far);
  return so_far;
}

TEST(no_program_has_what_the_device_lacks) {
  const seen able = ask_all(&devices[0]);
  assert_true(able.made > 10000 && able.with_doubles > 1000);
  assert_int_equal(able.refused, 0);
  for (size_t i = 1; i < sizeof devices / sizeof *devices; i++) {
    const seen found = ask_all(&devices[i]);
    assert_int_equal(found.made + found.refused, able.made);
    assert_true(found.made > 1000);
    assert_int_equal(found.refused > 0, !devices[i].has_doubles);
    assert_true(devices[i].has_doubles || found.with_doubles == 0);
  }
}

/* ---- how elements are taken through a map ---- */

static const clrs_numbers two_numbers = {1, (const double[]){2}, {0}};

static clrs_map cast_of(clrs_dtype from, clrs_dtype to) {
  clrs_map map;
  clrs_error error;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, from, to, &map, &error), error);
  return map;
}

static clrs__map_key key_on(const clrs_map *map, const clrs__arithmetic *device) {
  clrs_map_views views = {.count = 0};
  clrs__map_key key;
  clrs_error error;
  for (int i = 0; i < CLRS_MAP_STEPS; i++)
    views.of_step[i] = CLRS_MAP_SCALAR;
  CHECK_OK(clrs__map_key_of(map, &views, &key, &error), error);
  CHECK_OK(clrs__map_key_settle(device, &key, &error), error);
  return key;
}

static clrs__map_key key_of(const clrs_map *map) {
  return key_on(map, &devices[0]);
}

/* A difference may exceed both types, and an int holds the difference. */
TEST(a_zero_point_without_a_scale_is_no_matter_of_integers) {
  clrs_map map = cast_of(CLRS_U8, CLRS_I8);
  assert_int_equal(key_of(&map).way, CLRS_WAY_INTEGERS);
  map.steps[1] = map.steps[0];
  map.steps[0] = (clrs_step){CLRS_STEP_SUBTRACT, {.count = 1}, .dtype = CLRS_I64};
  map.step_count = 2, map.number_count = 1;
  assert_int_equal(key_of(&map).way, CLRS_WAY_FLOATS);
  map.steps[1].overflow = CLRS_OVERFLOW_SATURATE;
  assert_int_equal(key_of(&map).way, CLRS_WAY_FLOATS);
}

/* A float beyond every int is wrapped by the float's bits. No zero point can be added behind such a
 * wrap. */
TEST(casts_that_wrap_go_by_floats) {
  clrs_map map = cast_of(CLRS_F32, CLRS_U8);
  map.steps[0].overflow = CLRS_OVERFLOW_WRAP;
  assert_int_equal(key_of(&map).way, CLRS_WAY_FLOATS);
  map.from = CLRS_F64;
  assert_int_equal(key_of(&map).way, CLRS_WAY_DOUBLES);
  map.steps[0].kind = CLRS_STEP_ROUND_AND_ADD;
  map.steps[0].parameter.count = map.number_count = 1;
  assert_int_equal(key_of(&map).way, CLRS_WAY_EXACT);
}

/* A double holds 53 bits, and an integer that wraps is made of the lowest of 64. */
TEST(long_integers_that_wrap_go_the_exact_way) {
  clrs_map map = cast_of(CLRS_U64, CLRS_I32);
  map.steps[0].rounding = CLRS_ROUND_EVEN;
  map.steps[0].overflow = CLRS_OVERFLOW_WRAP;
  assert_int_equal(key_of(&map).way, CLRS_WAY_INTEGERS);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_AT_MOST, CLRS_F32, &two_numbers, &error), error);
  assert_int_equal(key_of(&map).way, CLRS_WAY_EXACT);
  map.steps[0].overflow = CLRS_OVERFLOW_SATURATE;
  assert_int_equal(key_of(&map).way, CLRS_WAY_DOUBLES);
}

/* NumPy's default types, and the targets of casts. */
TEST(casts_of_wide_types_go_by_the_device_s_floats) {
  static const struct {
    clrs_dtype from, to;
    int way, without_doubles;
  } rows[] = {{CLRS_F64, CLRS_F32, CLRS_WAY_DOUBLES, CLRS_WAY_EXACT},
              {CLRS_I64, CLRS_F32, CLRS_WAY_DOUBLES, CLRS_WAY_EXACT},
              {CLRS_I64, CLRS_F64, CLRS_WAY_DOUBLES, CLRS_WAY_EXACT},
              {CLRS_I16, CLRS_F64, CLRS_WAY_DOUBLES, CLRS_WAY_EXACT},
              {CLRS_F64, CLRS_I32, CLRS_WAY_DOUBLES, CLRS_WAY_EXACT},
              {CLRS_F32, CLRS_I64, CLRS_WAY_DOUBLES, CLRS_WAY_EXACT},
              {CLRS_I32, CLRS_F32, CLRS_WAY_FLOATS, CLRS_WAY_FLOATS},
              {CLRS_U32, CLRS_F16, CLRS_WAY_FLOATS, CLRS_WAY_FLOATS},
              {CLRS_I32, CLRS_BF16, CLRS_WAY_FLOATS, CLRS_WAY_FLOATS},
              {CLRS_F64, CLRS_F8E8M0, CLRS_WAY_EXACT, CLRS_WAY_EXACT}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    clrs_map map = cast_of(rows[i].from, rows[i].to);
    assert_int_equal(key_on(&map, &devices[0]).way, rows[i].way);
    assert_int_equal(key_on(&map, &devices[4]).way, rows[i].without_doubles);
    map.steps[0].rounding = CLRS_ROUND_UP;
    const bool rounds = rows[i].to != CLRS_I32 && rows[i].to != CLRS_I64;
    if (rounds && rows[i].from != CLRS_I16) {
      assert_int_equal(key_on(&map, &devices[0]).way, CLRS_WAY_EXACT);
    }
  }
}

/* The nearest float, where that is rounded once more, is not on the way. */
TEST(steps_of_doubles_are_in_doubles) {
  clrs_map map = cast_of(CLRS_F64, CLRS_F64);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_DIVIDE, CLRS_F64, &two_numbers, &error), error);
  CHECK_OK(clrs_map_round(&map, CLRS_F32, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE, &error), error);
  assert_int_equal(key_of(&map).way, CLRS_WAY_DOUBLES);
  assert_int_equal(key_of(&map).division, CLRS_DIVIDES);
  map.steps[0].dtype = CLRS_F32;
  assert_int_equal(key_of(&map).way, CLRS_WAY_DOUBLES);
  assert_int_equal(key_of(&map).division, CLRS_DIVIDES_WIDE);
}

/* Whatever else the device claims. Whole numbers are not concerned. */
TEST(floats_with_excess_bits_are_not_used) {
  const clrs__arithmetic excess = {.has_denormals = true, .divides = true, .keeps_excess = true};
  clrs_map map = cast_of(CLRS_U8, CLRS_I32);
  clrs__map_key key;
  assert_int_equal(key_on(&map, &excess).way, CLRS_WAY_INTEGERS);
  map = cast_of(CLRS_F32, CLRS_U8);
  assert_int_equal(key_on(&map, &excess).way, CLRS_WAY_EXACT);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_F32, &two_numbers, &error), error);
  assert_int_equal(key_on(&map, &excess).division, CLRS_DIVIDES_SOFTLY);
  key = key_of(&map);
  key.colors = CLRS_COLORS_INTEGERS;
  CHECK_OK(clrs__map_key_settle(&excess, &key, &error), error);
  key.colors = CLRS_COLORS_FLOATS;
  CHECK_FAILS(clrs__map_key_settle(&excess, &key, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "more bits than a float has");
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_F64, &two_numbers, &error), error);
  key = key_of(&map);
  CHECK_FAILS(clrs__map_key_settle(&excess, &key, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "no cl_khr_fp64 that rounds every result");
}

/* Without doubles and denormals too, where numbers stay large. */
TEST(quotients_that_are_tame_are_fused) {
  const clrs__arithmetic fusing = {.fuses = true}, neither = {.fuses = false};
  const clrs_numbers tiny = {1, (const double[]){1e-30}, {0}};
  clrs_map map = cast_of(CLRS_U8, CLRS_F32);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_F32, &two_numbers, &error), error);
  assert_int_equal(key_on(&map, &neither).way, CLRS_WAY_FLOATS);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_DIVIDE, CLRS_F32, &two_numbers, &error), error);
  assert_int_equal(key_on(&map, &fusing).way, CLRS_WAY_FLOATS);
  assert_int_equal(key_on(&map, &fusing).division, CLRS_DIVIDES_FUSED);
  assert_int_equal(key_on(&map, &neither).division, CLRS_DIVIDES_SOFTLY);
  assert_int_equal(key_of(&map).is_tame, 0);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_F32, &tiny, &error), error);
  assert_int_equal(key_on(&map, &fusing).division, CLRS_DIVIDES_SOFTLY);
}

TEST(integers_may_have_numbers_added_before_they_are_divided) {
  static const struct {
    clrs_step_kind first, second;
    int division;
  } rows[] = {{CLRS_STEP_ADD, CLRS_STEP_DIVIDE, CLRS_DIVIDES_INTEGERS},
              {CLRS_STEP_SUBTRACT, CLRS_STEP_DIVIDE, CLRS_DIVIDES_INTEGERS},
              {CLRS_STEP_DIVIDE, CLRS_STEP_MULTIPLY, CLRS_DIVIDES_INTEGERS},
              {CLRS_STEP_MULTIPLY, CLRS_STEP_DIVIDE, CLRS_DIVIDES},
              {CLRS_STEP_DIVIDE, CLRS_STEP_DIVIDE, CLRS_DIVIDES}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    clrs_map map = cast_of(CLRS_U8, CLRS_F32);
    CHECK_OK(clrs_map_step(&map, rows[i].first, CLRS_F32, &two_numbers, &error), error);
    CHECK_OK(clrs_map_step(&map, rows[i].second, CLRS_F32, &two_numbers, &error), error);
    assert_int_equal(key_of(&map).division, rows[i].division);
  }
}

/* 32-bit integers are stored in floats as bits, on devices without doubles too. A zero point behind
 * such integers needs doubles. */
TEST(integers_of_32_bits_go_by_floats) {
  clrs_map map = cast_of(CLRS_U8, CLRS_U8);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_I32, &two_numbers, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_SHIFT_RIGHT, CLRS_I32, &two_numbers, &error), error);
  assert_int_equal(key_of(&map).way, CLRS_WAY_FLOATS);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_F32, &two_numbers, &error), error);
  assert_int_equal(key_on(&map, &devices[4]).way, CLRS_WAY_FLOATS);
  CHECK_OK(clrs_map_round(&map, CLRS_I32, CLRS_ROUND_UP, CLRS_OVERFLOW_WRAP, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_I32, &two_numbers, &error), error);
  CHECK_OK(clrs_map_round(&map, CLRS_U16, CLRS_ROUND_UP, CLRS_OVERFLOW_SATURATE, &error), error);
  assert_int_equal(key_of(&map).way, CLRS_WAY_FLOATS);
  map.steps[map.step_count - 1].kind = CLRS_STEP_ROUND_AND_ADD;
  map.steps[map.step_count - 1].parameter.count = 1;
  assert_int_equal(key_of(&map).way, CLRS_WAY_DOUBLES);
  map = cast_of(CLRS_I64, CLRS_I32);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_I32, &two_numbers, &error), error);
  assert_int_equal(key_of(&map).way, CLRS_WAY_EXACT);
}

/* ---- what is refused ---- */

/* No kernel reverses the order of bits in a byte. */
TEST(a_bitcast_is_no_program) {
  const clrs_map_views views = {.count = 0};
  clrs__map_key key;
  clrs_map map;
  CHECK_OK(clrs_map_bitcast(CLRS_U1, CLRS_BITS1, &map, &error), error);
  CHECK_FAILS(clrs__map_key_of(&map, &views, &key, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "the bits of u1 and bits1 lie the other way round in a byte");
}

TESTS(NULL, NULL)
