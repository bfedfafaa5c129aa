/*
 * One character buffer for the whole run, made when the first string tensor is uploaded. Constants
 * that are met later have their place in it already.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_characters.h"

#include <string.h>

#include "status.h"

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

/* No more than this can ever be met: what is there, and what the nodes' attributes hold. */
static size_t count_characters(const onnx_graph *graph) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  size_t count = graph->strings.size;
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_attribute; k++) {
      count += count_attribute(proto->node[i]->attribute[k]);
    }
  }
  return count;
}

/* New characters come by a buffer of their own, as the host's memory may move when more are met. */
static clrs_status upload_new(onnx_graph *graph, clrs_error *error) {
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

clrs_status onnx_characters_attach(onnx_graph *graph, clrs_tensor *plain, clrs_tensor **tensor,
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

void onnx_characters_release(onnx_characters *characters) {
  if (characters->buffer != NULL) {
    clReleaseMemObject(characters->buffer);
  }
  memset(characters, 0, sizeof *characters);
}
