/*
 * Execution of a fused node. At compile time the nodes become operations of a chain. At run time
 * the operations are applied to the actual shape of the data, which moves nothing. Reading the
 * result is a single pass from the device's copy of the data to the result in host memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ep.h"

typedef struct fused_node {
  OrtNodeComputeInfo base;
  ep_provider *provider;
  size_t data; /* index of the moved input */
  size_t count;
  ep_operation operations[EP_MAX_NODES];
} fused_node;

/* ---- a run ---- */

typedef struct run {
  const fused_node *node;
  const ep_factory *factory;
  const OrtApi *ort;
  OrtKernelContext *kernel;
  clrs_tensor *tensor; /* the result of the operations so far */
  bool in_steps;       /* each operation is a pass, because the following operations cannot join */
} run;

/* Takes the place of the tensor so far. */
static void take(run *of, clrs_tensor *tensor) {
  clrs_tensor_release(of->tensor);
  of->tensor = tensor;
}

static OrtStatus *input_of(const run *of, size_t input, clrs_dtype *dtype, clrs_shape *shape,
                           const void **data) {
  const OrtValue *value;
  OrtTensorTypeAndShapeInfo *info = NULL;
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  size_t rank = 0;
  clrs_error error;
  *shape = (clrs_shape){0};
  EP_TRY(of->ort->KernelContext_GetInput(of->kernel, input, &value));
  EP_TRY(of->ort->GetTensorData(value, data));
  EP_TRY(of->ort->GetTensorTypeAndShape(value, &info));
  OrtStatus *status = of->ort->GetTensorElementType(info, &type);
  status = status == NULL ? of->ort->GetDimensionsCount(info, &rank) : status;
  if (status == NULL && rank <= CLRS_MAX_RANK) {
    status = of->ort->GetDimensions(info, shape->dims, rank);
  }
  of->ort->ReleaseTensorTypeAndShapeInfo(info);
  EP_TRY(status);
  shape->rank = (uint32_t)rank;
  return clrs_dtype_from_onnx((int32_t)type, dtype, &error) == CLRS_OK
             ? NULL
             : ep_fail(of->factory, of->node->operations[0].node, &error);
}

/* The data on the device, in memory of the pool. Copies host memory. A provider that keeps the
 * session's tensors on the device wraps those tensors here. */
static OrtStatus *upload(run *of) {
  const char *node = of->node->operations[0].node;
  const cl_command_queue queue = of->node->provider->queue;
  clrs_tensor *tensor = NULL;
  clrs_byte_range bytes;
  clrs_error error;
  clrs_dtype dtype;
  clrs_shape shape;
  const void *data;
  EP_TRY(input_of(of, of->node->data, &dtype, &shape, &data));
  if (clrs_tensor_allocate(of->factory->context, queue, dtype, &shape, &tensor, &error) !=
      CLRS_OK) {
    return ep_fail(of->factory, node, &error);
  }
  take(of, tensor);
  if (clrs_tensor_bytes(tensor, &bytes, &error) != CLRS_OK) {
    return ep_fail(of->factory, node, &error);
  }
  if (bytes.size > 0 && clEnqueueWriteBuffer(queue, bytes.buffer, CL_TRUE, bytes.offset, bytes.size,
                                             data, 0, NULL, NULL) != CL_SUCCESS) {
    return of->ort->CreateStatus(ORT_EP_FAIL, "clreshape: clEnqueueWriteBuffer failed");
  }
  return NULL;
}

/* An operation's text, with the numbers that an input has. */
static OrtStatus *text_of(const run *of, const ep_operation *operation, char *text, size_t size) {
  size_t length = (size_t)snprintf(text, size, "%s", operation->text);
  clrs_dtype dtype;
  clrs_shape shape;
  const void *data;
  if (operation->numbers[0] == '\0') {
    return NULL;
  }
  EP_TRY(input_of(of, operation->input, &dtype, &shape, &data));
  if (dtype != CLRS_I64 || shape.rank != 1 || shape.dims[0] > CLRS_MAX_RANK) {
    return of->ort->CreateStatus(ORT_INVALID_ARGUMENT,
                                 "clreshape: a shape has to be a list of at most 32 int64");
  }
  for (int64_t i = 0; i < shape.dims[0]; i++) {
    length += (size_t)snprintf(text + length, size - length, "%s%" PRId64, i > 0 ? "," : "",
                               ((const int64_t *)data)[i]);
  }
  return NULL;
}

/* The result so far, in separate memory. */
static clrs_status materialize(run *of, clrs_error *error) {
  clrs_tensor *dense = NULL;
  const clrs_status status =
      clrs_enqueue_chain(of->tensor, "", CLRS_COPY_IF_NEEDED, NULL, &dense,
                         &(clrs_on){.queue = of->node->provider->queue}, NULL, error);
  if (status == CLRS_OK) {
    take(of, dense);
  }
  return status;
}

static bool needs_steps(clrs_status status) {
  return status == CLRS_UNSUPPORTED || status == CLRS_LIMIT_EXCEEDED;
}

/* Maps that round in between, such as QuantizeLinear and DequantizeLinear, do not join: a pass ends
 * before the second map. */
static OrtStatus *apply(run *of, const ep_operation *operation) {
  char text[sizeof operation->text + CLRS_MAX_RANK * 21];
  clrs_tensor *result = NULL;
  clrs_chain chain;
  clrs_error error;
  EP_TRY(text_of(of, operation, text, sizeof text));
  clrs_status status = clrs_chain_parse(text, &chain, &error);
  if (status == CLRS_OK) {
    status = clrs_tensor_with_chain(of->tensor, &chain, &operation->rules, &result, &error);
  }
  if (needs_steps(status) && materialize(of, &error) == CLRS_OK) {
    status = clrs_tensor_with_chain(of->tensor, &chain, &operation->rules, &result, &error);
  }
  if (status == CLRS_OK) {
    take(of, result);
    status = of->in_steps ? materialize(of, &error) : CLRS_OK;
  }
  return status == CLRS_OK ? NULL : ep_fail(of->factory, operation->node, &error);
}

static OrtStatus *read_result(run *of, clrs_status *status) {
  const clrs_shape shape = clrs_tensor_view(of->tensor)->shape;
  OrtValue *value;
  size_t size;
  void *memory;
  cl_event done;
  clrs_error error;
  EP_TRY(of->ort->KernelContext_GetOutput(of->kernel, 0, shape.dims, shape.rank, &value));
  EP_TRY(of->ort->GetTensorSizeInBytes(value, &size));
  EP_TRY(of->ort->GetTensorMutableData(value, &memory));
  *status = clrs_enqueue_read(of->tensor, memory, size,
                              &(clrs_on){.queue = of->node->provider->queue}, &done, &error);
  if (*status != CLRS_OK) {
    return ep_fail(of->factory, of->node->operations[of->node->count - 1].node, &error);
  }
  const cl_int code = clWaitForEvents(1, &done);
  clReleaseEvent(done);
  return code == CL_SUCCESS ? NULL
                            : of->ort->CreateStatus(ORT_EP_FAIL, "clreshape: a command failed");
}

static OrtStatus *execute(run *of, clrs_status *status) {
  *status = CLRS_OK;
  EP_TRY(upload(of));
  for (size_t i = 0; i < of->node->count; i++) {
    EP_TRY(apply(of, &of->node->operations[i]));
  }
  return read_result(of, status);
}

static OrtStatus *ORT_API_CALL compute(OrtNodeComputeInfo *info, void *state,
                                       OrtKernelContext *kernel) NO_EXCEPTION {
  const fused_node *node = (const fused_node *)info;
  ep_factory *factory = node->provider->factory;
  run of = {node, factory, factory->ort, kernel, NULL, false};
  clrs_status status;
  (void)state;
  atomic_fetch_add(&factory->runs, 1);
  OrtStatus *result = execute(&of, &status);
  if (needs_steps(status)) {
    factory->ort->ReleaseStatus(result);
    of.in_steps = true;
    result = execute(&of, &status);
  }
  take(&of, NULL);
  return result;
}

/* ---- made of a graph ---- */

static OrtStatus *ORT_API_CALL create_state(OrtNodeComputeInfo *info,
                                            OrtNodeComputeContext *context,
                                            void **state) NO_EXCEPTION {
  (void)context;
  *state = info;
  return NULL;
}

static void ORT_API_CALL release_state(OrtNodeComputeInfo *info, void *state) NO_EXCEPTION {
  (void)info, (void)state;
}

/* Which input of the fused node has this name. */
static OrtStatus *find_input(const ep_factory *factory, const OrtNode *fused, const char *name,
                             size_t *index) {
  const OrtValueInfo *inputs[EP_MAX_INPUTS];
  size_t count = 0;
  EP_TRY(factory->ort->Node_GetNumInputs(fused, &count));
  if (count <= EP_MAX_INPUTS) {
    EP_TRY(factory->ort->Node_GetInputs(fused, inputs, count));
    for (*index = 0; *index < count; ++*index) {
      const char *other;
      EP_TRY(factory->ort->GetValueInfoName(inputs[*index], &other));
      if (strcmp(name, other) == 0) {
        return NULL;
      }
    }
  }
  return factory->ort->CreateStatus(ORT_EP_FAIL, "clreshape: a fused node lacks an input");
}

static OrtStatus *read_operations(fused_node *made, const OrtGraph *graph, const OrtNode *fused) {
  const ep_factory *factory = made->provider->factory;
  const OrtNode *nodes[EP_MAX_NODES];
  const OrtValueInfo *inputs[EP_MAX_INPUTS];
  const char *name;
  size_t count = 0;
  EP_TRY(factory->ort->Graph_GetNumNodes(graph, &made->count));
  /* fails if the graph has more nodes */
  EP_TRY(factory->ort->Graph_GetNodes(graph, nodes, EP_MAX_NODES));
  for (size_t i = 0; i < made->count; i++) {
    ep_operation *operation = &made->operations[i];
    EP_TRY(ep_operation_read(factory, nodes[i], operation));
    if (operation->numbers[0] != '\0') {
      EP_TRY(find_input(factory, fused, operation->numbers, &operation->input));
    }
  }
  EP_TRY(factory->ort->Node_GetNumInputs(nodes[0], &count));
  EP_TRY(factory->ort->Node_GetInputs(nodes[0], inputs, count));
  EP_TRY(factory->ort->GetValueInfoName(inputs[0], &name));
  return find_input(factory, fused, name, &made->data);
}

OrtStatus *ORT_API_CALL ep_compile(OrtEp *provider, const OrtGraph **graphs, const OrtNode **fused,
                                   size_t count, OrtNodeComputeInfo **infos,
                                   OrtNode **contexts) NO_EXCEPTION {
  const ep_factory *factory = ((ep_provider *)provider)->factory;
  OrtStatus *status = NULL;
  size_t made = 0;
  (void)contexts;
  while (made < count && status == NULL) {
    fused_node *node = calloc(1, sizeof *node);
    if (node == NULL) {
      status = factory->ort->CreateStatus(ORT_FAIL, "clreshape: no memory for a fused node");
      break;
    }
    node->base = (OrtNodeComputeInfo){EP_ORT_VERSION, create_state, compute, release_state};
    node->provider = (ep_provider *)provider;
    infos[made] = &node->base;
    status = read_operations(node, graphs[made], fused[made]);
    made++;
  }
  if (status != NULL) {
    ep_release_infos(provider, infos, made);
  }
  return status;
}

void ORT_API_CALL ep_release_infos(OrtEp *provider, OrtNodeComputeInfo **infos,
                                   size_t count) NO_EXCEPTION {
  (void)provider;
  for (size_t i = 0; i < count; i++) {
    free(infos[i]);
    infos[i] = NULL;
  }
}
