/*
 * The taps of resized pictures and their sums, against values of the packages.
 * tests/conformance/map/test_resize.py asks the packages themselves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "harness/check.h"
#include "harness/rng.h"
#include "resample.h"

static void expect_taps(clrs_resampling by, bool is_row, int64_t from, int64_t to, int64_t at,
                        size_t count, const clrs__tap *expected) {
  const clrs__tap_axis axis = {.by = by, .is_row = is_row, .from = from, .to = to};
  clrs__taps taps;
  clrs__taps_start(&axis, at, &taps);
  assert_true(clrs__taps_most(&axis) >= (int64_t)count);
  for (size_t k = 0; k < count; k++) {
    const clrs__tap tap = clrs__taps_at(&taps, (int64_t)k);
    assert_int_equal(tap.at, expected[k].at);
    assert_int_equal(tap.weight, expected[k].weight);
  }
  assert_int_equal(clrs__taps_at(&taps, clrs__taps_most(&axis)).weight, 0);
}

#define EXPECT(by, is_row, from, to, at, ...)                                                      \
  expect_taps(by, is_row, from, to, at, COUNT(((clrs__tap[]){__VA_ARGS__})),                       \
              (clrs__tap[]){__VA_ARGS__})

/* A position in a picture of 4 that becomes 3: 0.1667, 1.5 and 2.8333. */
TEST(two_taps) {
  EXPECT(CLRS_OPENCV_LINEAR_EXACT, false, 4, 3, 0, {0, 213}, {1, 43});
  EXPECT(CLRS_OPENCV_LINEAR_EXACT, false, 4, 3, 1, {1, 128}, {2, 128});
  EXPECT(CLRS_OPENCV_LINEAR_EXACT, false, 4, 3, 2, {2, 43}, {3, 213});
  EXPECT(CLRS_OPENCV_LINEAR, false, 4, 3, 0, {0, 1707}, {1, 341});
}

/* Outside the picture a column is the nearest column, and a row is a sum of two equal rows. */
TEST(opencv_treats_rows_and_columns_apart) {
  EXPECT(CLRS_OPENCV_LINEAR, false, 2, 4, 0, {0, 2048}, {0, 0});
  EXPECT(CLRS_OPENCV_LINEAR, true, 2, 4, 0, {0, 512}, {0, 1536});
  EXPECT(CLRS_OPENCV_LINEAR, false, 2, 4, 3, {1, 2048}, {1, 0});
  EXPECT(CLRS_OPENCV_LINEAR, true, 2, 4, 3, {1, 1536}, {1, 512});
}

TEST(nearest) {
  EXPECT(CLRS_OPENCV_NEAREST, false, 7, 3, 2, {4, 1});
  EXPECT(CLRS_TORCH_NEAREST, false, 7, 3, 1, {2, 1});
  EXPECT(CLRS_TORCH_NEAREST_EXACT, false, 7, 3, 1, {3, 1});
}

static void expect_places(clrs__coordinates coordinates, clrs__nearest_mode nearest, float scale,
                          const int64_t sizes[2], const int64_t *expected) {
  const clrs__tap_axis axis = {.by = CLRS_ONNX_NEAREST,
                               .from = sizes[0],
                               .to = sizes[1],
                               .coordinates = (uint32_t)coordinates,
                               .nearest = (uint32_t)nearest,
                               .scale = scale};
  for (int64_t at = 0; at < axis.to; at++) {
    clrs__taps taps;
    clrs__taps_start(&axis, at, &taps);
    assert_int_equal(clrs__taps_at(&taps, 0).at, expected[at]);
  }
}

#define EXPECT_PLACES(coordinates, nearest, scale, from, to, ...)                                  \
  expect_places(CLRS__##coordinates, CLRS__##nearest, scale, (int64_t[]){from, to},                \
                (int64_t[]){__VA_ARGS__})

/* Places of 5 from 3 are -0.2, 0.4, 1, 1.6, 2.2, and of 3 from 6 are 0.5, 2.5, 4.5. */
TEST(modes_of_onnx) {
  EXPECT_PLACES(HALF_PIXEL, FLOOR, 0, 3, 5, 0, 0, 1, 1, 2);
  EXPECT_PLACES(HALF_PIXEL, CEIL, 0, 3, 5, 0, 1, 1, 2, 2);
  EXPECT_PLACES(HALF_PIXEL, PREFER_FLOOR, 0, 6, 3, 0, 2, 4);
  EXPECT_PLACES(HALF_PIXEL, PREFER_CEIL, 0, 6, 3, 1, 3, 5);
  EXPECT_PLACES(HALF_PIXEL, SIMPLE, 0, 6, 3, 1, 3, 5);
  EXPECT_PLACES(HALF_PIXEL, SIMPLE, 0, 3, 5, 0, 0, 1, 1, 2);
  EXPECT_PLACES(PYTORCH_HALF_PIXEL, FLOOR, 0, 6, 1, 0);
  EXPECT_PLACES(HALF_PIXEL, FLOOR, 0, 6, 1, 2);
  EXPECT_PLACES(ASYMMETRIC, FLOOR, 0, 6, 3, 0, 2, 4);
  EXPECT_PLACES(ASYMMETRIC, CEIL, 0.6f, 6, 3, 0, 2, 4);
  EXPECT_PLACES(ALIGN_CORNERS, FLOOR, 0, 6, 3, 0, 2, 5);
  EXPECT_PLACES(TF_HALF_PIXEL_FOR_NN, FLOOR, 0, 6, 3, 1, 3, 5);
  EXPECT_PLACES(HALF_PIXEL_SYMMETRIC, FLOOR, 0.6f, 6, 3, 0, 2, 4);
}

/* In floats 4.5 / 0.6 is less than 7.5, by less than 1e-6. */
TEST(a_middle_may_be_inexact) {
  EXPECT_PLACES(TF_HALF_PIXEL_FOR_NN, PREFER_CEIL, 0.6f, 9, 5, 1, 3, 4, 6, 8);
  EXPECT_PLACES(TF_HALF_PIXEL_FOR_NN, PREFER_FLOOR, 0.6f, 9, 5, 1, 2, 4, 6, 7);
}

/* A scale of 1 leaves all elements. */
TEST(a_scale_of_1_moves_nothing) {
  EXPECT_PLACES(TF_HALF_PIXEL_FOR_NN, CEIL, 1, 3, 3, 0, 1, 2);
}

/* The rounding of the C library's fmaf, with summands of all distances. */
TEST(products_and_sums_are_rounded_once) {
  test_rng rng = rng_start(5);
  for (int i = 0; i < 200000; i++) {
    float of[3];
    for (int k = 0; k < 3; k++) {
      const float digits = (float)rng_between(&rng, -0xffffff, 0xffffff);
      of[k] = ldexpf(digits, (int)rng_between(&rng, -40, 10));
    }
    const float expected = fmaf(of[0], of[1], of[2]);
    const float got = clrs__multiply_add_floats(of[0], of[1], of[2]);
    assert_memory_equal(&got, &expected, sizeof got);
  }
}

/* A picture of 4 that becomes 2: a triangle with a base of 4. */
TEST(antialias) {
  EXPECT(CLRS_PILLOW_BILINEAR, false, 4, 2, 0, {0, 1797559}, {1, 1797559}, {2, 599186}, {0, 0});
  EXPECT(CLRS_PILLOW_BILINEAR, false, 4, 4, 2, {2, 4194304}, {3, 0});
}

TEST(pillow_sums_rows_first_if_these_shrink_more) {
  clrs_resample of = {.by = CLRS_PILLOW_BICUBIC,
                      .rows = 14,
                      .columns = 26,
                      .axes = {{1, 0}, {1, 0}, {28, 33}, {33, 1}, {1, 0}}};
  assert_false(clrs__resample_sums_rows_first(&of)); /* 14 rows fewer, and 7 columns */
  of.rows = 13;
  assert_true(clrs__resample_sums_rows_first(&of));
  of.rows = of.columns = 40; /* -12 and -7 */
  assert_false(clrs__resample_sums_rows_first(&of));
}

/* Halves are the bits of 0.5. */
TEST(floats) {
  EXPECT(CLRS_TORCH_BILINEAR, false, 4, 2, 0, {0, 0x3f000000}, {1, 0x3f000000});
  EXPECT(CLRS_ONNX_LINEAR, false, 2, 4, 3, {1, 0x3f000000}, {1, 0x3f000000});
  EXPECT(CLRS_OPENVINO_LINEAR, false, 2, 4, 1, {0, 0x3f400000}, {1, 0x3e800000});
}

static clrs_resample small(clrs_resampling by) {
  return (clrs_resample){
      .by = by, .rows = 1, .columns = 3, .axes = {{1, 0}, {1, 0}, {2, 2}, {2, 1}, {1, 0}}};
}

static uint64_t code_of(clrs_resampling by, clrs_dtype dtype, const void *pixels, int64_t number) {
  const clrs_resample of = small(by);
  return clrs__resample_code(&of, dtype, dtype, pixels, number);
}

static uint64_t cast_code_of(clrs_resampling by, clrs_dtype from, const void *pixels,
                             int64_t number) {
  const clrs_resample of = small(by);
  return clrs__resample_code(&of, from, CLRS_F32, pixels, number);
}

TEST(sums_of_bytes) {
  static const uint8_t pixels[] = {10, 200, 255, 3};
  assert_int_equal(code_of(CLRS_OPENCV_LINEAR_EXACT, CLRS_U8, pixels, 0), 133);
  assert_int_equal(code_of(CLRS_OPENCV_LINEAR_EXACT, CLRS_U8, pixels, 1), 117);
  assert_int_equal(code_of(CLRS_OPENCV_LINEAR, CLRS_U8, pixels, 1), 117);
  assert_int_equal(code_of(CLRS_OPENCV_NEAREST, CLRS_U8, pixels, 2), 200);
}

/* fma(0.5, 1, 0.5 * 2^-24) is not 0.5 * 1 + 0.5 * 2^-24 of floats where the sum is rounded once. */
TEST(sums_of_floats) {
  static const float pixels[] = {1, 3, 5, 7};
  const uint64_t four = 0x40800000;
  assert_int_equal(code_of(CLRS_TORCH_BILINEAR, CLRS_F32, pixels, 1), four);
  assert_int_equal(code_of(CLRS_ONNX_LINEAR, CLRS_F32, pixels, 1), four);
  assert_int_equal(code_of(CLRS_OPENVINO_LINEAR, CLRS_F32, pixels, 1), four);
}

/* The numbers 1, 3, 5 and 7 in each type, which become floats before the sum. */
TEST(sums_of_elements_that_become_floats) {
  static const uint8_t bytes[] = {1, 3, 5, 7};
  static const int16_t shorts[] = {-1, -3, -5, -7};
  static const uint16_t halves[] = {0x3c00, 0x4200, 0x4500, 0x4700};
  static const uint16_t bfloats[] = {0x3f80, 0x4040, 0x40a0, 0x40e0};
  const uint64_t four = 0x40800000, minus = 0x80000000;
  assert_int_equal(cast_code_of(CLRS_TORCH_BILINEAR, CLRS_U8, bytes, 1), four);
  assert_int_equal(cast_code_of(CLRS_TORCH_BILINEAR, CLRS_I16, shorts, 1), four | minus);
  assert_int_equal(cast_code_of(CLRS_OPENVINO_LINEAR, CLRS_F16, halves, 1), four);
  assert_int_equal(cast_code_of(CLRS_ONNX_LINEAR, CLRS_BF16, bfloats, 1), four);
  assert_int_equal(cast_code_of(CLRS_TORCH_NEAREST, CLRS_U8, bytes, 2), 0x40400000);
}

/* A view does not say which picture is resampled. */
TEST(a_view_binds_no_picture) {
  const clrs_map map = {.from = CLRS_U8,
                        .to = CLRS_U8,
                        .step_count = 1,
                        .steps = {{.kind = CLRS_STEP_RESAMPLE, .dtype = CLRS_U8}}};
  const clrs_shape shape = {1, {4}};
  clrs_view view;
  clrs_map_views views;
  CHECK_OK(clrs_view_dense(CLRS_U8, &shape, &view, &error), error);
  CHECK_FAILS(clrs_map_bind(&map, &view, NULL, &views, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "the map resamples a picture");
}

TESTS(NULL, NULL)
