/*
 * Bad input to fill, pad and concat must give a status, a sentence, and an unchanged destination.
 * Also checks the promises of the events.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

#include "harness/fault_layer.h"

static const uint32_t element = 0xa1b2c3d4;
/* Value of *event before a call that must not write *event. */
#define NO_EVENT ((cl_event)(uintptr_t)0x5eed)

#define REFUSED(call, status, says)                                                                \
  do {                                                                                             \
    cl_event event = NO_EVENT;                                                                     \
    api_poison(a);                                                                                 \
    CHECK_FAILS(call, status, error);                                                              \
    CHECK_SAYS(error, says);                                                                       \
    assert_ptr_equal(event, NO_EVENT);                                                             \
    CL_OK(clFinish(a->device.queue));                                                              \
    api_expect_untouched(a);                                                                       \
  } while (0)

static clrs_tensor *tensor_of(const api *a, cl_mem buffer, clrs_dtype dtype, uint32_t rank,
                              const int64_t *dims, const int64_t *strides) {
  const clrs_layout layout = api_layout(dtype, rank, dims, strides);
  return api_wrap(a->library, buffer, 0, &layout);
}

/* ---- fill ---- */

static clrs_status fill(const api *a, clrs_tensor *destination, const void *value, cl_event *event,
                        clrs_error *error) {
  return clrs_enqueue_fill(destination, value, ON(a->device.queue), event, error);
}

API_TEST(bad_fills_are_refused) {
  clrs_tensor *repeated = tensor_of(a, a->destination, CLRS_F32, 2, LIST(4, 6), LIST(0, 1));
  clrs_tensor *meeting = tensor_of(a, a->destination, CLRS_F32, 2, LIST(4, 6), LIST(1, 1));
  clrs_tensor *straddling = tensor_of(a, a->destination, CLRS_U3, 1, LIST(8), NULL);
  clrs_tensor *target = api_target(a);
  const clrs_layout layout = api_layout(CLRS_F32, 1, LIST(4), NULL);
  cl_mem memory = device_buffer(&a->device, CL_MEM_READ_ONLY, 64);
  clrs_tensor *constant = api_wrap(a->library, memory, 0, &layout);
  REFUSED(fill(a, repeated, &element, &event, &error), CLRS_OVERLAP, "");
  REFUSED(fill(a, meeting, &element, &event, &error), CLRS_OVERLAP, "");
  REFUSED(fill(a, straddling, &element, &event, &error), CLRS_UNSUPPORTED, "u3");
  REFUSED(fill(a, constant, &element, &event, &error), CLRS_INVALID_ARGUMENT, "READ_ONLY");
  REFUSED(fill(a, target, NULL, &event, &error), CLRS_INVALID_ARGUMENT, "element");
  REFUSED(fill(a, NULL, &element, &event, &error), CLRS_INVALID_ARGUMENT, "destination");
  REFUSED(clrs_enqueue_fill(target, &element, ON(NULL), &event, &error), CLRS_INVALID_ARGUMENT,
          "queue");
  REFUSED(clrs_enqueue_fill(target, &element, ON(a->foreign.queue), &event, &error),
          CLRS_INVALID_ARGUMENT, "queue");
  REFUSED(clrs_enqueue_fill(target, &element, &(clrs_on){a->device.queue, 1, NULL}, &event, &error),
          CLRS_INVALID_ARGUMENT, "wait");
  clrs_tensor_release(constant);
  clrs_tensor_release(straddling);
  clrs_tensor_release(meeting);
  clrs_tensor_release(repeated);
  clrs_tensor_release(target);
  CL_OK(clReleaseMemObject(memory));
}

/* ---- pad ---- */

static clrs_status pad(const api *a, clrs_tensor *source, clrs_tensor *destination,
                       const clrs_padding *padding, cl_event *event, clrs_error *error) {
  return clrs_enqueue_pad(source, padding, destination, NULL, ON(a->device.queue), event, error);
}

API_TEST(bad_pads_are_refused) {
  clrs_tensor *source = tensor_of(a, a->source, CLRS_F32, 2, LIST(4, 6), NULL);
  clrs_tensor *other = tensor_of(a, a->source, CLRS_I32, 2, LIST(4, 6), NULL);
  clrs_tensor *flat = tensor_of(a, a->source, CLRS_F32, 1, LIST(24), NULL);
  clrs_tensor *target = tensor_of(a, a->destination, CLRS_F32, 2, LIST(5, 8), NULL);
  clrs_tensor *inside = tensor_of(a, a->destination, CLRS_F32, 2, LIST(4, 6), NULL);
  clrs_tensor *repeated = tensor_of(a, a->destination, CLRS_F32, 2, LIST(5, 8), LIST(0, 1));
  const clrs_padding none = {.element = &element}, no_element = {.begins = LIST(0, 0)};
  const clrs_padding negative = {.begins = LIST(0, -1), .element = &element};
  const clrs_padding far = {.begins = LIST(0, 3), .element = &element};
  const clrs_padding huge = {.begins = LIST(INT64_MAX, 0), .element = &element};
  REFUSED(pad(a, source, target, NULL, &event, &error), CLRS_INVALID_ARGUMENT, "padding");
  REFUSED(pad(a, source, target, &no_element, &event, &error), CLRS_INVALID_ARGUMENT, "element");
  REFUSED(pad(a, NULL, target, &none, &event, &error), CLRS_INVALID_ARGUMENT, "source");
  REFUSED(pad(a, source, NULL, &none, &event, &error), CLRS_INVALID_ARGUMENT, "destination");
  REFUSED(pad(a, other, target, &none, &event, &error), CLRS_INVALID_ARGUMENT, "i32");
  REFUSED(pad(a, flat, target, &none, &event, &error), CLRS_INVALID_ARGUMENT, "rank 1");
  REFUSED(pad(a, source, target, &negative, &event, &error), CLRS_OUT_OF_BOUNDS, "-1");
  REFUSED(pad(a, source, target, &far, &event, &error), CLRS_OUT_OF_BOUNDS, "dimension 1");
  REFUSED(pad(a, source, target, &huge, &event, &error), CLRS_OUT_OF_BOUNDS, "dimension 0");
  REFUSED(pad(a, inside, target, &none, &event, &error), CLRS_OVERLAP, "");
  REFUSED(pad(a, source, repeated, &none, &event, &error), CLRS_OVERLAP, "");
  clrs_tensor_release(repeated);
  clrs_tensor_release(inside);
  clrs_tensor_release(target);
  clrs_tensor_release(flat);
  clrs_tensor_release(other);
  clrs_tensor_release(source);
}

/* ---- concat ---- */

static clrs_status concat(const api *a, size_t count, clrs_tensor *const *tensors, int64_t axis,
                          clrs_tensor *destination, cl_event *event, clrs_error *error) {
  return clrs_enqueue_concat(count, tensors, axis, destination, NULL, ON(a->device.queue), event,
                             error);
}

API_TEST(bad_concats_are_refused) {
  clrs_tensor *two = tensor_of(a, a->source, CLRS_F32, 2, LIST(2, 6), NULL);
  clrs_tensor *one = tensor_of(a, a->source, CLRS_F32, 2, LIST(1, 6), NULL);
  clrs_tensor *narrow = tensor_of(a, a->source, CLRS_F32, 2, LIST(2, 5), NULL);
  clrs_tensor *other = tensor_of(a, a->source, CLRS_U32, 2, LIST(2, 6), NULL);
  clrs_tensor *flat = tensor_of(a, a->source, CLRS_F32, 1, LIST(6), NULL);
  clrs_tensor *inside = tensor_of(a, a->destination, CLRS_F32, 2, LIST(2, 6), NULL);
  clrs_tensor *target = tensor_of(a, a->destination, CLRS_F32, 2, LIST(4, 6), NULL);
  clrs_tensor *repeated = tensor_of(a, a->destination, CLRS_F32, 2, LIST(4, 6), LIST(0, 1));
  clrs_tensor *scalar = tensor_of(a, a->destination, CLRS_F32, 0, NULL, NULL);
#define OF(...) (clrs_tensor *const[]){__VA_ARGS__}
  REFUSED(concat(a, 1, OF(two), 0, target, &event, &error), CLRS_COUNT_MISMATCH, "2");
  REFUSED(concat(a, 3, OF(two, two, two), 0, target, &event, &error), CLRS_COUNT_MISMATCH, "2");
  REFUSED(concat(a, 0, OF(two), 0, target, &event, &error), CLRS_COUNT_MISMATCH, "0");
  REFUSED(concat(a, 2, OF(two, narrow), 0, target, &event, &error), CLRS_COUNT_MISMATCH, "5");
  REFUSED(concat(a, 2, OF(two, flat), 0, target, &event, &error), CLRS_COUNT_MISMATCH, "6");
  REFUSED(concat(a, 2, OF(two, other), 0, target, &event, &error), CLRS_INVALID_ARGUMENT, "u32");
  REFUSED(concat(a, 2, OF(two, NULL), 0, target, &event, &error), CLRS_INVALID_ARGUMENT, "source");
  REFUSED(concat(a, 2, OF(two, inside), 0, target, &event, &error), CLRS_OVERLAP, "");
  REFUSED(concat(a, 2, OF(two, two), 0, repeated, &event, &error), CLRS_OVERLAP, "");
  REFUSED(concat(a, 4, OF(one, one, one, one), 0, repeated, &event, &error), CLRS_OVERLAP, "");
  REFUSED(concat(a, 2, OF(two, two), 2, target, &event, &error), CLRS_INVALID_ARGUMENT, "2");
  REFUSED(concat(a, 2, OF(two, two), -3, target, &event, &error), CLRS_INVALID_ARGUMENT, "-3");
  REFUSED(concat(a, 2, OF(two, two), 0, scalar, &event, &error), CLRS_INVALID_ARGUMENT, "0");
  REFUSED(concat(a, 2, NULL, 0, target, &event, &error), CLRS_INVALID_ARGUMENT, "sources");
  REFUSED(concat(a, 2, OF(two, two), 0, NULL, &event, &error), CLRS_INVALID_ARGUMENT,
          "destination");
  clrs_tensor *const tensors[] = {scalar, repeated, target, inside, flat, other, narrow, one, two};
  for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++)
    clrs_tensor_release(tensors[i]);
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

/* No elements: an event that follows the wait list, and no command. */
API_TEST(empty_assemblies_have_an_event) {
  clrs_tensor *nothing = tensor_of(a, NULL, CLRS_F32, 2, LIST(0, 6), NULL);
  clrs_tensor *const tensors[] = {nothing, nothing};
  const clrs_padding padding = {.element = &element};
  cl_event event = NULL;
  CHECK_OK(fill(a, nothing, &element, &event, &error), error);
  device_finish_event(event);
  CHECK_OK(pad(a, nothing, nothing, &padding, &event, &error), error);
  device_finish_event(event);
  CHECK_OK(concat(a, 2, tensors, 0, nothing, &event, &error), error);
  device_finish_event(event);
  CHECK_OK(concat(a, 0, tensors, 0, nothing, &event, &error), error);
  device_finish_event(event);
  clrs_tensor_release(nothing);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
