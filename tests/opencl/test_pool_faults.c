/*
 * The pool of results on a driver that fails: no memory may be handed out that may still be in use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/driver_defects.h"
#include "harness/fault_layer.h"
#include "pool_fixture.h"

static fault_layer layer;

/* No memory waits for commands whose end nobody can learn of. */
static void what_gets_no_marker_is_not_kept(void **state) {
  const pools *p = *state;
  const fault first = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE};
  if (driver_has_defect(p->device.device, DEFECT_SEVERAL_FAILED))
    skip();
  clrs_tensor *tensor = allocate_on(p->library, COUNT, p->queues[2]);
  layer.arm(&first);
  clrs_tensor_release(tensor);
  assert_string_equal(layer.failed(), "clEnqueueMarkerWithWaitList");
  layer.arm(NULL);
  assert_int_equal(clrs_context_pool(p->library).idle_bytes, 0);
  assert_int_equal(clrs_context_pool(p->library).used_bytes, 0);
}

/* A call that fails while another queue asks for idle memory, which has its marker already or gets
 * it then, and what becomes of the memory. */
typedef struct refusal {
  const char *call;
  int marked, kept;
} refusal;

/* The queue asks before a gate lets the marker end, which is before the call that fails. */
static clrs_tensor *ask_for_marker(const pools *p, clrs_context *library, cl_event *gate) {
  clrs_tensor *other = allocate_on(library, COUNT, p->queues[1]);
  open_gate(gate);
  CL_OK(clFinish(p->queues[0]));
  return other;
}

/* False if the n-th call is another one. It may have answered all the same, but nobody may trust
 * that. */
static bool is_refused(const pools *p, int nth, const refusal *row) {
  const fault one = {nth, CL_OUT_OF_RESOURCES, false, FAULT_AFTER};
  const clrs_shape shape = {1, {COUNT}};
  clrs_context *library = library_with(p, NULL, CLRS_POOL_AUTO);
  clrs_tensor *tensor = allocate_on(library, COUNT, p->queues[0]), *marking = NULL, *asked = NULL;
  clrs_error error;
  cl_event gate = close_gate(p, 0);
  clrs_tensor_release(tensor);
  if (row->marked)
    marking = ask_for_marker(p, library, &gate);
  layer.arm(&one);
  const clrs_status status =
      clrs_tensor_allocate_on(library, p->queues[1], CLRS_U32, &shape, &asked, &error);
  const char *failed = layer.failed();
  layer.arm(NULL);
  open_gate(&gate);
  assert_non_null(failed);
  const bool refused = status == CLRS_OK && strcmp(failed, row->call) == 0;
  if (refused) {
    const clrs_pool_statistics statistics = clrs_context_pool(library);
    assert_int_equal(statistics.created, 2 + row->marked);
    assert_int_equal(statistics.reused, 0);
    assert_int_equal(statistics.used_bytes, (1 + row->marked) * 4 * COUNT);
    assert_int_equal(statistics.idle_bytes, row->kept * 4 * COUNT);
  }
  clrs_tensor_release(asked);
  clrs_tensor_release(marking);
  clrs_context_release(library);
  return refused;
}

/* The caller gets new memory: the other may still be in use. Memory that has left its queue already
 * is given back. */
static void memory_of_which_nothing_is_known_is_not_handed_out(void **state) {
  static const refusal rows[] = {{"clEnqueueMarkerWithWaitList", 0, 1},
                                 {"clGetEventInfo", 1, 1},
                                 {"clRetainCommandQueue", 1, 0}};
  const pools *p = *state;
  if (driver_has_defect(p->device.device, DEFECT_SEVERAL_FAILED))
    skip();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int nth = 1; !is_refused(p, nth, &rows[i]);)
      nth++;
}

/* Every call that the driver fails is an error, and the next attempt is as good as the first. */
static void a_queue_that_cannot_be_kept_is_an_error(void **state) {
  const pools *p = *state;
  fault f = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE};
  const char *last = NULL, *failed = NULL;
  clrs_tensor *tensor = allocate_on(p->library, COUNT, p->queues[0]);
  do {
    clrs_error error = {0};
    layer.arm(&f);
    const clrs_status status = clrs_tensor_use_on(tensor, p->queues[1], &error);
    failed = layer.failed();
    layer.arm(NULL);
    check_status(status, failed ? CLRS_OPENCL_ERROR : CLRS_OK, &error, "clrs_tensor_use_on",
                 __FILE__, __LINE__);
    if (failed)
      CHECK_SAYS(error, failed);
    last = failed ? failed : last;
  } while (failed && ++f.nth < 100);
  assert_string_equal(last, "clRetainCommandQueue");
  clrs_tensor_release(tensor);
}

static void idle_memory_goes_where_memory_is_short(void **state) {
  const pools *p = *state;
  const fault once = {1, CL_MEM_OBJECT_ALLOCATION_FAILURE, false, FAULT_BEFORE};
  const clrs_shape shape = {1, {COUNT}};
  clrs_tensor_release(allocate_on(p->library, COUNT, p->queues[0]));
  assert_int_equal(clrs_context_pool(p->library).idle_bytes, sizeof(uint32_t) * COUNT);
  for (int is_empty = 0; is_empty < 2; is_empty++) { /* which then has nothing to give */
    clrs_tensor *tensor = NULL;
    clrs_error error = {0};
    layer.arm(&once);
    const clrs_status status = clrs_tensor_allocate(p->library, CLRS_U32, &shape, &tensor, &error);
    assert_string_equal(layer.failed(), "clCreateBuffer");
    layer.arm(NULL);
    check_status(status, is_empty ? CLRS_OPENCL_ERROR : CLRS_OK, &error, "clrs_tensor_allocate",
                 __FILE__, __LINE__);
    assert_int_equal(clrs_context_pool(p->library).idle_bytes, 0);
    clrs_tensor_release(tensor);
  }
}

int main(void) {
  const int missing = device_and_layer_missing(&layer);
  if (missing)
    return missing;
  const struct CMUnitTest tests[] = {
      POOL_TEST(what_gets_no_marker_is_not_kept),
      POOL_TEST(memory_of_which_nothing_is_known_is_not_handed_out),
      POOL_TEST(a_queue_that_cannot_be_kept_is_an_error),
      POOL_TEST(idle_memory_goes_where_memory_is_short),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
