/*
 * Colours of frames that a CPU's kernel makes: which maps and rows. tests/opencl/test_mapped_colors
 * shows the colours.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/tensors.h"

#include "mapped/encode.h"
#include "shared.h"

static clrs_error the_error;
static clrs_mapped mapped;
static clrs__mapped_pass pass;
static clrs__mapped_launch launch;
static const clrs__arithmetic whole_device = {
    .has_doubles = true, .has_denormals = true, .divides = true};

/* Encodes a frame of 12 rows after the chain, into a dense destination. */
static void encode(int64_t columns, const char *text, clrs_execution execution) {
  const clrs_view frame = view_strided(CLRS_U8, 2, LIST(12, columns), NULL, 0);
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_view seen;
  limits.execution = execution;
  limits.max_group_items = CLRS_GROUP_ITEMS;
  limits.local_bytes = 32768;
  mapped = mapped_after(&frame, text);
  CHECK_OK(clrs_view_dense(mapped.dtype, &mapped.views.source.shape, &seen, &the_error), the_error);
  const clrs__mapped_move move = {.map = &mapped.map,
                                  .views = &mapped.views,
                                  .seen = &seen,
                                  .source = {&mapped.views.source, 0, 128},
                                  .destination = {&seen, 0, 128},
                                  .limits = &limits};
  CHECK_OK(clrs__mapped_plan(&move, &pass, &the_error), the_error);
  launch.at = 0;
  launch.in_buffer = false;
  CHECK_OK(clrs__mapped_encode(&pass, &whole_device, &launch, &the_error), the_error);
}

/* Rows of 32 pairs or more, and of 64 pixels or more. The steps of colours are no steps of the
 * kernel. Operand 3 has the numbers of the colours, and may also have a mean's. */
TEST(colours_of_long_rows_are_mixed) {
  static const struct {
    const char *chain;
    int64_t columns;
    int mixes, steps, first_step;
  } rows[] = {{"color=nv12,rgb,opencv", 64, 30, 1, 11},
              {"color=nv12,bgr,opencv permute=2,0,1", 64, 30, 1, 11},
              {"color=nv12,rgb,opencv cast=f32 mean=1,2,3", 64, 22, 2, 12},
              {"reshape=12,-1,3 color=rgb,grey,opencv", 192, 14, 1, 9},
              {"reshape=3,12,-1 permute=1,2,0 color=bgr,grey,pillow cast=f16", 192, 14, 1, 10},
              {"reshape=12,-1,3 color=rgb,grey,opencv flip=1", 192, 0, 10, 0},
              {"reshape=12,-1,3 color=rgb,grey,opencv slice=:,1:", 192, 0, 10, 0},
              {"color=nv12,rgb,opencv", 62, 0, 12, 0},
              {"color=nv12,rgb,opencv slice=:,:,0", 64, 0, 12, 0},
              {"color=nv12,rgb,opencv permute=1,0,2", 64, 0, 12, 0},
              {"color=nv12,rgb,opencv flip=1", 64, 0, 12, 0},
              {"color=nv12,rgb,openvino", 62, 0, 11, 0},
              {"color=nv12,rgb,openvino", 64, 30, 1, 10},
              {"color=yv12,bgr,openvino cast=f16 std=3,4,5", 64, 22, 2, 11}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    encode(rows[i].columns, rows[i].chain, CLRS_EXECUTION_CPU);
    assert_int_equal(launch.key.mixes, rows[i].mixes);
    assert_int_equal(launch.key.step_count, rows[i].steps);
    assert_int_equal(launch.key.first_step, rows[i].first_step);
  }
}

/* An item of a GPU takes 8 pixels of a frame, or fewer if these fill 16 bytes of a plane. An item
 * takes 4 pixels of 8 bits or 2 of 16 bits of a resized picture. The item takes 1 pixel of other
 * types, and if rows are not made of accesses. */
TEST(a_gpu_makes_all_colours_of_a_pixel) {
  static const struct {
    const char *chain;
    int64_t columns;
    int mixes, pixels, column_axes, access, spread;
  } rows[] = {
      {"color=nv12,rgb,opencv", 64, 30, 3, 2, 8, 0},
      {"color=nv12,rgb,opencv permute=2,0,1 cast=f16", 64, 30, 3, 1, 8, 0},
      {"color=nv12,rgb,opencv permute=2,0,1 cast=f32 std=1,2,3,axis=0 cast=f16", 64, 22, 3, 1, 8,
       CLRS_MAPPED_STEADY},
      {"color=nv12,rgb,openvino permute=2,0,1 cast=f32", 64, 30, 3, 1, 4, 0},
      {"color=nv12,rgb,opencv permute=2,0,1 slice=1:", 64, 30, 2, 1, 8, 0},
      {"reshape=6,-1,3 resize=5,7,opencv_linear", 24, 0, 3, 1, 1, 0},
      {"reshape=6,-1,3 resize=5,8,opencv_linear", 24, 0, 3, 2, 4, 0},
      {"reshape=6,-1,3 resize=5,8,opencv_linear slice=:,2:6", 24, 0, 3, 1, 1, 0},
      {"reshape=6,-1,3 resize=5,8,opencv_linear cast=f16 std=3", 24, 0, 3, 2, 2,
       CLRS_MAPPED_STEADY},
      {"color=nv12,rgb,opencv resize=5,6,opencv_linear permute=2,0,1 cast=f16", 24, 0, 3, 1, 2,
       CLRS_MAPPED_STEADY},
      {"reshape=6,-1,4 resize=5,7,opencv_nearest permute=2,1,0", 24, 0, 4, 1, 1, 0},
      {"color=nv12,rgb,opencv resize=5,7,pillow_bilinear permute=2,0,1", 24, 0, 3, 1, 1, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    encode(rows[i].columns, rows[i].chain, CLRS_EXECUTION_GPU);
    assert_int_equal(launch.key.geometry, CLRS__MAPPED_GPU_COLORS);
    assert_int_equal(launch.key.mixes, rows[i].mixes);
    assert_int_equal(launch.key.pixels, rows[i].pixels);
    assert_int_equal(launch.key.column_axes, rows[i].column_axes);
    assert_int_equal(clrs__map_access(&launch.key), rows[i].access);
    assert_int_equal(launch.key.spread, rows[i].spread);
  }
}

/* Rows that are not made of accesses, grey, parts of pixels, and a single colour. */
TEST(a_gpu_makes_other_colours_one_by_one) {
  static const struct {
    const char *chain;
    int64_t columns;
  } rows[] = {{"color=nv12,rgb,opencv", 68},
              {"color=nv12,rgb,opencv slice=:,4:", 72},
              {"color=nv12,rgb,opencv permute=2,0,1 cast=u4", 64},
              {"reshape=12,-1,3 color=rgb,grey,opencv", 192},
              {"reshape=6,-1,3 resize=5,7,opencv_nearest reshape=-1 slice=::2", 24},
              {"resize=5,7,opencv_linear", 24}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    encode(rows[i].columns, rows[i].chain, CLRS_EXECUTION_GPU);
    assert_int_not_equal(launch.key.geometry, CLRS__MAPPED_GPU_COLORS);
    assert_int_equal(launch.key.mixes, 0);
  }
}

/* A device that flushes denormals, or that keeps more bits than a float has. */
TEST(floats_are_mixed_where_floats_are_exact) {
  static const clrs__arithmetic others[] = {{.divides = true},
                                            {.has_denormals = true, .keeps_excess = true}};
  for (int i = 0; i < 2; i++) {
    encode(64, "color=nv12,rgb,openvino", CLRS_EXECUTION_CPU);
    assert_int_equal(launch.key.mixes, 30);
    CHECK_OK(clrs__mapped_encode(&pass, &others[i], &launch, &the_error), the_error);
    assert_int_equal(launch.key.mixes, 0);
    assert_int_equal(launch.key.way, CLRS_WAY_EXACT);
  }
}

/* Numbers by hand: a list of two numbers may lack a number of the third colour. */
TEST(other_maps_are_not_mixed) {
  encode(64, "color=nv12,rgb,opencv", CLRS_EXECUTION_CPU);
  pass.map.steps[4].parameter.count = 2;
  CHECK_OK(clrs__mapped_encode(&pass, &whole_device, &launch, &the_error), the_error);
  assert_int_equal(launch.key.mixes, 0);
}

TESTS(NULL, NULL)
