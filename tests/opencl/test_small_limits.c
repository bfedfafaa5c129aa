/*
 * A driver that allows every kernel smaller work-groups than the device. The fault layer plays the
 * driver: CLRS_LAYER_LIMITS is "gpu,kernel=128", or 64, or 32. Each call meets the limit in a
 * context of its own. With 128 and 64 the call takes the same kernel in smaller groups, and with 32
 * a kernel that needs no groups.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

#include <string.h>

#include "harness/check.h"
#include "harness/works.h"

enum {
  ROWS = 64,
  COLUMNS = 48,
  COUNT = ROWS * COLUMNS,
  BYTES = COUNT * 4,
  PARTS = 8,
  SMALLEST = 64 /* groups of kernels */
};

typedef struct fixture {
  test_device device;
  clrs_context *library;
  uint32_t allowed;
  cl_mem source, destination;
  float elements[COUNT];
  clrs_tensor *dense, *transposed, *target; /* [64,48], the same as [48,64], and [48,64] */
} fixture;

static clrs_tensor *with_chain(clrs_tensor *tensor, const char *text) {
  clrs_chain chain;
  clrs_tensor *made = NULL;
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_OK(clrs_tensor_with_chain(tensor, &chain, NULL, &made, &error), error);
  return made;
}

static clrs_tensor *wrap(const fixture *f, cl_mem buffer, const int64_t *dims) {
  clrs_tensor *made = NULL;
  CHECK_OK(clrs_tensor_wrap_dense(f->library, buffer, CLRS_F32, 2, dims, &made, &error), error);
  return made;
}

static int open_fixture(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  f->library = device_library(&f->device, NULL);
  f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, BYTES);
  f->destination = device_buffer(&f->device, CL_MEM_READ_WRITE, BYTES);
  for (int i = 0; i < COUNT; i++)
    f->elements[i] = (float)i;
  device_write(&f->device, f->source, BYTES, f->elements);
  f->dense = wrap(f, f->source, (const int64_t[]){ROWS, COLUMNS});
  f->transposed = with_chain(f->dense, "permute=1,0");
  f->target = wrap(f, f->destination, (const int64_t[]){COLUMNS, ROWS});
  assert_true(clrs_context_limits(f->library).max_group_items >= 256);
  assert_int_equal(sscanf(getenv("CLRS_LAYER_LIMITS"), "gpu,kernel=%u", &f->allowed), 1);
  *state = f;
  return 0;
}

static int close_fixture(void **state) {
  fixture *f = *state;
  clrs_tensor_release(f->dense);
  clrs_tensor_release(f->transposed);
  clrs_tensor_release(f->target);
  clrs_context_release(f->library);
  CL_OK(clReleaseMemObject(f->source));
  CL_OK(clReleaseMemObject(f->destination));
  device_close(&f->device);
  free(f);
  return 0;
}

#define LIMITS_TEST(name) TEST_OF(fixture, f, name, open_fixture, close_fixture)

/* Checks that the transposed elements lie in the buffer, each times `factor`, and that the context
 * has learned the limit. */
static void check_written(const fixture *f, cl_mem buffer, float factor) {
  float found[COUNT];
  CL_OK(clFinish(f->device.queue));
  device_read(&f->device, buffer, BYTES, found);
  for (int i = 0; i < COUNT; i++)
    assert_true(found[i] == factor * f->elements[i % ROWS * COLUMNS + i / ROWS]);
  assert_int_equal(clrs_context_limits(f->library).max_group_items, f->allowed);
}

/* Checks the kernel of a plan, and the size of the groups. */
static void check_plan(const fixture *f, const clrs_tensor *source, const char *grouped,
                       const char *plain) {
  const bool has_groups = f->allowed >= SMALLEST;
  char text[500], kernel[40], groups[40];
  clrs_plan plan;
  CHECK_OK(clrs_tensor_plan(source, f->target, CLRS_COPY_ALWAYS, &plan, &error), error);
  (void)clrs_plan_explain(&plan, text, sizeof text);
  (void)snprintf(kernel, sizeof kernel, " of %s,", has_groups ? grouped : plain);
  (void)snprintf(groups, sizeof groups, ", groups of %u,", f->allowed);
  if (!strstr(text, kernel) || (strstr(text, groups) != NULL) != has_groups)
    fail_msg("%s", text);
}

LIMITS_TEST(a_move_takes_another_kernel) {
  CHECK_OK(clrs_enqueue_move(f->transposed, f->target, ON(f->device.queue), NULL, &error), error);
  check_written(f, f->destination, 1);
  assert_int_equal(clrs_context_program_count(f->library), 2);
  check_plan(f, f->transposed, "gpu_tile", "gpu_any");
}

LIMITS_TEST(a_new_result_takes_another_kernel_and_the_limit_is_kept) {
  for (int i = 0; i < 2; i++) {
    clrs_tensor *result = NULL;
    CHECK_OK(clrs_enqueue_chain(f->dense, "permute=1,0", CLRS_COPY_ALWAYS, NULL, &result,
                                ON(f->device.queue), NULL, &error),
             error);
    check_written(f, clrs_tensor_storage(result).buffer, 1);
    clrs_tensor_release(result);
    assert_int_equal(clrs_context_program_count(f->library), 2);
  }
}

LIMITS_TEST(a_map_takes_another_kernel) {
  CHECK_OK(clrs_enqueue_chain(f->dense, "permute=1,0 scale=2", CLRS_COPY_ALWAYS, f->target, NULL,
                              ON(f->device.queue), NULL, &error),
           error);
  check_written(f, f->destination, 2);
  clrs_tensor *mapped = with_chain(f->transposed, "scale=2");
  check_plan(f, mapped, "map_gpu_tile", "map_any");
  clrs_tensor_release(mapped);
}

/* Sets parts[] to the parts of the transposed tensor, or of the target. */
static void cut(clrs_tensor *whole, clrs_tensor **parts) {
  for (int i = 0; i < PARTS; i++) {
    char text[40];
    snprintf(text, sizeof text, "slice=%d:%d", i * COLUMNS / PARTS, (i + 1) * COLUMNS / PARTS);
    parts[i] = with_chain(whole, text);
  }
}

static void release(clrs_tensor **parts) {
  for (int i = 0; i < PARTS; i++)
    clrs_tensor_release(parts[i]);
}

LIMITS_TEST(parts_that_share_launches_take_other_kernels) {
  clrs_tensor *parts[PARTS];
  cut(f->transposed, parts);
  CHECK_OK(clrs_enqueue_concat(PARTS, parts, 0, f->target, NULL, ON(f->device.queue), NULL, &error),
           error);
  release(parts);
  check_written(f, f->destination, 1);
}

LIMITS_TEST(a_stack_takes_another_kernel) {
  clrs_tensor *whole = with_chain(f->target, "reshape=1,48,64");
  const clrs_stack stack = {.count = 1, .sources = &f->transposed};
  CHECK_OK(clrs_enqueue_stack(&stack, whole, ON(f->device.queue), NULL, &error), error);
  clrs_tensor_release(whole);
  check_written(f, f->destination, 1);
}

LIMITS_TEST(a_pad_takes_another_kernel) {
  const float element = 0;
  const clrs_padding padding = {.mode = CLRS_PAD_CONSTANT, .element = &element};
  CHECK_OK(
      clrs_enqueue_pad(f->transposed, &padding, f->target, NULL, ON(f->device.queue), NULL, &error),
      error);
  check_written(f, f->destination, 1);
}

LIMITS_TEST(a_work_takes_other_kernels) {
  clrs_tensor *from[PARTS], *to[PARTS];
  const test_moves moves = {.count = PARTS, .sources = from, .destinations = to};
  cut(f->transposed, from);
  cut(f->target, to);
  CHECK_OK(test_enqueue_moves(f->library, &moves, ON(f->device.queue), NULL, &error), error);
  release(from);
  release(to);
  check_written(f, f->destination, 1);
}

/* Also for a caller that wants no message. */
LIMITS_TEST(a_warm_up_of_a_class_takes_smaller_groups) {
  const bool has_groups = f->allowed >= SMALLEST;
  assert_int_equal(clrs_context_warm_up(f->library, "gpu_tile", 32, NULL),
                   has_groups ? CLRS_OK : CLRS_UNSUPPORTED);
  assert_int_equal(clrs_context_limits(f->library).max_group_items, f->allowed);
}

LIMITS_TEST(a_plan_of_the_callers_is_refused_once) {
  const clrs_plan_buffers buffers = {.source = f->source, .destination = f->destination};
  clrs_error error;
  clrs_plan plan;
  char said[100];
  CHECK_OK(clrs_tensor_plan(f->transposed, f->target, CLRS_COPY_ALWAYS, &plan, &error), error);
  CHECK_FAILS(clrs_context_warm_up_plan(f->library, &plan, &error), CLRS_UNSUPPORTED, error);
  (void)snprintf(said, sizeof said, "of 256 items, and the driver allows %u;", f->allowed);
  CHECK_SAYS(error, said);
  CHECK_FAILS(clrs_enqueue_plan(f->library, &plan, &buffers, ON(f->device.queue), NULL, &error),
              CLRS_UNSUPPORTED, error);
  CHECK_OK(clrs_tensor_plan(f->transposed, f->target, CLRS_COPY_ALWAYS, &plan, &error), error);
  CHECK_OK(clrs_enqueue_plan(f->library, &plan, &buffers, ON(f->device.queue), NULL, &error),
           error);
  check_written(f, f->destination, 1);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
