/*
 * clrs_enqueue_stack: sources of any size and layout into the indices of a destination, each with a
 * border. Also images of different sizes, pitches and crops as a normalised batch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/opencl_counts.h"
#include "region.h"

enum { CASES = 300, MOST_SOURCES = 11 };

/* ---- any sources ---- */

typedef struct stacked {
  size_t count;
  clrs_shape outer; /* shape of an index of the destination */
  region regions[MOST_SOURCES];
  clrs_tensor *tensors[MOST_SOURCES];
  int64_t begins[MOST_SOURCES * CLRS_MAX_RANK];
  bool has_border;
  region border; /* a shape that can be broadcast to `outer` */
  unsigned char element[16];
} stacked;

static clrs_shape outer_random(test_rng *rng) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 0, 3)};
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = rng_percent(rng, 2) ? 0 : rng_between(rng, 1, 9);
  return shape;
}

static clrs_shape broadcastable(test_rng *rng, const clrs_shape *outer) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 0, outer->rank)};
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = rng_percent(rng, 50) ? 1 : outer->dims[outer->rank - shape.rank + d];
  return shape;
}

/* Sources that lie somewhere in the outer shape, or fill the shape. */
static void stacked_random(const workshop *shop, clrs_context *library, test_rng *rng,
                           clrs_dtype dtype, stacked *made) {
  made->outer = outer_random(rng);
  made->count = (size_t)rng_between(rng, 0, rng_percent(rng, 50) ? MOST_SOURCES : 3);
  for (size_t i = 0; i < made->count; i++) {
    clrs_shape inner = made->outer;
    for (uint32_t d = 0; d < inner.rank; d++) {
      const int64_t begin = rng_percent(rng, 50) ? 0 : rng_between(rng, 0, inner.dims[d]);
      made->begins[i * inner.rank + d] = begin;
      inner.dims[d] =
          rng_percent(rng, 40) ? inner.dims[d] - begin : rng_between(rng, 0, inner.dims[d] - begin);
    }
    const clrs_layout layout = region_layout(rng, dtype, &inner, true);
    made->regions[i] = region_random(shop, library, rng, &layout);
    made->tensors[i] = made->regions[i].tensor;
  }
  rng_fill(rng, made->element, sizeof made->element);
  made->has_border = rng_percent(rng, 50);
  if (made->has_border) {
    const clrs_shape shape = broadcastable(rng, &made->outer);
    const clrs_layout layout = region_layout(rng, dtype, &shape, true);
    made->border = region_random(shop, library, rng, &layout);
  }
}

static void stacked_free(stacked *made) {
  for (size_t i = 0; i < made->count; i++)
    region_free(&made->regions[i]);
  if (made->has_border)
    region_free(&made->border);
}

/* The border, broadcast to all of the destination. */
static void put_border(region *made, const region *border) {
  clrs_shape whole = {.rank = made->layout.rank};
  memcpy(whole.dims, made->layout.dims, whole.rank * sizeof *whole.dims);
  oracle seen = oracle_copy(&border->where);
  oracle_expand(&seen, &whole);
  bits_move(&border->span, border->bytes, &seen, &made->span, made->bytes, &made->where);
  oracle_free(&seen);
}

static void stacked_put(region *made, const stacked *from) {
  if (from->has_border)
    put_border(made, &from->border);
  else
    region_put_element(made, from->element);
  for (size_t i = 0; i < from->count; i++) {
    int64_t begins[CLRS_MAX_RANK] = {(int64_t)i};
    memcpy(begins + 1, from->begins + i * from->outer.rank, from->outer.rank * sizeof *begins);
    region_put(made, &from->regions[i], begins);
  }
}

static void stack_case(const workshop *shop, uint64_t seed) {
  test_rng rng = rng_start(seed);
  clrs_context *library = shop->libraries[seed % 3];
  const clrs_dtype dtype = dtype_random(&rng);
  stacked from;
  cl_event event = NULL;
  stacked_random(shop, library, &rng, dtype, &from);
  clrs_shape whole = {from.outer.rank + 1, {(int64_t)from.count}};
  memcpy(whole.dims + 1, from.outer.dims, from.outer.rank * sizeof *whole.dims);
  const clrs_layout to = region_layout(&rng, dtype, &whole, false);
  region made = region_random(shop, library, &rng, &to);
  const clrs_stack stack = {from.count, from.tensors, from.begins,
                            from.has_border ? from.border.tensor : NULL, from.element};
  const clrs_status status =
      clrs_enqueue_stack(&stack, made.tensor, ON(workshop_queue(shop, &rng)), &event, &error);
  CHECK_SEEDED(status == CLRS_OK, seed, "%s", error.message);
  device_finish_event(event);
  stacked_put(&made, &from);
  region_require(shop, &made, seed, "stack");
  for (size_t i = 0; i < from.count; i++)
    region_require(shop, &from.regions[i], seed, "a source of the stack");
  stacked_free(&from);
  region_free(&made);
}

TEST(stacks_write_each_source_and_its_border) {
  const uint64_t first = test_seed(50000);
  for (uint64_t seed = first; seed < first + (uint64_t)test_cases(CASES); seed++)
    stack_case(*state, seed);
}

/* ---- images ---- */

enum { IMAGES = 12, CHANNELS = 3, SIDE = 80, MOST_PITCH = 96, CANVAS = CHANNELS * SIDE * SIDE };

static const float means[CHANNELS] = {123.675f, 116.28f, 103.53f};
static const float deviations[CHANNELS] = {58.395f, 57.12f, 57.375f};
#define PREPROCESS "cast=f32 mean=123.675,116.28,103.53 std=58.395,57.12,57.375 permute=2,0,1"

/* Rows of pixels in a larger picture, of which a crop begins somewhere. */
typedef struct image {
  int64_t height, width, pitch, offset, top, left;
} image;

typedef struct gallery {
  image images[IMAGES];
  unsigned char *pixels;
  cl_mem memory;
  clrs_tensor *tensors[IMAGES], *border; /* a pixel, preprocessed like the images */
  int64_t begins[IMAGES * 3];
} gallery;

/* Some fill the canvas, and have more elements than a row of the grid has work-items. */
static image image_random(test_rng *rng, int64_t offset, bool is_whole) {
  const int64_t least = is_whole ? SIDE : 1;
  image made = {.height = rng_between(rng, least, SIDE), .width = rng_between(rng, least, SIDE)};
  made.pitch = CHANNELS * rng_between(rng, made.width, MOST_PITCH);
  made.offset = offset;
  made.top = (SIDE - made.height) / 2;
  made.left = (SIDE - made.width) / 2;
  return made;
}

static clrs_tensor *image_tensor(clrs_context *library, cl_mem memory, const image *of) {
  const clrs_shape shape = {3, {of->height, of->width, CHANNELS}};
  const clrs_storage storage = {memory, (uint64_t)of->offset};
  clrs_layout layout;
  clrs_tensor *whole = NULL, *made = NULL;
  clrs_chain chain;
  CHECK_OK(clrs_layout_init(CLRS_U8, &shape, (const int64_t[]){of->pitch, CHANNELS, 1}, 0, &layout,
                            &error),
           error);
  CHECK_OK(clrs_tensor_wrap(library, &storage, &layout, &whole, &error), error);
  CHECK_OK(clrs_chain_parse(PREPROCESS, &chain, &error), error);
  CHECK_OK(clrs_tensor_with_chain(whole, &chain, NULL, &made, &error), error);
  clrs_tensor_release(whole);
  return made;
}

enum { ROOM = SIDE * CHANNELS * MOST_PITCH + 100, PIXEL = IMAGES * ROOM - CHANNELS };

static gallery gallery_open(const workshop *shop, clrs_context *library, uint64_t seed) {
  test_rng rng = rng_start(seed);
  gallery made = {.pixels = malloc(IMAGES * ROOM)};
  assert_non_null(made.pixels);
  rng_fill(&rng, made.pixels, IMAGES * ROOM);
  made.memory = device_buffer(&shop->opencl, CL_MEM_READ_ONLY, IMAGES * ROOM);
  device_write(&shop->opencl, made.memory, IMAGES * ROOM, made.pixels);
  for (int64_t i = 0; i < IMAGES; i++) {
    made.images[i] = image_random(&rng, i * ROOM + rng_between(&rng, 0, 100), i % 3 == 0);
    made.tensors[i] = image_tensor(library, made.memory, &made.images[i]);
    made.begins[3 * i + 1] = made.images[i].top;
    made.begins[3 * i + 2] = made.images[i].left;
  }
  const image pixel = {.height = 1, .width = 1, .pitch = CHANNELS, .offset = PIXEL};
  made.border = image_tensor(library, made.memory, &pixel);
  return made;
}

static void gallery_close(gallery *made) {
  for (size_t i = 0; i < IMAGES; i++)
    clrs_tensor_release(made->tensors[i]);
  clrs_tensor_release(made->border);
  CL_OK(clReleaseMemObject(made->memory));
  free(made->pixels);
}

/* The value of a pixel of the image, or of the border, in C's floats. */
static float expected_at(const gallery *from, int64_t i, int64_t channel, int64_t y, int64_t x) {
  const image *of = &from->images[i];
  const bool is_inside =
      y >= of->top && x >= of->left && y < of->top + of->height && x < of->left + of->width;
  const int64_t pixel =
      is_inside ? of->offset + (y - of->top) * of->pitch + (x - of->left) * CHANNELS : PIXEL;
  const float less = (float)from->pixels[pixel + channel] - means[channel];
  return less / deviations[channel];
}

static void gallery_require(const gallery *from, const float *got) {
  for (int64_t k = 0; k < (int64_t)IMAGES * CANVAS; k++) {
    const int64_t x = k % SIDE, y = k / SIDE % SIDE, channel = k / SIDE / SIDE % CHANNELS;
    const float expected = expected_at(from, k / CANVAS, channel, y, x);
    if (memcmp(&got[k], &expected, sizeof expected) != 0)
      fail_msg("image %d, channel %d, y %d, x %d: %g, expected %g", (int)(k / CANVAS), (int)channel,
               (int)y, (int)x, (double)got[k], (double)expected);
  }
}

/* Stacks a gallery, and returns the number of launches. */
static int64_t stack_gallery(const workshop *shop, clrs_context *library, uint64_t seed) {
  gallery from = gallery_open(shop, library, seed);
  const size_t bytes = IMAGES * CANVAS * sizeof(float);
  const clrs_stack stack = {IMAGES, from.tensors, from.begins, from.border, NULL};
  float *got = malloc(bytes);
  clrs_tensor *batch = NULL;
  assert_non_null(got);
  memset(got, 0xa5, bytes);
  cl_mem memory = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, bytes);
  device_write(&shop->opencl, memory, bytes, got);
  CHECK_OK(clrs_tensor_wrap_dense(library, memory, CLRS_F32, 4,
                                  (const int64_t[]){IMAGES, CHANNELS, SIDE, SIDE}, &batch, &error),
           error);
  const int64_t before = opencl_counted().launches;
  CHECK_OK(clrs_enqueue_stack(&stack, batch, ON(shop->opencl.queue), NULL, &error), error);
  const int64_t launches = opencl_counted().launches - before;
  device_read(&shop->opencl, memory, bytes, got);
  gallery_require(&from, got);
  clrs_tensor_release(batch);
  CL_OK(clReleaseMemObject(memory));
  gallery_close(&from);
  free(got);
  return launches;
}

/* All images, of any sizes, and all borders are a launch each, plus a launch if some begin at
 * another alignment. Another gallery builds no program. */
SHOP_TEST(images_become_a_batch) {
  const int64_t boxes = IMAGES * 7, most = device_shares_launches(shop->opencl.device) ? 4 : boxes;
  for (size_t which = 0; which < 3; which++) {
    clrs_context *library = shop->libraries[which];
    const int64_t launches = stack_gallery(shop, library, 1);
    const size_t programs = clrs_context_program_count(library);
    assert_in_range(launches, 1, most);
    assert_in_range(stack_gallery(shop, library, 2), 1, most);
    assert_int_equal(clrs_context_program_count(library), programs);
  }
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
