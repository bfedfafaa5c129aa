/*
 * Colours on the device: pixels of frames, in both executions, against the host's reference. The
 * planes of chroma are parameters of the map, and lie in the buffer of the source.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "context.h"
#include "harness/rng.h"
#include "map_fixture.h"

enum { BYTES = 8192 };

static void fill_frame(map_fixture *f) {
  test_rng rng = rng_start(test_seed(9600));
  rng_fill(&rng, f->bytes, BYTES);
  device_write(&f->device, f->source, BYTES, f->bytes);
}

MAP_TEST(pixels_are_the_hosts) {
  const clrs_shape planar = {2, {36, 50}}, packed = {3, {12, 50, 2}}, many = {3, {2, 27, 34}};
  const clrs_shape pixels = {3, {12, 34, 3}};
  fill_frame(f);
  map_expect_chains(f, CLRS_U8, &planar, "color=nv12,rgb,opencv");
  map_expect_chains(f, CLRS_U8, &many, "color=nv12,bgr,opencv");
  map_expect_chains(f, CLRS_U8, &planar, "color=i420,rgb,opencv permute=2,0,1");
  map_expect_chains(f, CLRS_U8, &packed, "color=uyvy,rgb,openvino permute=2,0,1");
  map_expect_chains(
      f, CLRS_U8, &planar,
      "color=nv12,rgb,opencv permute=2,0,1 cast=f32 mean=1,2,3,axis=0 std=58 cast=f16");
  map_expect_chains(f, CLRS_U8, &pixels, "color=rgb,grey,opencv");
}

/* Rows that are long enough for vectors: whole pixels, planes, and parts of a row down to one pair.
 * Rows that begin or end within a pair are pieces. */
MAP_TEST(rows_of_pixels_are_the_hosts) {
  const clrs_shape planar = {2, {12, 70}}, packed = {3, {3, 66, 2}}, many = {3, {2, 6, 68}};
  const clrs_shape wide = {2, {3, 1602}};
  fill_frame(f);
  map_expect_chains(f, CLRS_U8, &planar, "color=nv12,rgb,opencv");
  map_expect_chains(f, CLRS_U8, &wide, "color=nv21,bgr,opencv");
  map_expect_chains(f, CLRS_U8, &wide, "color=nv12,rgb,opencv permute=2,0,1 cast=f32");
  map_expect_chains(f, CLRS_U8, &many, "color=i420,bgr,opencv permute=0,3,1,2");
  map_expect_chains(f, CLRS_U8, &packed, "color=yuyv,rgb,opencv flip=-1");
  map_expect_chains(f, CLRS_U8, &packed, "color=uyvy,bgr,opencv permute=2,0,1");
  map_expect_chains(f, CLRS_U8, &planar, "color=yv12,rgb,opencv slice=:,1:-1,1:");
  map_expect_chains(f, CLRS_U8, &planar, "color=nv12,rgb,opencv flip=1");
  map_expect_chains(f, CLRS_U8, &planar, "color=nv12,rgb,opencv permute=1,0,2");
  map_expect_chains(f, CLRS_U8, &wide, "color=nv12,rgb,openvino");
  map_expect_chains(f, CLRS_U8, &packed, "color=uyvy,bgr,openvino permute=2,0,1");
  map_expect_chains(f, CLRS_U8, &planar,
                    "color=i420,rgb,openvino cast=f32 mean=1,2,3 std=58,57,59 cast=f16");
  map_expect_chains(f, CLRS_U8, &planar,
                    "color=nv12,rgb,opencv cast=f32 mean=1,2,3 std=58,57,59 cast=f16");
  map_expect_chains(
      f, CLRS_U8, &planar,
      "color=nv12,rgb,opencv permute=2,0,1 cast=f32 mean=1,2,3,axis=0 std=58 cast=f16");
}

/* Rows of whole accesses of a GPU: planes and whole pixels of every width, each camera's places,
 * two colours of three, and parameters that change along a row. */
MAP_TEST(accesses_of_pixels_are_the_hosts) {
  static const char *const chains[] = {
      "color=nv12,rgb,opencv",
      "color=i420,bgr,openvino",
      "color=nv21,rgb,opencv permute=2,0,1",
      "color=nv12,rgb,openvino permute=2,0,1 cast=f64",
      "color=yv12,bgr,opencv cast=f32 mean=1,2,3 std=58,57,59 cast=f16",
      "color=nv12,rgb,opencv permute=2,0,1 slice=::2 cast=f32 mean=1,2,axis=0",
      "color=nv12,rgb,opencv slice=2:,:,::-1 permute=2,0,1 cast=bf16",
      "color=nv12,rgb,opencv expand=2,8,80,3 permute=0,3,1,2",
      "color=nv12,rgb,opencv window=2,2,1",
      "color=nv12,rgb,opencv permute=2,0,1 slice=:,:,8:"};
  const clrs_shape planar = {2, {12, 80}}, packed = {3, {6, 72, 2}};
  fill_frame(f);
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    map_expect_chain(f, 1, CLRS_U8, &planar, chains[i]);
    if (map_runs(0, 1)) {
      map_expect_chain(f, 0, CLRS_U8, &planar, chains[i]);
    }
  }
  map_expect_chains(f, CLRS_U8, &packed, "color=yuyv,rgb,opencv");
  map_expect_chains(f, CLRS_U8, &packed, "color=uyvy,bgr,openvino permute=2,0,1 cast=f16");
}

/* Grey of rows that are long enough for vectors: colours in either order, one or four bytes apart,
 * and rows that are cut, backwards or columns. */
MAP_TEST(grey_is_the_hosts) {
  static const struct {
    const char *chain;
    clrs_shape shape;
  } rows[] = {{"color=rgb,grey,opencv", {3, {9, 75, 3}}},
              {"color=bgr,grey,opencv", {3, {9, 75, 3}}},
              {"color=bgr,grey,pillow", {3, {9, 75, 3}}},
              {"color=rgb,grey,opencv slice=:,2:-1", {3, {9, 75, 3}}},
              {"color=bgr,grey,opencv slice=:,2:-1", {3, {9, 90, 3}}},
              {"color=rgb,grey,opencv flip=0", {3, {9, 75, 3}}},
              {"color=rgb,grey,opencv flip=1", {3, {9, 75, 3}}},
              {"color=rgb,grey,opencv permute=1,0", {3, {9, 75, 3}}},
              {"color=bgr,grey,opencv cast=f32 mean=3 std=58 cast=f16", {3, {9, 75, 3}}},
              {"permute=1,2,0 color=rgb,grey,opencv", {3, {3, 5, 90}}},
              {"slice=:,:,1: color=rgb,grey,pillow flip=0", {3, {5, 80, 4}}}};
  fill_frame(f);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    map_expect_chains(f, CLRS_U8, &rows[i].shape, rows[i].chain);
  }
}

/* No byte behind a frame is read: under the microscope, a buffer ends where the frame does. */
MAP_TEST(frames_end_where_their_buffers_do) {
  static const struct {
    const char *chain;
    clrs_shape shape;
    size_t bytes;
  } rows[] = {{"color=uyvy,rgb,opencv", {3, {3, 66, 2}}, 396},
              {"color=nv12,rgb,opencv", {2, {3, 1602}}, 4806},
              {"color=rgb,grey,opencv", {3, {3, 66, 3}}, 594},
              {"color=bgr,grey,opencv", {3, {2, 72, 3}}, 432}};
  const cl_mem longer = f->source;
  fill_frame(f);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, rows[i].bytes);
    device_write(&f->device, f->source, rows[i].bytes, f->bytes);
    map_expect_chain(f, 0, CLRS_U8, &rows[i].shape, rows[i].chain);
    clReleaseMemObject(f->source);
  }
  f->source = longer;
}

/* Floats on a device that flushes denormals: by integers, on the exact way. */
MAP_TEST(pixels_need_no_denormals) {
  const clrs_shape planar = {2, {12, 18}}, long_rows = {2, {6, 66}};
  const clrs__arithmetic before = f->libraries[0]->arithmetic;
  fill_frame(f);
  f->libraries[0]->arithmetic = (clrs__arithmetic){.has_doubles = false};
  map_expect_chain(f, 0, CLRS_U8, &planar, "color=nv12,rgb,openvino");
  map_expect_chain(f, 0, CLRS_U8, &long_rows, "color=nv12,rgb,opencv cast=f32 std=58");
  f->libraries[0]->arithmetic = before;
}

/* Red, by OpenCV's formula, of a frame of [12,16]. */
static void expect_frame(const unsigned char *from, const unsigned char *pixels) {
  for (int k = 0; k < 8 * 16; k++) {
    const int y = from[k], v = from[128 + k / 32 * 16 + k % 16 / 2 * 2 + 1] - 128;
    const int sum = (y < 16 ? 0 : y - 16) * 1220542 + 1673527 * v + (1 << 19);
    const int red = sum < 0 ? 0 : sum >> 20;
    assert_int_equal(pixels[3 * k], red > 255 ? 255 : red);
  }
}

MAP_TEST(a_slot_takes_any_frame) {
  const clrs_layout layout = {CLRS_U8, 2, {12, 16}, {16, 1}, 0};
  fill_frame(f);
  map_expect_slot(f, &layout, "color=nv12,rgb,opencv", &(clrs_shape){3, {8, 16, 3}}, expect_frame);
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
