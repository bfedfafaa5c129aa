/*
 * Tensors read into host memory: any view, layout and type, against the oracle. Mapped tensors are
 * compared with the library's own moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/chain.h"
#include "region.h"

enum { CASES = 300, MOST_BYTES = 1 << 16 };

/* In the last byte only the elements' bits count: the low bits, or for U1 the high bits. */
static void require_same(const unsigned char *got, const unsigned char *want, uint64_t bits,
                         bool msb_first, uint64_t seed) {
  for (uint64_t i = 0; i < (bits + 7) / 8; i++) {
    const unsigned behind = bits - 8 * i < 8 ? (unsigned)(8 - (bits - 8 * i)) : 0;
    const unsigned mask = msb_first ? 0xffu << behind & 0xffu : 0xffu >> behind;
    CHECK_SEEDED(((got[i] ^ want[i]) & mask) == 0, seed, "byte %llu is %02x, not %02x",
                 (unsigned long long)i, got[i], want[i]);
  }
}

static void read_case(const workshop *shop, uint64_t seed, int *copied) {
  static unsigned char got[MOST_BYTES], want[MOST_BYTES];
  test_rng rng = rng_start(seed);
  clrs_context *library = shop->libraries[seed % 3];
  const clrs_dtype dtype = dtype_random(&rng);
  const clrs_shape shape = {2, {rng_between(&rng, 0, 9), rng_between(&rng, 1, 9)}};
  const clrs_layout layout = region_layout(&rng, dtype, &shape, true);
  region made = region_random(shop, library, &rng, &layout);
  oracle where = oracle_copy(&made.where);
  clrs_view view = *clrs_tensor_view(made.tensor);
  clrs_tensor *seen = NULL;
  cl_event event = NULL;
  for (int64_t steps = rng_between(&rng, 0, 2); steps > 0; steps--) {
    const move step = move_random(&rng, &where.shape, 500);
    CHECK_OK(move_apply_view(&step, &view, &error), error);
    move_apply_oracle(&step, &where);
  }
  CHECK_OK(clrs_tensor_with_view(made.tensor, &view, &seen, &error), error);
  const uint64_t bits = (uint64_t)where.count * made.span.width;
  const bit_span dense = bits_of(dtype, 0);
  memset(want, 0, sizeof want);
  for (int64_t k = 0; k < where.count; k++)
    bits_copy(&made.span, made.bytes, where.positions[k], &dense, want, k);
  clrs_layout as_it_lies;
  *copied += where.count > 0 && clrs_view_layout(&view, &as_it_lies, NULL) != CLRS_OK;
  CHECK_OK(clrs_enqueue_read(seen, got, (size_t)((bits + 7) / 8), ON(workshop_queue(shop, &rng)),
                             &event, &error),
           error);
  clrs_tensor_release(seen);
  device_finish_event(event);
  require_same(got, want, bits, dense.msb_first, seed);
  region_require(shop, &made, seed, "the source after a read");
  oracle_free(&where);
  region_free(&made);
}

TEST(every_view_is_read) {
  const uint64_t first = test_seed(77000);
  const int64_t cases = test_cases(CASES);
  int copied = 0;
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++)
    read_case(*state, seed, &copied);
  print_message("  of %lld, %d had no layout\n", (long long)cases, copied);
  if (cases >= CASES)
    assert_true(copied > CASES / 20);
}

SHOP_TEST(a_mapped_tensor_is_computed) {
  const unsigned char bytes[6] = {0, 1, 2, 250, 251, 252};
  const float want[6] = {0.5f, 125.5f, 1, 126, 1.5f, 126.5f};
  float got[6];
  clrs_tensor *source = NULL, *seen = NULL;
  clrs_chain chain;
  cl_event event = NULL;
  cl_mem buffer = device_buffer(&shop->opencl, CL_MEM_READ_ONLY, sizeof bytes);
  device_write(&shop->opencl, buffer, sizeof bytes, bytes);
  CHECK_OK(
      clrs_tensor_wrap_dense(shop->libraries[0], buffer, CLRS_U8, 2, LIST(2, 3), &source, &error),
      error);
  CHECK_OK(clrs_chain_parse("cast=f32 bias=1 scale=0.5 permute=1,0", &chain, &error), error);
  CHECK_OK(clrs_tensor_with_chain(source, &chain, NULL, &seen, &error), error);
  CHECK_OK(clrs_enqueue_read(seen, got, sizeof got, ON(shop->opencl.queue), &event, &error), error);
  clrs_tensor_release(source);
  clrs_tensor_release(seen);
  device_finish_event(event);
  assert_memory_equal(got, want, sizeof want);
  CL_OK(clReleaseMemObject(buffer));
}

/* A single element, repeated so often that no memory holds the result. */
SHOP_TEST(what_no_memory_holds_is_not_read) {
  const clrs_layout many = {CLRS_F32, 1, {INT64_MAX}, {0}, 0};
  cl_mem buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, 4);
  const clrs_storage storage = {buffer, 0};
  clrs_tensor *source = NULL;
  float got = 1.5f;
  CHECK_OK(clrs_tensor_wrap(shop->libraries[0], &storage, &many, &source, &error), error);
  CHECK_FAILS(clrs_enqueue_read(source, &got, sizeof got, ON(shop->opencl.queue), NULL, &error),
              CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "does not fit in 64 bits");
  clrs_tensor_release(source);
  CL_OK(clFinish(shop->opencl.queue));
  assert_true(got == 1.5f);
  CL_OK(clReleaseMemObject(buffer));
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
