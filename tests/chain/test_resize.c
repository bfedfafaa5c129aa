/*
 * Resizing in chains: the shapes of the results, the picture that a view gives, and refusals.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "harness/rng.h"
#include "mapped_chain.h"

static clrs_mapped resized(const char *text, const clrs_shape *shape, clrs_dtype dtype) {
  clrs_mapped before, mapped;
  CHECK_OK(map_chain(text, shape, dtype, &before, &mapped), error);
  return mapped;
}

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
    const clrs_mapped mapped = resized(rows[i].text, &rows[i].shape, CLRS_U8);
    assert_true(clrs_shape_equal(&mapped.views.source.shape, &rows[i].result));
    assert_int_equal(mapped.dtype, CLRS_U8);
    assert_false(clrs_map_keeps_bits(&mapped.map));
  }
}

TEST(a_picture_is_a_view_of_the_source) {
  const clrs_mapped mapped =
      resized("slice=1,2:,::-1 resize=4,5,opencv_linear", &(clrs_shape){4, {2, 8, 9, 3}}, CLRS_U8);
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

TEST(maps_follow) {
  char text[200];
  const clrs_mapped mapped =
      resized("resize=4,5,opencv_linear permute=2,0,1 cast=f32 mean=3 std=2 cast=f16",
              &(clrs_shape){3, {8, 9, 3}}, CLRS_U8);
  assert_int_equal(mapped.dtype, CLRS_F16);
  clrs_map_explain(&mapped.map, text, sizeof text);
  assert_string_equal(text, "u8 -> f16: resampled, - 3 / 2 in f32, half to even, infinity beyond");
}

TEST(what_is_no_picture_is_refused) {
  static const struct {
    const char *text;
    clrs_shape shape;
    clrs_dtype dtype;
    const char *says;
  } rows[] = {
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
      {"cast=f32 resize=4,5,torch_bilinear",
       {2, {9, 8}},
       CLRS_U8,
       "resizing stands before other maps"},
      {"resize=4,5,opencv_linear resize=2,2,opencv_linear",
       {2, {9, 8}},
       CLRS_U8,
       "resizing stands before"},
      {"color=rgb,grey,opencv cast=f32 resize=4,5,torch_bilinear",
       {3, {9, 8, 3}},
       CLRS_U8,
       "resizing stands before other maps than color"},
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
  for (size_t i = 0; i < COUNT(rows); i++)
    expect_refused(rows[i].text, &rows[i].shape, rows[i].dtype, rows[i].says);
}

/* ---- behind colours ---- */

enum { FRAME = 3 * 30 * 40, MOST = 3 * 40 * 60 * 3 };

static size_t map_bytes(const char *text, const clrs_shape *shape, const unsigned char *from,
                        size_t size, unsigned char *to, clrs_shape *result) {
  clrs_mapped before, mapped;
  const clrs_map_data data = {.source = {from, size}};
  int64_t count;
  if (map_chain(text, shape, CLRS_U8, &before, &mapped) != CLRS_OK) {
    fail_msg("%s: %s", text, error.message);
  }
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, to, MOST, &error), error);
  *result = mapped.views.source.shape;
  CHECK_OK(clrs_shape_count(result, &count, &error), error);
  return (size_t)count;
}

/* Both in one map, and each in a map of its own. */
static void expect_two_maps(const char *colors, const clrs_shape *shape, const char *resize) {
  static unsigned char frame[FRAME], pixels[MOST], expected[MOST], got[MOST];
  char text[256];
  clrs_shape middle, result, of_both;
  test_rng rng = rng_start(9);
  rng_fill(&rng, frame, sizeof frame);
  const size_t between = map_bytes(colors, shape, frame, FRAME, pixels, &middle);
  const size_t count = map_bytes(resize, &middle, pixels, between, expected, &result);
  snprintf(text, sizeof text, "%s %s", colors, resize);
  assert_int_equal(map_bytes(text, shape, frame, FRAME, got, &of_both), count);
  assert_true(clrs_shape_equal(&result, &of_both));
  for (size_t i = 0; i < count; i++) {
    if (got[i] != expected[i]) {
      fail_msg("%s: element %zu is %d, expected %d", text, i, got[i], expected[i]);
    }
  }
}

TEST(colours_of_all_frames_are_resized) {
  static const struct {
    const char *colors;
    clrs_shape shape;
  } rows[] = {
      {"color=nv12,rgb,opencv", {2, {30, 40}}},      {"color=nv21,bgr,opencv", {2, {30, 40}}},
      {"color=i420,rgb,openvino", {2, {30, 40}}},    {"color=yv12,bgr,openvino", {2, {27, 38}}},
      {"color=yuyv,rgb,opencv", {3, {21, 34, 2}}},   {"color=uyvy,bgr,openvino", {3, {21, 34, 2}}},
      {"color=rgb,grey,opencv", {3, {21, 33, 3}}},   {"color=bgr,grey,pillow", {3, {20, 33, 3}}},
      {"color=nv12,rgb,opencv", {3, {3, 30, 40}}},   {"color=nv12,rgb,openvino", {2, {30, 40}}},
      {"color=rgb,grey,pillow", {4, {2, 9, 9, 3}}},  {"color=nv12,rgb,opencv", {2, {3, 2}}},
      {"color=yuyv,bgr,opencv", {4, {2, 9, 30, 2}}}, {"color=bgr,grey,opencv", {3, {1, 1, 3}}},
  };
  static const char *const references[] = {
      "opencv_linear",  "opencv_linear_exact", "opencv_nearest",      "pillow_bilinear",
      "pillow_bicubic", "torch_nearest",       "torch_nearest_exact", "opencv_linear"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    const bool is_batch_of_grey = rows[i].shape.rank == 4 && rows[i].shape.dims[3] == 3;
    const bool is_grey = strstr(rows[i].colors, "grey") != NULL;
    for (size_t by = 0; by < COUNT(references); by++) {
      char resize[64];
      snprintf(resize, sizeof resize, "resize=%d,%d,%s%s", by == 7 ? 40 : 11, by == 7 ? 60 : 9,
               references[by],
               is_batch_of_grey ? ",axis=1"
               : is_grey        ? ",axis=0"
                                : "");
      expect_two_maps(rows[i].colors, &rows[i].shape, resize);
    }
  }
}

TEST(frames_of_other_layouts_are_refused) {
  static const struct {
    const char *text;
    clrs_shape shape;
    const char *says;
  } rows[] = {
      {"color=nv12,rgb,opencv", {2, {0, 8}}, "a picture has no element"},
      {"permute=1,0 color=nv12,rgb,opencv", {2, {8, 12}}, "no rows and columns of a frame"},
      {"permute=1,2,0 color=yuyv,rgb,opencv", {3, {2, 6, 8}}, "no rows and columns of a frame"},
      {"slice=::2,::2,::2 color=nv12,rgb,opencv", {5, {4, 4, 4, 6, 8}}, "no rows and columns"},
      {"expand=2,6,8 color=nv12,rgb,opencv", {2, {6, 8}}, "no rows and columns of a frame"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_mapped before, mapped;
    char text[100];
    snprintf(text, sizeof text, "%s resize=4,5,opencv_linear", rows[i].text);
    assert_true(map_chain(text, &rows[i].shape, CLRS_U8, &before, &mapped) != CLRS_OK);
    CHECK_SAYS(error, rows[i].says);
  }
}

/* A slice of 4:2:0 may begin at an odd row or column. Frames may have a pitch. */
TEST(slices_stand_between) {
  const clrs_shape one = {2, {30, 40}}, three = {3, {3, 30, 40}};
  expect_two_maps("color=nv12,rgb,opencv slice=3:19,5:-2", &one, "resize=11,9,opencv_linear");
  expect_two_maps("color=nv12,bgr,openvino slice=::-1,1::3,::-1", &one,
                  "resize=11,9,opencv_linear_exact");
  expect_two_maps("color=i420,rgb,opencv permute=1,0,2 flip=0", &one, "resize=11,9,opencv_linear");
  expect_two_maps("slice=:,:,4:34 color=i420,rgb,opencv slice=1:,1:,::2,1:", &three,
                  "resize=5,9,pillow_bilinear");
  expect_two_maps("slice=:,:27,4:34 color=yv12,rgb,opencv", &three, "resize=5,9,opencv_linear");
  expect_two_maps("slice=1,3: permute=0,1 color=nv21,rgb,opencv slice=:,:,2", &three,
                  "resize=5,9,opencv_linear,axis=0");
  expect_two_maps("color=nv12,rgb,opencv slice=::-1,4:,3:20", &three, "resize=5,9,opencv_nearest");
}

TEST(a_frame_of_a_picture) {
  const clrs_mapped mapped = resized("slice=:,2: color=nv12,bgr,opencv slice=3:,::-2,1: "
                                     "resize=4,5,opencv_linear",
                                     &(clrs_shape){2, {12, 10}}, CLRS_U8);
  const clrs_resample *picture = &mapped.views.resample;
  assert_int_equal(picture->offset, 2);
  assert_int_equal(picture->frame.format, 1);
  assert_int_equal(picture->frame.result, 1);
  assert_int_equal(picture->frame.by, 0);
  assert_int_equal(picture->frame.axes[0].extent, 12);
  assert_int_equal(picture->frame.axes[0].stride, 10);
  assert_int_equal(picture->frame.axes[1].extent, 8);
  assert_int_equal(picture->frame.pixel, 3 * 8 + 7);
  assert_int_equal(picture->frame.color, 1);
  assert_int_equal(picture->axes[2].extent, 5);
  assert_int_equal(picture->axes[2].stride, 8);
  assert_int_equal(picture->axes[3].extent, 4);
  assert_int_equal(picture->axes[3].stride, -2);
  assert_int_equal(picture->axes[4].extent, 2);
  assert_int_equal(picture->axes[4].stride, 1);
}

static void expect_bad(const clrs_mapped *bad, clrs_status status, const char *says) {
  assert_int_equal(clrs_mapped_check(bad, &error), status);
  CHECK_SAYS(error, says);
}

TEST(a_wrong_frame_is_refused) {
  const clrs_mapped good =
      resized("color=nv12,rgb,opencv resize=4,5,opencv_linear", &(clrs_shape){2, {12, 8}}, CLRS_U8);
  clrs_mapped bad = good;
  bad.views.resample.frame.format = 9;
  expect_bad(&bad, CLRS_INVALID_ARGUMENT, "a frame of format 9");
  bad = good;
  bad.views.resample.frame.by = 2;
  expect_bad(&bad, CLRS_INVALID_ARGUMENT, "reference 2");
  bad = good;
  bad.views.resample.frame.axes[0].extent = 11;
  expect_bad(&bad, CLRS_INVALID_ARGUMENT, "with 11 rows of 8");
  bad = good;
  bad.views.resample.frame.axes[0].stride = 1 << 29;
  expect_bad(&bad, CLRS_LIMIT_EXCEEDED, "more than 2^31 elements");
  for (int i = 0; i < 8; i++) {
    bad = good;
    bad.views.resample.frame.pixel = i == 6 ? INT64_MAX : bad.views.resample.frame.pixel;
    bad.views.resample.frame.color = i == 7 ? INT64_MAX : bad.views.resample.frame.color;
    bad.views.resample.frame.pixel += i == 0 ? 1 : i == 1 ? 8 : i == 2 ? -1 : 0;
    bad.views.resample.frame.color += i == 3 ? 1 : 0;
    bad.views.resample.axes[4].stride += i == 4 ? 1 : 0;
    bad.views.resample.axes[2].stride += i == 5 ? 8 : 0;
    expect_bad(&bad, CLRS_OUT_OF_BOUNDS, "pixels or colours that its frame does not have");
  }
}

/* The note of the colours, changed by hand. */
TEST(a_spoilt_note_is_no_frame) {
  clrs_mapped before, noted, bad;
  clrs_chain resize;
  CHECK_OK(map_chain("color=nv12,rgb,opencv", &(clrs_shape){2, {12, 8}}, CLRS_U8, &before, &noted),
           error);
  CHECK_OK(clrs_chain_parse("resize=4,5,opencv_linear", &resize, &error), error);
  for (int i = 0; i < 9; i++) {
    bad = noted;
    clrs_resample *picture = &bad.views.resample;
    picture->offset += i == 0 ? 1 : i == 1 ? -1 : 0;
    picture->axes[0].stride = i == 2 ? 0 : picture->axes[0].stride;
    picture->frame.axes[0].stride = i == 3 ? -8 : i == 4 ? 3 : picture->frame.axes[0].stride;
    picture->frame.axes[1].stride = i == 5 ? 0 : picture->frame.axes[1].stride;
    picture->frame.format = i == 6 ? 77 : picture->frame.format;
    picture->offset = i == 7 ? INT64_MAX : picture->offset;
    bad.views.source.levels[0].offset += i == 8 ? (int64_t)1 << 40 : 0;
    CHECK_FAILS(clrs_chain_map(&resize, NULL, &bad, &error), CLRS_UNSUPPORTED, error);
  }
}

/* Steps and numbers decide. Bytes between the fields and behind the last step do not. */
TEST(colours_are_found_by_their_steps) {
  clrs_mapped before, noted, other;
  clrs_chain resize;
  CHECK_OK(map_chain("color=nv12,rgb,opencv", &(clrs_shape){2, {12, 8}}, CLRS_U8, &before, &noted),
           error);
  CHECK_OK(clrs_chain_parse("resize=4,5,opencv_linear", &resize, &error), error);
  for (int i = 0; i < 6; i++) {
    other = noted;
    clrs_map *map = &other.map;
    ((unsigned char *)&map->reinterprets)[1] = 0xff; /* a gap in front of an integer */
    map->steps[CLRS_MAP_STEPS - 1].kind = CLRS_STEP_ADD;
    map->numbers[CLRS_MAP_NUMBERS - 1] = 1;
    map->numbers[map->number_count - 1] += i == 1;
    map->steps[0].kind = i == 2 ? CLRS_STEP_ADD : map->steps[0].kind;
    map->steps[map->step_count - 1].rounding = i == 3 ? CLRS_ROUND_ZERO : CLRS_ROUND_EVEN;
    map->steps[0].parameter.first += i == 4;
    map->step_count -= i == 5;
    assert_true((clrs_chain_map(&resize, NULL, &other, &error) == CLRS_OK) == (i == 0));
  }
  CHECK_FAILS(map_chain("color=nv12,rgb,opencv cast=f32 mul=2 cast=u8 resize=4,5,opencv_linear",
                        &(clrs_shape){2, {12, 8}}, CLRS_U8, &before, &noted),
              CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "resizing stands before other maps than color");
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
      resized("resize=4,19,onnx_nearest,axis=0,scales=0.6:2.2,nearest_mode=ceil,"
              "coordinate_transformation_mode=align_corners",
              &shape, CLRS_I16);
  assert_int_equal(mapped.views.resample.coordinates, 3);
  assert_int_equal(mapped.views.resample.nearest, 3);
  for (size_t i = 0; i < COUNT(rows); i++)
    expect_refused(rows[i].text, &shape, CLRS_F32, rows[i].says);
}

/* Fields of a mapped view that were set by hand. */
TEST(a_wrong_picture_is_refused) {
  const clrs_mapped good =
      resized("resize=4,5,opencv_linear", &(clrs_shape){3, {8, 9, 3}}, CLRS_U8);
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
  bad = good;
  bad.views.resample.axes[4].extent = -1;
  assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
  bad = good;
  bad.map.steps[0].dtype = CLRS_F32;
  bad.map.to = bad.dtype = CLRS_F32;
  assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
}

TESTS(NULL, NULL)
