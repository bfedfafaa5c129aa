/*
 * Colours: frames of each format on the host against the formulas of OpenCV and OpenVINO, written
 * out for one pixel. tests/conformance/map/test_peers.py asks the packages themselves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "harness/rng.h"
#include "mapped_chain.h"

enum { H = 6, W = 8, BYTES = H * W * 3 };

static uint8_t frame[BYTES], pixels[BYTES];

/* Makes the pixels of a frame of that shape by the chain. */
static void convert(const char *text, const clrs_shape *shape) {
  clrs_mapped before, mapped;
  test_rng rng = rng_start(7);
  rng_fill(&rng, frame, sizeof frame);
  CHECK_OK(map_chain(text, shape, CLRS_U8, &before, &mapped), error);
  const clrs_map_data data = {.source = {frame, sizeof frame}};
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, pixels, sizeof pixels, &error), error);
}

static int saturated(int x) {
  return x < 0 ? 0 : x > 255 ? 255 : x;
}

/* A right shift rounds down. */
static int shifted(int x) {
  return (int)floor(x / 1048576.0);
}

static void opencv_pixel(int y, int u, int v, int rgb[3]) {
  const int luma = (y < 16 ? 0 : y - 16) * 1220542 + (1 << 19);
  rgb[0] = saturated(shifted(luma + 1673527 * (v - 128)));
  rgb[1] = saturated(shifted(luma - 852492 * (v - 128) - 409993 * (u - 128)));
  rgb[2] = saturated(shifted(luma + 2116026 * (u - 128)));
}

static void openvino_pixel(int y, int u, int v, int rgb[3]) {
  const volatile float c = 1.164f * (float)(y - 16), d = (float)(u - 128), e = (float)(v - 128);
  const volatile float terms[] = {1.596f * e, 0.391f * d, 0.813f * e, 2.018f * d};
  const volatile float green = c - terms[1];
  const float sums[] = {c + terms[0], green - terms[2], c + terms[3]};
  for (int i = 0; i < 3; i++)
    rgb[i] = saturated((int)rintf(sums[i]));
}

/* The places of Y, U and V of a pixel. */
typedef void (*places_of)(int row, int column, int *y, int *u, int *v);

static void places_of_nv12(int row, int column, int *y, int *u, int *v) {
  *y = row * W + column;
  *u = (H + row / 2) * W + column / 2 * 2;
  *v = *u + 1;
}

static void places_of_i420(int row, int column, int *y, int *u, int *v) {
  *y = row * W + column;
  *u = H * W + row / 2 * (W / 2) + column / 2;
  *v = *u + H / 2 * (W / 2);
}

static void places_of_yuyv(int row, int column, int *y, int *u, int *v) {
  *y = (row * W + column) * 2;
  *u = (row * W + column / 2 * 2) * 2 + 1;
  *v = *u + 2;
}

static void places_of_uyvy(int row, int column, int *y, int *u, int *v) {
  places_of_yuyv(row, column, y, u, v);
  *y += 1;
  *u -= 1;
  *v -= 1;
}

static void swapped(places_of places, int row, int column, int *y, int *u, int *v) {
  places(row, column, y, v, u);
}

TEST(every_format_has_its_planes) {
  static const struct {
    const char *name;
    places_of places;
    bool is_packed, is_swapped;
  } rows[] = {{"nv12", places_of_nv12, false, false}, {"nv21", places_of_nv12, false, true},
              {"i420", places_of_i420, false, false}, {"yv12", places_of_i420, false, true},
              {"yuyv", places_of_yuyv, true, false},  {"uyvy", places_of_uyvy, true, false}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    for (int is_bgr = 0; is_bgr < 2; is_bgr++) {
      for (int by = 0; by < 2; by++) {
        char text[64];
        const clrs_shape packed = {3, {H, W, 2}}, planar = {2, {H * 3 / 2, W}};
        snprintf(text, sizeof text, "color=%s,%s,%s", rows[i].name, is_bgr ? "bgr" : "rgb",
                 by == 0 ? "opencv" : "openvino");
        convert(text, rows[i].is_packed ? &packed : &planar);
        for (int k = 0; k < H * W; k++) {
          int y, u, v, rgb[3];
          if (rows[i].is_swapped)
            swapped(rows[i].places, k / W, k % W, &y, &u, &v);
          else
            rows[i].places(k / W, k % W, &y, &u, &v);
          (by == 0 ? opencv_pixel : openvino_pixel)(frame[y], frame[u], frame[v], rgb);
          for (int color = 0; color < 3; color++)
            if (pixels[3 * k + color] != rgb[is_bgr ? 2 - color : color])
              fail_msg("%s: pixel %d has %d, expected %d", text, k, pixels[3 * k + color],
                       rgb[is_bgr ? 2 - color : color]);
        }
      }
    }
  }
}

TEST(grey_is_a_sum_of_colours) {
  static const struct {
    const char *text;
    int of[3], weights[3], bits;
  } rows[] = {{"color=rgb,grey,opencv", {0, 1, 2}, {9798, 19235, 3735}, 15},
              {"color=bgr,grey,opencv", {2, 1, 0}, {9798, 19235, 3735}, 15},
              {"color=rgb,grey,pillow", {0, 1, 2}, {19595, 38470, 7471}, 16},
              {"color=bgr,grey,pillow", {2, 1, 0}, {19595, 38470, 7471}, 16}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    convert(rows[i].text, &(clrs_shape){3, {H, W, 3}});
    for (int k = 0; k < H * W; k++) {
      int sum = 1 << (rows[i].bits - 1);
      for (int color = 0; color < 3; color++)
        sum += rows[i].weights[color] * frame[3 * k + rows[i].of[color]];
      assert_int_equal(pixels[k], sum >> rows[i].bits);
    }
  }
}

/* A batch, a frame that is cut out of a larger one, and a movement behind the colours. */
TEST(frames_may_be_views) {
  convert("color=nv12,rgb,opencv permute=0,3,1,2 flip=2 slice=0",
          &(clrs_shape){3, {1, H * 3 / 2, W}});
  for (int k = 0; k < H * W; k++) {
    int y, u, v, rgb[3];
    places_of_nv12(H - 1 - k / W, k % W, &y, &u, &v);
    opencv_pixel(frame[y], frame[u], frame[v], rgb);
    for (int color = 0; color < 3; color++)
      assert_int_equal(pixels[color * H * W + k], rgb[color]);
  }
}

/* ---- refusals ---- */

TEST(what_is_no_frame_is_refused) {
  expect_refused("color=nv12,rgb,opencv", &(clrs_shape){2, {8, 8}}, CLRS_U8,
                 "[8,8] is no frame of nv12: [H*3/2,W] with an even H and an even W");
  expect_refused("color=i420,rgb,opencv", &(clrs_shape){2, {9, 7}}, CLRS_U8,
                 "[9,7] is no frame of i420");
  expect_refused("color=nv12,rgb,opencv", &(clrs_shape){1, {9}}, CLRS_U8, "which has 2 dims");
  expect_refused("color=yuyv,rgb,opencv", &(clrs_shape){3, {4, 3, 2}}, CLRS_U8,
                 "[H,W,2] with an even W");
  expect_refused("color=yuyv,rgb,opencv", &(clrs_shape){2, {4, 8}}, CLRS_U8, "which has 3 dims");
  expect_refused("color=rgb,grey,opencv", &(clrs_shape){3, {4, 4, 4}}, CLRS_U8, "[H,W,3]");
  expect_refused("color=nv12,rgb,opencv", &(clrs_shape){2, {9, 8}}, CLRS_I8,
                 "a frame of i8; colours are of u8");
  expect_refused("cast=f32 color=nv12,rgb,opencv", &(clrs_shape){2, {9, 8}}, CLRS_U8,
                 "colours stand before other maps");
  clrs_shape most = {CLRS_MAX_RANK, {0}};
  for (uint32_t k = 0; k < CLRS_MAX_RANK; k++)
    most.dims[k] = k < CLRS_MAX_RANK - 2 ? 1 : 6;
  expect_refused("color=i420,rgb,opencv", &most, CLRS_U8, "pixels of more than 30 dims");
}

/* Dims of 1 in front, up to the most dims of the frame or of the result. */
TEST(frames_may_have_the_most_dims) {
  static const struct {
    const char *text;
    clrs_shape shape;
  } rows[] = {{"color=yuyv,rgb,opencv", {3, {4, 6, 2}}},
              {"color=rgb,grey,opencv", {3, {4, 6, 3}}},
              {"color=nv12,rgb,opencv", {2, {6, 6}}},
              {"color=i420,bgr,openvino", {2, {6, 6}}}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_mapped before, mapped;
    const uint32_t ones = CLRS_MAX_RANK - (i == 1 ? 3 : 4);
    clrs_shape shape = {ones + rows[i].shape.rank, {0}};
    for (uint32_t k = 0; k < shape.rank; k++)
      shape.dims[k] = k < ones ? 1 : rows[i].shape.dims[k - ones];
    CHECK_OK(map_chain(rows[i].text, &shape, CLRS_U8, &before, &mapped), error);
    assert_int_equal(mapped.views.source.shape.rank, CLRS_MAX_RANK - 1);
  }
}

TEST(what_is_not_offered_is_refused) {
  static const struct {
    const char *text, *says;
  } rows[] = {{"color=nv16,rgb,opencv", "'nv16' is no format of frames; known are nv12, nv21"},
              {"color=nv12,rgba,opencv", "'rgba' is no format of pixels; known are rgb, bgr, grey"},
              {"color=nv12,rgb,ffmpeg", "'ffmpeg' is no reference; known are opencv, openvino"},
              {"color=nv12,rgb", "'' is no reference"},
              {"color=nv12,grey,opencv", "nv12 to grey by opencv is not offered"},
              {"color=rgb,grey,openvino", "rgb to grey by openvino is not offered"},
              {"color=nv12,rgb,pillow", "nv12 to rgb by pillow is not offered"}};
  for (size_t i = 0; i < COUNT(rows); i++)
    expect_no_chain(rows[i].text, rows[i].says);
}

TEST(a_view_has_no_colours) {
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_U8, &(clrs_shape){2, {9, 8}}, &view, &error), error);
  CHECK_FAILS(clrs_view_apply(&view, "color=nv12,rgb,opencv", &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "clrs_chain_map is for chains that compute");
}

TESTS(NULL, NULL)
