/*
 * Any bytes as an ONNX model: reading and checking it, decoding what it holds, and binding its
 * graph, as the program does; OpenCL is null_opencl.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "harness/null_opencl.h"
#include "onnx/model.h"
#include "onnx/onnx_node.h"
#include "onnx/tensor_proto.h"

static void decode_initializers(const Onnx__GraphProto *graph) {
  cli_strings strings = {0};
  for (size_t i = 0; i < graph->n_initializer; i++) {
    cli_dense tensor;
    clrs_error error;
    if (cli_tensor_proto_decode(graph->initializer[i], &strings, &tensor, &error) == CLRS_OK) {
      cli_dense_free(&tensor);
    }
  }
  cli_strings_free(&strings);
}

static cli_host open_host(void) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_error error;
  options.context = null_opencl_context();
  options.device = null_opencl_device();
  cli_host host = {options.context, options.device, null_opencl_queue(), NULL};
  REQUIRE(clrs_context_create(&options, &host.clreshape, &error) == CLRS_OK);
  return host;
}

/* What is on the host has as many bytes as its shape needs, and what is on the device is a view. */
static void check_values(const model_values *values) {
  for (size_t i = 0; i < values->count; i++) {
    const model_value *value = values->names[i].value;
    uint64_t size = 0;
    clrs_error error;
    if (value != NULL && value->on_host) {
      REQUIRE(cli_dense_size(value->dense.dtype, &value->dense.shape, &size, &error) == CLRS_OK);
      REQUIRE(size == value->dense.size);
    }
    REQUIRE(value == NULL || value->on_host || value->tensor != NULL);
  }
}

/* Inputs of the graph would come from other files; here a model has none, or is refused. */
static void bind_graph(const cli_model *model) {
  cli_host host = open_host();
  onnx_graph graph;
  clrs_error error;
  clrs_status status = onnx_graph_open(&host, model, 0, NULL, &graph, &error);
  if (status == CLRS_OK) {
    status = onnx_node_run_all(&graph, &error);
    if (status == CLRS_OK) {
      check_values(&graph.values);
    }
    onnx_graph_close(&graph);
  }
  REQUIRE(status == CLRS_OK || (error.status == status && error.message[0] != '\0'));
  clrs_context_release(host.clreshape);
  REQUIRE(null_opencl_live() == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cli_model model;
  clrs_error error;
  const char *path = fuzz_file(data, size);
  fuzz_memory_begin(size);
  if (cli_model_open(path, &model, &error) == CLRS_OK) {
    REQUIRE(model.proto != NULL && model.proto->graph != NULL);
    REQUIRE(model.proto->graph->n_node <= MODEL_MAX_NODES);
    decode_initializers(model.proto->graph);
    bind_graph(&model);
    cli_model_close(&model);
  } else {
    REQUIRE(error.message[0] != '\0');
  }
  fuzz_memory_end();
  return 0;
}
