/*
 * Frames behind resizing: colours and resizing in one map against the two maps one after the other,
 * the picture in the frame, and refusals.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "harness/rng.h"
#include "mapped_chain.h"

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
      {"expand=2,6,8 color=nv12,rgb,opencv", {2, {6, 8}}, "no rows and columns of a frame"},
      /* Frames, rows, columns or channels that overlap, and rows that are not strided. */
      {"window=0,3,1 permute=0,3,1,2 color=nv12,rgb,opencv", {3, {5, 6, 8}}, "no rows and columns"},
      {"window=0,6,1 permute=0,2,1 color=nv12,rgb,opencv", {2, {9, 8}}, "no rows and columns"},
      {"window=1,2,1 slice=:,:4 color=yuyv,rgb,opencv", {2, {2, 6}}, "no rows and columns"},
      {"expand=6,8,2 color=yuyv,rgb,opencv", {3, {6, 8, 1}}, "no rows and columns"},
      {"reshape=3,2,12 permute=1,0,2 reshape=6,12 color=nv12,rgb,opencv",
       {2, {6, 12}},
       "no rows and columns"},
      /* Pixels whose rows are frames, or that go down and to the right at once. */
      {"color=nv12,rgb,opencv slice=:,:,0", {4, {2, 3, 6, 8}}, "no rows and columns"},
      {"color=nv12,rgb,opencv reshape=32,3 slice=:27 reshape=3,9,3", {2, {6, 8}}, "no rows and"},
      {"color=nv12,rgb,opencv reshape=2,2,8,3 permute=0,2,1,3", {2, {6, 8}}, "no rows and"},
      {"color=nv12,rgb,opencv slice=::2,::2,::2", {5, {4, 4, 4, 6, 8}}, "no rows and columns"}};
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

/* Two dims of frames that are not neighbours, in both orders. */
TEST(two_dims_of_frames) {
  const clrs_shape shape = {4, {3, 4, 12, 8}};
  expect_two_maps("slice=::2,::2 color=nv12,rgb,opencv", &shape, "resize=5,9,opencv_linear");
  expect_two_maps("permute=1,0,2,3 color=i420,bgr,opencv", &shape, "resize=5,9,opencv_nearest");
  expect_two_maps("color=nv12,rgb,openvino slice=::2,1::2", &shape, "resize=5,9,opencv_linear");
}

/* Only the dim of colours may stand behind the columns, and nothing else but the colour changes. */
TEST(dims_behind_the_columns) {
  static const struct {
    const char *text;
    clrs_shape shape;
  } rows[] = {
      {"color=nv12,rgb,opencv permute=1,2,0,3 resize=4,5,opencv_linear,axis=0", {3, {3, 6, 8}}},
      {"color=nv12,rgb,opencv unsqueeze=2 expand=4,8,2,3 "
       "resize=4,5,opencv_linear,axis=0",
       {2, {6, 8}}},
      {"color=nv12,rgb,opencv reshape=4,24 resize=4,5,opencv_linear,axis=0", {2, {6, 8}}}};
  for (size_t i = 0; i < COUNT(rows); i++)
    expect_refused(rows[i].text, &rows[i].shape, CLRS_U8, "no rows and columns of a frame");
  expect_two_maps("color=nv12,rgb,opencv unsqueeze=2", &(clrs_shape){2, {30, 40}},
                  "resize=11,9,opencv_linear,axis=0");
}

TEST(a_frame_of_a_picture) {
  const clrs_mapped mapped = chained("slice=:,2: color=nv12,bgr,opencv slice=3:,::-2,1: "
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
      chained("color=nv12,rgb,opencv resize=4,5,opencv_linear", &(clrs_shape){2, {12, 8}}, CLRS_U8);
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
  bad = good;
  bad.views.resample.frame.by = 9;
  expect_bad(&bad, CLRS_INVALID_ARGUMENT, "reference 9");
  bad = good;
  bad.map.from = CLRS_I8;
  bad.map.steps[0].dtype = CLRS_I8;
  assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
  for (int i = 0; i < 9; i++) {
    bad = good;
    clrs_frame *frame = &bad.views.resample.frame;
    frame->axes[0].extent = i == 0 ? 0 : i == 1 ? 3 << 24 : frame->axes[0].extent;
    frame->axes[1].extent = i == 2 ? 0 : i == 3 ? 1 << 24 : i == 4 ? 7 : frame->axes[1].extent;
    frame->axes[2].extent += i == 5;
    frame->result = i == 6 ? 9 : frame->result;
    frame->format = i == 8 ? 7 : frame->format; /* rgb to rgb */
    frame->axes[1].stride = i == 7 ? (int64_t)1 << 40 : frame->axes[1].stride;
    assert_true(clrs_mapped_check(&bad, &error) != CLRS_OK);
  }
  for (int i = 0; i < 13; i++) {
    bad = good;
    bad.views.resample.axes[4].extent = i == 8 ? ((int64_t)1 << 24) + 1 : i == 10 ? 0 : 3;
    bad.views.resample.axes[4].stride = i == 11 ? 5 : 1;
    bad.views.resample.axes[2].stride = i == 12 ? -8 : bad.views.resample.axes[2].stride;
    bad.views.resample.axes[3].stride = i == 9 ? (int64_t)1 << 40 : 1;
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
  const clrs_mapped noted = chained("color=nv12,rgb,opencv", &(clrs_shape){2, {12, 8}}, CLRS_U8);
  clrs_mapped bad;
  clrs_chain resize;
  CHECK_OK(clrs_chain_parse("resize=4,5,opencv_linear", &resize, &error), error);
  for (int i = 0; i < 19; i++) {
    bad = noted;
    clrs_resample *picture = &bad.views.resample;
    clrs_axis *frame = picture->frame.axes;
    clrs_level *pixels = &bad.views.source.levels[0];
    picture->offset += i == 0 ? 1 : i == 1 ? -1 : 0;
    picture->offset = i == 7 ? INT64_MAX : picture->offset;
    picture->axes[0].stride = i == 2 ? 0 : picture->axes[0].stride;
    picture->axes[1].stride = i == 9 ? 0 : picture->axes[1].stride;
    picture->frame.format = i == 6 ? 77 : picture->frame.format;
    frame[0].stride = i == 3 ? -8 : i == 4 ? 3 : frame[0].stride;
    frame[0].extent = i == 10 ? 3 : frame[0].extent;
    frame[1].stride = i == 5 ? 0 : i == 11 ? 3 : frame[1].stride;
    frame[1].extent = i == 12 ? 2 : i == 16 ? 4 : frame[1].extent;
    frame[0].extent = i == 17 ? 6 : frame[0].extent;
    picture->axes[1].stride = i == 18 ? 1 : picture->axes[1].stride;
    frame[2].stride = i == 13 ? 0 : frame[2].stride;
    pixels->offset += i == 8 ? (int64_t)1 << 40 : i == 14 ? 8 : i == 15 ? 1 : 0;
    CHECK_FAILS(clrs_chain_map(&resize, NULL, &bad, &error), CLRS_UNSUPPORTED, error);
  }
}

/* Notes of a frame that is smaller than the steps between the pixels, or of other frames. */
TEST(a_note_of_another_frame_is_refused) {
  static const struct {
    const char *text;
    int64_t rows, columns, frames; /* 0 for those of the frame */
  } rows[] = {{"color=nv12,rgb,opencv slice=:,::4", 3, 0, 0},
              {"color=nv12,rgb,opencv slice=:,:,::4", 0, 2, 0},
              {"color=nv12,rgb,opencv slice=1:", 0, 0, 1000},
              {"color=nv12,rgb,opencv", 0, 0, 1000},
              {"color=nv12,rgb,opencv", 0, 0, 95}};
  clrs_chain resize;
  CHECK_OK(clrs_chain_parse("resize=4,5,opencv_linear", &resize, &error), error);
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_mapped bad = chained(rows[i].text, &(clrs_shape){3, {2, 12, 8}}, CLRS_U8);
    clrs_resample *noted = &bad.views.resample;
    if (rows[i].rows > 0)
      noted->frame.axes[0].extent = rows[i].rows;
    if (rows[i].columns > 0)
      noted->frame.axes[1].extent = rows[i].columns;
    if (rows[i].frames > 0)
      noted->axes[0].stride = noted->axes[1].stride = rows[i].frames;
    CHECK_FAILS(clrs_chain_map(&resize, NULL, &bad, &error), CLRS_UNSUPPORTED, error);
    CHECK_SAYS(error, "no rows and columns of a frame");
  }
}

/* Steps and numbers decide. Bytes between the fields and behind the last step do not. */
TEST(colours_are_found_by_their_steps) {
  const clrs_mapped noted = chained("color=nv12,rgb,opencv", &(clrs_shape){2, {12, 8}}, CLRS_U8);
  clrs_mapped other;
  clrs_chain resize;
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
  expect_refused("color=nv12,rgb,opencv cast=f32 mul=2 cast=u8 resize=4,5,opencv_linear",
                 &(clrs_shape){2, {12, 8}}, CLRS_U8,
                 "resizing stands before other maps than color");
}

TESTS(NULL, NULL)
