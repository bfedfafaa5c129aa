/*
 * Tests the kernels of a context separately: each variant is distinct, the room is limited, and a
 * request without room changes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* sched_setaffinity */

#include <sched.h>

#include "harness/device.h"
#include "harness/fault_layer.h"
#include "opencl/device/processor.h"
#include "store_fixture.h"

static fault_layer layer;
static clrs__kernel_store full; /* filled with variants that no request asks for */
static int nothing; /* stands for the kernels of these variants, never passed to OpenCL */

static void fill(const test_device *device) {
  full = (clrs__kernel_store){.target = target_of(device)};
  for (; full.count < CLRS__MAX_VARIANTS; full.count++)
    full.kernels[full.count] =
        (clrs__built_kernel){.variant = {.kernel_class = CLRS__CLASS_GPU_ANY,
                                         .unit_bits = 32,
                                         .nest_axes = 1000 + (uint32_t)full.count},
                             .kernel = (cl_kernel)(void *)&nothing};
}

static const clrs__variant gather = {
    .kernel_class = CLRS__CLASS_GPU_ANY, .unit_bits = 32, .index_bits = 32, .nest_axes = 31};

TEST(a_full_store_finds_and_refuses) {
  cl_kernel kernel = NULL;
  fill(*state);
  clrs__variant last = full.kernels[CLRS__MAX_VARIANTS - 1].variant;
  CHECK_OK(find_kernel(&full, last, &kernel, &error), error);
  assert_ptr_equal(kernel, &nothing);
  CHECK_FAILS(find_kernel(&full, gather, &kernel, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "800");
  assert_null(kernel);
  assert_int_equal(full.count, CLRS__MAX_VARIANTS);
}

TEST(a_full_store_imports_nothing) {
  static unsigned char blob[1 << 18];
  const test_device *device = *state;
  static clrs__kernel_store one;
  cl_kernel kernel = NULL;
  size_t size = 0;
  one = (clrs__kernel_store){.target = target_of(device)};
  CHECK_OK(find_kernel(&one, gather, &kernel, &error), error);
  CHECK_OK(clrs__kernel_store_export(&one, blob, sizeof blob, &size, &error), error);
  assert_in_range(size, 1, sizeof blob);
  fill(device);
  CHECK_FAILS(clrs__kernel_store_import(&full, (clrs__bytes){blob, size}, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "800");
  assert_int_equal(full.count, CLRS__MAX_VARIANTS);
  full.kernels[7].variant = gather; /* is there already */
  CHECK_OK(clrs__kernel_store_import(&full, (clrs__bytes){blob, size}, &error), error);
  assert_ptr_equal(full.kernels[7].kernel, &nothing);
  assert_int_equal(full.count, CLRS__MAX_VARIANTS);
  clrs__kernel_store_destroy(&one);
}

/* Under the same name, on a processor that can do other things. */
TEST(programs_of_another_processor_are_refused) {
  static unsigned char blob[1 << 18];
  static clrs__kernel_store one;
  const test_device *device = *state;
  cl_kernel kernel = NULL;
  size_t size = 0;
  clrs__program_target here = target_of(device);
  here.processor = UINT64_C(0x123456789abcdef0);
  one = (clrs__kernel_store){.target = here};
  CHECK_OK(find_kernel(&one, gather, &kernel, &error), error);
  CHECK_OK(clrs__kernel_store_export(&one, blob, sizeof blob, &size, &error), error);
  assert_in_range(size, 1, sizeof blob);
  clrs__kernel_store_destroy(&one);
  for (int bit = 0; bit < 64; bit++) {
    one = (clrs__kernel_store){.target = here};
    one.target.processor ^= UINT64_C(1) << bit;
    CHECK_FAILS(clrs__kernel_store_import(&one, (clrs__bytes){blob, size}, &error),
                CLRS_UNSUPPORTED, error);
    assert_int_equal(one.kept_count, 0);
  }
  one = (clrs__kernel_store){.target = here};
  CHECK_OK(clrs__kernel_store_import(&one, (clrs__bytes){blob, size}, &error), error);
  assert_int_equal(one.kept_count, 1);
  clrs__kernel_store_destroy(&one);
}

/* A thread may wake up on any. */
TEST(the_processor_is_the_same_on_each_core) {
  const uint64_t here = clrs__processor_checksum();
  cpu_set_t allowed, one;
  int tried = 0;
  assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  for (size_t core = 0; core < CPU_SETSIZE; core++) {
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    if (CPU_ISSET(core, &allowed) && sched_setaffinity(0, sizeof one, &one) == 0) {
      assert_int_equal(clrs__processor_checksum(), here);
      tried++;
    }
  }
  assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
  assert_true(tried > 0);
  assert_true(here != 0);
}

TEST(every_field_makes_another_variant) {
  enum { OTHERS = 18 };
  clrs__variant others[OTHERS];
  for (int i = 0; i < OTHERS; i++)
    others[i] = gather;
  others[0].kernel_class = CLRS__CLASS_CPU_ROWS;
  others[1].unit_bits = 64;
  others[2].index_bits = 64;
  others[3].nest_axes = 21;
  others[4].level_axes = 14;
  others[5].msb_first = true;
  others[6].interleaves = true;
  others[7].fills = true;
  others[8].is_chunked = true;
  others[9].is_batched = true;
  others[10].wide_source = true;
  others[11].wide_destination = true;
  others[12].loops = true;
  others[13].map.geometry = CLRS__MAPPED_ANY;
  others[14].map.kinds[CLRS_MAP_STEPS - 1] = CLRS_STEP_ADD;
  others[15].map.is_tabled = true;
  others[16].halvings = 1;
  others[17].map.halvings = 1;
  assert_true(clrs__variant_equal(gather, gather));
  for (int i = 0; i < OTHERS; i++) {
    assert_true(clrs__variant_equal(others[i], others[i]));
    assert_false(clrs__variant_equal(gather, others[i]) || clrs__variant_equal(others[i], gather));
  }
}

/* The caller passes no error struct: a failed call gives only the status. */
TEST(a_build_may_fail_untold) {
  const test_device *device = *state;
  static clrs__kernel_store one;
  fault f = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE};
  cl_kernel kernel = NULL;
  one = (clrs__kernel_store){.target = target_of(device)};
  for (bool is_build = false; !is_build; f.nth++) {
    layer.arm(&f);
    const clrs_status status = find_kernel(&one, gather, &kernel, NULL);
    const char *call = layer.failed();
    layer.arm(NULL);
    assert_non_null(call);
    is_build = strcmp(call, "clBuildProgram") == 0;
    assert_int_equal(status, is_build ? CLRS_BUILD_FAILURE : CLRS_OPENCL_ERROR);
    assert_int_equal(one.count, 0);
  }
}

/* A store with a single program. The first call of this program then fails with that code. */
static clrs_status find_imported(const test_device *device, clrs__kernel_store *store, cl_int code,
                                 const char **failed, clrs_error *said) {
  static unsigned char blob[1 << 18];
  static clrs__kernel_store maker;
  const clrs__program_target target = target_of(device);
  const fault first = {1, code, false, FAULT_BEFORE};
  cl_kernel kernel = NULL;
  size_t size = 0;
  *store = maker = (clrs__kernel_store){.target = target};
  CHECK_OK(find_kernel(&maker, gather, &kernel, &error), error);
  CHECK_OK(clrs__kernel_store_export(&maker, blob, sizeof blob, &size, &error), error);
  clrs__kernel_store_destroy(&maker);
  CHECK_OK(clrs__kernel_store_import(store, (clrs__bytes){blob, size}, &error), error);
  memset(blob, 0, sizeof blob); /* it may go */
  assert_int_equal(store->count + store->kept_count, 1);
  layer.arm(&first);
  const clrs_status status = find_kernel(store, gather, &kernel, said);
  *failed = layer.failed();
  layer.arm(NULL);
  return status;
}

TEST(a_binary_that_is_not_valid_is_built_from_source) {
  static clrs__kernel_store store;
  const char *failed = NULL;
  assert_int_equal(find_imported(*state, &store, CL_INVALID_BINARY, &failed, &error), CLRS_OK);
  assert_string_equal(failed, "clCreateProgramWithBinary");
  assert_int_equal(store.count, 1);
  assert_int_equal(store.kept_count, 0);
  clrs__kernel_store_destroy(&store);
}

TEST(another_failure_is_told_and_not_repeated) {
  static clrs__kernel_store store;
  const char *failed = NULL;
  const clrs_error untouched = {.message = "as it was"};
  clrs_error said;
  cl_kernel kernel = NULL;
  for (int is_told = 0; is_told < 2; is_told++) {
    said = untouched;
    assert_int_equal(
        find_imported(*state, &store, CL_OUT_OF_RESOURCES, &failed, is_told ? &said : NULL),
        CLRS_OPENCL_ERROR);
    assert_string_equal(failed, "clCreateProgramWithBinary");
    CHECK_SAYS(said, is_told ? "clCreateProgramWithBinary" : "as it was");
    assert_int_equal(store.count + store.kept_count, 0);
    CHECK_OK(find_kernel(&store, gather, &kernel, &error), error);
    clrs__kernel_store_destroy(&store);
  }
}

/* Not optimized, because an optimizing compiler inlines functions anyway. */
TEST(kernels_are_built_for_compilers_that_do_not_inline) {
  static clrs__kernel_store store;
  const clrs__map_key key = {.geometry = CLRS__MAPPED_ANY,
                             .from = CLRS_U8,
                             .to = CLRS_I16,
                             .step_count = 1,
                             .kinds = {CLRS_STEP_ROUND},
                             .dtypes = {CLRS_I16}};
  const clrs__variant variants[] = {gather, clrs__mapped_variant(&key, 32)};
  store = (clrs__kernel_store){.target = target_of(*state)};
  store.target.never_inlines = true;
  for (size_t i = 0; i < 2; i++) {
    char options[4096] = "";
    cl_kernel kernel = NULL;
    CHECK_OK(find_kernel(&store, variants[i], &kernel, &error), error);
    CL_OK(clGetProgramBuildInfo(store.kernels[i].program, store.target.device,
                                CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL));
    assert_non_null(strstr(options, " -cl-opt-disable -DINLINED=HELPER"));
  }
  clrs__kernel_store_destroy(&store);
}

/* Whoever only passes a blob on asks no driver, and loses nothing. */
TEST(what_is_not_needed_is_exported_as_it_came) {
  static unsigned char blob[1 << 18], again[1 << 18];
  static clrs__kernel_store one, other;
  const test_device *device = *state;
  const clrs__program_target target = target_of(device);
  cl_kernel kernel = NULL;
  size_t size = 0, size_again = 0;
  one = other = (clrs__kernel_store){.target = target};
  CHECK_OK(find_kernel(&one, gather, &kernel, &error), error);
  CHECK_OK(clrs__kernel_store_export(&one, blob, sizeof blob, &size, &error), error);
  CHECK_OK(clrs__kernel_store_import(&other, (clrs__bytes){blob, size}, &error), error);
  CHECK_OK(clrs__kernel_store_import(&other, (clrs__bytes){blob, size}, &error),
           error); /* nothing new */
  CHECK_OK(clrs__kernel_store_export(&other, again, sizeof again, &size_again, &error), error);
  assert_int_equal(size_again, size);
  assert_memory_equal(again, blob, size);
  assert_int_equal(other.count, 0);
  clrs__kernel_store_destroy(&other);
  clrs__kernel_store_destroy(&one);
}

TESTS_UNLESS(device_and_layer_missing(&layer), store_device_open, store_device_close)
