/*
 * Programs are built lazily, once, and never for a shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"
#include "harness/classes.h"

/* Copies it and says by which class. */
static clrs__class_number copy_transposed(api *a, clrs_dtype dtype, int64_t rows, int64_t columns) {
  const clrs_layout layout = api_layout(dtype, 2, LIST(rows, columns), LIST(1, rows));
  clrs_tensor *source = api_wrap(a->library, a->source, 0, &layout), *result = NULL;
  clrs_plan plan;
  cl_event event = NULL;
  CHECK_OK(clrs_tensor_plan(source, NULL, CLRS_COPY_ALWAYS, &plan, &error), error);
  assert_int_equal(plan.launch_count, 1);
  CHECK_OK(clrs_enqueue_chain(source, "", CLRS_COPY_ALWAYS, NULL, &result, ON(a->device.queue),
                              &event, &error),
           error);
  device_finish_event(event);
  clrs_tensor_release(result);
  clrs_tensor_release(source);
  return class_named(plan.launches[0].kernel_class);
}

/* A class is built when it is first used, and no shape after that builds anything. */
API_TEST(a_new_shape_builds_nothing) {
  bool used[CLRS__CLASS_COUNT] = {false};
  size_t classes = 0;
  for (int64_t rows = 33; rows < 63; rows += 2)
    for (int64_t columns = 33; columns < 63; columns += 4) {
      const clrs__class_number kernel_class = copy_transposed(a, CLRS_U8, rows, columns);
      classes += !used[kernel_class];
      used[kernel_class] = true;
      assert_int_equal(clrs_context_program_count(a->library), classes);
    }
  assert_in_range(classes, 1, 3);
}

API_TEST(views_and_plans_build_nothing) {
  clrs_plan plan;
  clrs_tensor *source = api_transposed(a), *target = api_target(a), *alias = NULL;
  CHECK_OK(clrs_tensor_plan(source, target, CLRS_COPY_ALWAYS, &plan, &error), error);
  CHECK_OK(clrs_enqueue_chain(source, "", CLRS_COPY_NEVER, NULL, &alias, ON(a->device.queue), NULL,
                              &error),
           error);
  assert_int_equal(clrs_context_program_count(a->library), 0);
  clrs_tensor_release(alias);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

API_TEST(warming_up_builds_what_a_move_would) {
  clrs_plan plan;
  clrs_tensor *source = api_transposed(a), *target = api_target(a);
  CHECK_OK(clrs_tensor_plan(source, target, CLRS_COPY_ALWAYS, &plan, &error), error);
  CHECK_OK(clrs_context_warm_up(a->library, plan.launches[0].kernel_class,
                                plan.launches[0].unit_bits, &error),
           error);
  assert_int_equal(clrs_context_program_count(a->library), 1);
  CHECK_OK(clrs_context_warm_up(a->library, plan.launches[0].kernel_class,
                                plan.launches[0].unit_bits, &error),
           error);
  assert_int_equal(clrs_context_program_count(a->library), 1);
  CHECK_OK(clrs_enqueue_move(source, target, ON(a->device.queue), NULL, &error), error);
  CL_OK(clFinish(a->device.queue));
  api_expect_transposed(a);
  assert_int_equal(clrs_context_program_count(a->library), 1);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
