/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include <string.h>

#include "status.h"
#include "text.h"

size_t clrs_onnx_graph_launches(const clrs_onnx_graph *graph) {
  return graph != NULL ? graph->launches : 0;
}

const clrs_shape *onnx_graph_shape(const model_value *value) {
  return value->tensor != NULL ? &clrs_tensor_view(value->tensor)->shape : &value->dense.shape;
}

clrs_dtype onnx_graph_dtype(const model_value *value) {
  return value->tensor != NULL ? clrs_tensor_view(value->tensor)->dtype : value->dense.dtype;
}

/* ---- characters ----
 * A run has one character buffer, made when the first string tensor is uploaded. The buffer has
 * room for later constants. */

static size_t count_tensor(const Onnx__TensorProto *proto) {
  size_t count = 0;
  for (size_t i = 0; proto != NULL && i < proto->n_string_data; i++) {
    count += proto->string_data[i].len;
  }
  return count;
}

static size_t count_attribute(const Onnx__AttributeProto *attribute) {
  size_t count = count_tensor(attribute->t) + attribute->s.len;
  for (size_t i = 0; i < attribute->n_strings; i++) {
    count += attribute->strings[i].len;
  }
  return count;
}

/* Returns the most characters that a run can have: present characters, and characters of node
 * attributes. */
static size_t count_characters(const clrs_onnx_graph *graph) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  size_t count = graph->strings.size;
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_attribute; k++) {
      count += count_attribute(proto->node[i]->attribute[k]);
    }
  }
  return count;
}

/* Uploads new characters through a temporary buffer, because the host's memory may move when more
 * characters are added. */
static clrs_status upload_new(clrs_onnx_graph *graph, clrs_error *error) {
  onnx_characters *characters = &graph->characters;
  onnx_device *device = &graph->device;
  const size_t from = characters->uploaded, count = graph->strings.size - from;
  cl_mem news;
  if (characters->buffer == NULL) {
    const size_t size = count_characters(graph) + 1; /* OpenCL has no empty buffer */
    CLRS_TRY(onnx_device_buffer(device, size, NULL, &characters->buffer, error));
  }
  if (count == 0) {
    return CLRS_OK;
  }
  CLRS_TRY(onnx_device_buffer(device, count, graph->strings.characters + from, &news, error));
  const clrs_status status = onnx_device_copy(device, news, characters->buffer, from, count, error);
  clReleaseMemObject(news);
  characters->uploaded += status == CLRS_OK ? count : 0;
  return status;
}

clrs_status onnx_graph_attach(clrs_onnx_graph *graph, clrs_tensor *plain, clrs_tensor **tensor,
                              clrs_error *error) {
  if (clrs_tensor_view(plain)->dtype != CLRS_STRING) {
    *tensor = plain;
    return CLRS_OK;
  }
  clrs_status status = upload_new(graph, error);
  if (status == CLRS_OK) {
    status = clrs_tensor_with_characters(plain, 1, &graph->characters.buffer, tensor, error);
  }
  clrs_tensor_release(plain);
  return status;
}

/* ---- tensors ---- */

clrs_status onnx_graph_tensor(clrs_onnx_graph *graph, model_value *value, clrs_tensor **tensor,
                              clrs_error *error) {
  if (value->tensor == NULL) {
    clrs_tensor *plain;
    CLRS_TRY(onnx_arena_charge(&graph->arena, value, ONNX_TENSOR_BYTES, error));
    CLRS_TRY(onnx_device_upload(&graph->device, &value->dense, &plain, error));
    CLRS_TRY(onnx_graph_attach(graph, plain, &value->tensor, error));
  }
  *tensor = value->tensor;
  return CLRS_OK;
}

clrs_status onnx_graph_view(clrs_onnx_graph *graph, model_value *value, clrs_view *view,
                            clrs_error *error) {
  clrs_tensor *tensor;
  if (value->known) {
    return clrs_view_dense(value->dense.dtype, &value->dense.shape, view, error);
  }
  CLRS_TRY(onnx_graph_tensor(graph, value, &tensor, error));
  *view = *clrs_tensor_view(tensor);
  return CLRS_OK;
}

clrs_status onnx_graph_launch(clrs_onnx_graph *graph, uint32_t launches,
                              const clrs_onnx_moved *moved, clrs_error *error) {
  const uint64_t elements = (uint64_t)launches * ONNX_ELEMENTS_PER_LAUNCH;
  CLRS_TRY(onnx_arena_work(&graph->arena, elements, error));
  graph->launches += launches;
  if (moved != NULL && graph->observer.moved != NULL) {
    clrs_onnx_moved told = *moved;
    told.launches = launches;
    graph->observer.moved(graph->observer.user_data, &told);
  }
  return CLRS_OK;
}

/* Is the view row-major from a whole byte on? */
static bool is_dense(const clrs_view *view) {
  clrs_layout layout;
  return clrs_view_layout(view, &layout, NULL) == CLRS_OK && clrs_layout_is_dense(&layout) &&
         (uint64_t)layout.offset % 8 * clrs_dtype_bits(view->dtype) % 8 == 0;
}

/* Plans a move to row-major order. An alias may have strides or begin within a byte. Only in that
 * case a copy is forced. */
static clrs_status plan_dense(const clrs_tensor *tensor, clrs_copy_policy *policy, clrs_plan *plan,
                              clrs_error *error) {
  CLRS_TRY(clrs_tensor_plan(tensor, NULL, *policy, plan, error));
  if (plan->outcome != CLRS_OUTCOME_ALIAS || is_dense(clrs_tensor_view(tensor))) {
    return CLRS_OK;
  }
  *policy = CLRS_COPY_ALWAYS;
  return clrs_tensor_plan(tensor, NULL, *policy, plan, error);
}

clrs_status onnx_graph_materialize(clrs_onnx_graph *graph, clrs_tensor *tensor,
                                   const clrs_onnx_moved *moved, clrs_tensor **dense,
                                   clrs_error *error) {
  onnx_device *device = &graph->device;
  clrs_copy_policy policy = CLRS_COPY_IF_NEEDED;
  clrs_plan plan;
  const clrs_on on = onnx_device_on(device);
  cl_event event;
  CLRS_TRY(plan_dense(tensor, &policy, &plan, error));
  clrs_onnx_moved told = moved != NULL ? *moved : (clrs_onnx_moved){0};
  told.view = clrs_tensor_view(tensor);
  told.plan = &plan;
  CLRS_TRY(onnx_graph_launch(graph, plan.launch_count, moved != NULL ? &told : NULL, error));
  CLRS_TRY(clrs_enqueue_chain(tensor, "", policy, NULL, dense, &on, &event, error));
  onnx_device_follow(device, event);
  return CLRS_OK;
}

clrs_status onnx_check_pass(const clrs_tensor *tensor, clrs_error *error) {
  clrs_plan plan;
  return clrs_tensor_is_mapped(tensor)
             ? clrs_tensor_plan(tensor, NULL, CLRS_COPY_ALWAYS, &plan, error)
             : CLRS_OK;
}

clrs_status onnx_graph_store(clrs_onnx_graph *graph, model_value *value,
                             const clrs_onnx_moved *moved, clrs_tensor **tensor,
                             clrs_error *error) {
  clrs_tensor *dense;
  CLRS_TRY(onnx_graph_tensor(graph, value, tensor, error));
  CLRS_TRY(onnx_graph_materialize(graph, *tensor, moved, &dense, error));
  clrs_tensor_release(value->tensor);
  value->input = NULL; /* the new tensor is no view of the input */
  *tensor = value->tensor = dense;
  return CLRS_OK;
}

clrs_status onnx_graph_stored(clrs_onnx_graph *graph, model_value *value,
                              const clrs_onnx_moved *moved, clrs_tensor **tensor,
                              clrs_error *error) {
  CLRS_TRY(onnx_graph_tensor(graph, value, tensor, error));
  return clrs_tensor_is_mapped(*tensor) ? onnx_graph_store(graph, value, moved, tensor, error)
                                        : CLRS_OK;
}

/* ---- numbers for the host ---- */

/* Asks the caller for the value's bytes. The memory is allocated now, so that a value that is too
 * large is not asked for. */
static clrs_status want_dense(clrs_onnx_graph *graph, model_value *value, clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(value->tensor);
  onnx_dense dense = {.dtype = view->dtype, .shape = view->shape};
  uint64_t size = 0;
  CLRS_TRY(onnx_dense_size(view->dtype, &view->shape, &size, error));
  CLRS_TRY(onnx_arena_take(&graph->arena, (size_t)size, 1, &dense.owned, error));
  CLRS_TRY(onnx_graph_materialize(graph, value->tensor, NULL, &graph->wanted, error));
  onnx_arena_keep(&graph->arena, dense.owned);
  dense.bytes = dense.owned;
  dense.size = (size_t)size;
  value->dense = dense;
  graph->wanted_value = value;
  return clrs__fail(error, CLRS_UNSUPPORTED, "its numbers are on the device");
}

clrs_tensor *clrs_onnx_graph_wanted(const clrs_onnx_graph *graph, size_t *size) {
  clrs_tensor *wanted = graph != NULL ? graph->wanted : NULL;
  if (size != NULL) {
    *size = wanted != NULL ? graph->wanted_value->dense.size : 0;
  }
  return wanted;
}

clrs_status clrs_onnx_graph_give(clrs_onnx_graph *graph, const void *bytes, size_t size,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(graph, "graph", error));
  CLRS_TRY(clrs__require(size > 0 ? bytes : "", "bytes", error));
  model_value *value = graph->wanted_value;
  if (graph->wanted == NULL || size != value->dense.size) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%zu bytes are given; the graph wants %zu",
                      size, graph->wanted == NULL ? 0 : value->dense.size);
  }
  if (size > 0) {
    memcpy(value->dense.owned, bytes, size);
  }
  value->on_host = true;
  clrs_tensor_release(graph->wanted);
  graph->wanted = NULL;
  return CLRS_OK;
}

/* Copies the value's bytes from the bytes of the bound input. */
static clrs_status view_input(clrs_onnx_graph *graph, model_value *value, clrs_error *error) {
  CLRS_TRY(onnx_known_gather(&graph->arena, value->input, clrs_tensor_view(value->tensor),
                             &value->dense, error));
  onnx_arena_keep(&graph->arena, value->dense.owned);
  value->on_host = true;
  return CLRS_OK;
}

clrs_status onnx_graph_dense(clrs_onnx_graph *graph, model_value *value, const onnx_dense **dense,
                             clrs_error *error) {
  if (!value->on_host) {
    const bool is_few = onnx_known_fits(onnx_graph_dtype(value), onnx_graph_shape(value));
    CLRS_TRY(value->input != NULL && is_few ? view_input(graph, value, error)
                                            : want_dense(graph, value, error));
  }
  *dense = &value->dense;
  return CLRS_OK;
}

/* ---- outputs ---- */

size_t clrs_onnx_graph_output_count(const clrs_onnx_graph *graph) {
  return graph != NULL ? graph->model->proto->graph->n_output : 0;
}

static clrs_status find_value(const clrs_onnx_graph *graph, size_t index, model_value **value,
                              clrs_error *error) {
  if (index >= clrs_onnx_graph_output_count(graph)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "output %zu of a graph with %zu", index,
                      clrs_onnx_graph_output_count(graph));
  }
  const Onnx__ValueInfoProto *output = graph->model->proto->graph->output[index];
  *value = model_values_find(&graph->values, output->name);
  if (*value == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "output %zu of the graph, \"%s\", is computed by no node", index,
                      clrs__show(output->name).text);
  }
  return CLRS_OK;
}

clrs_status clrs_onnx_graph_output(const clrs_onnx_graph *graph, size_t index,
                                   clrs_onnx_output *output, clrs_error *error) {
  model_value *value;
  clrs_error inner;
  CLRS_TRY(clrs__require(graph, "graph", error));
  CLRS_TRY(clrs__require(output, "output", error));
  CLRS_TRY(find_value(graph, index, &value, error));
  const Onnx__TypeProto *declared = graph->model->proto->graph->output[index]->type;
  clrs_onnx_output found = {
      .name = value->name, .dtype = onnx_graph_dtype(value), .shape = *onnx_graph_shape(value)};
  const clrs_status status = onnx_declared_check_type(declared, found.dtype, &inner);
  if (status != CLRS_OK) {
    return clrs__fail(error, status, "output %zu \"%s\": %s", index, clrs__show(value->name).text,
                      inner.message);
  }
  (void)onnx_declared_check_dims(declared, &found.shape, &found.stale);
  if (value->known && onnx_known_fits(found.dtype, &found.shape)) {
    found.is_known = true;
    found.bytes = value->dense.bytes;
    found.size = value->dense.size;
    found.strings = onnx_strings_shown(&graph->strings);
  }
  *output = found;
  return CLRS_OK;
}

clrs_status clrs_onnx_graph_fetch(clrs_onnx_graph *graph, size_t index, clrs_tensor **tensor,
                                  cl_event *event, clrs_error *error) {
  model_value *value;
  clrs_tensor *any, *dense;
  CLRS_TRY(clrs__require(graph, "graph", error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(event, "event", error));
  CLRS_TRY(find_value(graph, index, &value, error));
  const clrs_onnx_moved moved = {.index = index, .name = value->name};
  CLRS_TRY(onnx_graph_tensor(graph, value, &any, error));
  CLRS_TRY(onnx_graph_materialize(graph, any, &moved, &dense, error));
  const clrs_status status = onnx_device_event(&graph->device, event, error);
  if (status != CLRS_OK) {
    clrs_tensor_release(dense);
    return status;
  }
  *tensor = dense;
  return CLRS_OK;
}
