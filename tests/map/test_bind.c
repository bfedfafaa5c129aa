/*
 * Maps bound to views: parameters that share a view, and maps that cannot be bound.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bound.h"

static clrs_map_views views;

static const clrs_spread along_0 = {CLRS_SPREAD_AXIS, 0, 0}, along_1 = {CLRS_SPREAD_AXIS, 1, 0},
                         from_the_end = {CLRS_SPREAD_AXIS, -1, 0},
                         pairs_of_0 = {CLRS_SPREAD_AXIS, 0, 2}, everywhere = {0};

static clrs_status bind(const clrs_map *map, const clrs_view *source,
                        const clrs_map_tensors *tensors) {
  memset(&error, 0, sizeof error);
  return clrs_map_bind(map, source, tensors, &views, &error);
}

TEST(equal_ways_share_a_view) {
  const clrs_view source = view_of(CLRS_U8, 2, LIST(4, 3));
  clrs_map map = cast_of(CLRS_ONNX, CLRS_U8, CLRS_F32);
  add_step(&map, CLRS_STEP_SUBTRACT, 3, NUMBERS(1, 2, 3), along_1);
  add_step(&map, CLRS_STEP_DIVIDE, 3, NUMBERS(4, 5, 6), from_the_end); /* the same */
  add_step(&map, CLRS_STEP_ADD, 1, NUMBERS(7), along_0);
  add_step(&map, CLRS_STEP_MULTIPLY, 4, NUMBERS(1, 2, 3, 4), along_0);
  add_step(&map, CLRS_STEP_MULTIPLY, 3, NUMBERS(1, 2, 3), everywhere); /* as along_1 */
  assert_int_equal(bind(&map, &source, NULL), CLRS_OK);
  assert_int_equal(views.count, 2);
  const uint32_t expected[] = {0, 0, CLRS_MAP_SCALAR, 1, 0, CLRS_MAP_SCALAR};
  for (size_t i = 0; i < COUNT(expected); i++) {
    assert_int_equal(views.of_step[i], expected[i]);
  }
  for (uint32_t i = 0; i < views.count; i++) {
    assert_true(clrs_shape_equal(&views.views[i].shape, &source.shape));
    assert_int_equal(views.views[i].dtype, CLRS_F64);
  }
}

TEST(types_of_tensors_tell_views_apart) {
  const clrs_view source = view_of(CLRS_I4, 2, LIST(4, 3)), halves = view_of(CLRS_F16, 1, LIST(3)),
                  bytes = view_of(CLRS_I8, 1, LIST(3));
  const clrs_map_tensors tensors = {.steps = {&bytes, &halves}};
  const clrs_numbers numbers = {0, NULL, along_1};
  clrs_map map;
  CHECK_OK(clrs_map_dequantize(CLRS_I4, CLRS_F16, &numbers, &numbers, &map, &error), error);
  assert_int_equal(bind(&map, &source, &tensors), CLRS_OK);
  assert_int_equal(views.count, 2);
  assert_int_equal(views.of_step[0], 0);
  assert_int_equal(views.of_step[1], 1);
  assert_int_equal(views.views[0].dtype, CLRS_I8);
  const clrs_view one = view_of(CLRS_I8, 0, NULL);
  const clrs_map_tensors with_one = {.steps = {&one, &halves}};
  /* a tensor of a single element has a view too */
  assert_int_equal(bind(&map, &source, &with_one), CLRS_OK);
  assert_int_equal(views.of_step[0], 0);
}

TEST(more_ways_than_the_limit_are_refused) {
  const clrs_view source = view_of(CLRS_U8, 3, LIST(4, 2, 3));
  const clrs_spread last = {CLRS_SPREAD_AXIS, 2, 0}, pairs_of_2 = {CLRS_SPREAD_AXIS, 2, 2};
  clrs_map map = cast_of(CLRS_ONNX, CLRS_U8, CLRS_F32);
  add_step(&map, CLRS_STEP_ADD, 4, NUMBERS(1, 2, 3, 4), along_0);
  add_step(&map, CLRS_STEP_ADD, 2, NUMBERS(1, 2), along_1);
  add_step(&map, CLRS_STEP_ADD, 3, NUMBERS(1, 2, 3), last);
  add_step(&map, CLRS_STEP_ADD, 2, NUMBERS(1, 2), pairs_of_0);
  assert_int_equal(bind(&map, &source, NULL), CLRS_OK);
  assert_int_equal(views.count, CLRS_MAP_VIEWS);
  const clrs_map_views before = views;
  add_step(&map, CLRS_STEP_ADD, 2, NUMBERS(1, 2), pairs_of_2);
  assert_int_equal(bind(&map, &source, NULL), CLRS_LIMIT_EXCEEDED);
  CHECK_SAYS(error, "more than 4 different ways");
  assert_memory_equal(&views, &before, sizeof views);
}

/* A map from u8 with a tensor as the step, and a tensor as the zero point. */
static clrs_map with_tensors(void) {
  const clrs_numbers tensor = {0};
  clrs_map map;
  CHECK_OK(clrs_map_dequantize(CLRS_U8, CLRS_F32, &tensor, &tensor, &map, &error), error);
  return map;
}

static void refuse(const clrs_view *scale, const clrs_view *zero, clrs_status status,
                   const char *says) {
  const clrs_view source = view_of(CLRS_U8, 2, LIST(4, 3));
  const clrs_map_tensors tensors = {.steps = {zero, scale}};
  const clrs_map map = with_tensors();
  assert_int_equal(bind(&map, &source, &tensors), status);
  CHECK_SAYS(error, says);
}

TEST(tensors_that_are_no_parameters_are_named) {
  const clrs_view floats = view_of(CLRS_F32, 0, NULL), bytes = view_of(CLRS_U8, 0, NULL),
                  bools = view_of(CLRS_BOOL, 0, NULL), complex = view_of(CLRS_C64, 0, NULL),
                  wide = view_of(CLRS_I64, 0, NULL), words = view_of(CLRS_I32, 0, NULL),
                  four = view_of(CLRS_F32, 1, LIST(4));
  clrs_view damaged = floats;
  damaged.shape.rank = 33;
  refuse(NULL, &bytes, CLRS_INVALID_ARGUMENT, "a parameter that is a tensor is NULL");
  refuse(&floats, NULL, CLRS_INVALID_ARGUMENT, "a parameter that is a tensor is NULL");
  refuse(&bools, &bytes, CLRS_INVALID_ARGUMENT, "a parameter of bool");
  refuse(&complex, &bytes, CLRS_INVALID_ARGUMENT, "a parameter of c64");
  refuse(&floats, &floats, CLRS_INVALID_ARGUMENT, "zero points of f32");
  refuse(&floats, &wide, CLRS_INVALID_ARGUMENT, "zero points of i64");
  refuse(&four, &bytes, CLRS_COUNT_MISMATCH, "the parameter has 4 numbers");
  refuse(&damaged, &bytes, CLRS_LIMIT_EXCEEDED, "rank 33");
  const clrs_view source = view_of(CLRS_U8, 2, LIST(4, 3));
  clrs_map map = cast_of(CLRS_NUMPY, CLRS_U8, CLRS_U8);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_I32, &(clrs_numbers){0}, &error), error);
  assert_int_equal(bind(&map, &source, &(clrs_map_tensors){.steps = {&floats}}),
                   CLRS_INVALID_ARGUMENT);
  CHECK_SAYS(error, "parameters of steps in i32 of f32; they must be integers of up to 32 bits");
  assert_int_equal(bind(&map, &source, &(clrs_map_tensors){.steps = {&words}}), CLRS_OK);
  const clrs_map_tensors tensors = {.steps = {&words, &wide}};
  map = with_tensors();
  assert_int_equal(bind(&map, &source, &tensors), CLRS_OK);
  assert_int_equal(bind(&map, &source, NULL), CLRS_INVALID_ARGUMENT);
}

TEST(the_source_is_of_the_maps_type) {
  const clrs_view source = view_of(CLRS_I8, 1, LIST(4));
  const clrs_map map = cast_of(CLRS_ONNX, CLRS_U8, CLRS_F32);
  assert_int_equal(bind(&map, &source, NULL), CLRS_INVALID_ARGUMENT);
  CHECK_SAYS(error, "the source is of i8; the map is from u8");
  clrs_map bits = cast_of(CLRS_ONNX, CLRS_I8, CLRS_U8);
  bits.reinterprets = true, bits.step_count = 99; /* not read */
  assert_int_equal(bind(&bits, &source, NULL), CLRS_OK);
  assert_int_equal(views.count, 0);
}

TESTS(NULL, NULL)
