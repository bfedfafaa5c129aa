/*
 * Models with graphs that are hard to bind: as many nodes, values, names or known numbers as fit.
 * OpenCL is null_opencl.h, because device work is not part of the cost of binding a model.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/onnx.h>

#include "harness/check.h"
#include "harness/null_graph.h"
#include "harness/null_opencl.h"
#include "inputs.h"
#include "onnx.pb-c.h"
#include "put.h"

/* ---- what binds them ---- */

static clrs_status bind(const clrs_onnx_model *model, clrs_context *library,
                        const clrs_onnx_observer *observer, clrs_error *error) {
  clrs_onnx_graph *graph;
  clrs_status status =
      clrs_onnx_graph_open(model, library, null_opencl_queue(), observer, &graph, error);
  if (status != CLRS_OK)
    return status;
  status = null_graph_run(graph, error);
  clrs_onnx_graph_close(graph);
  return status;
}

static clrs_status run_model(const clrs_onnx_observer *observer, clrs_error *error) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *library;
  clrs_onnx_model *model;
  uint8_t *bytes = input_bytes();
  clrs_status status = clrs_onnx_model_load(bytes, size, &model, error);
  free(bytes);
  if (status != CLRS_OK)
    return status;
  /* without a pool: a result in recycled bytes could be right without a move */
  options.pool_bytes = 0;
  options.context = null_opencl_context();
  options.device = null_opencl_device();
  assert_int_equal(clrs_context_create(&options, &library, error), CLRS_OK);
  status = bind(model, library, observer, error);
  clrs_context_release(library);
  clrs_onnx_model_free(model);
  assert_int_equal(null_opencl_live(), 0);
  return status;
}

static clrs_status graph_parse(clrs_error *error) {
  return run_model(NULL, error);
}

/* Explains a move like --explain. */
static void explain(void *user_data, const clrs_onnx_moved *moved) {
  char text[4096] = "";
  if (moved->plan != NULL)
    (void)clrs_plan_explain(moved->plan, text, sizeof text);
  (void)fprintf(user_data, "%zu %u %s\n", moved->index, moved->launches, text);
}

static clrs_status explained_parse(clrs_error *error) {
  FILE *nowhere = fopen("/dev/null", "w");
  assert_non_null(nowhere);
  const clrs_status status = run_model(&(clrs_onnx_observer){explain, nowhere}, error);
  assert_int_equal(fclose(nowhere), 0);
  return status;
}

/* ---- nodes and initializers ---- */

#define AXIS_0 "2a080a04617869731800"

/* More fields of one message would not be parsed. More parts of a repeated value would not be
 * kept. */
enum { MOST_FIELDS = 200000, MOST_PARTS = 100000 };

enum { U8 = 2, I32 = 6, I64 = 7, NAME_ROOM = 24 };

static void put_tensor(const char *name, unsigned type, const char *dims, const void *raw,
                       size_t bytes) {
  put_hex("2affffff00");
  const size_t begin = size;
  for (char *end; *dims != '\0'; dims = end) {
    put_byte(0x08);
    put_number(strtoull(dims, &end, 10));
  }
  put_byte(0x10);
  put_byte(type);
  put_text(0x42, name, strlen(name));
  put_text(0x4a, raw, bytes);
  graph_end(begin);
}

/* Returns the name of value `index`, three unique characters, valid until the 4th call after. */
static const char *name_of(size_t index) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  static char names[4][4];
  static unsigned next;
  char *name = names[next++ % 4];
  for (int i = 2; i >= 0; i--, index /= 64)
    name[i] = digits[index % 64];
  name[3] = '\0';
  return name;
}

/* x: bytes, too many to be known. y: the same in 14 dims. g, h: rows of x. c, z: 1 and 0. k: 4096
 * ones. row, col: 64 ones each. e: empty. j: indices up to 126 in 64 runs. m: 0 and 1 in more runs.
 * d: a stack of views. */
static void put_values(void) {
  static const char bytes[16384];
  static int32_t runs[4096];
  static const int64_t one = 1, zero, many[] = {4096}, row[] = {1, 64}, column[] = {64, 1};
  static const int64_t wide[] = {64, 256}, pads[] = {1, 1, 1, 1};
  for (int i = 0; i < 4096; i++)
    runs[i] = i % 64 * (1 + i / 64 % 2);
  put_tensor("x", U8, "2 8192", bytes, sizeof bytes);
  put_tensor("y", U8, "2 2 2 2 2 2 2 2 2 2 2 2 2 2", bytes, sizeof bytes);
  put_tensor("c", I64, "", &one, sizeof one);
  put_tensor("z", I64, "", &zero, sizeof zero);
  put_tensor("e", I64, "0", &one, 0);
  put_tensor("j", I32, "4096", runs, sizeof runs);
  for (int i = 0; i < 4096; i++)
    runs[i] = i % 3 == 0;
  put_tensor("m", I32, "4096", runs, sizeof runs);
  put_tensor("p", I64, "4", pads, sizeof pads);
  put_tensor("sk", I64, "1", many, sizeof many);
  put_tensor("sr", I64, "2", row, sizeof row);
  put_tensor("sc", I64, "2", column, sizeof column);
  put_tensor("sx", I64, "2", wide, sizeof wide);
  put_node("Expand", "c sk", "k", "");
  put_node("Expand", "c sr", "row", "");
  put_node("Expand", "c sc", "col", "");
  put_node("Gather", "x c", "g", "");
  put_node("Gather", "x z", "h", "");
}

/* d: a view of x that is seven stacks high. */
static void put_stack(void) {
  put_node("Transpose", "x", "t0", "");
  for (int i = 0; i < 7; i++) {
    char from[NAME_ROOM], to[NAME_ROOM];
    (void)snprintf(from, sizeof from, "t%d sx", i);
    (void)snprintf(to, sizeof to, "r%d", i);
    put_node("Reshape", from, to, "");
    (void)snprintf(from, sizeof from, "t%d", i + 1);
    put_node("Transpose", to, i < 6 ? from : "d", "");
  }
}

/* The unit is an operator and the inputs, optionally '*' and the number of repetitions, then '|'
 * and attributes. The input '<' is the output of the previous node. The first node reads the input
 * before '<' instead. */
typedef struct pattern {
  char op[24], first[NAME_ROOM], inputs[64];
  size_t times; /* SIZE_MAX for as often as is read */
  const char *attributes;
} pattern;

static pattern read_pattern(const char *unit) {
  const char *times = strchr(unit, '*'), *attributes = strchr(unit, '|');
  pattern read = {.times = times != NULL ? strtoul(times + 1, NULL, 10) : SIZE_MAX,
                  .attributes = attributes != NULL ? attributes + 1 : ""};
  char text[100];
  (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(unit, "*|"), unit);
  assert_in_range(sscanf(text, "%23s %23s %63[^\n]", read.op, read.first, read.inputs), 2, 3);
  return read;
}

/* Example: for "Add x < c" the first node reads "x c". Every later node reads the previous output
 * and c. Without a '<' all read the same. */
static void put_nodes(const char *unit, size_t room) {
  const pattern read = read_pattern(unit);
  const bool follows = read.inputs[0] == '<';
  const char *rest = read.inputs + follows + (read.inputs[follows] == ' ');
  char last[NAME_ROOM], inputs[100];
  (void)snprintf(last, sizeof last, "%s", read.first);
  for (size_t i = 0; has_room(room); i++) {
    const bool twice = strcmp(rest, "<") == 0;
    (void)snprintf(inputs, sizeof inputs, "%s %s", last, twice ? last : rest);
    put_node(read.op, inputs, name_of(i), read.attributes);
    if (follows)
      (void)snprintf(last, sizeof last, "%s", name_of(i));
  }
}

static size_t begin_graph(void) {
  parsed = 0;
  return graph_begin();
}

/* Fills the rest with one long doc_string. */
static void end_graph(size_t begin) {
  static const char rest[INPUT_BYTES];
  if (INPUT_BYTES - size > 200)
    put_text(0x52, rest, INPUT_BYTES - size - 100);
  graph_end(begin);
}

static void nodes_make(const bounds_case *c) {
  const size_t begin = begin_graph();
  put_values();
  if (strstr(c->unit, " d ") != NULL)
    put_stack();
  put_nodes(c->unit, 140);
  end_graph(begin);
}

/* Begins a node of any size. The caller adds attributes and the end. */
static size_t node_begin(void) {
  put_hex("0affffff00");
  return size;
}

static void node_end(size_t begin, const char *op, const char *attributes) {
  put_text(0x22, op, strlen(op));
  put_hex(attributes);
  end_graph(begin);
}

/* As many nodes of the pattern as fit, and a last node that reads all outputs, so every output must
 * be kept. */
static void read_last_make(const bounds_case *c) {
  const pattern read = read_pattern(c->unit);
  const size_t begin = begin_graph();
  char inputs[100];
  size_t count = 0;
  put_values();
  (void)snprintf(inputs, sizeof inputs, "%s %s", read.first, read.inputs);
  for (; count < read.times && has_room(200 + 5 * count); count++)
    put_node(read.op, inputs, name_of(count), read.attributes);
  const size_t node = node_begin();
  for (size_t i = 0; i < count; i++)
    put_names(0x0a, name_of(i));
  put_names(0x12, "o");
  node_end(node, "Concat", AXIS_0);
  end_graph(begin);
}

/* One node with the first and the last input of the pattern once, and the second input as often as
 * fits. */
static void inputs_make(const bounds_case *c) {
  const pattern read = read_pattern(c->unit);
  const char *last = strchr(read.inputs, ' ');
  char repeated[NAME_ROOM];
  (void)snprintf(repeated, sizeof repeated, "%.*s", (int)strcspn(read.inputs, " "), read.inputs);
  const size_t begin = begin_graph();
  put_values();
  const size_t node = node_begin();
  put_names(0x0a, read.first);
  for (size_t i = 0; i < read.times && i < MOST_FIELDS; i++)
    put_names(0x0a, repeated);
  put_names(0x0a, last != NULL ? last + 1 : repeated);
  put_names(0x12, "o");
  node_end(node, read.op, read.attributes);
  end_graph(begin);
}

/* One node with as many outputs as fit. */
static void outputs_make(const bounds_case *c) {
  const pattern read = read_pattern(c->unit);
  const size_t begin = begin_graph();
  put_values();
  const size_t node = node_begin();
  uint64_t count = 0;
  put_names(0x0a, read.first);
  for (; count < read.times && count < MOST_PARTS; count++)
    put_names(0x12, name_of(count));
  put_hex("2affffff00");
  const size_t attribute = size;
  put_text(0x0a, "num_outputs", 11);
  put_byte(0x18);
  put_number(count);
  graph_end(attribute);
  node_end(node, read.op, "");
  end_graph(begin);
}

/* ---- names ---- */

/* Returns the slot of the name in a table with 2^17 slots, by FNV-1a. The program once had this
 * table. */
static size_t old_slot(const char *name) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (; *name != '\0'; name++)
    hash = (hash ^ (uint8_t)*name) * 0x100000001b3U;
  return (size_t)(hash ^ hash >> 32) & 0x1ffff;
}

/* Names that fell into a thirty-second of the slots and pushed each other along. */
static void collided_make(const bounds_case *c) {
  const size_t begin = begin_graph();
  put_values();
  for (unsigned i = 0; has_room(140); i++) {
    char name[NAME_ROOM];
    (void)snprintf(name, sizeof name, "%x", i);
    if (old_slot(name) < 0x1000)
      put_node(c->unit, "c", name, "");
  }
  end_graph(begin);
}

/* Names that begin alike for as long as pays. */
static void alike_make(const bounds_case *c) {
  const size_t begin = begin_graph();
  put_values();
  for (size_t i = 0; has_room(140); i++) {
    char name[NAME_ROOM];
    (void)snprintf(name, sizeof name, "%.*s%s", 16, "nnnnnnnnnnnnnnnn", name_of(i));
    put_node(c->unit, "c", name, "");
  }
  end_graph(begin);
}

/* A node before all others that reads the output of the last node. The unit says whether the last
 * node needs this node in turn. */
static void backwards_make(const bounds_case *c) {
  const size_t begin = begin_graph();
  put_values();
  put_node("Neg", "last", "a", "");
  put_nodes(c->unit, 180);
  put_node("Neg", "BAA", "last", "");
  end_graph(begin);
}

/* Initializers that nothing reads. */
static void unread_make(const bounds_case *c) {
  const size_t begin = begin_graph();
  (void)c;
  for (size_t i = 0; has_room(140); i++) {
    put_hex("2a13080110074203");
    put(name_of(i), 3);
    put_hex("4a080100000000000000");
    parsed += sizeof(Onnx__TensorProto) + 240;
  }
  end_graph(begin);
}

/* clang-format off */
static const bounds_case cases[] = {
    {"graph", "views in a chain", nodes_make, "Transpose x <", graph_parse, true},
    {"graph", "views of 14 dims in a chain", nodes_make, "Transpose y <", graph_parse, true},
    {"graph", "views that nothing reads", nodes_make, "Transpose y |", graph_parse, true},
    {"graph", "views that one node reads", read_last_make, "Transpose x*6000", graph_parse, false},
    {"graph", "known values in a chain", nodes_make, "Neg k <", graph_parse, false},
    {"graph", "known values, moved", nodes_make, "Transpose k <", graph_parse, false},
    {"graph", "sums", nodes_make, "Add k < k", graph_parse, false},
    {"graph", "sums that broadcast", nodes_make, "Add row col", graph_parse, false},
    {"graph", "products that double", nodes_make, "Mul k < <", graph_parse, false},
    {"graph", "a sum that overflows", nodes_make, "Add k < <", graph_parse, false},
    {"graph", "known values, all read", read_last_make, "Neg k*6000", graph_parse, false},
    {"graph", "casts", nodes_make, "Cast k |2a060a02746f1806", graph_parse, false},
    {"graph", "products of dims", nodes_make, "ReduceProd k |", graph_parse, false},
    {"graph", "ranges", nodes_make, "Range c sk c", graph_parse, false},
    {"graph", "a minimum of many", inputs_make, "Min k c", graph_parse, false},
    {"graph", "a minimum of few numbers", inputs_make, "Min c c", graph_parse, true},
    {"graph", "shapes", nodes_make, "Shape y |", graph_parse, true},
    {"graph", "one number, expanded by all", nodes_make, "Expand c sk", graph_parse, false},
    {"graph", "indices, read by all", nodes_make, "Gather k j", graph_parse, false},
    {"graph", "indices of data", nodes_make, "Gather x c", graph_parse, true},
    {"graph", "indices in many runs", nodes_make, "Gather x m", graph_parse, false},
    {"graph", "concat, doubling numbers", nodes_make, "Concat sk < <|" AXIS_0, graph_parse, false},
    {"graph", "concat of nothing", inputs_make, "Concat e e*100000|" AXIS_0, graph_parse, true},
    {"graph", "concat of one view", inputs_make, "Concat g g*100000|" AXIS_0, graph_parse, true},
    {"graph", "concat of one view but one", inputs_make, "Concat g g h*100000|" AXIS_0, graph_parse, false},
    {"graph", "concat of parts that move", inputs_make, "Concat g g h*2500|" AXIS_0, graph_parse, true},
    {"graph", "outputs of a split", outputs_make, "Split x |", graph_parse, false},
    {"graph", "empty outputs of a split", outputs_make, "Split e |", graph_parse, false},
    {"graph", "few outputs of a split", outputs_make, "Split e*20000", graph_parse, true},
    {"graph", "names that collided", collided_make, "Neg", graph_parse, true},
    {"graph", "names that begin alike", alike_make, "Neg", graph_parse, true},
    {"graph", "a cycle", backwards_make, "Neg a <", graph_parse, false},
    {"graph", "a node that is late", backwards_make, "Neg c <", graph_parse, false},
    {"graph", "initializers that none reads", unread_make, "", graph_parse, true},
    {"graph", "views of a stack", nodes_make, "Transpose d ", graph_parse, true},
    {"graph", "pads", nodes_make, "Pad x p", graph_parse, false},
    {"graph", "pads, explained", nodes_make, "Pad x p", explained_parse, false},
    {"graph", "concats of parts that move", nodes_make, "Concat g h h|" AXIS_0, graph_parse, false},
};
/* clang-format on */
const bounds_list graph_cases = {sizeof cases / sizeof cases[0], cases};
