/*
 * Memory is short, because the process limits the address space. A tensor that does not fit is an
 * error, and smaller tensors still work. Nothing may end the process at a buffer's first use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api.h"

enum { MIB = 1 << 20, SPARE = 96 * MIB, ELEMENTS = 128 * MIB /* of 4 bytes */ };

/* A sanitizer's allocator says no, too, instead of ending the process. The sanitizer looks for
 * these names in the program, which exports no other names. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}
__attribute__((visibility("default"))) const char *__tsan_default_options(void) {
  return "allocator_may_return_null=1";
}

/* From now on the process may use SPARE more bytes than now. */
static void limit_memory(struct rlimit *before) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%lu", &pages), 1);
  (void)fclose(file);
  assert_int_equal(getrlimit(RLIMIT_AS, before), 0);
  const struct rlimit limit = {pages * (rlim_t)sysconf(_SC_PAGESIZE) + SPARE, before->rlim_max};
  assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

static void move_and_compare(api *a) {
  clrs_error error;
  cl_event event = NULL;
  clrs_tensor *source = api_transposed(a), *target = api_target(a);
  CHECK_OK(clrs_enqueue_move(source, target, ON(a->device.queue), &event, &error), error);
  device_finish_event(event);
  api_expect_transposed(a);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

static void expect_no_memory(clrs_status status, const clrs_error *error) {
  assert_int_equal(status, CLRS_OPENCL_ERROR);
  assert_true(error->opencl_code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
              error->opencl_code == CL_OUT_OF_RESOURCES ||
              error->opencl_code == CL_OUT_OF_HOST_MEMORY);
  CHECK_SAYS(*error, "it was asked for a buffer of 536870912 bytes");
}

API_TEST(a_new_tensor_is_refused) {
  clrs_tensor *tensor = NULL;
  struct rlimit before;
  const clrs_shape shape = {1, {ELEMENTS}};
  move_and_compare(a); /* so that the driver has allocated internal memory */
  limit_memory(&before);
  const clrs_status status =
      clrs_tensor_allocate(a->library, NULL, CLRS_F32, &shape, &tensor, &error);
  expect_no_memory(status, &error);
  assert_null(tensor);
  move_and_compare(a);
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

/* A single element, repeated so often, would be written into a new buffer. */
API_TEST(the_result_of_a_copy_is_refused) {
  clrs_tensor *result = NULL;
  struct rlimit before;
  const clrs_layout many = api_layout(CLRS_F32, 1, LIST(ELEMENTS), LIST(0));
  clrs_tensor *source = api_wrap(a->library, a->source, 0, &many);
  move_and_compare(a);
  limit_memory(&before);
  const clrs_status status = clrs_enqueue_chain(source, "", CLRS_COPY_ALWAYS, NULL, &result,
                                                ON(a->device.queue), NULL, &error);
  expect_no_memory(status, &error);
  assert_null(result);
  move_and_compare(a);
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
  clrs_tensor_release(source);
}

/* Buffers of other devices are not in the process' memory. */
static int cpu_missing(void) {
  test_device device;
  cl_device_type type = 0;
  device_open(&device);
  CL_OK(clGetDeviceInfo(device.device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
  device_close(&device);
  if ((type & CL_DEVICE_TYPE_CPU) != 0)
    return 0;
  (void)fprintf(stderr, "skipped: the device is no CPU\n");
  return 77;
}

int main(void) {
  int missing = device_missing();
  if (missing == 0)
    missing = cpu_missing();
  if (missing)
    return missing;
  return RUN_TESTS(NULL, NULL);
}
