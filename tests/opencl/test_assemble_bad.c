/*
 * Events of fill, pad and concat, and kernels that do not build.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

#include "harness/fault_layer.h"

static const uint32_t element = 0xa1b2c3d4;

static clrs_tensor *tensor_of(const api *a, cl_mem buffer, clrs_dtype dtype, uint32_t rank,
                              const int64_t *dims, const int64_t *strides) {
  const clrs_layout layout = api_layout(dtype, rank, dims, strides);
  return api_wrap(a->library, buffer, 0, &layout);
}

/* ---- events ---- */

/* A concat of the source's two halves, which waits for `gate`. */
static cl_event concat_behind(const api *a, cl_command_queue queue, cl_event gate) {
  clrs_tensor *half = tensor_of(a, a->source, CLRS_F32, 2, LIST(2, 6), NULL);
  clrs_tensor *target = tensor_of(a, a->destination, CLRS_F32, 2, LIST(4, 6), NULL);
  clrs_tensor *const halves[] = {half, half};
  cl_event event = NULL;
  CHECK_OK(
      clrs_enqueue_concat(2, halves, 0, target, NULL, &(clrs_on){queue, 1, &gate}, &event, &error),
      error);
  clrs_tensor_release(half);
  clrs_tensor_release(target);
  return event;
}

static cl_event pad_behind(const api *a, cl_command_queue queue, cl_event gate) {
  clrs_tensor *source = tensor_of(a, a->source, CLRS_F32, 2, LIST(2, 2), NULL);
  clrs_tensor *target = tensor_of(a, a->destination, CLRS_F32, 2, LIST(4, 6), NULL);
  const clrs_padding padding = {.begins = LIST(1, 1), .element = &element};
  cl_event event = NULL;
  CHECK_OK(
      clrs_enqueue_pad(source, &padding, target, NULL, &(clrs_on){queue, 1, &gate}, &event, &error),
      error);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  return event;
}

static cl_event fill_behind(const api *a, cl_command_queue queue, cl_event gate) {
  clrs_tensor *target = tensor_of(a, a->destination, CLRS_F32, 2, LIST(4, 6), NULL);
  uint32_t value = element;
  cl_event event = NULL;
  CHECK_OK(clrs_enqueue_fill(target, &value, &(clrs_on){queue, 1, &gate}, &event, &error), error);
  value = 0; /* the value was read before the call returned */
  clrs_tensor_release(target);
  return event;
}

typedef cl_event (*behind)(const api *a, cl_command_queue queue, cl_event gate);

static const behind assemblies[] = {fill_behind, pad_behind, concat_behind};

API_TEST(assemblies_wait_for_their_list) {
  for (size_t i = 0; i < 3; i++) {
    cl_int code;
    uint32_t got[24];
    cl_event gate = clCreateUserEvent(a->device.context, &code);
    CL_OK(code);
    api_poison(a);
    const cl_event event = assemblies[i](a, a->device.queue, gate);
    device_flush(&a->device, a->device.queue);
    assert_true(device_event_status(event) > CL_COMPLETE);
    CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    device_finish_event(event);
    CL_OK(clReleaseEvent(gate));
    device_read(&a->device, a->destination, sizeof got, got);
    for (size_t k = 0; k < 24; k++) {
      const size_t row = k / 6, column = k % 6;
      uint32_t expected = element;
      if (i == 1 && row >= 1 && row < 3 && column >= 1 && column < 3)
        memcpy(&expected, a->bytes + 4 * ((row - 1) * 2 + column - 1), 4);
      if (i == 2)
        memcpy(&expected, a->bytes + 4 * (k % 12), 4);
      assert_int_equal(got[k], expected);
    }
  }
}

/* PoCL 3 would abort here if the library did not hold the events between commands. Only the fill is
 * a single command. */
API_TEST(a_failed_producer_fails_the_assembly) {
  for (size_t i = 0; i < 3; i++) {
    cl_int code;
    cl_command_queue queue = device_queue(&a->device, 0);
    cl_event gate = clCreateUserEvent(a->device.context, &code);
    CL_OK(code);
    api_poison(a);
    const cl_event event = assemblies[i](a, queue, gate);
    device_flush(&a->device, queue);
    CL_OK(clSetUserEventStatus(gate, -77));
    assert_true(device_event_fails(&a->device, event));
    CL_OK(clReleaseEvent(event));
    CL_OK(clReleaseEvent(gate));
    (void)clFinish(queue); /* a driver may have lost the queue with the failed command */
    CL_OK(clReleaseCommandQueue(queue));
    api_expect_untouched(a);
  }
}

/* All kernels are built before the first part is enqueued. */
API_TEST(a_kernel_that_does_not_build_leaves_the_destination_alone) {
  const clrs_layout small = api_layout(CLRS_F32, 2, LIST(3, 4), LIST(1, 3)),
                    large = api_layout(CLRS_F32, 2, LIST(6, 4), NULL);
  const clrs_padding padding = {.begins = LIST(1, 0), .element = &element};
  const char *failed = "";
  fault_layer layer;
  int builds = 0;
  if (!fault_layer_find(&layer))
    skip();
  for (int nth = 1; failed; nth++) {
    const fault broken = {.nth = nth, .code = CL_BUILD_PROGRAM_FAILURE, .kind = FAULT_BEFORE};
    clrs_context *library = device_library(&a->device, NULL); /* which has built nothing yet */
    clrs_tensor *source = api_wrap(library, a->source, 0, &small);
    clrs_tensor *target = api_wrap(library, a->destination, 0, &large);
    api_poison(a);
    layer.arm(&broken);
    const clrs_status status =
        clrs_enqueue_pad(source, &padding, target, NULL, ON(a->device.queue), NULL, &error);
    failed = layer.failed();
    layer.arm(NULL);
    CL_OK(clFinish(a->device.queue));
    if (failed && (strstr(failed, "Program") || strcmp(failed, "clCreateKernel") == 0)) {
      assert_int_not_equal(status, CLRS_OK);
      api_expect_untouched(a);
      builds++;
    }
    clrs_tensor_release(source);
    clrs_tensor_release(target);
    clrs_context_release(library);
  }
  assert_true(builds >= 4); /* of two kernels */
}

/* Extents without elements may be as large as a number allows, and their sum larger. */
API_TEST(extents_of_a_concat_do_not_wrap_around) {
  clrs_tensor *most = tensor_of(a, NULL, CLRS_F32, 2, LIST(INT64_MAX, 0), NULL);
  clrs_tensor *one = tensor_of(a, NULL, CLRS_F32, 2, LIST(1, 0), NULL);
  CHECK_FAILS(clrs_enqueue_concat(2, (clrs_tensor *const[]){most, one}, 0, most, NULL,
                                  ON(a->device.queue), NULL, &error),
              CLRS_COUNT_MISMATCH, error);
  CHECK_SAYS(error, "source 1 [1,0] does not fit into [9223372036854775807,0] at ");
  clrs_tensor_release(most);
  clrs_tensor_release(one);
}

/* No elements: an event that follows the wait list, and no command. */
API_TEST(empty_assemblies_have_an_event) {
  clrs_tensor *nothing = tensor_of(a, NULL, CLRS_F32, 2, LIST(0, 6), NULL);
  clrs_tensor *const tensors[] = {nothing, nothing};
  const clrs_padding padding = {.element = &element};
  cl_event event = NULL;
  const clrs_on on = {.queue = a->device.queue};
  CHECK_OK(clrs_enqueue_fill(nothing, &element, &on, &event, &error), error);
  device_finish_event(event);
  CHECK_OK(clrs_enqueue_pad(nothing, &padding, nothing, NULL, &on, &event, &error), error);
  device_finish_event(event);
  for (size_t count = 0; count <= 2; count += 2) {
    CHECK_OK(clrs_enqueue_concat(count, tensors, 0, nothing, NULL, &on, &event, &error), error);
    device_finish_event(event);
  }
  clrs_tensor_release(nothing);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
