/*
 * Buffers that end, or begin, exactly with the tensor, next to an inaccessible page. A read or a
 * write of a byte outside kills this program. This works on devices that use host memory in place,
 * like PoCL. On other devices the test is one more comparison.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/fence.h"

#include "harness/bits.h"
#include "harness/tensors.h"

enum { PAGES = 64 };

static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U1,  CLRS_U2,  CLRS_I4,  CLRS_U8,
                                    CLRS_F16,   CLRS_F32, CLRS_F64, CLRS_C128};

static void run_move(const test_device *device, clrs_context *library, fenced_tensor *from,
                     fenced_tensor *to, uint64_t seed) {
  clrs_error error = {0};
  clrs_tensor *source = NULL, *target = NULL;
  cl_event event = NULL;
  unsigned char *expected = malloc(to->size);
  unsigned char *got = malloc(to->size);
  assert_true(expected && got);
  device_read(device, to->buffer, to->size, expected);
  bits_move(&from->span, from->bytes, &from->where, &to->span, expected, &to->where);
  const clrs_storage storage[] = {{from->buffer, 0}, {to->buffer, 0}};
  CHECK_OK(clrs_tensor_wrap(library, &storage[0], &from->layout, &source, &error), error);
  CHECK_OK(clrs_tensor_wrap(library, &storage[1], &to->layout, &target, &error), error);
  CHECK_OK(clrs_enqueue_move(source, target, ON(device->queue), &event, &error), error);
  device_finish_event(event);
  device_read(device, to->buffer, to->size, got);
  CHECK_SEEDED(memcmp(got, expected, to->size) == 0, seed, "moved wrongly");
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  free(expected);
  free(got);
}

TEST(moves_stay_between_the_fences) {
  test_device device;
  fenced memory[2] = {fence(PAGES), fence(PAGES)};
  const uint64_t seed = test_seed(120000);
  const int64_t cases = test_cases(1500);
  int64_t moved = 0;
  device_open(&device);
  clrs_context *library = device_library(&device, NULL);
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const clrs_dtype dtype = dtypes[rng_between(&rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
    const layout_wish wish = {5, 70, 2000, 0, true};
    fenced_tensor from = {.layout = layout_random(&rng, dtype, &wish, 0)}, to = {.size = 0};
    clrs_shape shape = {.rank = from.layout.rank};
    memcpy(shape.dims, from.layout.dims, sizeof shape.dims);
    to.layout = layout_random_of_shape(&rng, dtype, &shape, false, 0);
    const bool fits = fence_place(&device, &memory[0], &rng, &from);
    if (fence_place(&device, &memory[1], &rng, &to) && fits) {
      run_move(&device, library, &from, &to, seed + (uint64_t)i);
      moved++;
    }
    fence_remove(&from);
    fence_remove(&to);
  }
  print_message("%lld moves\n", (long long)moved);
  assert_true(moved * 10 >= cases * 9);
  clrs_context_release(library);
  device_close(&device);
  unfence(&memory[0]);
  unfence(&memory[1]);
}

/* ---- pictures ---- */

/* A picture, or a frame, of bytes. The chain lacks the size. */
typedef struct picture_case {
  const char *before, *by;
  int64_t channels; /* or 0 for a frame with chroma below */
} picture_case;

enum { MOST = 3 * 40 * 40 };

/* The size of the host's result. */
static size_t resize_on_host(const clrs_chain *chain, const clrs_view *view, clrs_bytes from,
                             unsigned char *to) {
  const clrs_map_data data = {.source = from};
  clrs_mapped mapped;
  clrs_error error = {0};
  int64_t count;
  CHECK_OK(clrs_mapped_init(view, &mapped, &error), error);
  CHECK_OK(clrs_chain_map(chain, NULL, &mapped, &error), error);
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, to, MOST, &error), error);
  CHECK_OK(clrs_shape_count(&mapped.views.source.shape, &count, &error), error);
  return (size_t)count;
}

/* Compares the picture `source`, of these bytes, after the chain. */
static void expect_hosts(const test_device *device, clrs_tensor *source, const char *text,
                         clrs_bytes from, uint64_t seed) {
  unsigned char expected[MOST], got[MOST];
  clrs_error error = {0};
  clrs_tensor *made = NULL;
  clrs_chain chain;
  cl_event event = NULL;
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  const size_t count = resize_on_host(&chain, clrs_tensor_view(source), from, expected);
  CHECK_OK(clrs_tensor_with_chain(source, &chain, NULL, &made, &error), error);
  CHECK_OK(clrs_enqueue_read(made, got, count, ON(device->queue), &event, &error), error);
  device_finish_event(event);
  CHECK_SEEDED(memcmp(got, expected, count) == 0, seed, "resized wrongly");
  clrs_tensor_release(made);
}

static void resize_one(const test_device *device, clrs_context *library, const fenced *memory,
                       const picture_case *of, uint64_t seed) {
  test_rng rng = rng_start(seed);
  const int64_t rows = rng_between(&rng, 1, 20), columns = 2 * rng_between(&rng, 1, 20);
  const int64_t dims[] = {of->channels > 0 ? rows : 3 * rows, columns, of->channels};
  const size_t rank = of->channels > 0 ? 3 : 2;
  const size_t size = (size_t)(dims[0] * columns * (rank == 3 ? of->channels : 1));
  unsigned char *bytes, content[MOST];
  clrs_error error = {0};
  clrs_tensor *source = NULL;
  char text[128];
  cl_mem buffer = fence_buffer(device, memory, rng_percent(&rng, 50), size, &bytes);
  rng_fill(&rng, content, size);
  device_write(device, buffer, size, content);
  snprintf(text, sizeof text, "%s resize=%d,%d,%s", of->before, (int)rng_between(&rng, 1, 40),
           (int)rng_between(&rng, 1, 40), of->by);
  CHECK_OK(clrs_tensor_wrap_dense(library, buffer, CLRS_U8, rank, dims, &source, &error), error);
  expect_hosts(device, source, text, (clrs_bytes){content, size}, seed);
  clrs_tensor_release(source);
  CL_OK(clReleaseMemObject(buffer));
}

TEST(pictures_are_read_between_the_fences) {
  static const picture_case cases[] = {{"", "opencv_linear", 3},
                                       {"", "pillow_bicubic", 3},
                                       {"", "opencv_nearest", 3},
                                       {"color=nv12,rgb,opencv", "opencv_linear", 0},
                                       {"color=i420,bgr,openvino", "opencv_linear_exact", 0},
                                       {"color=uyvy,rgb,opencv", "opencv_nearest", 2}};
  test_device device;
  const fenced memory = fence(PAGES);
  const uint64_t seed = test_seed(121000);
  device_open(&device);
  clrs_context *library = device_library(&device, NULL);
  for (int64_t i = 0; i < test_cases(80); i++) {
    resize_one(&device, library, &memory, &cases[(size_t)i % COUNT(cases)], seed + (uint64_t)i);
  }
  clrs_context_release(library);
  device_close(&device);
  unfence(&memory);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
