/*
 * The beginning and end of a run, and values between host and device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_graph.h"

#include <stdlib.h>
#include <string.h>

#include "onnx_bind.h"
#include "onnx_characters.h"
#include "status.h"

/* Every name that gets a value, and how many will read it. */
static clrs_status declare_values(const Onnx__GraphProto *proto, onnx_arena *arena,
                                  model_values *values, clrs_error *error) {
  size_t capacity = proto->n_input + proto->n_initializer;
  for (size_t i = 0; i < proto->n_node; i++) {
    capacity += proto->node[i]->n_output;
  }
  CLRS_TRY(model_values_init(capacity, arena, values, error));
  for (size_t i = 0; i < proto->n_input; i++) {
    model_values_declare(values, proto->input[i]->name, MODEL_NO_NODE);
  }
  for (size_t i = 0; i < proto->n_initializer; i++) {
    model_values_declare(values, proto->initializer[i]->name, MODEL_INITIALIZER);
  }
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_output; k++) {
      model_values_declare(values, proto->node[i]->output[k], (uint32_t)i);
    }
  }
  model_values_sort(values);
  return CLRS_OK;
}

static void expect_readers(const Onnx__GraphProto *proto, model_values *values) {
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_input; k++) {
      model_values_expect(values, proto->node[i]->input[k]);
    }
  }
  for (size_t i = 0; i < proto->n_output; i++) {
    model_values_expect(values, proto->output[i]->name);
  }
}

static clrs_status open_graph(onnx_graph *graph, clrs_context *context, cl_command_queue queue,
                              clrs_error *error) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  CLRS_TRY(onnx_device_open(context, queue, &graph->device, error));
  CLRS_TRY(declare_values(proto, &graph->arena, &graph->values, error));
  expect_readers(proto, &graph->values);
  return onnx_bind_initializers(graph, error);
}

clrs_status onnx_graph_open(const onnx_model *model, clrs_context *context, cl_command_queue queue,
                            onnx_observer observer, onnx_graph **graph, clrs_error *error) {
  onnx_graph *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a graph");
  }
  made->model = model;
  made->arena = onnx_arena_of(model->memory);
  made->inputs.left = SIZE_MAX;
  made->observer = observer;
  const clrs_status status = open_graph(made, context, queue, error);
  if (status != CLRS_OK) {
    onnx_graph_close(made);
    return status;
  }
  *graph = made;
  return CLRS_OK;
}

void onnx_graph_close(onnx_graph *graph) {
  if (graph == NULL) {
    return;
  }
  model_values_free(&graph->values);
  onnx_arena_end_node(&graph->arena);
  onnx_arena_end_node(&graph->inputs);
  onnx_strings_free(&graph->strings);
  onnx_characters_release(&graph->characters);
  onnx_device_close(&graph->device);
  free(graph);
}

size_t onnx_graph_launches(const onnx_graph *graph) {
  return graph->launches;
}

const clrs_shape *onnx_graph_shape(const model_value *value) {
  return value->tensor != NULL ? &clrs_tensor_view(value->tensor)->shape : &value->dense.shape;
}

clrs_dtype onnx_graph_dtype(const model_value *value) {
  return value->tensor != NULL ? clrs_tensor_view(value->tensor)->dtype : value->dense.dtype;
}

clrs_status onnx_graph_tensor(onnx_graph *graph, model_value *value, clrs_tensor **tensor,
                              clrs_error *error) {
  if (value->tensor == NULL) {
    clrs_tensor *plain;
    CLRS_TRY(onnx_arena_charge(&graph->arena, value, ONNX_TENSOR_BYTES, error));
    CLRS_TRY(onnx_device_upload(&graph->device, &value->dense, &plain, error));
    CLRS_TRY(onnx_characters_attach(graph, plain, &value->tensor, error));
  }
  *tensor = value->tensor;
  return CLRS_OK;
}

clrs_status onnx_graph_view(onnx_graph *graph, model_value *value, clrs_view *view,
                            clrs_error *error) {
  clrs_tensor *tensor;
  if (value->known) {
    return clrs_view_dense(value->dense.dtype, &value->dense.shape, view, error);
  }
  CLRS_TRY(onnx_graph_tensor(graph, value, &tensor, error));
  *view = *clrs_tensor_view(tensor);
  return CLRS_OK;
}

clrs_status onnx_graph_launch(onnx_graph *graph, uint32_t launches, const onnx_moved *moved,
                              clrs_error *error) {
  const uint64_t elements = (uint64_t)launches * ONNX_ELEMENTS_PER_LAUNCH;
  CLRS_TRY(onnx_arena_work(&graph->arena, elements, error));
  graph->launches += launches;
  if (moved != NULL && graph->observer.moved != NULL) {
    onnx_moved told = *moved;
    told.launches = launches;
    graph->observer.moved(graph->observer.user_data, &told);
  }
  return CLRS_OK;
}

/* Is it row-major from a whole byte on? */
static bool is_dense(const clrs_view *view) {
  clrs_layout layout;
  int64_t count = 0, step = 1;
  if (clrs_shape_count(&view->shape, &count, NULL) != CLRS_OK || count == 0) {
    return count == 0;
  }
  if (clrs_view_layout(view, &layout, NULL) != CLRS_OK) {
    return false;
  }
  for (uint32_t dim = layout.rank; dim-- > 0; step *= layout.dims[dim]) {
    if (layout.dims[dim] != 1 && layout.strides[dim] != step) {
      return false;
    }
  }
  return (uint64_t)layout.offset % 8 * clrs_dtype_bits(view->dtype) % 8 == 0;
}

/* An alias may have strides or begin within a byte; only then is a dense copy asked for. */
clrs_status onnx_graph_materialize(onnx_graph *graph, clrs_tensor *tensor, const onnx_moved *moved,
                                   clrs_tensor **dense, clrs_error *error) {
  onnx_device *device = &graph->device;
  const clrs_view *view = clrs_tensor_view(tensor);
  clrs_copy_policy policy = CLRS_COPY_IF_NEEDED;
  clrs_plan plan;
  cl_event event;
  CLRS_TRY(clrs_tensor_plan(device->library, tensor, NULL, policy, &plan, error));
  if (plan.outcome == CLRS_OUTCOME_ALIAS && !is_dense(view)) {
    policy = CLRS_COPY_ALWAYS;
    CLRS_TRY(clrs_tensor_plan(device->library, tensor, NULL, policy, &plan, error));
  }
  onnx_moved told = moved != NULL ? *moved : (onnx_moved){0};
  told.view = view;
  told.plan = &plan;
  CLRS_TRY(onnx_graph_launch(graph, plan.launch_count, moved != NULL ? &told : NULL, error));
  CLRS_TRY(clrs_enqueue_materialize(device->library, tensor, policy, dense, device->queue,
                                    onnx_device_wait_count(device), onnx_device_wait_list(device),
                                    &event, error));
  onnx_device_follow(device, event);
  return CLRS_OK;
}

/* What the driver may still write to is never freed. */
static clrs_status read_dense(onnx_graph *graph, model_value *value, const clrs_tensor *tensor,
                              clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(tensor);
  onnx_dense dense = {.dtype = view->dtype, .shape = view->shape};
  uint64_t size = 0;
  bool is_lost = false;
  CLRS_TRY(onnx_dense_size(view->dtype, &view->shape, &size, error));
  CLRS_TRY(onnx_arena_take(&graph->arena, (size_t)size, 1, &dense.owned, error));
  dense.bytes = dense.owned;
  dense.size = (size_t)size;
  const clrs_status status =
      onnx_device_read(&graph->device, tensor, dense.owned, dense.size, &is_lost, error);
  if (status == CLRS_OK || is_lost) {
    onnx_arena_keep(&graph->arena, dense.owned);
  }
  if (status == CLRS_OK) {
    value->dense = dense;
    value->on_host = true;
  }
  return status;
}

clrs_status onnx_graph_dense(onnx_graph *graph, model_value *value, const onnx_dense **dense,
                             clrs_error *error) {
  if (!value->on_host) {
    clrs_tensor *tensor;
    CLRS_TRY(onnx_graph_materialize(graph, value->tensor, NULL, &tensor, error));
    const clrs_status status = read_dense(graph, value, tensor, error);
    clrs_tensor_release(tensor);
    CLRS_TRY(status);
  }
  *dense = &value->dense;
  return CLRS_OK;
}
