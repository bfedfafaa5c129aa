/*
 * Any bytes as an ONNX model: read and checked, decoded, and bound as a graph, as in the program.
 * OpenCL is null_opencl.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "harness/null_graph.h"
#include "harness/null_opencl.h"
#include "onnx/graph.h"
#include "onnx/tensor_proto.h"

static void decode_initializers(const Onnx__GraphProto *graph) {
  onnx_strings strings = {0};
  for (size_t i = 0; i < graph->n_initializer; i++) {
    onnx_arena arena = {.left = SIZE_MAX};
    onnx_dense tensor;
    clrs_error error;
    (void)tensor_proto_decode(graph->initializer[i], &arena, &strings, &tensor, &error);
    onnx_arena_end_node(&arena);
  }
  onnx_strings_free(&strings);
}

static clrs_context *create_context(void) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *library;
  clrs_error error;
  /* without a pool: a result in recycled bytes could be right without a move */
  options.pool_bytes = 0;
  options.context = null_opencl_context();
  options.device = null_opencl_device();
  REQUIRE(clrs_context_create(&options, &library, &error) == CLRS_OK);
  return library;
}

/* A value on the host has as many bytes as the shape needs. A value on the device is a view. */
static void check_values(const model_values *values) {
  for (size_t i = 0; i < values->count; i++) {
    const model_value *value = values->names[i].value;
    uint64_t size = 0;
    clrs_error error;
    if (value != NULL && value->on_host) {
      REQUIRE(onnx_dense_size(value->dense.dtype, &value->dense.shape, &size, &error) == CLRS_OK);
      REQUIRE(size == value->dense.size);
    }
    REQUIRE(value == NULL || value->on_host || value->tensor != NULL);
  }
}

static void fetch_outputs(clrs_onnx_graph *graph) {
  for (size_t i = 0; i < clrs_onnx_graph_output_count(graph) && i < 4; i++) {
    clrs_onnx_output output;
    clrs_tensor *tensor;
    cl_event event;
    clrs_error error;
    if (clrs_onnx_graph_output(graph, i, &output, &error) == CLRS_OK && !output.is_known &&
        clrs_onnx_graph_fetch(graph, i, &tensor, &event, &error) == CLRS_OK) {
      REQUIRE(clrs_tensor_view(tensor)->dtype == output.dtype);
      REQUIRE(clrs_shape_equal(&clrs_tensor_view(tensor)->shape, &output.shape));
      clrs_tensor_release(tensor);
      REQUIRE(clReleaseEvent(event) == CL_SUCCESS);
    }
  }
}

/* Graph inputs would come from elsewhere. A model here has no inputs, or is refused. */
static void bind_graph(const clrs_onnx_model *model) {
  clrs_context *library = create_context();
  clrs_onnx_graph *graph;
  clrs_error error;
  clrs_status status =
      clrs_onnx_graph_open(model, library, null_opencl_queue(), NULL, &graph, &error);
  if (status == CLRS_OK) {
    status = null_graph_run(graph, &error);
    if (status == CLRS_OK) {
      check_values(&graph->values);
      fetch_outputs(graph);
    }
    clrs_onnx_graph_close(graph);
  }
  REQUIRE(status == CLRS_OK || (error.status == status && error.message[0] != '\0'));
  clrs_context_release(library);
  REQUIRE(null_opencl_live() == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  clrs_onnx_model *model;
  clrs_error error;
  fuzz_memory_begin(size);
  if (clrs_onnx_model_load(data, size, &model, &error) == CLRS_OK) {
    REQUIRE(model->proto != NULL && model->proto->graph != NULL);
    REQUIRE(model->proto->graph->n_node <= MODEL_MAX_NODES);
    decode_initializers(model->proto->graph);
    bind_graph(model);
    clrs_onnx_model_free(model);
  } else {
    REQUIRE(error.message[0] != '\0');
  }
  fuzz_memory_end();
  return 0;
}
