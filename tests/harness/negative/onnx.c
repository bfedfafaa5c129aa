/*
 * The negative matrix of clreshape/onnx.h. matrix.h says how to read rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/onnx.h>

#include "harness/device.h"
#include "harness/fault_layer.h"
#include "matrix.h"
#include "onnx/made_model.h"

struct arguments {
  struct said say;
  /* in, named as in the header */
  const void *bytes;
  size_t size, index, capacity, character_count;
  clrs_onnx_model *model;
  clrs_onnx_external_reader *reader;
  clrs_context *context;
  cl_command_queue queue;
  clrs_onnx_observer *observer;
  clrs_onnx_graph *graph;
  clrs_dtype dtype;
  clrs_shape *shape;
  const char *name;
  uint8_t *header;
  clrs_onnx_strings *strings;
  const uint8_t *view;
  /* out */
  clrs_onnx_model **model_out;
  clrs_onnx_graph **graph_out;
  cl_event *event_out;
  size_t *size_out, *header_size_out;
  clrs_onnx_output *output_out;
  clrs_tensor **tensor_out;
  clrs_onnx_text *text_out;
  /* targets of the pointers */
  clrs_onnx_external_reader one_reader;
  clrs_onnx_observer one_observer;
  clrs_shape one_shape;
  clrs_onnx_strings one_strings;
  struct {
    clrs_onnx_model *model;
    clrs_onnx_graph *graph;
    cl_event event;
    clrs_tensor *tensor;
    clrs_onnx_output output;
    clrs_onnx_text text;
  } made;
};

/* ---- the objects ---- */

/* How far the graph of a row has come. */
typedef enum stage { OPENED, BOUND, WANTING, HAS_RUN } stage;

/* A Reshape of [4] of f32 by a list that a Concat makes on the device: 2, 2. */
static struct {
  test_device device, foreign;
  clrs_context *library;
  bytes model_bytes, four, two;
  clrs_onnx_model *model;
  clrs_onnx_graph *graph;
  long alive;
  size_t wanted_size;
} w;

static void enqueue(void) {
  cl_event event;
  CHECK_OK(clrs_onnx_graph_enqueue(w.graph, &event, &error), error);
  device_finish_event(event);
}

/* Makes a graph at the given stage, in place of the previous graph. */
static clrs_onnx_graph *graph_at(stage last) {
  const int64_t dims[] = {2, 2};
  clrs_onnx_graph_close(w.graph);
  CHECK_OK(clrs_onnx_graph_open(w.model, w.library, w.device.queue, NULL, &w.graph, &error), error);
  if (last >= BOUND) {
    CHECK_OK(clrs_onnx_graph_bind(w.graph, w.four.data, w.four.size, &error), error);
    CHECK_OK(clrs_onnx_graph_bind(w.graph, w.two.data, w.two.size, &error), error);
  }
  if (last >= WANTING)
    enqueue();
  if (last >= HAS_RUN) {
    CHECK_OK(clrs_onnx_graph_give(w.graph, dims, sizeof dims, &error), error);
    enqueue();
  }
  w.alive = fault_layer_alive();
  return w.graph;
}

static void open_world(void) {
  static const node_row rows[] = {{"Concat", "aa", "s"}, {"Reshape", "xs", "y"}};
  static const float values[] = {0, 1, 2, 3};
  device_open(&w.device);
  device_open(&w.foreign);
  w.library = device_library(&w.device, NULL);
  make_model(2, rows, "xa", "y", &w.model_bytes);
  make_tensor(1, 1, LIST(4), values, sizeof values, &w.four);
  make_list(2, &w.two);
  CHECK_OK(clrs_onnx_model_load(w.model_bytes.data, w.model_bytes.size, &w.model, &error), error);
}

static void close_world(void) {
  clrs_onnx_graph_close(w.graph);
  clrs_onnx_model_free(w.model);
  clrs_context_release(w.library);
  device_close(&w.foreign);
  device_close(&w.device);
}

/* ---- what is given, and what is found ---- */

static clrs_status check_nothing(void *user_data, const clrs_onnx_external *at, clrs_error *error) {
  (void)user_data, (void)at, (void)error;
  return CLRS_OK;
}

static clrs_status read_nothing(void *user_data, const clrs_onnx_external *at, uint8_t *into,
                                clrs_error *error) {
  (void)user_data, (void)at, (void)into, (void)error;
  return CLRS_OK;
}

static void hear_nothing(void *user_data, const clrs_onnx_moved *moved) {
  (void)user_data, (void)moved;
}

static void point(arguments *a) {
  static uint8_t header[64];
  static size_t header_size;
  a->header = header;
  a->header_size_out = &header_size;
  a->reader = &a->one_reader;
  a->observer = &a->one_observer;
  a->shape = &a->one_shape;
  a->strings = &a->one_strings;
  a->model_out = &a->made.model;
  a->graph_out = &a->made.graph;
  a->event_out = &a->made.event;
  a->tensor_out = &a->made.tensor;
  a->output_out = &a->made.output;
  a->text_out = &a->made.text;
}

static void reset(arguments *a) {
  static const uint8_t view[CLRS_ONNX_STRING_BYTES] = {13};
  memset(a, MATRIX_POISON, sizeof *a);
  point(a);
  a->one_reader = (clrs_onnx_external_reader){check_nothing, read_nothing, NULL, 1};
  a->one_observer = (clrs_onnx_observer){hear_nothing, NULL};
  a->one_shape = (clrs_shape){2, {3, 4}};
  a->one_strings = (clrs_onnx_strings){(const uint8_t *)"thirteen bytes", 13};
  a->bytes = w.model_bytes.data;
  a->size = w.model_bytes.size;
  a->model = w.model;
  a->context = w.library;
  a->queue = w.device.queue;
  a->index = 0;
  a->dtype = CLRS_F32;
  a->name = "x";
  a->capacity = 64;
  a->character_count = 13;
  a->view = view;
  w.alive = fault_layer_alive();
}

static void settle(arguments *a) {
  if (matrix_was_made(a->made.event))
    device_finish_event(a->made.event);
  if (matrix_was_made(a->made.tensor))
    clrs_tensor_release(a->made.tensor);
  if (matrix_was_made(a->made.graph))
    clrs_onnx_graph_close(a->made.graph);
  if (matrix_was_made(a->made.model))
    clrs_onnx_model_free(a->made.model);
}

static const char *harm(arguments *a) {
  (void)a;
  return fault_layer_alive() > w.alive ? "an object is left over" : NULL;
}

/* ---- models ---- */

#define NULL_OF(parameter, name) ROW(parameter, NULL, CLRS_INVALID_ARGUMENT, name " is NULL");

FUNCTION(clrs_onnx_model_load, (void)0, a->bytes, a->size, a->model_out) {
  NULL_OF(bytes, "bytes")
  ROW(bytes, "no model at all, only these words in a row, as long as one is", CLRS_INVALID_ARGUMENT,
      "not a ModelProto: ");
  ROW(size, 0, CLRS_INVALID_ARGUMENT, "it has no graph");
  ROW(size, w.model_bytes.size - 1, CLRS_INVALID_ARGUMENT, "not a ModelProto: ");
  ROW(size, SIZE_MAX, CLRS_LIMIT_EXCEEDED, "a protobuf message has fewer than 2 GiB");
  NULL_OF(model_out, "model")
}

FUNCTION(clrs_onnx_model_read_external, (void)0, a->model, a->reader) {
  NULL_OF(model, "model")
  NULL_OF(reader, "reader")
  NULL_OF(reader->check, "reader->check")
  NULL_OF(reader->read, "reader->read")
  TAKES(reader->user_data, w.model);
  TAKES(reader->most_bytes, 0);
}

RETURNS(clrs_onnx_model_free, a->model) {
  ANSWERS(model, NULL, "returns");
}

/* ---- graphs ---- */

FUNCTION(clrs_onnx_graph_open, (void)0, a->model, a->context, a->queue, a->observer, a->graph_out) {
  NULL_OF(model, "model")
  NULL_OF(context, "context")
  NULL_OF(queue, "queue")
  TAKES(queue, w.foreign.queue);
  TAKES(observer, NULL);
  TAKES(observer->moved, NULL);
  TAKES(observer->user_data, w.model);
  NULL_OF(graph_out, "graph")
}

RETURNS(clrs_onnx_graph_close, a->graph) {
  ANSWERS(graph, NULL, "returns");
}

ANSWER(clrs_onnx_graph_input_count, "%zu", clrs_onnx_graph_input_count(a->graph)) {
  ANSWERS(graph, NULL, "0");
  ANSWERS(graph, graph_at(HAS_RUN), "2");
}

FUNCTION(clrs_onnx_graph_bind,
         (a->graph = graph_at(OPENED), a->bytes = w.four.data, a->size = w.four.size), a->graph,
         a->bytes, a->size) {
  NULL_OF(graph, "graph")
  ROW(graph, graph_at(BOUND), CLRS_INVALID_ARGUMENT, "the model has 2 inputs that are no init");
  NULL_OF(bytes, "bytes")
  ROW(bytes, w.model_bytes.data, CLRS_INVALID_ARGUMENT, "input \"");
  ROW(size, 0, CLRS_INVALID_ARGUMENT, "it has no data_type");
  ROW(size, w.four.size - 1, CLRS_INVALID_ARGUMENT, "not a TensorProto: ");
  ROW(size, SIZE_MAX, CLRS_LIMIT_EXCEEDED, "a protobuf message has fewer than 2 GiB");
}

FUNCTION(clrs_onnx_graph_enqueue, (a->graph = graph_at(BOUND)), a->graph, a->event_out) {
  NULL_OF(graph, "graph")
  ROW(graph, graph_at(OPENED), CLRS_INVALID_ARGUMENT, "0 of the graph's 2 inputs are bound");
  ROW(graph, graph_at(WANTING), CLRS_INVALID_ARGUMENT, "the bytes that the graph wants are not");
  ROW(graph, graph_at(HAS_RUN), CLRS_INVALID_ARGUMENT, "the graph has run");
  NULL_OF(event_out, "event")
}

ROWS_OF(clrs_onnx_graph_wanted, (a->graph = graph_at(WANTING), a->size_out = &w.wanted_size),
        matrix_say(&a->say, "%d", clrs_onnx_graph_wanted(a->graph, a->size_out) != NULL)) {
  ANSWERS(graph, NULL, "0");
  ANSWERS(graph, graph_at(HAS_RUN), "0");
  ANSWERS(size_out, NULL, "1");
}

/* The given pattern outlives the function that sets the parameters. */
static const int64_t wanted_pattern[] = {2, 2};

FUNCTION(clrs_onnx_graph_give,
         (a->graph = graph_at(WANTING), a->bytes = wanted_pattern, a->size = sizeof wanted_pattern),
         a->graph, a->bytes, a->size) {
  NULL_OF(graph, "graph")
  ROW(graph, graph_at(BOUND), CLRS_INVALID_ARGUMENT, "16 bytes are given; the graph wants 0");
  NULL_OF(bytes, "bytes")
  ROW(size, 0, CLRS_INVALID_ARGUMENT, "0 bytes are given; the graph wants 16");
  ROW(size, 15, CLRS_INVALID_ARGUMENT, "15 bytes are given; the graph wants 16");
  ROW(size, SIZE_MAX, CLRS_INVALID_ARGUMENT, MOST " bytes are given");
}

/* ---- outputs ---- */

ANSWER(clrs_onnx_graph_output_count, "%zu", clrs_onnx_graph_output_count(a->graph)) {
  ANSWERS(graph, NULL, "0");
  ANSWERS(graph, graph_at(HAS_RUN), "1");
}

#define OUTPUT_ROWS                                                                                \
  NULL_OF(graph, "graph")                                                                          \
  ROW(graph, graph_at(BOUND), CLRS_INVALID_ARGUMENT, "\"y\", is computed by no node")              \
  ROW(index, 1, CLRS_INVALID_ARGUMENT, "output 1 of a graph with 1")                               \
  ROW(index, SIZE_MAX, CLRS_INVALID_ARGUMENT, "output " MOST " of a graph with 1")

FUNCTION(clrs_onnx_graph_output, (a->graph = graph_at(HAS_RUN)), a->graph, a->index,
         a->output_out){OUTPUT_ROWS NULL_OF(output_out, "output")}

FUNCTION(clrs_onnx_graph_fetch, (a->graph = graph_at(HAS_RUN)), a->graph, a->index, a->tensor_out,
         a->event_out){OUTPUT_ROWS NULL_OF(tensor_out, "tensor") NULL_OF(event_out, "event")}

ANSWER(clrs_onnx_graph_launches, "%zu", clrs_onnx_graph_launches(a->graph)) {
  ANSWERS(graph, NULL, "0");
  ANSWERS(graph, graph_at(BOUND), "0");
}

/* ---- tensors ---- */

FUNCTION(clrs_onnx_tensor_header, (void)0, a->dtype, a->shape, a->name, a->header, a->capacity,
         a->header_size_out) {
  ROW(dtype, -1, CLRS_INVALID_ARGUMENT, "element type -1 is unknown");
  ROW(dtype, CLRS_DTYPE_COUNT, CLRS_INVALID_ARGUMENT, "is unknown; clrs_dtype has");
  ROW(dtype, CLRS_U3, CLRS_UNSUPPORTED, "ONNX has no type for u3");
  NULL_OF(shape, "shape")
  ROW(shape->rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims");
  ROW(shape->dims[0], -1, CLRS_INVALID_ARGUMENT, "dimension 0 of a shape is -1");
  ROW(shape->dims[0], INT64_MAX, CLRS_OVERFLOW, "");
  ROW(shape->dims[0], INT32_MAX, CLRS_LIMIT_EXCEEDED, "a TensorProto has fewer than 2 GiB");
  NULL_OF(name, "name")
  TAKES(header, NULL);
  ROW(capacity, 0, CLRS_OUT_OF_BOUNDS, "the header takes 11 bytes; there is room for 0");
  ROW(capacity, 10, CLRS_OUT_OF_BOUNDS, "the header takes 11 bytes; there is room for 10");
  NULL_OF(header_size_out, "header_size")
}

ANSWER(clrs_onnx_string_header, "%zu", clrs_onnx_string_header(a->character_count, a->header)) {
  ANSWERS(character_count, 0, "2");
  ANSWERS(character_count, SIZE_MAX, "11");
  ANSWERS(header, NULL, "0");
}

FUNCTION(clrs_onnx_strings_get, (void)0, a->strings, a->view, a->text_out) {
  NULL_OF(strings, "strings")
  NULL_OF(strings->characters, "strings->characters")
  ROW(strings->size, 12, CLRS_OUT_OF_BOUNDS, "a string of 13 characters at 0");
  TAKES(strings->size, SIZE_MAX);
  NULL_OF(view, "view")
  NULL_OF(text_out, "text")
}

int main(int count, char **words) {
  const matrix_world world = {sizeof(arguments), reset,      harm,       settle,
                              device_missing,    open_world, close_world};
  return matrix_main(&world, count, words);
}
