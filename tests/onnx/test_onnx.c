/*
 * onnx.h on a device: bytes in, tensors and an event out, and nothing waits. tests/conformance/onnx
 * checks the results of operators.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

#include <clreshape/onnx.h>
#include <unistd.h>

#include "made_model.h"

/* ---- runs ---- */

/* A test opens a run in the world, and closes the run. */
typedef struct world {
  test_device device;
  clrs_context *library;
  clrs_onnx_model *model;
  clrs_onnx_graph *graph;
} world;

static int open_world(void **state) {
  static world opened;
  device_open(&opened.device);
  opened.library = device_library(&opened.device, NULL);
  *state = &opened;
  return 0;
}

static int close_world(void **state) {
  world *opened = *state;
  clrs_context_release(opened->library);
  device_close(&opened->device);
  return 0;
}

/* The bytes may be freed after the load. */
static clrs_onnx_model *load(bytes *from) {
  clrs_onnx_model *model;
  CHECK_OK(clrs_onnx_model_load(from->data, from->size, &model, &error), error);
  memset(from->data, 0xee, sizeof from->data);
  return model;
}

static void bind(clrs_onnx_graph *graph, bytes *from) {
  CHECK_OK(clrs_onnx_graph_bind(graph, from->data, from->size, &error), error);
  memset(from->data, 0xee, sizeof from->data);
}

/* A run of a model of these nodes, with the output "y". */
static void open_run(world *w, size_t count, const node_row *rows, const char *inputs,
                     cl_command_queue queue, const clrs_onnx_observer *observer) {
  bytes data;
  make_model(count, rows, inputs, "y", &data);
  w->model = load(&data);
  CHECK_OK(clrs_onnx_graph_open(w->model, w->library, queue, observer, &w->graph, &error), error);
}

static void close_run(world *w) {
  clrs_onnx_graph_close(w->graph);
  clrs_onnx_model_free(w->model);
}

static void bind_matrix(world *w) {
  bytes data;
  make_matrix(&data);
  bind(w->graph, &data);
}

static void bind_list(world *w, int64_t value) {
  bytes data;
  make_list(value, &data);
  bind(w->graph, &data);
}

static void enqueue(world *w) {
  cl_event event;
  CHECK_OK(clrs_onnx_graph_enqueue(w->graph, &event, &error), error);
  device_finish_event(event);
}

static clrs_tensor *fetch(world *w) {
  clrs_tensor *tensor;
  cl_event event;
  CHECK_OK(clrs_onnx_graph_fetch(w->graph, 0, &tensor, &event, &error), error);
  device_finish_event(event);
  return tensor;
}

static void require_bytes(const world *w, const clrs_tensor *tensor, const void *expected,
                          size_t size) {
  uint8_t got[64];
  clrs_byte_range range;
  CHECK_OK(clrs_tensor_bytes(tensor, &range, &error), error);
  assert_int_equal(range.size, size);
  CL_OK(clEnqueueReadBuffer(w->device.queue, range.buffer, CL_TRUE, range.offset, size, got, 0,
                            NULL, NULL));
  assert_memory_equal(got, expected, size);
}

static const int32_t turned[] = {0, 3, 1, 4, 2, 5};

/* Nodes that read the matrix "x" and the list "a", and the results. */
typedef struct gated_case {
  size_t count;
  node_row rows[4];
  int64_t listed;
  int32_t expected[12];
} gated_case;

/* The dims of the Reshape are a view of an input, and the host has the bytes. */
static const gated_case reshaped = {4,
                                    {{"Transpose", "x", "t"},
                                     {"Transpose", "a", "d"},
                                     {"Reshape", "td", "r"},
                                     {"Concat", "rr", "y"}},
                                    6,
                                    {0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5}};
/* The indices come together on the device. */
static const gated_case gathered = {
    3,
    {{"Concat", "aa", "i"}, {"Concat", "iaa", "k"}, {"Gather", "xk", "y"}},
    -1,
    {3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5}};

/* A closed gate holds up the queue. A call that waits for the queue ends the test by the alarm. */
static void nothing_waits(world *w, const gated_case *gated,
                          cl_command_queue_properties properties) {
  cl_command_queue queue = device_queue(&w->device, properties);
  clrs_tensor *tensor;
  cl_event event, fetched;
  cl_int code;
  cl_event gate = clCreateUserEvent(w->device.context, &code);
  CL_OK(code);
  CL_OK(clEnqueueBarrierWithWaitList(queue, 1, &gate, NULL));
  alarm(60);
  open_run(w, gated->count, gated->rows, "xa", queue, NULL);
  bind_matrix(w);
  bind_list(w, gated->listed);
  CHECK_OK(clrs_onnx_graph_enqueue(w->graph, &event, &error), error);
  CHECK_OK(clrs_onnx_graph_fetch(w->graph, 0, &tensor, &fetched, &error), error);
  close_run(w);
  assert_true(device_event_status(event) > CL_COMPLETE);
  assert_true(device_event_status(fetched) > CL_COMPLETE);
  alarm(0);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  device_finish_event(event);
  device_finish_event(fetched);
  require_bytes(w, tensor, gated->expected, sizeof gated->expected);
  clrs_tensor_release(tensor);
  CL_OK(clReleaseEvent(gate));
  CL_OK(clReleaseCommandQueue(queue));
}

TEST(nothing_waits_on_a_queue_in_order) {
  nothing_waits(*state, &reshaped, 0);
  nothing_waits(*state, &gathered, 0);
}

TEST(nothing_waits_on_a_queue_out_of_order) {
  world *w = *state;
  cl_command_queue_properties can = 0;
  CL_OK(clGetDeviceInfo(w->device.device, CL_DEVICE_QUEUE_PROPERTIES, sizeof can, &can, NULL));
  if ((can & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
    skip();
  nothing_waits(w, &reshaped, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  nothing_waits(w, &gathered, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* The bytes that the graph wants, a list of `count` int64. */
static void give_list(world *w, int64_t *values, size_t count) {
  size_t size;
  cl_event event;
  clrs_tensor *wanted = clrs_onnx_graph_wanted(w->graph, &size);
  assert_non_null(wanted);
  assert_int_equal(size, count * sizeof *values);
  CHECK_OK(clrs_enqueue_read(wanted, values, size, ON(w->device.queue), &event, &error), error);
  device_finish_event(event);
  CHECK_FAILS(clrs_onnx_graph_enqueue(w->graph, &event, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "not given");
  CHECK_FAILS(clrs_onnx_graph_give(w->graph, values, size - 1, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_OK(clrs_onnx_graph_give(w->graph, values, size, &error), error);
  assert_null(clrs_onnx_graph_wanted(w->graph, &size));
  CHECK_FAILS(clrs_onnx_graph_give(w->graph, values, 0, &error), CLRS_INVALID_ARGUMENT, error);
}

/* The dims of the Reshape come together on the device, behind a gate. */
TEST(numbers_from_the_device_are_asked_for) {
  static const node_row rows[] = {
      {"Concat", "ab", "d"}, {"Transpose", "x", "t"}, {"Reshape", "td", "y"}};
  world *w = *state;
  clrs_onnx_output output;
  open_run(w, 3, rows, "xab", w->device.queue, NULL);
  bind_matrix(w);
  bind_list(w, 1);
  bind_list(w, 6);
  cl_int code;
  cl_event event, gate = clCreateUserEvent(w->device.context, &code);
  CL_OK(code);
  CL_OK(clEnqueueBarrierWithWaitList(w->device.queue, 1, &gate, NULL));
  alarm(60);
  CHECK_OK(clrs_onnx_graph_enqueue(w->graph, &event, &error), error);
  assert_true(device_event_status(event) > CL_COMPLETE);
  alarm(0);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clReleaseEvent(gate));
  device_finish_event(event);
  int64_t dims[2];
  give_list(w, dims, 2);
  assert_memory_equal(dims, LIST(1, 6), sizeof dims);
  enqueue(w);
  CHECK_OK(clrs_onnx_graph_output(w->graph, 0, &output, &error), error);
  assert_string_equal(output.name, "y");
  assert_int_equal(output.dtype, CLRS_I32);
  assert_int_equal(output.shape.rank, 2);
  assert_memory_equal(output.shape.dims, LIST(1, 6), 2 * sizeof(int64_t));
  assert_false(output.is_known);
  clrs_tensor *tensor = fetch(w);
  require_bytes(w, tensor, turned, sizeof turned);
  clrs_tensor_release(tensor);
  close_run(w);
}

TEST(a_graph_that_wants_something_may_be_closed) {
  static const node_row rows[] = {{"Concat", "ab", "d"}, {"Reshape", "xd", "y"}};
  world *w = *state;
  size_t size;
  open_run(w, 2, rows, "xab", w->device.queue, NULL);
  bind_matrix(w);
  bind_list(w, 1);
  bind_list(w, 6);
  enqueue(w);
  assert_non_null(clrs_onnx_graph_wanted(w->graph, &size));
  close_run(w);
}

/* An input with an initializer is not bound, at any position. */
TEST(initializers_are_not_bound) {
  static const node_row rows[] = {{"Reshape", "xW", "r"}, {"Reshape", "rV", "y"}};
  static const int32_t values[] = {0, 1, 2, 3, 4, 5};
  world *w = *state;
  open_run(w, 2, rows, "WxV", w->device.queue, NULL);
  assert_int_equal(clrs_onnx_graph_input_count(w->graph), 1);
  bind_matrix(w);
  enqueue(w);
  clrs_tensor *tensor = fetch(w);
  assert_int_equal(clrs_tensor_view(tensor)->shape.rank, 1);
  require_bytes(w, tensor, values, sizeof values);
  clrs_tensor_release(tensor);
  close_run(w);
}

/* ---- what is told ---- */

static void note(void *user_data, const clrs_onnx_moved *moved) {
  char *log = user_data;
  (void)snprintf(log + strlen(log), 200 - strlen(log), "%s %zu %s %d %u;",
                 moved->op != NULL ? moved->op : "output", moved->index, moved->name,
                 moved->plan != NULL && moved->view != NULL, moved->launches);
}

TEST(the_observer_hears_of_each_move) {
  static const node_row rows[] = {{"Transpose", "x", "t"}, {"Concat", "tx", "y"}};
  static const int32_t square[] = {0, 1, 2, 3};
  world *w = *state;
  char log[200] = "";
  clrs_onnx_observer observer = {note, log};
  bytes data;
  open_run(w, 2, rows, "x", w->device.queue, &observer);
  make_tensor(clrs_dtype_to_onnx(CLRS_I32), 2, LIST(2, 2), square, sizeof square, &data);
  bind(w->graph, &data);
  enqueue(w);
  assert_string_equal(log, "Concat 1  1 1;Concat 1  1 1;");
  clrs_tensor *tensor = fetch(w);
  assert_string_equal(log, "Concat 1  1 1;Concat 1  1 1;output 0 y 1 0;");
  assert_int_equal(clrs_onnx_graph_launches(w->graph), 2);
  clrs_tensor_release(tensor);
  close_run(w);
}

TEST(the_observer_hears_of_a_gather_without_a_plan) {
  static const node_row rows[] = {{"Concat", "ab", "i"}, {"Gather", "xi", "y"}};
  world *w = *state;
  char log[200] = "";
  clrs_onnx_observer observer = {note, log};
  open_run(w, 2, rows, "xab", w->device.queue, &observer);
  bind_matrix(w);
  bind_list(w, 1);
  bind_list(w, 0);
  enqueue(w);
  assert_string_equal(log, "Concat 0  1 1;Concat 0  1 1;Gather 1  0 1;");
  close_run(w);
}

TEST(shapes_are_known_without_a_command) {
  static const node_row rows[] = {{"Shape", "x", "y"}};
  static const int64_t dims[] = {2, 3};
  world *w = *state;
  clrs_onnx_output output;
  open_run(w, 1, rows, "x", w->device.queue, NULL);
  bind_matrix(w);
  enqueue(w);
  CHECK_OK(clrs_onnx_graph_output(w->graph, 0, &output, &error), error);
  assert_true(output.is_known);
  assert_int_equal(output.size, sizeof dims);
  assert_memory_equal(output.bytes, dims, sizeof dims);
  close_run(w);
}

TESTS_UNLESS(device_missing(), open_world, close_world)
