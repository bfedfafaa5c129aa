/*
 * A store of kernels, and a context, with room for a few kernels: maps and gathers make room for
 * each other, and no request fails for lack of room.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/fault_layer.h"
#include "harness/works.h"
#include "opencl/tensor/tensor.h"
#include "store_fixture.h"

static fault_layer layer;

static const clrs__variant gather = {
    .kernel_class = CLRS__CLASS_GPU_ANY, .unit_bits = 32, .index_bits = 32, .nest_axes = 31};

/* ---- a store that is full ---- */

enum { ROOM = 3 };

static clrs__variant map_of(clrs_dtype from) {
  const clrs__map_key key = {.geometry = CLRS__MAPPED_ANY,
                             .from = from,
                             .to = CLRS_U8,
                             .step_count = 1,
                             .kinds = {CLRS_STEP_ROUND},
                             .dtypes = {CLRS_U8}};
  return clrs__mapped_variant(&key, 32);
}

static bool has(const clrs__kernel_store *store, clrs__variant variant) {
  return built_kernel(store, variant) != NULL;
}

/* A move, and maps from two types, the first of which was used last. */
static void fill_small(const test_device *device, clrs__kernel_store *store) {
  const clrs__variant found[ROOM + 1] = {gather, map_of(CLRS_I8), map_of(CLRS_I16),
                                         map_of(CLRS_I8)};
  cl_kernel kernel = NULL;
  clrs_error error;
  *store = (clrs__kernel_store){.target = target_of(device), .limit = ROOM};
  for (size_t i = 0; i <= ROOM; i++)
    CHECK_OK(find_kernel(store, found[i], &kernel, &error), error);
  assert_int_equal(store->count, ROOM);
}

TEST(the_map_used_longest_ago_makes_room) {
  static clrs__kernel_store store;
  cl_kernel kernel = NULL;
  fill_small(*state, &store);
  CHECK_OK(find_kernel(&store, map_of(CLRS_I32), &kernel, &error), error);
  assert_false(has(&store, map_of(CLRS_I16)));
  assert_true(has(&store, map_of(CLRS_I8)) && has(&store, gather));
  CHECK_OK(find_kernel(&store, map_of(CLRS_I16), &kernel, &error), error); /* built again */
  assert_false(has(&store, map_of(CLRS_I8)));
  assert_true(has(&store, map_of(CLRS_I32)) && has(&store, gather));
  assert_int_equal(store.count, ROOM);
  clrs__kernel_store_destroy(&store);
}

/* A kernel of gathers makes room as maps do, and the move stays. */
TEST(a_gather_makes_room) {
  static clrs__kernel_store store;
  const clrs__variant by_index =
      clrs__any_indexed_variant(&(clrs__index_key){.is_indexed = true}, 32);
  cl_kernel kernel = NULL;
  fill_small(*state, &store);
  CHECK_OK(find_kernel(&store, by_index, &kernel, &error), error);
  CHECK_OK(find_kernel(&store, map_of(CLRS_I8), &kernel, &error), error);
  CHECK_OK(find_kernel(&store, map_of(CLRS_I32), &kernel, &error), error);
  assert_false(has(&store, by_index));
  assert_true(has(&store, map_of(CLRS_I8)) && has(&store, gather));
  clrs__kernel_store_destroy(&store);
}

TEST(a_kernel_that_is_held_stays) {
  static clrs__kernel_store store;
  clrs__held_kernel held[2];
  cl_kernel kernel = NULL;
  fill_small(*state, &store);
  CHECK_OK(clrs__kernel_store_find(&store, map_of(CLRS_I8), &held[0], &error), error);
  CHECK_OK(clrs__kernel_store_find(&store, map_of(CLRS_I16), &held[1], &error), error);
  CHECK_FAILS(find_kernel(&store, map_of(CLRS_I32), &kernel, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "at most 3 kernels");
  clrs__held_kernel_give_back(&held[1]);
  CHECK_OK(find_kernel(&store, map_of(CLRS_I32), &kernel, &error), error);
  assert_false(has(&store, map_of(CLRS_I16)));
  assert_ptr_equal(built_kernel(&store, map_of(CLRS_I8)), held[0].kernel);
  clrs__held_kernel_give_back(&held[0]);
  clrs__kernel_store_destroy(&store);
}

/* A build that fails costs no kernel. An imported program that nothing has needed goes first. */
TEST(nothing_is_given_up_without_need) {
  static unsigned char blob[1 << 18];
  static clrs__kernel_store store, maker;
  const fault first = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE};
  clrs__variant wide = gather;
  cl_kernel kernel = NULL;
  size_t size = 0;
  wide.unit_bits = 64;
  fill_small(*state, &store);
  layer.arm(&first);
  CHECK_FAILS(find_kernel(&store, map_of(CLRS_I32), &kernel, &error), CLRS_OPENCL_ERROR, error);
  layer.arm(NULL);
  assert_true(has(&store, map_of(CLRS_I16)));
  store.limit = ROOM + 1;
  maker = (clrs__kernel_store){.target = store.target};
  CHECK_OK(find_kernel(&maker, wide, &kernel, &error), error);
  CHECK_OK(clrs__kernel_store_export(&maker, blob, sizeof blob, &size, &error), error);
  CHECK_OK(clrs__kernel_store_import(&store, (clrs__bytes){blob, size}, &error), error);
  assert_int_equal(store.kept_count, 1);
  CHECK_OK(find_kernel(&store, map_of(CLRS_I32), &kernel, &error), error);
  assert_int_equal(store.kept_count, 0);
  assert_int_equal(store.count, ROOM + 1);
  assert_true(has(&store, map_of(CLRS_I16)));
  clrs__kernel_store_destroy(&maker);
  clrs__kernel_store_destroy(&store);
}

/* ---- a context that is full ---- */

enum { COUNT = 8 };
static const int8_t bytes[COUNT] = {1, -2, 3, -4, 5, -6, 7, -8};
static const int16_t shorts[COUNT] = {1, -2, 3, -4, 5, -6, 7, -8};
static const float floats[COUNT] = {1, -2, 3, -4, 5, -6, 7, -8};
static const int8_t swapped[COUNT] = {1, 5, -2, -6, 3, 7, -4, -8};

static void expect_chain(const test_device *device, clrs_tensor *source, const char *chain,
                         const void *expected, size_t size) {
  unsigned char got[COUNT * sizeof(float)];
  clrs_tensor *result = NULL;
  cl_event event = NULL;
  clrs_error error;
  CHECK_OK(clrs_enqueue_chain(source, chain, CLRS_COPY_ALWAYS, NULL, &result, ON(device->queue),
                              NULL, &error),
           error);
  CHECK_OK(clrs_enqueue_read(result, got, size, ON(device->queue), &event, &error), error);
  device_finish_event(event);
  assert_memory_equal(got, expected, size);
  clrs_tensor_release(result);
}

static clrs_work *make_batch(clrs_tensor *source, cl_mem into) {
  clrs_tensor *mapped = NULL, *target = NULL;
  clrs_work *batch = NULL;
  clrs_chain cast;
  clrs_error error;
  CHECK_OK(clrs_chain_parse("cast=i16", &cast, &error), error);
  CHECK_OK(clrs_tensor_with_chain(source, &cast, NULL, &mapped, &error), error);
  CHECK_OK(clrs_tensor_wrap_dense(source->common->context, into, CLRS_I16, 2,
                                  (const int64_t[]){2, 4}, &target, &error),
           error);
  CHECK_OK(
      test_work_of_moves(source->common->context,
                         &(test_moves){.count = 1, .sources = &mapped, .destinations = &target},
                         &batch, &error),
      error);
  clrs_tensor_release(mapped);
  clrs_tensor_release(target);
  return batch;
}

/* Room for three kernels: a batch has one kernel, a transpose has one kernel, and all casts share
 * the third kernel. */
TEST(every_request_goes_on_in_a_full_context) {
  const test_device *device = *state;
  clrs_context *library = device_library(device, NULL);
  cl_mem from = device_buffer(device, CL_MEM_READ_WRITE, sizeof bytes);
  cl_mem into = device_buffer(device, CL_MEM_READ_WRITE, sizeof shorts);
  int16_t got[COUNT] = {0};
  clrs_tensor *source = NULL;
  library->kernels.limit = 3;
  device_write(device, from, sizeof bytes, bytes);
  CHECK_OK(
      clrs_tensor_wrap_dense(library, from, CLRS_I8, 2, (const int64_t[]){2, 4}, &source, &error),
      error);
  clrs_work *batch = make_batch(source, into);
  for (int round = 0; round < 2; round++) {
    expect_chain(device, source, "cast=i16", shorts, sizeof shorts);
    expect_chain(device, source, "permute=1,0", swapped, sizeof swapped);
    expect_chain(device, source, "cast=f32", floats, sizeof floats);
    assert_int_equal(clrs_context_program_count(library), 3);
  }
  CHECK_OK(clrs_enqueue_work(batch, 0, NULL, ON(device->queue), NULL, &error), error);
  CL_OK(clFinish(device->queue));
  device_read(device, into, sizeof got, got);
  assert_memory_equal(got, shorts, sizeof got);
  clrs_work_release(batch);
  clrs_tensor_release(source);
  clrs_context_release(library);
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(into));
}

TESTS_UNLESS(device_and_layer_missing(&layer), store_device_open, store_device_close)
