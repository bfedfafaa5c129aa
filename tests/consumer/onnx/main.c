/*
 * Runs a model of a single Transpose with clreshape::onnx alone, from bytes to bytes, on the first
 * OpenCL device, and compares every element. Knows nothing of protobuf.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clreshape/onnx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 2, COLUMNS = 3, COUNT = ROWS * COLUMNS };

/* y = Transpose(x), opset 20, as exporters of ONNX write the model. */
static const char model_bytes[] = "\x08\x08"
                                  "\x3a\x1d"
                                  "\x0a\x11\x0a\x01x\x12\x01y\x22\x09Transpose"
                                  "\x5a\x03\x0a\x01x"
                                  "\x62\x03\x0a\x01y"
                                  "\x42\x02\x10\x14";

static clrs_error error;

static void require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "failed: %s %s\n", what, error.message);
    exit(1);
  }
}

static cl_device_id find_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device = NULL;
  const char *required = getenv("CLRS_REQUIRE_DEVICE");
  if (clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS) {
    for (cl_uint i = 0; i < count && i < 16; i++) {
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) {
        return device;
      }
    }
  }
  fputs("no OpenCL device\n", stderr);
  exit(required != NULL && strcmp(required, "1") == 0 ? 1 : 77);
}

/* The numbers as a TensorProto, which the graph copies. */
static void bind(clrs_onnx_graph *graph, const int32_t numbers[COUNT]) {
  const int64_t dims[] = {ROWS, COLUMNS};
  uint8_t message[256];
  size_t size = 0;
  clrs_shape shape;
  require(clrs_shape_init(2, dims, &shape, &error) == CLRS_OK, "shape:");
  require(clrs_onnx_tensor_header(CLRS_I32, &shape, "x", message,
                                  sizeof message - COUNT * sizeof *numbers, &size,
                                  &error) == CLRS_OK,
          "header:");
  memcpy(message + size, numbers, COUNT * sizeof *numbers);
  size += COUNT * sizeof *numbers;
  require(clrs_onnx_graph_input_count(graph) == 1, "one input");
  require(clrs_onnx_graph_bind(graph, message, size, &error) == CLRS_OK, "input:");
}

static void run(clrs_onnx_graph *graph, cl_command_queue queue, int32_t result[COUNT]) {
  clrs_onnx_output output;
  clrs_tensor *tensor = NULL;
  clrs_byte_range range;
  cl_event ran = NULL, moved = NULL;
  require(clrs_onnx_graph_enqueue(graph, &ran, &error) == CLRS_OK, "nodes:");
  require(clrs_onnx_graph_wanted(graph, NULL) == NULL, "all nodes have run");
  require(clrs_onnx_graph_output_count(graph) == 1 &&
              clrs_onnx_graph_output(graph, 0, &output, &error) == CLRS_OK,
          "output:");
  require(strcmp(output.name, "y") == 0 && output.dtype == CLRS_I32 && output.shape.rank == 2 &&
              output.shape.dims[0] == COLUMNS && output.shape.dims[1] == ROWS && !output.is_known,
          "the output is i32 [3,2]");
  require(clrs_onnx_graph_fetch(graph, 0, &tensor, &moved, &error) == CLRS_OK, "fetch:");
  require(clrs_tensor_bytes(tensor, &range, &error) == CLRS_OK &&
              range.size == COUNT * sizeof *result,
          "bytes:");
  require(clEnqueueReadBuffer(queue, range.buffer, CL_TRUE, range.offset, range.size, result, 1,
                              &moved, NULL) == CL_SUCCESS,
          "clEnqueueReadBuffer");
  clReleaseEvent(moved);
  clReleaseEvent(ran);
  clrs_tensor_release(tensor);
}

int main(void) {
  const int32_t numbers[COUNT] = {10, 11, 12, 13, 14, 15}, expected[] = {10, 13, 11, 14, 12, 15};
  int32_t result[COUNT] = {0};
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *context = NULL;
  clrs_onnx_model *model = NULL;
  clrs_onnx_graph *graph = NULL;
  options.device = find_device();
  options.context = clCreateContext(NULL, 1, &options.device, NULL, NULL, NULL);
  require(options.context != NULL, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(options.context, options.device, 0, NULL);
  require(queue != NULL, "clCreateCommandQueue");
  require(clrs_context_create(&options, &context, &error) == CLRS_OK, "context:");
  require(clrs_onnx_model_load(model_bytes, sizeof model_bytes - 1, &model, &error) == CLRS_OK,
          "model:");
  require(clrs_onnx_graph_open(model, context, queue, NULL, &graph, &error) == CLRS_OK, "graph:");
  bind(graph, numbers);
  run(graph, queue, result);
  require(memcmp(result, expected, sizeof expected) == 0, "an element is not where it belongs");
  clrs_onnx_graph_close(graph);
  clrs_onnx_model_free(model);
  clrs_context_release(context);
  clReleaseCommandQueue(queue);
  clReleaseContext(options.context);
  puts("the model ran, and every element is where it belongs");
  return 0;
}
