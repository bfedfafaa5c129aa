/*
 * Every OpenCL call that the library makes fails once, and then all from there on. Whatever fails,
 * the caller gets an error with OpenCL's code, no output, an untouched destination, no reference is
 * left behind, and the same request succeeds afterwards.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>

#include "fault_layer.h"

/* One request from nothing: a library context, tensors, work, all released again. Returns the first
 * failure. `done` says whether the work's event was given out. */
typedef clrs_status (*scenario)(api *a, cl_event *event, clrs_error *error);

static clrs_status library(const api *a, clrs_context **context, clrs_error *error) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.context = a->device.context;
  options.device = a->device.device;
  return clrs_context_create(&options, context, error);
}

static clrs_status wrap(clrs_context *context, cl_mem buffer, clrs_dtype dtype,
                        const int64_t *strides, clrs_tensor **tensor, clrs_error *error) {
  const clrs_layout layout = api_layout(dtype, 2, LIST(6, 4), strides);
  const clrs_storage storage = {buffer, 0};
  return clrs_tensor_wrap(context, &storage, &layout, tensor, error);
}

static clrs_status move_dtype(api *a, clrs_dtype dtype, cl_event *event, clrs_error *error) {
  clrs_context *context = NULL;
  clrs_tensor *source = NULL, *target = NULL;
  clrs_status status = library(a, &context, error);
  if (status == CLRS_OK)
    status = wrap(context, a->source, dtype, LIST(1, 6), &source, error);
  if (status == CLRS_OK)
    status = wrap(context, a->destination, dtype, NULL, &target, error);
  if (status == CLRS_OK)
    status = clrs_enqueue_move(context, source, target, a->device.queue, 0, NULL, event, error);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  clrs_context_release(context);
  return status;
}

static clrs_status move_words(api *a, cl_event *event, clrs_error *error) {
  return move_dtype(a, CLRS_F32, event, error);
}

static clrs_status move_bits(api *a, cl_event *event, clrs_error *error) {
  return move_dtype(a, CLRS_U4, event, error);
}

static clrs_status materialize(api *a, clrs_copy_policy policy, cl_event *event,
                               clrs_error *error) {
  clrs_context *context = NULL;
  clrs_tensor *source = NULL, *result = NULL;
  clrs_status status = library(a, &context, error);
  if (status == CLRS_OK)
    status = wrap(context, a->source, CLRS_F32, LIST(1, 6), &source, error);
  if (status == CLRS_OK)
    status = clrs_enqueue_materialize(context, source, policy, &result, a->device.queue, 0, NULL,
                                      event, error);
  assert_true((result != NULL) == (status == CLRS_OK));
  clrs_tensor_release(result);
  clrs_tensor_release(source);
  clrs_context_release(context);
  return status;
}

static clrs_status copy(api *a, cl_event *event, clrs_error *error) {
  return materialize(a, CLRS_COPY_ALWAYS, event, error);
}

static clrs_status alias(api *a, cl_event *event, clrs_error *error) {
  return materialize(a, CLRS_COPY_NEVER, event, error);
}

/* A slice through a transposed tensor's merged dims: several launches. */
static clrs_status cut_view(const clrs_tensor *source, clrs_view *view, clrs_error *error) {
  const clrs_shape shape = {2, {8, 3}};
  const clrs_slice cut = {0, 1, 7, 1};
  *view = *clrs_tensor_view(source);
  const clrs_status status = clrs_view_reshape(view, &shape, error);
  return status == CLRS_OK ? clrs_view_slice(view, 1, &cut, error) : status;
}

static clrs_status cut(api *a, bool into_destination, cl_event *event, clrs_error *error) {
  clrs_context *context = NULL;
  clrs_tensor *source = NULL, *viewed = NULL, *result = NULL;
  clrs_view view;
  const clrs_layout dense = api_layout(CLRS_F32, 2, LIST(6, 3), NULL);
  const clrs_storage storage = {a->destination, 0};
  clrs_status status = library(a, &context, error);
  if (status == CLRS_OK)
    status = wrap(context, a->source, CLRS_F32, LIST(1, 6), &source, error);
  if (status == CLRS_OK)
    status = cut_view(source, &view, error);
  if (status == CLRS_OK)
    status = clrs_tensor_with_view(source, &view, &viewed, error);
  if (status == CLRS_OK && into_destination)
    status = clrs_tensor_wrap(context, &storage, &dense, &result, error);
  if (status == CLRS_OK)
    status =
        into_destination
            ? clrs_enqueue_move(context, viewed, result, a->device.queue, 0, NULL, event, error)
            : clrs_enqueue_materialize(context, viewed, CLRS_COPY_IF_NEEDED, &result,
                                       a->device.queue, 0, NULL, event, error);
  clrs_tensor_release(result);
  clrs_tensor_release(viewed);
  clrs_tensor_release(source);
  clrs_context_release(context);
  return status;
}

static clrs_status copy_cut(api *a, cl_event *event, clrs_error *error) {
  return cut(a, false, event, error);
}

static clrs_status move_cut(api *a, cl_event *event, clrs_error *error) {
  return cut(a, true, event, error);
}

/* Two tables, as the dtypes differ, and so two launches. */
static clrs_status move_batch(api *a, cl_event *event, clrs_error *error) {
  clrs_context *context = NULL;
  clrs_tensor *sources[4] = {NULL}, *targets[4] = {NULL};
  const clrs_moves moves = {4, sources, targets};
  clrs_status status = library(a, &context, error);
  for (uint64_t i = 0; status == CLRS_OK && i < 4; i++) {
    const clrs_layout from = api_layout(i < 2 ? CLRS_F32 : CLRS_U8, 2, LIST(6, 4), LIST(1, 6));
    const clrs_layout to = api_layout(i < 2 ? CLRS_F32 : CLRS_U8, 2, LIST(6, 4), NULL);
    const clrs_storage source = {a->source, 0}, target = {a->destination, i * 128};
    status = clrs_tensor_wrap(context, &source, &from, &sources[i], error);
    if (status == CLRS_OK)
      status = clrs_tensor_wrap(context, &target, &to, &targets[i], error);
  }
  if (status == CLRS_OK)
    status = clrs_enqueue_moves(context, &moves, a->device.queue, 0, NULL, event, error);
  for (size_t i = 0; i < 4; i++) {
    clrs_tensor_release(sources[i]);
    clrs_tensor_release(targets[i]);
  }
  clrs_context_release(context);
  return status;
}

static clrs_status warm_up(api *a, cl_event *event, clrs_error *error) {
  clrs_context *context = NULL;
  (void)event;
  clrs_status status = library(a, &context, error);
  if (status == CLRS_OK)
    status = clrs_context_warm_up(context, CLRS_CLASS_GATHER, 32, error);
  clrs_context_release(context);
  return status;
}

static const struct {
  const char *name;
  scenario run;
  bool launches; /* and so has at least these calls */
} scenarios[] = {
    {"move_words", move_words, true}, {"move_bits", move_bits, true}, {"copy", copy, true},
    {"alias", alias, false},          {"copy_cut", copy_cut, true},   {"move_cut", move_cut, true},
    {"move_batch", move_batch, true}, {"warm_up", warm_up, true}};

static void check_failure(const char *name, const char *call, clrs_status status,
                          const clrs_error *error, cl_int code) {
  const bool build = strcmp(call, "clBuildProgram") == 0;
  if (status != (build ? CLRS_BUILD_FAILURE : CLRS_OPENCL_ERROR) || error->status != status ||
      error->opencl_code != code || error->message[0] == '\0')
    fail_msg("%s, %s failed with %d: %s, code %d: %s", name, call, (int)code,
             clrs_status_name(status), (int)error->opencl_code, error->message);
}

/* How often a destination may have been written in part, and the error said so. */
static int warned;

/* Fails call number n; false if the request makes fewer calls. */
static bool fail_call(api *a, const fault_layer *layer, size_t which, int n, bool sticky) {
  const cl_int code = n % 2 ? CL_OUT_OF_RESOURCES : CL_OUT_OF_HOST_MEMORY;
  const long before = layer->live();
  clrs_error error = {0};
  cl_event event = NULL;
  layer->arm(n, code, sticky);
  const clrs_status status = scenarios[which].run(a, &event, &error);
  const char *call = layer->failed();
  layer->arm(0, 0, false);
  if (!call) {
    assert_int_equal(status, CLRS_OK);
  } else {
    check_failure(scenarios[which].name, call, status, &error, code);
    if (!sticky && status == CLRS_BUILD_FAILURE) /* else even the log cannot be had */
      CHECK_SAYS(error, FAULT_LAYER_BUILD_LOG);
    assert_null(event);
    CL_OK(clFinish(a->device.queue));
    if (!strstr(error.message, "may write")) /* some launches went out before the one that failed */
      api_expect_untouched(a);
    else
      warned++;
  }
  if (event)
    device_finish_event(event);
  CL_OK(clFinish(a->device.queue));
  if (layer->live() != before)
    fail_msg("%s: %ld references left when %s failed", scenarios[which].name,
             layer->live() - before, call ? call : "nothing");
  api_poison(a);
  return call != NULL;
}

static void every_call_fails_once(void **state) {
  api *a = *state;
  fault_layer layer;
  int points = 0;
  assert_true(fault_layer_find(&layer));
  for (size_t which = 0; which < sizeof scenarios / sizeof scenarios[0]; which++)
    for (int sticky = 0; sticky < 2; sticky++) {
      int n = 1;
      for (; fail_call(a, &layer, which, n, sticky); n++)
        assert_true(n < 500);
      print_message("  %s: %d calls\n", scenarios[which].name, n - 1);
      assert_true(n > (scenarios[which].launches ? 5 : 3));
      points += n - 1;
    }
  print_message("%d failures injected, %d of them between launches\n", points, warned);
}

/* One library context survives a failure at every point and then does its work. */
static void a_context_works_again_after_each_failure(void **state) {
  api *a = *state;
  fault_layer layer;
  assert_true(fault_layer_find(&layer));
  const long before = layer.live();
  bool failed = true;
  for (int n = 1; failed; n++) {
    clrs_error error = {0};
    cl_event event = NULL;
    clrs_context *context = device_library(&a->device, NULL);
    clrs_tensor *source = NULL, *target = NULL;
    CHECK_OK(wrap(context, a->source, CLRS_F32, LIST(1, 6), &source, &error), error);
    CHECK_OK(wrap(context, a->destination, CLRS_F32, NULL, &target, &error), error);
    layer.arm(n, CL_OUT_OF_RESOURCES, false);
    const clrs_status status =
        clrs_enqueue_move(context, source, target, a->device.queue, 0, NULL, &event, &error);
    failed = layer.failed() != NULL;
    layer.arm(0, 0, false);
    assert_true(failed == (status != CLRS_OK));
    if (failed) {
      api_expect_untouched(a);
      CHECK_OK(clrs_enqueue_move(context, source, target, a->device.queue, 0, NULL, &event, &error),
               error);
    }
    device_finish_event(event);
    api_expect_transposed(a);
    api_poison(a);
    clrs_tensor_release(source);
    clrs_tensor_release(target);
    clrs_context_release(context);
  }
  assert_int_equal(layer.live(), before);
}

int main(void) {
  fault_layer layer;
  const int missing = device_missing();
  if (missing)
    return missing;
  if (!fault_layer_find(&layer)) { /* a loader without layers proves nothing */
    (void)fprintf(stderr, "the OpenCL loader did not load the fault layer\n");
    const char *required = getenv("CLRS_REQUIRE_DEVICE");
    return required && strcmp(required, "1") == 0 ? 1 : 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_call_fails_once, api_open, api_close),
      cmocka_unit_test_setup_teardown(a_context_works_again_after_each_failure, api_open,
                                      api_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
