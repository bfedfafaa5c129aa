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
  const int64_t cases = test_cases(6000);
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

TESTS_UNLESS(device_missing(), NULL, NULL)
