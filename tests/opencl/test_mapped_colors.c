/*
 * Colours on the device: pixels of frames, in both executions, against the host's reference. The
 * planes of chroma are parameters of the map, and lie in the buffer of the source.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "context.h"
#include "harness/rng.h"
#include "map_fixture.h"

enum { BYTES = 4096 };

static unsigned char frame[BYTES], expected[4 * BYTES], got[4 * BYTES];

/* Converts frames of that shape. */
static void expect_pixels(map_fixture *f, int which, const clrs_shape *shape, const char *chain) {
  clrs_chain parsed;
  clrs_view view;
  clrs_mapped mapped;
  int64_t count;
  clrs_tensor *source = NULL, *made = NULL;
  cl_event event = NULL;
  source = map_dense(f->libraries[which], f->source, CLRS_U8, shape->rank, shape->dims);
  CHECK_OK(clrs_chain_parse(chain, &parsed, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_U8, shape, &view, &error), error);
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  CHECK_OK(clrs_chain_map(&parsed, NULL, &mapped, &error), error);
  CHECK_OK(clrs_shape_count(&mapped.views.source.shape, &count, &error), error);
  const size_t size = (size_t)count * clrs_dtype_bits(mapped.dtype) / 8;
  const clrs_map_data data = {.source = {frame, sizeof frame}};
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, expected, sizeof expected, &error),
           error);
  CHECK_OK(clrs_tensor_with_chain(source, &parsed, NULL, &made, &error), error);
  CHECK_OK(clrs_enqueue_read(made, got, size, ON(f->device.queue), &event, &error), error);
  device_finish_event(event);
  assert_memory_equal(got, expected, size);
  clrs_tensor_release(made);
  clrs_tensor_release(source);
}

static void fill_frame(map_fixture *f) {
  test_rng rng = rng_start(test_seed(9600));
  rng_fill(&rng, frame, sizeof frame);
  device_write(&f->device, f->source, sizeof frame, frame);
}

MAP_TEST(pixels_are_the_hosts) {
  const clrs_shape planar = {2, {36, 50}}, packed = {3, {12, 50, 2}}, many = {3, {2, 27, 34}};
  const clrs_shape pixels = {3, {12, 34, 3}};
  fill_frame(f);
  for (int which = 0; which < 2; which++) {
    expect_pixels(f, which, &planar, "color=nv12,rgb,opencv");
    expect_pixels(f, which, &many, "color=nv12,bgr,opencv");
    expect_pixels(f, which, &planar, "color=i420,rgb,opencv permute=2,0,1");
    expect_pixels(f, which, &packed, "color=uyvy,rgb,openvino permute=2,0,1");
    expect_pixels(f, which, &planar,
                  "color=nv12,rgb,opencv permute=2,0,1 cast=f32 mean=1,2,3,axis=0 std=58 cast=f16");
    expect_pixels(f, which, &pixels, "color=rgb,grey,opencv");
  }
}

/* Floats on a device that flushes denormals: by integers, on the exact way. */
MAP_TEST(pixels_need_no_denormals) {
  const clrs_shape planar = {2, {12, 18}};
  const clrs__arithmetic before = f->libraries[0]->arithmetic;
  fill_frame(f);
  f->libraries[0]->arithmetic = (clrs__arithmetic){.has_doubles = false};
  expect_pixels(f, 0, &planar, "color=nv12,rgb,openvino");
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

/* A work whose frame is a slot moves another frame with each enqueue. */
MAP_TEST(a_slot_takes_any_frame) {
  const clrs_layout layout = {CLRS_U8, 2, {12, 16}, {16, 1}, 0};
  const int64_t dims[] = {8, 16, 3};
  clrs_tensor *slot = NULL, *mapped = NULL;
  clrs_tensor *to = map_dense(f->libraries[0], f->destination, CLRS_U8, 3, dims);
  clrs_work *work = NULL;
  clrs_chain chain;
  fill_frame(f);
  CHECK_OK(clrs_chain_parse("color=nv12,rgb,opencv", &chain, &error), error);
  CHECK_OK(clrs_tensor_slot(f->libraries[0], 0, &layout, &slot, &error), error);
  CHECK_OK(clrs_tensor_with_chain(slot, &chain, NULL, &mapped, &error), error);
  CHECK_OK(clrs_work_create(f->libraries[0], &work, &error), error);
  CHECK_OK(clrs_work_move(work, mapped, to, &error), error);
  for (int64_t at = 0; at < 7; at++) {
    const clrs_slot slots[] = {{.storage = {.buffer = f->source}, .advance = at * 193}};
    CHECK_OK(clrs_enqueue_work(work, 1, slots, ON(f->device.queue), NULL, &error), error);
    device_read(&f->device, f->destination, 8 * 16 * 3, got);
    expect_frame(frame + at * 193, got);
  }
  clrs_work_release(work);
  clrs_tensor_release(to);
  clrs_tensor_release(mapped);
  clrs_tensor_release(slot);
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
