/* SPDX-License-Identifier: Apache-2.0 */
#include "made_model.h"

#include "harness/check.h"
#include "onnx.pb-c.h"

enum { MOST_NAMES = 4, MOST_NODES = 4 };

static char *text(const char *name) {
  return (char *)(uintptr_t)name;
}

/* The name that is the letter, valid for ever. */
static char *letter(char name) {
  static char names[256][2];
  names[(unsigned char)name][0] = name;
  return names[(unsigned char)name];
}

static size_t letters(const char *of, char *names[MOST_NAMES]) {
  size_t count = 0;
  for (; of[count] != '\0'; count++)
    names[count] = letter(of[count]);
  return count;
}

static void pack(const ProtobufCMessage *message, bytes *to) {
  assert_true(protobuf_c_message_get_packed_size(message) <= BYTES);
  to->size = protobuf_c_message_pack(message, to->data);
}

void make_model(size_t count, const node_row *rows, const char *inputs, const char *outputs,
                bytes *to) {
  static Onnx__AttributeProto axis = ONNX__ATTRIBUTE_PROTO__INIT;
  Onnx__AttributeProto *attributes[] = {&axis};
  Onnx__NodeProto nodes[MOST_NODES], *node_list[MOST_NODES];
  Onnx__ValueInfoProto values[2 * MOST_NAMES], *value_list[2 * MOST_NAMES];
  char *names[MOST_NODES][2][MOST_NAMES];
  int64_t one = 1, six = 6;
  Onnx__TensorProto known[MOST_NAMES], *known_list[MOST_NAMES];
  Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;
  Onnx__OperatorSetIdProto opset = ONNX__OPERATOR_SET_ID_PROTO__INIT, *opsets[] = {&opset};
  Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
  axis.name = text("axis");
  for (size_t i = 0; i < count; i++) {
    onnx__node_proto__init(node_list[i] = &nodes[i]);
    nodes[i].op_type = text(rows[i].op);
    nodes[i].n_input = letters(rows[i].inputs, nodes[i].input = names[i][0]);
    nodes[i].n_output = letters(rows[i].outputs, nodes[i].output = names[i][1]);
    nodes[i].n_attribute = strcmp(rows[i].op, "Concat") == 0;
    nodes[i].attribute = attributes;
  }
  for (size_t i = 0; i < strlen(inputs) + strlen(outputs); i++) {
    onnx__value_info_proto__init(value_list[i] = &values[i]);
    values[i].name = letter(i < strlen(inputs) ? inputs[i] : outputs[i - strlen(inputs)]);
  }
  for (const char *input = inputs; *input != '\0'; input++) {
    if (*input >= 'A' && *input <= 'Z') {
      Onnx__TensorProto *made = known_list[graph.n_initializer] = &known[graph.n_initializer];
      onnx__tensor_proto__init(made);
      made->name = letter(*input);
      made->has_data_type = 1;
      made->data_type = ONNX__TENSOR_PROTO__DATA_TYPE__INT64;
      made->n_dims = made->n_int64_data = 1;
      made->dims = &one;
      made->int64_data = &six;
      graph.n_initializer++;
    }
  }
  graph.initializer = known_list;
  graph.n_node = count;
  graph.node = node_list;
  graph.n_input = strlen(inputs);
  graph.input = value_list;
  graph.n_output = strlen(outputs);
  graph.output = value_list + strlen(inputs);
  opset.has_version = model.has_ir_version = 1;
  opset.version = 20;
  model.ir_version = 8;
  model.n_opset_import = 1;
  model.opset_import = opsets;
  model.graph = &graph;
  pack(&model.base, to);
}

void make_tensor(int32_t type, size_t rank, const int64_t *dims, const void *raw, size_t size,
                 bytes *to) {
  Onnx__TensorProto tensor = ONNX__TENSOR_PROTO__INIT;
  tensor.n_dims = rank;
  tensor.dims = (int64_t *)(uintptr_t)dims;
  tensor.has_data_type = tensor.has_raw_data = 1;
  tensor.data_type = type;
  tensor.raw_data = (ProtobufCBinaryData){size, (uint8_t *)(uintptr_t)raw};
  pack(&tensor.base, to);
}

void make_matrix(bytes *to) {
  static const int32_t values[] = {0, 1, 2, 3, 4, 5};
  make_tensor(ONNX__TENSOR_PROTO__DATA_TYPE__INT32, 2, LIST(2, 3), values, sizeof values, to);
}

void make_list(int64_t value, bytes *to) {
  make_tensor(ONNX__TENSOR_PROTO__DATA_TYPE__INT64, 1, LIST(1), &value, sizeof value, to);
}
