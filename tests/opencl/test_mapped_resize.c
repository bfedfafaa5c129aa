/*
 * Resized pictures on the device, in both executions, against the host's reference.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "context.h"
#include "harness/rng.h"
#include "map_fixture.h"

enum { BYTES = 48 * 48 * 4 * 4, FLOATS = BYTES / 4 };

static const char *const of_bytes[] = {"opencv_linear", "opencv_linear_exact", "opencv_nearest",
                                       "pillow_bilinear", "pillow_bicubic"};
static const char *const of_floats[] = {"torch_bilinear", "torch_nearest", "torch_nearest_exact",
                                        "onnx_linear", "openvino_linear"};

/* Bytes, and floats of any size with a few denormal numbers. Floats of 16 bits are finite. */
static void fill_picture(map_fixture *f, clrs_dtype dtype) {
  test_rng rng = rng_start(test_seed(9700));
  rng_fill(&rng, f->bytes, BYTES);
  for (int i = 1; (dtype == CLRS_F16 || dtype == CLRS_BF16) && i < BYTES; i += 2) {
    f->bytes[i] &= 0xbf;
  }
  for (int i = 0; dtype == CLRS_F32 && i < FLOATS; i++) {
    const float x = (float)rng_between(&rng, -4000, 4000) / (float)rng_between(&rng, 1, 4000);
    const float scaled = i % 50 == 7 ? x * 1e-38f * 0.01f : x;
    memcpy(f->bytes + 4 * i, &scaled, 4);
  }
  device_write(&f->device, f->source, BYTES, f->bytes);
}

/* Does the device compute with floats what is resized? The nearest element is not computed. */
static bool has_floats(const clrs__arithmetic *device, clrs_dtype from, const char *before,
                       const char *by) {
  const bool is_integer = from != CLRS_F32 && from != CLRS_F16 && from != CLRS_BF16;
  const bool is_of_floats = strcmp(by, "torch_bilinear") == 0 || strstr(by, "_linear,") != NULL ||
                            strcmp(by, "onnx_linear") == 0 || strcmp(by, "openvino_linear") == 0;
  return !(is_of_floats && !device->has_denormals && !is_integer) &&
         !(device->keeps_excess && (is_of_floats || strstr(before, "openvino") != NULL));
}

static void expect_refused(map_fixture *f, int which, clrs_dtype from, const clrs_shape *shape,
                           const char *text, const char *says) {
  clrs_chain chain;
  clrs_tensor *made = NULL;
  clrs_tensor *source = map_dense(f->libraries[which], f->source, from, shape->rank, shape->dims);
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_FAILS(clrs_tensor_with_chain(source, &chain, NULL, &made, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, says);
  clrs_tensor_release(source);
}

/* Sizes and axes are in no program. */
static uint64_t number_of(const char *before, const char *by, const char *behind) {
  char method[64];
  snprintf(method, sizeof method, "%.*s", (int)strcspn(by, ","), by);
  return map_number(before) + map_number(method) + map_number(behind + strcspn(behind, " "));
}

static void resize(map_fixture *f, clrs_dtype from, const clrs_shape *shape, const char *before,
                   const int64_t size[2], const char *by, const char *behind) {
  char text[256];
  snprintf(text, sizeof text, "%s resize=%d,%d,%s%s", before, (int)size[0], (int)size[1], by,
           behind);
  for (int which = 0; which < 2; which++) {
    if (!map_runs(which, number_of(before, by, behind))) {
      continue;
    }
    if (has_floats(&f->libraries[which]->arithmetic, from, before, by)) {
      map_expect_chain(f, which, from, shape, text);
    } else {
      expect_refused(f, which, from, shape, text, "resized with");
    }
  }
}

static void resize_by_all(map_fixture *f, bool is_float, const clrs_shape *shape,
                          const char *before, const int64_t size[2], const char *behind) {
  for (size_t i = 0; i < COUNT(of_bytes); i++) {
    resize(f, is_float ? CLRS_F32 : CLRS_U8, shape, before, size,
           is_float ? of_floats[i] : of_bytes[i], behind);
  }
}

MAP_TEST(pictures_are_the_hosts) {
  const clrs_shape pixels = {3, {19, 31, 3}}, one = {2, {5, 40}}, tiny = {3, {1, 2, 4}};
  for (int is_float = 0; is_float < 2; is_float++) {
    fill_picture(f, is_float ? CLRS_F32 : CLRS_U8);
    resize_by_all(f, is_float, &pixels, "", (int64_t[]){8, 13}, "");
    resize_by_all(f, is_float, &pixels, "", (int64_t[]){23, 50}, "");
    resize_by_all(f, is_float, &one, "", (int64_t[]){7, 3}, "");
    resize_by_all(f, is_float, &tiny, "", (int64_t[]){9, 5}, "");
    resize_by_all(f, is_float, &pixels, "", (int64_t[]){19, 31}, "");
    resize_by_all(f, is_float, &pixels, "", (int64_t[]){3, 60}, "");
    /* Rows longer than a stage. */
    resize_by_all(f, is_float, &tiny, "", (int64_t[]){3, 700}, "");
    resize_by_all(f, is_float, &one, "", (int64_t[]){2, 3000}, " reshape=2,1500,2 permute=2,0,1");
    resize_by_all(f, is_float, &(clrs_shape){3, {3, 9, 30}}, "permute=1,2,0", (int64_t[]){5, 40},
                  "");
    resize_by_all(f, is_float, &pixels, "slice=:3", (int64_t[]){4, 550}, " permute=2,0,1");
  }
}

/* Every size up to 48 by 48 that the seed draws. */
MAP_TEST(random_sizes_are_the_hosts) {
  test_rng rng = rng_start(test_seed(9710));
  for (int i = 0; i < test_cases(24); i++) {
    const bool is_float = rng_percent(&rng, 50);
    const clrs_shape shape = {
        3, {rng_between(&rng, 1, 48), rng_between(&rng, 1, 48), rng_between(&rng, 1, 4)}};
    const int64_t size[] = {rng_between(&rng, 1, 48), rng_between(&rng, 1, 48)};
    fill_picture(f, is_float ? CLRS_F32 : CLRS_U8);
    resize(f, is_float ? CLRS_F32 : CLRS_U8, &shape, "", size,
           (is_float ? of_floats : of_bytes)[rng_between(&rng, 0, 4)], "");
  }
}

/* The picture is a view of the source, and operations and maps follow in the same pass. A map
 * starts from the type that all methods of a source end with, and each method would need two
 * kernels more. So a map stands behind one method or two. */
MAP_TEST(operations_stand_around) {
  const clrs_shape pixels = {3, {19, 31, 3}}, planes = {4, {2, 3, 11, 14}};
  const clrs_shape many = {5, {2, 2, 7, 9, 3}};
  const int64_t size[] = {12, 17};
  fill_picture(f, CLRS_U8);
  resize_by_all(f, false, &pixels, "slice=2:,:-3 flip=1", size, " permute=2,0,1");
  for (size_t i = 0; i < COUNT(of_bytes); i += 3) {
    resize(f, CLRS_U8, &pixels, "slice=:,:,::-1", size, of_bytes[i],
           " permute=2,0,1 cast=f32 mean=123.7,116.3,103.5,axis=0 std=58.4 cast=f16");
  }
  resize_by_all(f, false, &planes, "", size, ",axis=-2 slice=:,::-1,3:,::2");
  resize_by_all(f, false, &pixels, "", size, " slice=:,:,::-1");
  resize_by_all(f, false, &pixels, "", (int64_t[]){2, 700}, " flip=1,2");
  resize_by_all(f, false, &pixels, "", (int64_t[]){2, 700}, " flip=1");
  /* All rows backwards: one walk over the elements of the result. */
  resize(f, CLRS_U8, &(clrs_shape){2, {9, 12}}, "", size, "opencv_linear_exact", " flip=0,1");
  resize_by_all(f, false, &many, "", size, " flip=3 slice=1 permute=2,1,3,0");
  resize(f, CLRS_U8, &many, "", size, "pillow_bicubic",
         " flip=3 slice=1 permute=2,1,3,0 cast=f16 scale=2 cast=u8");
  resize_by_all(f, false, &pixels, "", size, " reshape=-1 slice=5::7");
  resize(f, CLRS_U8, &pixels, "", size, "opencv_linear_exact", " permute=1,0,2 cast=u4");
  resize_by_all(f, false, &pixels, "", size, " expand=2,12,17,3 window=0,2,1 slice=0");
  fill_picture(f, CLRS_F32);
  resize_by_all(f, true, &planes, "", size, ",axis=2");
  resize(f, CLRS_F32, &planes, "", size, "torch_bilinear", ",axis=2 mean=1,2,3,axis=1 cast=f16");
}

/* A load of a few elements does not reach behind the picture, which ends with the buffer. */
MAP_TEST(pictures_at_the_end_of_a_buffer) {
  const clrs_shape all = {1, {CASE_BYTES}};
  test_rng rng = rng_start(test_seed(9720));
  rng_fill(&rng, f->bytes, CASE_BYTES);
  device_write(&f->device, f->source, CASE_BYTES, f->bytes);
  resize_by_all(f, false, &all, "slice=-72: reshape=2,12,3", (int64_t[]){3, 50}, "");
  resize_by_all(f, false, &all, "slice=-72: reshape=2,12,3 slice=:,:,::-1", (int64_t[]){3, 50}, "");
  resize_by_all(f, false, &all, "slice=-96: reshape=2,12,4", (int64_t[]){3, 50}, " slice=:,:,:3");
  resize_by_all(f, false, &all, "slice=-96: reshape=2,12,4 slice=:,:,2::-1", (int64_t[]){3, 50},
                "");
  resize_by_all(f, false, &all, "slice=-60: reshape=5,12", (int64_t[]){3, 70}, "");
}

/* Any type has a nearest element. */
MAP_TEST(nearest_of_any_type) {
  const clrs_shape pixels = {3, {7, 9, 2}};
  static const clrs_dtype types[] = {CLRS_BOOL, CLRS_I16, CLRS_I64, CLRS_F16, CLRS_F64};
  fill_picture(f, CLRS_U8);
  for (size_t i = 0; i < COUNT(types); i++) {
    const char *by = i % 2 == 0 ? "opencv_nearest" : "torch_nearest";
    resize(f, types[i], &pixels, "", (int64_t[]){5, 20}, by, "");
    resize(f, types[i], &pixels, "", (int64_t[]){10, 3}, by, " permute=1,2,0");
  }
}

/* Elements of other types become floats, and the picture is resized then. */
MAP_TEST(casts_stand_before) {
  static const clrs_dtype types[] = {CLRS_U8, CLRS_I8, CLRS_U16, CLRS_I16, CLRS_F16, CLRS_BF16};
  const clrs_shape pixels = {3, {19, 31, 3}}, planar = {2, {36, 50}};
  const int64_t size[] = {12, 47};
  for (size_t i = 0; i < COUNT(types); i++) {
    fill_picture(f, types[i]);
    resize(f, types[i], &pixels, "cast=f32", size, of_floats[i * 3 % 5], "");
  }
  fill_picture(f, CLRS_U8);
  resize(f, CLRS_U8, &pixels, "slice=2: cast=f32 flip=1", size, "torch_bilinear",
         " permute=2,0,1 div=255 mean=0.5,0.4,0.3,axis=0 cast=f16");
  resize(f, CLRS_U8, &planar, "color=nv12,rgb,opencv cast=f32", size, "openvino_linear", "");
  resize(f, CLRS_U8, &planar, "color=nv12,rgb,opencv slice=3: cast=f32", size, "torch_nearest",
         " permute=2,0,1");
}

/* The modes of ONNX change only the taps. */
MAP_TEST(modes_of_onnx) {
  static const char *const modes[] = {"half_pixel",           "pytorch_half_pixel",
                                      "asymmetric",           "align_corners",
                                      "half_pixel_symmetric", "tf_half_pixel_for_nn"};
  const clrs_shape pixels = {3, {19, 31, 3}};
  fill_picture(f, CLRS_F32);
  for (size_t i = 0; i < COUNT(modes); i++) {
    char by[200];
    snprintf(by, sizeof by, "onnx_%s,scales=0.46:1.65,coordinate_transformation_mode=%s",
             i % 2 == 0 ? "linear" : "nearest", modes[i]);
    resize(f, CLRS_F32, &pixels, "", (int64_t[]){8, 51}, by, "");
  }
}

/* ---- behind colours ---- */

typedef struct frame_case {
  const char *colors;
  clrs_shape shape;
} frame_case;

MAP_TEST(colours_of_frames_are_the_hosts) {
  const clrs_shape planar = {2, {36, 50}}, packed = {3, {23, 50, 2}}, pixels = {3, {19, 31, 3}};
  const frame_case rows[] = {
      {"color=nv12,rgb,opencv", planar},     {"color=nv21,bgr,openvino", planar},
      {"color=i420,bgr,opencv", planar},     {"color=yv12,rgb,openvino", planar},
      {"color=yuyv,rgb,opencv", packed},     {"color=uyvy,bgr,openvino", packed},
      {"color=rgb,grey,opencv", pixels},     {"color=bgr,grey,pillow", pixels},
      {"color=nv12,rgb,opencv", {2, {3, 2}}}};
  fill_picture(f, CLRS_U8);
  for (size_t i = 0; i < COUNT(rows); i++) {
    const char *axis = strstr(rows[i].colors, "grey") != NULL ? ",axis=0" : "";
    resize(f, CLRS_U8, &rows[i].shape, rows[i].colors, (int64_t[]){11, 40}, "opencv_linear", axis);
  }
  resize_by_all(f, false, &planar, "color=nv12,rgb,opencv", (int64_t[]){13, 17}, "");
  resize(f, CLRS_U8, &planar, "color=i420,rgb,openvino", (int64_t[]){30, 9}, "pillow_bicubic", "");
}

MAP_TEST(operations_stand_around_colours) {
  const clrs_shape planar = {2, {36, 50}}, many = {4, {2, 2, 18, 30}};
  const int64_t size[] = {12, 17};
  fill_picture(f, CLRS_U8);
  for (size_t i = 0; i < COUNT(of_bytes); i++) {
    resize(f, CLRS_U8, &planar, "slice=:,4:44 color=nv12,rgb,opencv slice=3:,1:-1:2,::-1", size,
           of_bytes[i], " flip=1");
  }
  resize(f, CLRS_U8, &many, "color=i420,bgr,opencv slice=:,::-1,::-1,5:", size, "opencv_linear",
         " permute=0,1,4,2,3 slice=:,1");
  resize(f, CLRS_U8, &many, "color=nv12,rgb,opencv slice=...,1", size, "opencv_linear_exact",
         ",axis=-2 reshape=-1 slice=5::7");
  resize(f, CLRS_U8, &planar, "color=nv12,rgb,opencv slice=...,1:2 expand=24,50,4", size,
         "opencv_linear", "");
  resize(f, CLRS_U8, &planar, "color=nv12,rgb,opencv permute=1,0,2", size, "opencv_linear",
         " permute=2,0,1 cast=f32 mean=123.7,116.3,103.5,axis=0 std=58.4 cast=f16");
}

static const char *random_frame(test_rng *rng, clrs_shape *shape) {
  const int64_t rows = rng_between(rng, 1, 16), columns = 2 * rng_between(rng, 1, 24);
  const bool is_packed = rng_percent(rng, 30);
  *shape = is_packed ? (clrs_shape){3, {rows, columns, 2}} : (clrs_shape){2, {3 * rows, columns}};
  return is_packed              ? "color=yuyv,rgb,opencv"
         : rng_percent(rng, 50) ? "color=nv12,rgb,opencv"
                                : "color=i420,bgr,openvino";
}

MAP_TEST(random_frames_are_the_hosts) {
  test_rng rng = rng_start(test_seed(9720));
  fill_picture(f, CLRS_U8);
  for (int i = 0; i < test_cases(24); i++) {
    clrs_shape shape;
    char text[128];
    const char *colors = random_frame(&rng, &shape);
    const int64_t size[] = {rng_between(&rng, 1, 48), rng_between(&rng, 1, 48)};
    const char *steps[] = {"", ":", "::-1", "::2"};
    const char *rows = steps[rng_between(&rng, 1, 3)], *columns = steps[rng_between(&rng, 1, 3)];
    snprintf(text, sizeof text, "%s slice=%s,%s", colors, rows, columns);
    resize(f, CLRS_U8, &shape, text, size, of_bytes[rng_between(&rng, 0, 4)], "");
  }
}

/* Red of pixels [1,1], [1,2], [2,1] and [2,2] of a frame of [6,4], by OpenCV's formula. */
static void expect_reds(const unsigned char *from, const unsigned char *made) {
  for (int k = 0; k < 4; k++) {
    const int row = k / 2 + 1, column = k % 2 + 1;
    const int y = from[row * 4 + column], v = from[16 + row / 2 * 4 + column / 2 * 2 + 1] - 128;
    const int sum = (y < 16 ? 0 : y - 16) * 1220542 + 1673527 * v + (1 << 19);
    const int red = sum < 0 ? 0 : sum >> 20;
    assert_int_equal(made[k], red > 255 ? 255 : red);
  }
}

MAP_TEST(a_slot_takes_any_frame) {
  const clrs_layout layout = {CLRS_U8, 2, {6, 4}, {4, 1}, 0};
  fill_picture(f, CLRS_U8);
  map_expect_slot(f, &layout,
                  "color=nv12,rgb,opencv slice=1:,1:,0 resize=2,2,opencv_nearest,axis=0",
                  &(clrs_shape){2, {2, 2}}, expect_reds);
}

/* References of integers need no denormal floats, and references of floats say so. */
MAP_TEST(integers_need_no_denormals) {
  const clrs_shape pixels = {3, {12, 18, 3}};
  const clrs__arithmetic before = f->libraries[0]->arithmetic;
  fill_picture(f, CLRS_U8);
  f->libraries[0]->arithmetic = (clrs__arithmetic){.has_doubles = false};
  map_expect_chain(f, 0, CLRS_U8, &pixels, "resize=7,31,opencv_linear cast=f32 std=58 cast=f16");
  map_expect_chain(f, 0, CLRS_U8, &pixels, "resize=7,31,pillow_bicubic");
  if (!before.keeps_excess) {
    map_expect_chain(f, 0, CLRS_U8, &(clrs_shape){2, {12, 18}},
                     "color=nv12,rgb,openvino resize=7,31,opencv_linear");
    map_expect_chain(f, 0, CLRS_U8, &pixels, "cast=f32 resize=7,31,torch_bilinear");
  }
  expect_refused(f, 0, CLRS_F32, &pixels, "resize=7,31,torch_bilinear",
                 "denormal floats, which the device flushes");
  f->libraries[0]->arithmetic = before;
}

/* References of integers need no floats, and colours of floats say that they do. */
MAP_TEST(integers_need_no_floats) {
  const clrs_shape planar = {2, {12, 18}};
  const clrs__arithmetic before = f->libraries[0]->arithmetic;
  fill_picture(f, CLRS_U8);
  f->libraries[0]->arithmetic = (clrs__arithmetic){.has_denormals = true, .keeps_excess = true};
  map_expect_chain(f, 0, CLRS_U8, &planar,
                   "color=nv12,rgb,opencv resize=7,31,opencv_linear cast=f32 std=58 cast=f16");
  expect_refused(f, 0, CLRS_U8, &planar, "color=nv12,rgb,openvino resize=7,31,opencv_linear",
                 "more bits than a float has");
  expect_refused(f, 0, CLRS_F32, &planar, "resize=7,31,torch_bilinear",
                 "more bits than a float has");
  f->libraries[0]->arithmetic = before;
}

/* clrs_context_self_test counts the kernel as untested. */
MAP_TEST(the_self_test_does_not_try_pictures) {
  const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_context *before = f->libraries[0];
  assert_int_equal(setenv("CLRS_SELF_TEST", "1", 1), 0);
  f->libraries[0] = device_library(&f->device, &limits);
  assert_int_equal(unsetenv("CLRS_SELF_TEST"), 0);
  fill_picture(f, CLRS_U8);
  map_expect_chain(f, 0, CLRS_U8, &(clrs_shape){2, {9, 12}}, "resize=7,5,opencv_linear");
  const clrs_self_test found = clrs_context_self_test(f->libraries[0]);
  assert_int_equal(found.passed + found.wrong, 0);
  assert_int_equal(found.untested, 1);
  clrs_context_release(f->libraries[0]);
  f->libraries[0] = before;
}

static void expect_picture(const unsigned char *from, const unsigned char *made) {
  for (int k = 0; k < 12; k++) {
    assert_int_equal(made[k], from[k / 4 * 16 + k % 4 * 2]);
  }
}

MAP_TEST(a_slot_takes_any_picture) {
  const clrs_layout layout = {CLRS_U8, 2, {6, 8}, {8, 1}, 0};
  fill_picture(f, CLRS_U8);
  map_expect_slot(f, &layout, "resize=3,4,opencv_nearest", &(clrs_shape){2, {3, 4}},
                  expect_picture);
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
