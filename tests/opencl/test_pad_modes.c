/*
 * clrs_enqueue_pad in the modes that repeat the source's elements, on a device. Draws every mode
 * and width, packed types too, any layout on either side, and amounts longer than the dims. The
 * reference is the definition, one step at a time. Every byte of the buffer is compared, including
 * the bytes around the destination. Further tests go through maps and sequences, and count
 * launches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/works.h"
#include <stdlib.h>

#include "harness/opencl_counts.h"
#include "harness/oracle_moves.h"
#include "harness/works.h"
#include "region.h"

enum { CASES = 200 };

typedef struct drawn_pad {
  clrs_dtype dtype;
  clrs_pad_mode mode;
  clrs_shape inner, outer;
  int64_t begins[CLRS_MAX_RANK], ends[CLRS_MAX_RANK];
} drawn_pad;

static drawn_pad draw(test_rng *rng) {
  drawn_pad made = {.dtype = dtype_random(rng),
                    .mode = (clrs_pad_mode)rng_between(rng, CLRS_PAD_EDGE, CLRS_PAD_WRAP),
                    .inner.rank = (uint32_t)rng_between(rng, 0, 5)};
  made.outer.rank = made.inner.rank;
  for (uint32_t d = 0; d < made.inner.rank; d++) {
    const int64_t extent = rng_percent(rng, 2) ? 0 : rng_between(rng, 1, 6);
    const int64_t most = extent == 0 ? 0 : rng_percent(rng, 20) ? 3 * extent : extent;
    made.begins[d] = rng_percent(rng, 50) ? 0 : rng_between(rng, 0, most);
    made.ends[d] = rng_percent(rng, 50) ? 0 : rng_between(rng, 0, most);
    made.inner.dims[d] = extent;
    made.outer.dims[d] = extent + made.begins[d] + made.ends[d];
  }
  return made;
}

static void put_padded(region *made, const region *source, const drawn_pad *drawn) {
  oracle seen = oracle_copy(&source->where);
  oracle_pad(&seen, drawn->mode, drawn->begins, drawn->ends);
  bits_move(&source->span, source->bytes, &seen, &made->span, made->bytes, &made->where);
  oracle_free(&seen);
}

static void pad_case(const workshop *shop, uint64_t seed, int *widths) {
  test_rng rng = rng_start(seed);
  clrs_context *library = shop->libraries[seed % 3];
  const drawn_pad drawn = draw(&rng);
  const clrs_layout from = region_layout(&rng, drawn.dtype, &drawn.inner, true);
  const clrs_layout to = region_layout(&rng, drawn.dtype, &drawn.outer, false);
  region source = region_random(shop, library, &rng, &from);
  region made = region_random(shop, library, &rng, &to);
  const clrs_padding padding = {.begins = drawn.begins, .mode = drawn.mode};
  cl_event event = NULL;
  clrs_error error;
  const clrs_status status = clrs_enqueue_pad(source.tensor, &padding, made.tensor, NULL,
                                              ON(workshop_queue(shop, &rng)), &event, &error);
  CHECK_SEEDED(status == CLRS_OK, seed, "%s", error.message);
  device_finish_event(event);
  put_padded(&made, &source, &drawn);
  region_require(shop, &made, seed, "pad");
  region_require(shop, &source, seed, "pad's source");
  widths[clrs_dtype_bits(drawn.dtype)]++;
  region_free(&source);
  region_free(&made);
}

TEST(pads_repeat_the_source) {
  static const int bits[] = {1, 2, 4, 8, 16, 32, 64, 128};
  const uint64_t first = test_seed(90000);
  const int64_t cases = test_cases(CASES / 4);
  int widths[129] = {0};
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++)
    pad_case(*state, seed, widths);
  for (size_t i = 0; i < sizeof bits / sizeof bits[0] && cases >= CASES; i++)
    assert_true(widths[bits[i]] > 0);
}

/* ---- an image, through a map ---- */

enum { ROWS = 5, COLUMNS = 7, TOP = 2, LEFT = 9, TALL = 10, WIDE = 26 };

static const double means[] = {3, 5, 7}, deviations[] = {2, 4, 0.5};

static clrs_map normalizing(void) {
  const clrs_spread last = {.kind = CLRS_SPREAD_AXIS, .axis = -1};
  const clrs_numbers mean = {3, means, last}, deviation = {3, deviations, last};
  clrs_map map;
  clrs_error error;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_U8, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_SUBTRACT, CLRS_F32, &mean, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_DIVIDE, CLRS_F32, &deviation, &error), error);
  CHECK_OK(clrs_map_round(&map, CLRS_F32, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE, &error), error);
  return map;
}

static int64_t back(clrs_pad_mode mode, int64_t at, int64_t extent) {
  const clrs_layout line = {CLRS_U8, 1, {extent}, {1}, 0};
  oracle shown = oracle_from_layout(&line);
  oracle_pad(&shown, mode, LIST(LEFT), LIST(WIDE));
  const int64_t found = shown.positions[at + LEFT];
  oracle_free(&shown);
  return found;
}

static void require_planes(clrs_pad_mode mode, const unsigned char *image, const float *got) {
  for (int k = 0; k < 3 * TALL * WIDE; k++) {
    const int64_t y = back(mode, k / WIDE % TALL - TOP, ROWS);
    const int64_t x = back(mode, k % WIDE - LEFT, COLUMNS);
    const int c = k / (TALL * WIDE);
    const float value = image[(y * COLUMNS + x) * 3 + c];
    if (got[k] != (value - (float)means[c]) / (float)deviations[c])
      fail_msg("mode %d: element %d is %g, of %g", (int)mode, k, (double)got[k], (double)value);
  }
}

typedef struct image {
  const workshop *shop;
  clrs_context *library;
  cl_mem pixels, planes;
  clrs_tensor *source; /* [3, ROWS, COLUMNS], normalised */
  clrs_mapped mapped;  /* the same without a buffer */
  unsigned char bytes[ROWS * COLUMNS * 3];
  float got[3 * TALL * WIDE];
} image;

static const int64_t to_planes[] = {2, 0, 1};

static void image_open(image *made, const workshop *shop, clrs_context *library) {
  const clrs_layout layout = {CLRS_U8, 3, {ROWS, COLUMNS, 3}, {COLUMNS * 3, 3, 1}, 0};
  const clrs_map map = normalizing();
  test_rng rng = rng_start(5);
  clrs_tensor *raw = NULL, *mapped = NULL;
  clrs_error error;
  *made = (image){.shop = shop, .library = library};
  rng_fill(&rng, made->bytes, sizeof made->bytes);
  made->pixels = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, sizeof made->bytes);
  made->planes = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, sizeof made->got);
  device_write(&shop->opencl, made->pixels, sizeof made->bytes, made->bytes);
  const clrs_storage storage = {made->pixels, 0};
  CHECK_OK(clrs_tensor_wrap(library, &storage, &layout, &raw, &error), error);
  CHECK_OK(clrs_tensor_with_map(raw, &map, NULL, &mapped, &error), error);
  clrs_view view = *clrs_tensor_view(mapped);
  CHECK_OK(clrs_view_permute(&view, 3, to_planes, &error), error);
  CHECK_OK(clrs_tensor_with_view(mapped, &view, &made->source, &error), error);
  view = *clrs_tensor_view(raw);
  CHECK_OK(clrs_mapped_init(&view, &made->mapped, &error), error);
  CHECK_OK(clrs_mapped_then(&made->mapped, &map, NULL, &error), error);
  CHECK_OK(clrs_view_permute(&made->mapped.views.source, 3, to_planes, &error), error);
  for (uint32_t i = 0; i < made->mapped.views.count; i++)
    CHECK_OK(clrs_view_permute(&made->mapped.views.views[i], 3, to_planes, &error), error);
  clrs_tensor_release(mapped);
  clrs_tensor_release(raw);
}

static void image_close(image *made) {
  clrs_tensor_release(made->source);
  CL_OK(clReleaseMemObject(made->pixels));
  CL_OK(clReleaseMemObject(made->planes));
}

static void image_poison(image *made) {
  memset(made->got, 0xA5, sizeof made->got);
  device_write(&made->shop->opencl, made->planes, sizeof made->got, made->got);
}

static void image_require(image *made, clrs_pad_mode mode) {
  device_read(&made->shop->opencl, made->planes, sizeof made->got, made->got);
  require_planes(mode, made->bytes, made->got);
}

SHOP_TEST(borders_go_through_the_map) {
  const clrs_layout layout = {CLRS_F32, 3, {3, TALL, WIDE}, {TALL * WIDE, WIDE, 1}, 0};
  const int64_t begins[] = {0, TOP, LEFT};
  for (int which = 0; which < 3; which++) {
    image made;
    clrs_tensor *planes = NULL;
    image_open(&made, shop, shop->libraries[which]);
    const clrs_storage storage = {made.planes, 0};
    CHECK_OK(clrs_tensor_wrap(made.library, &storage, &layout, &planes, &error), error);
    for (clrs_pad_mode mode = CLRS_PAD_EDGE; mode <= CLRS_PAD_WRAP; mode++) {
      const clrs_padding padding = {.begins = begins, .mode = mode};
      image_poison(&made);
      CHECK_OK(clrs_enqueue_pad(made.source, &padding, planes, NULL, ON(shop->opencl.queue), NULL,
                                &error),
               error);
      image_require(&made, mode);
    }
    clrs_tensor_release(planes);
    image_close(&made);
  }
}

SHOP_TEST(sequences_pad_through_maps) {
  const clrs_shape shape = {3, {3, TALL, WIDE}};
  const int64_t begins[] = {0, TOP, LEFT};
  image made;
  clrs_view to;
  image_open(&made, shop, shop->libraries[0]);
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, &to, &error), error);
  for (clrs_pad_mode mode = CLRS_PAD_EDGE; mode <= CLRS_PAD_WRAP; mode++) {
    const test_task task = {.source = 0,
                            .destination = 1,
                            .mapped = &made.mapped,
                            .to = &to,
                            .begins = begins,
                            .mode = mode};
    const test_tasks tasks = {2, 1, &task};
    const clrs_slot slots[] = {{.storage = {made.pixels, 0}}, {.storage = {made.planes, 0}}};
    clrs_work *sequence = NULL;
    CHECK_OK(test_work_of_tasks(made.library, &tasks, &sequence, &error), error);
    image_poison(&made);
    CHECK_OK(test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, &error), error);
    image_require(&made, mode);
    clrs_work_release(sequence);
  }
  image_close(&made);
}

/* ---- results of the library's own, and launches ---- */

static clrs_tensor *dense(clrs_context *library, const clrs_shape *shape, clrs_dtype dtype) {
  clrs_tensor *made = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_allocate(library, NULL, dtype, shape, &made, &error), error);
  return made;
}

/* Nine boxes of an image, or 27 of a volume, share launches. */
SHOP_TEST(small_boxes_share_launches) {
  const clrs_shape image = {2, {40, 50}}, volume = {3, {12, 14, 16}};
  const clrs_shape *shapes[] = {&image, &volume};
  const bool shares = device_shares_launches(shop->opencl.device);
  for (int i = 0; i < 2; i++) {
    clrs_tensor *source = dense(shop->libraries[0], shapes[i], CLRS_U8), *result = NULL;
    const clrs_padding padding = {
        .begins = LIST(3, 3, 3), .mode = CLRS_PAD_REFLECT, .ends = LIST(2, 2, 2)};
    opencl_counts_reset();
    CHECK_OK(
        clrs_enqueue_pad(source, &padding, NULL, &result, ON(shop->opencl.queue), NULL, &error),
        error);
    CL_OK(clFinish(shop->opencl.queue));
    print_message("  %d boxes in %d launches\n", i == 0 ? 9 : 27, (int)opencl_counted().launches);
    assert_true(opencl_counted().launches <= (shares ? (i == 0 ? 4 : 6) : (i == 0 ? 9 : 27)));
    clrs_tensor_release(result);
    clrs_tensor_release(source);
  }
}

SHOP_TEST(empty_dims_are_padded_by_nothing) {
  const clrs_shape shape = {2, {0, 3}};
  const clrs_padding rows = {.begins = LIST(1, 0), .mode = CLRS_PAD_EDGE};
  const clrs_padding columns = {.begins = LIST(0, 1), .mode = CLRS_PAD_EDGE};
  clrs_tensor *source = dense(shop->libraries[0], &shape, CLRS_U8), *result = NULL;
  CHECK_FAILS(clrs_enqueue_pad(source, &rows, NULL, &result, ON(shop->opencl.queue), NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "dimension 0 has no elements, and edge padding repeats those that are there");
  assert_null(result);
  CHECK_OK(clrs_enqueue_pad(source, &columns, NULL, &result, ON(shop->opencl.queue), NULL, &error),
           error);
  assert_int_equal(clrs_tensor_view(result)->shape.dims[1], 4);
  clrs_tensor_release(result);
  clrs_tensor_release(source);
  result = NULL;
  source = dense(shop->libraries[0], &(clrs_shape){2, {0, INT64_C(1) << 62}}, CLRS_U8);
  const clrs_padding far = {.begins = LIST(0, INT64_C(1) << 62), .element = ""};
  CHECK_FAILS(clrs_enqueue_pad(source, &far, NULL, &result, ON(shop->opencl.queue), NULL, &error),
              CLRS_OVERFLOW, error);
  assert_null(result);
  clrs_tensor_release(source);
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
