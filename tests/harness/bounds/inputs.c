/*
 * See inputs.h. Numbers in hexadecimal units are tags and lengths of protobuf's wire format.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create */
#include "inputs.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/integers.h"
#include "harness/check.h"
#include "host/npy.h"
#include "onnx/message.h"
#include "onnx/model.h"
#include "onnx/tensor_proto.h"
#include "opencl/program/blob.h"
#include "put.h"

static char path[40];

/* ---- .npy ---- */

static void npy_make(const bounds_case *c) {
  char header[CLI_NPY_MAX_HEADER];
  memset(header, ' ', sizeof header);
  memcpy(header, c->unit, strlen(c->unit));
  header[sizeof header - 1] = '\n';
  put("\x93NUMPY\2\0", 8);
  for (size_t length = sizeof header, i = 0; i < 4; i++, length >>= 8)
    put_byte(length & 0xff);
  put(header, sizeof header);
  memset(input + size, 0, INPUT_BYTES - size);
  size = INPUT_BYTES;
}

static clrs_status npy_parse(clrs_error *error) {
  cli_npy_file file;
  const clrs_status status = cli_npy_open(path, &file, error);
  if (status == CLRS_OK)
    cli_npy_close(&file);
  return status;
}

/* ---- tensors ---- */

static clrs_status tensor_parse(clrs_error *error) {
  ProtobufCMessage *message = NULL;
  onnx_arena arena = {.left = SIZE_MAX};
  onnx_strings strings = {0};
  onnx_dense tensor;
  uint8_t *bytes = input_bytes();
  clrs_status status =
      onnx_message_read(&onnx__tensor_proto__descriptor, bytes, size, &message, NULL, error);
  free(bytes);
  if (status != CLRS_OK)
    return status;
  status = tensor_proto_decode((Onnx__TensorProto *)message, &arena, &strings, &tensor, error);
  onnx_arena_end_node(&arena);
  onnx_strings_free(&strings);
  protobuf_c_message_free_unpacked(message, NULL);
  return status;
}

/* As many values as fill the file, in one packed field. The unit is the tag of the field and the
 * data_type. Each value is one byte in the file, whatever the decoded size. */
static void packed_make(const bounds_case *c) {
  const uint64_t count = INPUT_BYTES - 16;
  put_hex("08");
  put_number(count);
  put_hex(c->unit);
  put_number(count);
  memset(input + size, 1, count);
  size += count;
}

/* A data_type, then the same field repeated with as many dims as fit, two or three bytes each. The
 * first byte of the unit is the data_type, the second byte the number of bytes of a field. */
static void repeated_make(const bounds_case *c) {
  const uint64_t bytes = (uint64_t)(c->unit[3] - '0'), count = (INPUT_BYTES - 16) / bytes;
  put_hex("08");
  put_number(count);
  put_hex("10");
  put_hex((char[]){c->unit[0], c->unit[1], '\0'});
  put_all(c->unit + 4);
  size -= (size - 6) / bytes > count ? ((size - 6) / bytes - count) * bytes : 0;
}

static void fields_make(const bounds_case *c) {
  put_all(c->unit);
}

/* One field of bytes. The unit precedes the length. */
static void long_make(const bounds_case *c) {
  put_hex(c->unit);
  put_number(INPUT_BYTES - 40);
  memset(input + size, 'n', INPUT_BYTES - 40);
  size += INPUT_BYTES - 40;
}

/* ---- models ---- */

static void decode_initializers(const Onnx__GraphProto *graph) {
  onnx_strings strings = {0};
  for (size_t i = 0; i < graph->n_initializer; i++) {
    onnx_arena arena = {.left = SIZE_MAX};
    onnx_dense tensor;
    (void)tensor_proto_decode(graph->initializer[i], &arena, &strings, &tensor, &error);
    onnx_arena_end_node(&arena);
  }
  onnx_strings_free(&strings);
}

static clrs_status model_parse(clrs_error *error) {
  clrs_onnx_model *model;
  uint8_t *bytes = input_bytes();
  const clrs_status status = clrs_onnx_model_load(bytes, size, &model, error);
  free(bytes);
  if (status != CLRS_OK)
    return status;
  decode_initializers(model->proto->graph);
  clrs_onnx_model_free(model);
  return CLRS_OK;
}

static void graph_make(const bounds_case *c) {
  const size_t begin = graph_begin();
  put_all(c->unit);
  graph_end(begin);
}

/* One node that holds all the rest. The first byte of the unit is a tag, which can name another
 * message than a node. */
static void node_make(const bounds_case *c) {
  const size_t begin = graph_begin();
  put_hex((char[]){c->unit[0], c->unit[1], '\0'});
  put_hex("ffffff00");
  const size_t inner = size;
  put_all(c->unit + 2);
  graph_end(inner);
  graph_end(begin);
}

/* As many copies as fit of one deep nest: a graph in an attribute of a node of a graph, and so on.
 */
static void deep_make(const bounds_case *c) {
  enum { DEEP = 30 };
  char nested[16 * DEEP] = "0a00", outer[16 * DEEP];
  for (int i = 1; i < DEEP / 3 * 2 && strlen(nested) / 2 < 110; i++) {
    const unsigned length = (unsigned)strlen(nested) / 2;
    (void)snprintf(outer, sizeof outer, "0a%02x2a%02x32%02x%s", length + 4, length + 2, length,
                   nested);
    memcpy(nested, outer, sizeof nested);
  }
  const bounds_case repeated = {.unit = nested};
  (void)c;
  graph_make(&repeated);
}

/* Messages nested deeper than the parser follows: each unit opens a message that holds the rest. */
static void deepest_make(const bounds_case *c) {
  (void)graph_begin();
  size = 6;
  put_all("3affffff00");
  (void)c;
}

static void model_make(const bounds_case *c) {
  graph_end(graph_begin());
  put_all(c->unit);
}

/* Initializers and nodes as in a real model, each with a unique name. */
static void real_make(const bounds_case *c) {
  const size_t begin = graph_begin();
  (void)c;
  for (unsigned i = 0; INPUT_BYTES - size > 100; i++) {
    char node[120];
    const int length = snprintf(node, sizeof node,
                                "\n\x07%07u\n\x07%07u\x12\x07%07u\x1a\x0blayer%06u\"\x09Transpose",
                                i + 1, i, i + 2, i % 1000000);
    put_hex("0a");
    put_number((uint64_t)length);
    put(node, (size_t)length);
  }
  graph_end(begin);
}

/* ---- blobs ---- */

static const clrs__bytes identity = {(const unsigned char *)"bounds", 6};

static void blob_make(const bounds_case *c) {
  static const unsigned char zeros[INPUT_BYTES];
  const bool is_one = strcmp(c->unit, "one") == 0;
  const clrs__bytes binary = is_one ? (clrs__bytes){zeros, INPUT_BYTES - 128} : identity;
  clrs__blob_writer writer = {input, INPUT_BYTES, 0};
  clrs__blob_begin(&writer, identity);
  do {
    (void)clrs__blob_put(&writer, identity);
    (void)clrs__blob_put(&writer, binary);
  } while (!is_one && writer.size + 2 * (8 + identity.length) <= INPUT_BYTES);
  clrs__blob_end(&writer);
  size = writer.size;
}

static clrs_status blob_parse(clrs_error *error) {
  const clrs__bytes blob = {input, size};
  clrs__blob_reader reader;
  clrs__blob_program program;
  clrs_status status = clrs__blob_check(blob, error);
  if (status == CLRS_OK)
    status = clrs__blob_open(blob, identity, &reader, error);
  while (status == CLRS_OK && clrs__blob_next(&reader, &program))
    assert_true(program.binary.length > 0);
  return status;
}

/* ---- patterns ---- */

static void text_make(const bounds_case *c) {
  while (INPUT_BYTES - size > strlen(c->unit))
    put(c->unit, strlen(c->unit));
  input[size] = '\0';
}

static clrs_status text_parse(clrs_error *error) {
  int64_t values[CLRS_MAX_RANK];
  size_t count = 0;
  return clrs__integers_parse((const char *)input, strlen((const char *)input), &count, values,
                              error);
}

/* A tensor of INT64 that claims so many values. */
static clrs_status pattern_parse(clrs_error *error) {
  const int64_t count = (int64_t)(size / sizeof(int64_t));
  const clrs_pattern_tensor tensor = {CLRS_I64, 1, &count, input};
  clrs_pattern pattern;
  return clrs_pattern_read(CLRS_ONNX, CLRS_ZERO_COPIES, &tensor, &pattern, error);
}

/* ---- all of them ---- */

const char *input_path(void) {
  return path;
}

uint8_t *input_bytes(void) {
  uint8_t *bytes = malloc(size);
  assert_non_null(bytes);
  memcpy(bytes, input, size);
  return bytes;
}

void input_make(const bounds_case *c) {
  static int file = -1;
  if (file < 0) {
    file = memfd_create("input", MFD_CLOEXEC);
    assert_true(file >= 0);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  }
  size = 0;
  c->make(c);
  assert_int_equal(ftruncate(file, 0), 0);
  assert_int_equal(pwrite(file, input, size, 0), (ssize_t)size);
}

/* clang-format off */
static const bounds_case cases[] = {
    {"npy", "all of the header", npy_make, "{'descr': '|u1', 'fortran_order': False, 'shape': (1038564,), }", npy_parse, true},
    {"npy", "a key without end", npy_make, "{'descr", npy_parse, false},
    {"npy", "nothing but space", npy_make, "", npy_parse, false},
    {"npy", "a dim of many digits", npy_make, "{'shape': (111111111111111111111111111111111111111111111111,", npy_parse, false},
    {"tensor", "raw_data", packed_make, "10024a", tensor_parse, true},
    {"tensor", "int64_data of a byte each", packed_make, "10073a", tensor_parse, true},
    {"tensor", "int32_data that is narrowed", packed_make, "10032a", tensor_parse, true},
    {"tensor", "uint64_data that is narrowed", packed_make, "100c5a", tensor_parse, true},
    {"tensor", "int64_data one by one", repeated_make, "07023801", tensor_parse, false},
    {"tensor", "empty strings", repeated_make, "08023200", tensor_parse, false},
    {"tensor", "strings of a character", repeated_make, "0803320161", tensor_parse, false},
    {"tensor", "dims", fields_make, "0801", tensor_parse, false},
    {"tensor", "external_data", fields_make, "6a00", tensor_parse, false},
    {"tensor", "unknown fields", fields_make, "a00600", tensor_parse, false},
    {"tensor", "one long name", long_make, "42", tensor_parse, false},
    {"tensor", "one long string", long_make, "0801100832", tensor_parse, true},
    {"model", "a real one", real_make, "", model_parse, true},
    {"model", "nodes", graph_make, "0a00", model_parse, false},
    {"model", "nodes with an output", graph_make, "0a021200", model_parse, false},
    {"model", "initializers", graph_make, "2a00", model_parse, false},
    {"model", "small initializers", graph_make, "2a0a080110074201303a0101", model_parse, false},
    {"model", "value_info", graph_make, "6a00", model_parse, false},
    {"model", "inputs", graph_make, "5a00", model_parse, false},
    {"model", "outputs", graph_make, "6200", model_parse, false},
    {"model", "unknown fields", graph_make, "a00600", model_parse, false},
    {"model", "inputs of a node", node_make, "0a0a00", model_parse, false},
    {"model", "attributes of a node", node_make, "0a2a00", model_parse, false},
    {"model", "one initializer of strings", node_make, "2a3200", model_parse, false},
    {"model", "graphs in graphs", deep_make, "", model_parse, false},
    {"model", "deeper than is followed", deepest_make, "", model_parse, false},
    {"model", "functions", model_make, "ca0100", model_parse, false},
    {"model", "metadata_props", model_make, "7200", model_parse, false},
    {"model", "opset_imports", model_make, "4200", model_parse, false},
    {"model", "graphs, one over the other", model_make, "3a00", model_parse, false},
    {"model", "one long name", long_make, "0808420210143a00" "12", model_parse, false},
    {"blob", "many programs", blob_make, "many", blob_parse, true},
    {"blob", "one program", blob_make, "one", blob_parse, true},
    {"pattern", "many numbers", text_make, "1,", text_parse, false},
    {"pattern", "one number", text_make, "0", text_parse, true},
    {"pattern", "nothing but commas", text_make, ",", text_parse, false},
    {"pattern", "a tensor", text_make, "12345678", pattern_parse, false},
};
/* clang-format on */
const bounds_list parser_cases = {sizeof cases / sizeof cases[0], cases};
