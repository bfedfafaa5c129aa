/*
 * The self-test of gathers, scatters, maps and batches: with wrong code, with lists of numbers that
 * one map cannot hold, and with calls that fail.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/fault_layer.h"
#include "self_tested.h"

static fault_layer layer;
static fault pending; /* a fault of the calls behind the making of a request's tensors */

static void let_it_fail(void) {
  layer.arm(pending.nth > 0 ? &pending : NULL);
}

/* Moves rows of 7 numbers by four indices, which are the words of the host's buffer, clamped. A
 * transposed row has no loop in common with the indices. */
static clrs_status enqueue_named(const api *a, clrs_context *library, bool scatters,
                                 bool is_transposed) {
  const clrs_layout rows = api_layout(CLRS_F32, 2, (int64_t[]){4, 7}, NULL);
  const clrs_layout list = api_layout(CLRS_I32, 1, (int64_t[]){4}, NULL);
  clrs_tensor *whole = api_wrap(library, a->source, 0, &rows), *source;
  clrs_tensor *destination = api_wrap(library, a->destination, 0, &rows);
  const clrs_indices indices = {.tensor = api_wrap(library, a->in_host, 0, &list),
                                .outside = CLRS_OUTSIDE_CLAMPED};
  const clrs_on *on = ON(a->device.queue);
  clrs_view seen = *clrs_tensor_view(whole);
  if (is_transposed) {
    CHECK_OK(clrs_view_permute(&seen, 2, (const int64_t[]){1, 0}, &error), error);
    CHECK_OK(clrs_view_reshape(&seen, &clrs_tensor_view(whole)->shape, &error), error);
  }
  CHECK_OK(clrs_tensor_with_view(whole, &seen, &source, &error), error);
  let_it_fail();
  const clrs_status status =
      scatters ? clrs_enqueue_scatter(source, &indices, destination, on, NULL, &error)
               : clrs_enqueue_gather(source, &indices, destination, NULL, on, NULL, &error);
  clrs_tensor_release(indices.tensor);
  clrs_tensor_release(source);
  clrs_tensor_release(whole);
  clrs_tensor_release(destination);
  return status;
}

static clrs_status enqueue_gather(const api *a, clrs_context *library) {
  return enqueue_named(a, library, false, false);
}

static clrs_status enqueue_gather_any(const api *a, clrs_context *library) {
  return enqueue_named(a, library, false, true);
}

static clrs_status enqueue_scatter(const api *a, clrs_context *library) {
  return enqueue_named(a, library, true, false);
}

/* The means are numbers of the map, or the first six bytes of the host's buffer. */
static clrs_status enqueue_mapped(const api *a, clrs_context *library, bool has_tensor) {
  const clrs_layout list = api_layout(CLRS_U8, 1, (int64_t[]){6}, NULL);
  const clrs_layout from = api_layout(CLRS_U8, 2, (int64_t[]){6, 100}, NULL);
  const clrs_layout to = api_layout(CLRS_F32, 2, (int64_t[]){6, 100}, NULL);
  clrs_tensor *source = api_wrap(library, a->source, 0, &from), *mapped;
  clrs_tensor *destination = api_wrap(library, a->destination, 0, &to);
  clrs_map map;
  const double numbers[] = {3, 5, 7, 9, 11, 13};
  const clrs_numbers means = {
      has_tensor ? 0 : 6, has_tensor ? NULL : numbers, {CLRS_SPREAD_AXIS, 0, 1}};
  clrs_tensor *tensor = api_wrap(library, a->in_host, 0, &list);
  const clrs_parameter_tensors tensors = {.steps = {tensor, tensor, tensor}};
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_F32, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_SUBTRACT, CLRS_F32, &means, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_DIVIDE, CLRS_F32, &means, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_TERM, CLRS_F32, &means, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD_TERM, CLRS_F32, NULL, &error), error);
  CHECK_OK(clrs_tensor_with_map(source, &map, has_tensor ? &tensors : NULL, &mapped, &error),
           error);
  let_it_fail();
  const clrs_status status =
      clrs_enqueue_move(mapped, destination, ON(a->device.queue), NULL, &error);
  clrs_tensor_release(tensor);
  clrs_tensor_release(mapped);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  return status;
}

static clrs_status enqueue_map(const api *a, clrs_context *library) {
  return enqueue_mapped(a, library, false);
}

static clrs_status enqueue_map_by_tensors(const api *a, clrs_context *library) {
  return enqueue_mapped(a, library, true);
}

/* Nine columns of 4 numbers beside each other, in one launch. */
static clrs_status enqueue_batch(const api *a, clrs_context *library) {
  const clrs_layout from = api_layout(CLRS_F32, 2, (int64_t[]){4, 1}, NULL);
  const clrs_layout to = api_layout(CLRS_F32, 2, (int64_t[]){4, 9}, NULL);
  clrs_tensor *sources[9], *destination = api_wrap(library, a->destination, 0, &to);
  for (size_t i = 0; i < 9; i++)
    sources[i] = api_wrap(library, a->source, 64 * i, &from);
  let_it_fail();
  const clrs_status status =
      clrs_enqueue_concat(9, sources, 1, destination, NULL, ON(a->device.queue), NULL, &error);
  for (size_t i = 0; i < 9; i++)
    clrs_tensor_release(sources[i]);
  clrs_tensor_release(destination);
  return status;
}

/* Every kind of call costs one launch more, and does nothing if its kernel is wrong. */
API_TEST(gathers_maps_and_batches_are_tried) {
  static clrs_status (*const calls[])(const api *, clrs_context *) = {
      enqueue_gather, enqueue_gather_any,     enqueue_scatter,
      enqueue_map,    enqueue_map_by_tensors, enqueue_batch};
  for (int execution = CLRS_EXECUTION_CPU; execution <= CLRS_EXECUTION_GPU; execution++)
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
      clrs_context *tested = library_with(a, "1", NULL, (clrs_execution)execution);
      CHECK_OK(calls[i](a, tested), error);
      assert_int_equal(falsify.launches, 2);
      CHECK_COUNT(tested, 1, 0, 0);
      clrs_context_release(tested);
      tested = library_with(a, "1", NULL, (clrs_execution)execution);
      falsify.kernel = "";
      api_poison(a);
      CHECK_FAILS(calls[i](a, tested), CLRS_UNSUPPORTED, error);
      CHECK_SAYS(error, "failed its self-test: byte 0 is wrong");
      falsify.kernel = NULL;
      api_expect_untouched(a);
      clrs_context_release(tested);
    }
}

/* A map with five lists, which have more numbers than a map holds unless the self-test makes the
 * lists shorter. */
static clrs_status enqueue_lists(const api *a, clrs_context *library) {
  const clrs_layout from = api_layout(CLRS_U8, 2, (int64_t[]){6, 100}, NULL);
  const clrs_layout to = api_layout(CLRS_F32, 2, (int64_t[]){6, 100}, NULL);
  clrs_tensor *source = api_wrap(library, a->source, 0, &from), *mapped;
  clrs_tensor *destination = api_wrap(library, a->destination, 0, &to);
  clrs_map map;
  const double numbers[] = {3, 5, 7, 9, 11, 13};
  const clrs_numbers list = {6, numbers, {CLRS_SPREAD_AXIS, 0, 1}};
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_F32, &map, &error), error);
  for (int i = 0; i < 5; i++)
    CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &list, &error), error);
  CHECK_OK(clrs_tensor_with_map(source, &map, NULL, &mapped, &error), error);
  const clrs_status status =
      clrs_enqueue_move(mapped, destination, ON(a->device.queue), NULL, &error);
  clrs_tensor_release(mapped);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  return status;
}

API_TEST(many_lists_are_tried) {
  for (int execution = CLRS_EXECUTION_CPU; execution <= CLRS_EXECUTION_GPU; execution++) {
    clrs_context *tested = library_with(a, "1", NULL, (clrs_execution)execution);
    CHECK_OK(enqueue_lists(a, tested), error);
    CHECK_COUNT(tested, 1, 0, 0);
    clrs_context_release(tested);
  }
}

/* A failure of the self-test leaves the kernel untested, and any other failure is the request's. */
API_TEST(any_call_may_fail) {
  static clrs_status (*const requests[])(const api *, clrs_context *) = {
      enqueue_gather, enqueue_map, enqueue_map_by_tensors, enqueue_batch};
  for (size_t i = 0; i < COUNT(requests); i++) {
    bool has_failed = true;
    int untested = 0;
    for (int nth = 1; has_failed; nth++) {
      clrs_context *tested = library_with(a, "1", NULL, CLRS_EXECUTION_GPU);
      api_poison(a);
      pending = (fault){.nth = nth, .code = CL_OUT_OF_HOST_MEMORY};
      const clrs_status status = requests[i](a, tested);
      has_failed = layer.failed() != NULL;
      layer.arm(NULL);
      pending.nth = 0;
      const clrs_self_test found = clrs_context_self_test(tested);
      assert_int_equal(found.wrong, 0);
      assert_true(has_failed || (status == CLRS_OK && found.passed == 1));
      untested += status == CLRS_OK && found.untested == 1;
      if (status != CLRS_OK)
        api_expect_untouched(a);
      CL_OK(clFinish(a->device.queue));
      clrs_context_release(tested);
    }
    assert_true(untested >= 4); /* a queue, buffers, a launch, a read */
  }
}

TESTS_UNLESS(device_and_layer_missing(&layer), NULL, NULL)
