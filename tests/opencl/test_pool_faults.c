/*
 * The pool of results on a driver that fails: no memory may be handed out that may still be in use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/clreshape.h"
#include "harness/driver_defects.h"
#include "harness/fault_layer.h"
#include "harness/works.h"
#include "pool_fixture.h"

static fault_layer layer;

/* Memory does not wait for commands with an unknown end. */
POOL_TEST(what_gets_no_marker_is_not_kept) {
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

/* A failing call while another queue asks for idle memory, with an earlier or a new marker, and the
 * fate of the memory. */
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

/* False if the n-th call is another call. The other call may have succeeded all the same, but the
 * result cannot be trusted. */
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
      clrs_tensor_allocate(library, p->queues[1], CLRS_U32, &shape, &asked, &error);
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

/* The caller gets new memory: the other may still be in use. Memory that has already left the queue
 * is released. */
POOL_TEST(memory_of_which_nothing_is_known_is_not_handed_out) {
  static const refusal rows[] = {{"clEnqueueMarkerWithWaitList", 0, 1},
                                 {"clGetEventInfo", 1, 1},
                                 {"clRetainCommandQueue", 1, 0}};
  if (driver_has_defect(p->device.device, DEFECT_SEVERAL_FAILED))
    skip();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int nth = 1; !is_refused(p, nth, &rows[i]);)
      nth++;
}

/* Every call that the driver fails is an error, and the next attempt is as good as the first. */
POOL_TEST(a_queue_that_cannot_be_kept_is_an_error) {
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

/* ---- a queue too many, whose marker is refused ---- */

static clrs_tensor *dense_u32(const pools *p, cl_mem buffer) {
  clrs_tensor *tensor = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_wrap_dense(p->library, buffer, CLRS_U32, 1, LIST(COUNT), &tensor, &error),
           error);
  return tensor;
}

static clrs_tensor *as_indices(clrs_tensor *tensor) {
  clrs_view view = *clrs_tensor_view(tensor);
  clrs_tensor *indices = NULL;
  clrs_error error;
  view.dtype = CLRS_I32;
  CHECK_OK(clrs_tensor_with_view(tensor, &view, &indices, &error), error);
  return indices;
}

static clrs_tensor *as_floats(clrs_tensor *tensor) {
  clrs_tensor *floats = NULL;
  clrs_map cast;
  clrs_error error;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U32, CLRS_F32, &cast, &error), error);
  CHECK_OK(clrs_tensor_with_map(tensor, &cast, NULL, &floats, &error), error);
  return floats;
}

/* The call fails because the driver refuses the marker that would stand for a queue. Each OpenCL
 * call before that fails once too. */
static bool is_refused_by(const char *failed, clrs_status status, const clrs_error *error) {
  const bool is_build = failed != NULL && strcmp(failed, "clBuildProgram") == 0;
  assert_non_null(failed);
  check_status(status, is_build ? CLRS_BUILD_FAILURE : CLRS_OPENCL_ERROR, error, failed, __FILE__,
               __LINE__);
  if (!is_build)
    CHECK_SAYS(*error, failed);
  return strcmp(failed, "clEnqueueMarkerWithWaitList") == 0;
}

/* An attempt that builds a kernel makes fewer calls the next time, so counting begins again. */
#define REFUSED(call)                                                                              \
  do {                                                                                             \
    fault f = {1, CL_INVALID_OPERATION, false, FAULT_BEFORE};                                      \
    for (bool refused = false; !refused; f.nth++) {                                                \
      const size_t built = clrs_context_program_count(p->library);                                 \
      layer.arm(&f);                                                                               \
      const clrs_status status = call;                                                             \
      const char *failed = layer.failed();                                                         \
      layer.arm(NULL);                                                                             \
      refused = is_refused_by(failed, status, &error);                                             \
      f.nth = clrs_context_program_count(p->library) == built ? f.nth : 0;                         \
    }                                                                                              \
  } while (0)
#define ON_QUEUE ON(queue), NULL, &error

/* `full` has been used on as many queues as are kept, and `queue` is another queue. */
static void expect_no_calls(const pools *p, clrs_tensor *full, cl_command_queue queue) {
  static uint32_t got[COUNT];
  clrs_tensor *from = dense_u32(p, p->sources[0]), *to = dense_u32(p, p->sink), *result = NULL;
  clrs_tensor *mapped = as_floats(full), *full_indices = as_indices(full);
  clrs_tensor *plain_indices = as_indices(from);
  const clrs_indices plain = {.tensor = plain_indices}, followed = {.tensor = full_indices};
  clrs_error error;
  REFUSED(clrs_enqueue_move(full, to, ON_QUEUE));
  REFUSED(clrs_enqueue_move(from, full, ON_QUEUE));
  REFUSED(clrs_enqueue_chain(full, "", CLRS_COPY_ALWAYS, NULL, &result, ON_QUEUE));
  REFUSED(clrs_enqueue_chain(mapped, "", CLRS_COPY_IF_NEEDED, NULL, &result, ON_QUEUE));
  REFUSED(clrs_enqueue_read(full, got, sizeof got, ON_QUEUE));
  REFUSED(clrs_enqueue_gather(full, &plain, to, NULL, ON_QUEUE));
  REFUSED(clrs_enqueue_gather(from, &followed, to, NULL, ON_QUEUE));
  REFUSED(clrs_enqueue_scatter(to, &plain, full, ON_QUEUE));
  assert_null(result);
  clrs_tensor *const all[] = {from, to, mapped, full_indices, plain_indices};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    clrs_tensor_release(all[i]);
}

/* Calls that take several tensors. */
static void expect_no_calls_of_several(const pools *p, clrs_tensor *full, cl_command_queue queue) {
  clrs_tensor *to = dense_u32(p, p->sink);
  const clrs_view *view = clrs_tensor_view(to);
  const test_task copy = {.destination = 1, .from = view, .to = view};
  const clrs_slot slots[] = {{.tensor = full}, {.tensor = to}};
  const test_moves moves = {.count = 1, .sources = &full, .destinations = &to};
  clrs_work *sequence = NULL;
  clrs_error error;
  CHECK_OK(test_work_of_tasks(p->library, &(test_tasks){2, 1, &copy}, &sequence, &error), error);
  REFUSED(test_enqueue_moves(p->library, &moves, ON_QUEUE));
  REFUSED(clrs_enqueue_concat(1, &full, 0, to, NULL, ON_QUEUE));
  REFUSED(test_enqueue_slots(sequence, slots, ON_QUEUE));
  clrs_work_release(sequence);
  clrs_tensor_release(to);
}

POOL_TEST(a_queue_without_a_marker_is_an_error_of_every_call) {
  static uint32_t got[COUNT];
  enum { KEPT = 16 };
  cl_command_queue queues[KEPT + 1];
  clrs_tensor *tensor = allocate_on(p->library, COUNT, p->queues[0]);
  if (driver_has_defect(p->device.device, DEFECT_SEVERAL_FAILED)) {
    clrs_tensor_release(tensor);
    skip(); /* there are no markers */
  }
  for (int i = 0; i <= KEPT; i++)
    queues[i] = device_queue(&p->device, 0);
  for (int i = 0; i < KEPT; i++)
    CHECK_OK(clrs_tensor_use_on(tensor, queues[i], &error), error);
  device_write(&p->device, p->sink, sizeof got, p->elements[7]);
  REFUSED(clrs_tensor_use_on(tensor, queues[KEPT], &error));
  expect_no_calls(p, tensor, queues[KEPT]);
  expect_no_calls_of_several(p, tensor, queues[KEPT]);
  CL_OK(clFinish(queues[KEPT]));
  device_read(&p->device, p->sink, sizeof got, got);
  assert_memory_equal(got, p->elements[7], sizeof got);
  CHECK_OK(clrs_tensor_use_on(tensor, queues[KEPT], &error), error);
  clrs_tensor_release(tensor);
  clrs_context_trim_pool(p->library, 0);
  for (int i = 0; i <= KEPT; i++)
    CL_OK(clReleaseCommandQueue(queues[i]));
}

POOL_TEST(idle_memory_goes_where_memory_is_short) {
  const fault once = {1, CL_MEM_OBJECT_ALLOCATION_FAILURE, false, FAULT_BEFORE};
  const clrs_shape shape = {1, {COUNT}};
  clrs_tensor_release(allocate_on(p->library, COUNT, p->queues[0]));
  assert_int_equal(clrs_context_pool(p->library).idle_bytes, sizeof(uint32_t) * COUNT);
  for (int is_empty = 0; is_empty < 2; is_empty++) { /* which then has nothing to give */
    clrs_tensor *tensor = NULL;
    clrs_error error = {0};
    layer.arm(&once);
    const clrs_status status =
        clrs_tensor_allocate(p->library, NULL, CLRS_U32, &shape, &tensor, &error);
    assert_string_equal(layer.failed(), "clCreateBuffer");
    layer.arm(NULL);
    check_status(status, is_empty ? CLRS_OPENCL_ERROR : CLRS_OK, &error, "clrs_tensor_allocate",
                 __FILE__, __LINE__);
    assert_int_equal(clrs_context_pool(p->library).idle_bytes, 0);
    clrs_tensor_release(tensor);
  }
}

TESTS_UNLESS(device_and_layer_missing(&layer), NULL, NULL)
