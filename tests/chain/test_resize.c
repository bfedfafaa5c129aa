/*
 * Resizing in chains: the shapes of the results, the picture that a view gives, and refusals.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "mapped_chain.h"

TEST(rows_and_columns_stand_before_the_channels) {
  static const struct {
    const char *text;
    clrs_shape shape, result;
  } rows[] = {{"resize=4,5,opencv_linear", {3, {8, 9, 3}}, {3, {4, 5, 3}}},
              {"resize=4,5,opencv_linear", {2, {8, 9}}, {2, {4, 5}}},
              {"resize=4,5,opencv_linear", {4, {2, 8, 9, 3}}, {4, {2, 4, 5, 3}}},
              {"resize=4,5,opencv_linear,axis=-2", {4, {2, 3, 8, 9}}, {4, {2, 3, 4, 5}}},
              {"resize=4,5,opencv_linear,axis=0", {4, {8, 9, 2, 3}}, {4, {4, 5, 2, 3}}}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs_mapped mapped = chained(rows[i].text, &rows[i].shape, CLRS_U8);
    assert_true(clrs_shape_equal(&mapped.views.source.shape, &rows[i].result));
    assert_int_equal(mapped.dtype, CLRS_U8);
    assert_false(clrs_map_keeps_bits(&mapped.map));
  }
}

TEST(a_picture_is_a_view_of_the_source) {
  const clrs_mapped mapped =
      chained("slice=1,2:,::-1 resize=4,5,opencv_linear", &(clrs_shape){4, {2, 8, 9, 3}}, CLRS_U8);
  const clrs_resample *picture = &mapped.views.resample;
  assert_int_equal(picture->by, CLRS_OPENCV_LINEAR);
  assert_int_equal(picture->offset, 216 + 2 * 27 + 8 * 3);
  assert_int_equal(picture->axes[2].extent, 6);
  assert_int_equal(picture->axes[2].stride, 27);
  assert_int_equal(picture->axes[3].extent, 9);
  assert_int_equal(picture->axes[3].stride, -3);
  assert_int_equal(picture->axes[4].extent, 3);
  assert_int_equal(picture->axes[4].stride, 1);
}

TEST(a_cast_before_is_explained) {
  char text[200];
  const clrs_mapped mapped =
      chained("cast=f32 resize=4,5,torch_bilinear", &(clrs_shape){3, {8, 9, 3}}, CLRS_U8);
  clrs_map_explain(&mapped.map, text, sizeof text);
  assert_string_equal(text, "u8 -> f32: resampled in f32");
}

TEST(maps_follow) {
  char text[200];
  const clrs_mapped mapped =
      chained("resize=4,5,opencv_linear permute=2,0,1 cast=f32 mean=3 std=2 cast=f16",
              &(clrs_shape){3, {8, 9, 3}}, CLRS_U8);
  assert_int_equal(mapped.dtype, CLRS_F16);
  clrs_map_explain(&mapped.map, text, sizeof text);
  assert_string_equal(text, "u8 -> f16: resampled, - 3 / 2 in f32, half to even, infinity beyond");
}

/* Applies a chain to memory. `made` has room for the elements of the result. */
static void apply(const char *text, const clrs_shape *shape, clrs_dtype dtype, clrs_bytes source,
                  float *made) {
  const clrs_mapped mapped = chained(text, shape, dtype);
  const clrs_map_data data = {.source = source};
  assert_int_equal(mapped.dtype, CLRS_F32);
  CHECK_OK(
      clrs_map_apply(&mapped.map, &mapped.views, &data, made, 7 * 6 * 3 * sizeof *made, &error),
      error);
}

/* Bytes that become floats in the pass give what floats in memory give. */
TEST(a_cast_stands_before) {
  static const char *const by[] = {"torch_bilinear", "onnx_linear", "openvino_linear",
                                   "torch_nearest"};
  const clrs_shape shape = {3, {5, 4, 3}};
  uint8_t bytes[60];
  float floats[60], expected[126], made[126];
  for (int i = 0; i < 60; i++) {
    bytes[i] = (uint8_t)(i * 37);
    floats[i] = (float)bytes[i];
  }
  for (size_t i = 0; i < COUNT(by); i++) {
    char text[100];
    snprintf(text, sizeof text, "slice=...,::-1 resize=7,6,%s", by[i]);
    apply(text, &shape, CLRS_F32, (clrs_bytes){floats, sizeof floats}, expected);
    snprintf(text, sizeof text, "cast=f32 slice=...,::-1 resize=7,6,%s", by[i]);
    apply(text, &shape, CLRS_U8, (clrs_bytes){bytes, sizeof bytes}, made);
    assert_memory_equal(made, expected, sizeof made);
  }
}

typedef struct refusal {
  const char *text;
  clrs_shape shape;
  clrs_dtype dtype;
  const char *says;
} refusal;

static void expect_each_refused(const refusal *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    expect_refused(rows[i].text, &rows[i].shape, rows[i].dtype, rows[i].says);
}

TEST(other_maps_do_not_stand_before) {
  static const refusal rows[] = {
      {"cast=f32 div=255 resize=4,5,torch_bilinear",
       {2, {9, 8}},
       CLRS_U8,
       "resizing stands before other maps than color and a cast to f32"},
      {"cast=f32 resize=4,5,torch_bilinear", {2, {9, 8}}, CLRS_I32, "resizing stands before"},
      {"cast=f16 resize=4,5,torch_nearest", {2, {9, 8}}, CLRS_U8, "resizing stands before"},
      {"cast=f32 resize=4,5,opencv_linear",
       {2, {9, 8}},
       CLRS_U8,
       "opencv_linear of f32; the reference is for u8"},
      {"cast=f32 bitcast=i32 resize=4,5,torch_nearest",
       {2, {9, 8}},
       CLRS_U8,
       "resizing stands before"},
      {"color=rgb,grey,opencv cast=f32 mean=3 resize=4,5,torch_bilinear",
       {3, {9, 8, 3}},
       CLRS_U8,
       "resizing stands before other maps than color"},
  };
  expect_each_refused(rows, COUNT(rows));
}

TEST(what_is_no_picture_is_refused) {
  static const refusal rows[] = {
      {"resize=4,5,opencv_linear", {1, {9}}, CLRS_U8, "[9] is no picture"},
      {"resize=4,5,opencv_linear", {2, {9, 0}}, CLRS_U8, "[9,0] has no element to resize"},
      {"resize=0,5,opencv_linear", {2, {9, 8}}, CLRS_U8, "9 rows resized to 0; both must be"},
      {"resize=4,-5,opencv_linear", {2, {9, 8}}, CLRS_U8, "dimension 1 of a shape is -5"},
      {"resize=4,20000000,opencv_linear", {2, {9, 8}}, CLRS_U8, "8 columns resized to 20000000"},
      {"resize=4,5,opencv_linear",
       {2, {9, 8}},
       CLRS_I8,
       "opencv_linear of i8; the reference is for u8"},
      {"resize=4,5,torch_bilinear", {2, {9, 8}}, CLRS_U8, "the reference is for f32"},
      {"resize=4,5,torch_nearest", {2, {9, 8}}, CLRS_U4, "less than a byte"},
      {"resize=4,5,opencv_linear,axis=1", {2, {9, 8}}, CLRS_U8, "axis 1 is the last"},
      {"resize=4,5,opencv_linear,axis=2", {2, {9, 8}}, CLRS_U8, "axis"},
      {"resize=4,5,opencv_linear resize=2,2,opencv_linear",
       {2, {9, 8}},
       CLRS_U8,
       "resizing stands before"},
      {"color=nv12,rgb,opencv permute=2,0,1 resize=4,5,opencv_linear,axis=1",
       {2, {6, 8}},
       CLRS_U8,
       "no rows and columns of a frame"},
      {"color=nv12,rgb,opencv reshape=8,4,3 resize=4,5,opencv_linear",
       {2, {6, 8}},
       CLRS_U8,
       "no rows and columns of a frame"},
      {"flip=1 color=nv12,rgb,opencv resize=4,5,opencv_linear",
       {2, {6, 8}},
       CLRS_U8,
       "no rows and columns of a frame"},
      {"resize=4,5,opencv_linear color=rgb,grey,opencv",
       {3, {9, 8, 3}},
       CLRS_U8,
       "colours stand before"},
      {"permute=2,0,1,3 resize=4,5,opencv_linear,axis=0",
       {4, {9, 8, 7, 3}},
       CLRS_U8,
       "behind the columns are not neighbours"},
      {"reshape=3,2,12 permute=1,0,2 reshape=6,12 resize=4,5,opencv_linear",
       {2, {6, 12}},
       CLRS_U8,
       "a picture is strided"},
  };
  expect_each_refused(rows, COUNT(rows));
}

TEST(what_is_not_offered_is_refused) {
  static const struct {
    const char *text, *says;
  } rows[] = {{"resize=4,5", "'' is no reference of resizing; known are opencv_linear"},
              {"resize=4,5,bilinear", "'bilinear' is no reference of resizing"},
              {"resize=4,opencv_linear", "opencv_linear"},
              {"resize=4,5,opencv_linear,dim=2", "'dim' behind the reference; it is axis=-3"},
              {"resize=4,5,opencv_linear,axis", "it is axis=-3"},
              {"resize=4,5,onnx_nearest,nearest_mode=up", "'up' is no nearest_mode; known are "},
              {"resize=4,5,onnx_linear,coordinate_transformation_mode=tf_crop_and_resize",
               "'tf_crop_and_resize' is no coordinate_transformation_mode; known are half_pixel"},
              {"resize=4,5,onnx_linear,scales=2", "'' "},
              {"resize=4,5,onnx_linear,scales=2:3:4", "'4' behind the scales"}};
  for (size_t i = 0; i < COUNT(rows); i++)
    expect_no_chain(rows[i].text, rows[i].says);
}

TEST(modes_are_of_onnx) {
  static const struct {
    const char *text, *says;
  } rows[] = {
      {"resize=4,5,torch_nearest,nearest_mode=ceil",
       "coordinates 0 and nearest 3 of torch_nearest"},
      {"resize=4,5,onnx_linear,nearest_mode=ceil", "coordinates 0 and nearest 3 of onnx_linear"},
      {"resize=4,5,openvino_linear,coordinate_transformation_mode=asymmetric",
       "coordinates 2 and nearest 0 of openvino_linear"},
      {"resize=4,18,openvino_linear,scales=0.5:2", "a scale of 2 from 9 to 18 for openvino_linear"},
      {"resize=4,18,onnx_linear,scales=0.7:2", "a scale of 0.7 from 8 to 4 for onnx_linear"},
      {"resize=4,18,onnx_linear,scales=0.5:-2", "a scale of -2 from 9 to 18"}};
  const clrs_shape shape = {3, {8, 9, 3}};
  const clrs_mapped mapped =
      chained("resize=4,19,onnx_nearest,axis=0,scales=0.6:2.2,nearest_mode=ceil,"
              "coordinate_transformation_mode=align_corners",
              &shape, CLRS_I16);
  assert_int_equal(mapped.views.resample.coordinates, 3);
  assert_int_equal(mapped.views.resample.nearest, 3);
  for (size_t i = 0; i < COUNT(rows); i++)
    expect_refused(rows[i].text, &shape, CLRS_F32, rows[i].says);
}

TEST(dims_before_the_rows_are_two_loops) {
  expect_refused("permute=2,1,0,3,4 resize=4,5,opencv_linear,axis=3",
                 &(clrs_shape){5, {2, 3, 4, 8, 9}}, CLRS_U8, "before the rows are not neighbours");
}

/* Fields of a mapped view that were set by hand. */
TEST(a_wrong_picture_is_refused) {
  const clrs_mapped good =
      chained("resize=4,5,opencv_linear", &(clrs_shape){3, {8, 9, 3}}, CLRS_U8);
  clrs_mapped bad = good;
  bad.views.resample.by = CLRS_RESAMPLE_NONE;
  CHECK_FAILS(clrs_mapped_check(&bad, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "views with no picture of another size, and a map that resamples one");
  bad = good;
  bad.map.step_count = 0;
  CHECK_FAILS(clrs_mapped_check(&bad, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "a map that resamples nothing");
  bad = good;
  bad.views.resample.by = (clrs_resampling)99;
  CHECK_FAILS(clrs_mapped_check(&bad, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "resampling 99 is unknown");
  bad = good;
  bad.views.resample.coordinates = UINT32_MAX;
  CHECK_FAILS(clrs_mapped_check(&bad, &error), CLRS_INVALID_ARGUMENT, error);
  bad = good;
  bad.views.resample.scales[1] = NAN;
  CHECK_FAILS(clrs_mapped_check(&bad, &error), CLRS_INVALID_ARGUMENT, error);
  bad = good;
  bad.views.resample.rows = 3;
  CHECK_FAILS(clrs_mapped_check(&bad, &error), CLRS_OUT_OF_BOUNDS, error);
  CHECK_SAYS(error, "a view of elements 0 to 59 of a resized picture with 45");
  for (int i = 0; i < 4; i++) {
    bad = good;
    clrs_axis *axis = &bad.views.resample.axes[2 + i % 2];
    axis->extent = i < 2 ? 0 : ((int64_t)1 << 24) + 1;
    assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
    CHECK_SAYS(error, i < 2 ? "both must be at least 1" : "at most 16777216 of each");
  }
  bad = good;
  bad.views.resample.axes[4].extent = INT64_MAX;
  bad.views.resample.axes[4].stride = 0;
  assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
  bad = good;
  bad.views.source.levels[0].offset = -1;
  assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
  bad = good;
  bad.views.resample.axes[4].extent = -1;
  assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
  bad = good;
  bad.map.steps[0].dtype = CLRS_F32;
  bad.map.to = bad.dtype = CLRS_F32;
  assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
}

TESTS(NULL, NULL)
