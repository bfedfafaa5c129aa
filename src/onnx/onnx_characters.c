/*
 * One character buffer for the whole run, made when the first string tensor is uploaded. Constants
 * that are met later have their place in it already.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_characters.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "transfer.h"

static size_t count_tensor(const Onnx__TensorProto *proto) {
  size_t count = 0;
  for (size_t i = 0; proto != NULL && i < proto->n_string_data; i++)
    count += proto->string_data[i].len;
  return count;
}

static size_t count_attribute(const Onnx__AttributeProto *attribute) {
  size_t count = count_tensor(attribute->t) + attribute->s.len;
  for (size_t i = 0; i < attribute->n_strings; i++)
    count += attribute->strings[i].len;
  return count;
}

/* No more than this can ever be met: what is there, and what the nodes' attributes hold. */
static size_t count_characters(const onnx_graph *graph) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  size_t count = graph->strings.size;
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_attribute; k++)
      count += count_attribute(proto->node[i]->attribute[k]);
  }
  return count;
}

static clrs_status create_buffer(onnx_graph *graph, clrs_error *error) {
  onnx_characters *characters = &graph->characters;
  if (characters->buffer != NULL)
    return CLRS_OK;
  characters->size = count_characters(graph) + 1; /* OpenCL has no empty buffer */
  return cli_host_buffer(graph->host, characters->size, &characters->buffer, error);
}

static clrs_status upload_new(onnx_graph *graph, clrs_error *error) {
  onnx_characters *characters = &graph->characters;
  const size_t from = characters->uploaded, count = graph->strings.size - from;
  cl_event event;
  CLRS_TRY(create_buffer(graph, error));
  if (count == 0)
    return CLRS_OK;
  cl_int code = clEnqueueWriteBuffer(graph->host->queue, characters->buffer, CL_FALSE, from, count,
                                     graph->strings.characters + from, 0, NULL, &event);
  if (code != CL_SUCCESS)
    return cli_fail_opencl(error, code, "clEnqueueWriteBuffer");
  characters->uploaded += count;
  clrs_status status = cli_host_wait(event, "writing characters to the device", error);
  if (status != CLRS_OK && !cli_host_is_idle(graph->host->queue))
    graph->strings = (cli_strings){0};
  return status;
}

clrs_status onnx_characters_attach(onnx_graph *graph, clrs_tensor *plain, clrs_tensor **tensor,
                                   clrs_error *error) {
  if (clrs_tensor_view(plain)->dtype != CLRS_STRING) {
    *tensor = plain;
    return CLRS_OK;
  }
  clrs_status status = upload_new(graph, error);
  if (status == CLRS_OK)
    status = clrs_tensor_with_characters(plain, 1, &graph->characters.buffer, tensor, error);
  clrs_tensor_release(plain);
  return status;
}

static clrs_status read_buffer(onnx_graph *graph, cl_mem buffer, cli_strings *strings,
                               clrs_error *error) {
  cl_event event;
  cl_int code = clEnqueueReadBuffer(graph->host->queue, buffer, CL_FALSE, 0, strings->size,
                                    strings->characters, 0, NULL, &event);
  if (code != CL_SUCCESS)
    return cli_fail_opencl(error, code, "clEnqueueReadBuffer");
  return cli_host_wait(event, "reading characters from the device", error);
}

clrs_status onnx_characters_download(onnx_graph *graph, const clrs_tensor *tensor,
                                     cli_strings *strings, clrs_error *error) {
  size_t count;
  const cl_mem *buffers = clrs_tensor_characters(tensor, &count);
  const size_t size = graph->characters.uploaded;
  memset(strings, 0, sizeof *strings);
  if (count != 1 || size == 0)
    return CLRS_OK;
  strings->characters = malloc(size);
  if (strings->characters == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu characters", size);
  strings->size = strings->capacity = size;
  clrs_status status = read_buffer(graph, buffers[0], strings, error);
  if (status != CLRS_OK) {
    if (!cli_host_is_idle(graph->host->queue))
      *strings = (cli_strings){0};
    cli_strings_free(strings);
  }
  return status;
}

void onnx_characters_release(onnx_characters *characters) {
  if (characters->buffer != NULL)
    clReleaseMemObject(characters->buffer);
  memset(characters, 0, sizeof *characters);
}
