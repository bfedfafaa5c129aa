/*
 * Models of ONNX's operators that move elements, and map them on the way: bytes in, tensors and an
 * event out. Nothing here opens a file, prints, or waits.
 *
 *     onnx_model_load      a model, from the bytes of a ModelProto
 *     onnx_model_read_external   what of it lies in other files, through the caller
 *     onnx_graph_open      a run of it on a queue
 *     onnx_graph_bind      its next input, from the bytes of a TensorProto
 *     onnx_graph_enqueue   all of its nodes; an event
 *     onnx_graph_wanted, onnx_graph_give   numbers that it needs from the device to go on
 *     onnx_graph_output    what an output is, and its bytes if the host knows them
 *     onnx_graph_fetch     an output as a tensor in row-major order; an event
 *
 * Neither object may be used by two threads at once. Memory, time and the number of launches have
 * limits that follow from the size of the model; what lies beyond is CLRS_LIMIT_EXCEEDED. Messages
 * show names out of the model escaped.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

#include "string_views.h"

#define ONNX_MOST_BYTES INT32_MAX /* of a model or tensor: protobuf's own limit on a message */

typedef struct onnx_model onnx_model;
typedef struct onnx_graph onnx_graph;

/* The bytes may go when this returns. What no graph could execute, such as an opset that is not
 * known, is refused now, an operator when its node is reached. */
clrs_status onnx_model_load(const void *bytes, size_t size, onnx_model **model, clrs_error *error);
void onnx_model_free(onnx_model *model); /* NULL is allowed */

/* Data that the model has in another file. */
typedef struct onnx_external {
  const char *location; /* a path out of the model, which nobody has looked at yet */
  uint64_t offset, size;
} onnx_external;

typedef struct onnx_external_reader {
  /* Fails unless so many bytes are there. No memory is taken for them before. */
  clrs_status (*check)(void *user_data, const onnx_external *at, clrs_error *error);
  /* Reads exactly so many bytes from there, right after the check, or fails. */
  clrs_status (*read)(void *user_data, const onnx_external *at, uint8_t *bytes, clrs_error *error);
  void *user_data;
  uint64_t most_bytes; /* of all initializers together; more is CLRS_LIMIT_EXCEEDED */
} onnx_external_reader;

/* Takes over the data of all initializers that have theirs elsewhere; before a graph is opened. A
 * model of which this is not asked is refused there. After a failure the model can only be freed.
 */
clrs_status onnx_model_read_external(onnx_model *model, const onnx_external_reader *reader,
                                     clrs_error *error);

/* A time that bytes are moved. */
typedef struct onnx_moved {
  size_t index;      /* of the node, or of the output */
  const char *name;  /* never NULL; as it is in the model: escape it before it is shown */
  const char *op;    /* the node's operator; NULL where an output is moved */
  uint32_t launches; /* of kernels */
  /* What was moved and how; NULL where only a border was filled. There is no plan where a Gather
   * goes by indices on the device. */
  const clrs_view *view;
  const clrs_plan *plan;
} onnx_moved;

/* Who hears of it; a NULL function is nobody. What `moved` points to lives during the call. */
typedef struct onnx_observer {
  void (*moved)(void *user_data, const onnx_moved *moved);
  void *user_data;
} onnx_observer;

/* A run of the model, which must outlive it. Context and queue are the caller's: they must belong
 * together and outlive the graph; the queue may be in order or out of order. Fails if an
 * initializer is not such as it must be, or an input of the graph is no tensor. */
clrs_status onnx_graph_open(const onnx_model *model, clrs_context *context, cl_command_queue queue,
                            onnx_observer observer, onnx_graph **graph, clrs_error *error);
/* At any time, also with commands in flight. NULL is allowed. */
void onnx_graph_close(onnx_graph *graph);

/* How many inputs must be bound: those that are no initializers. */
size_t onnx_graph_input_count(const onnx_graph *graph);
/* Binds the next input, in the model's order, to the tensor in the bytes, which may go when this
 * returns. The tensor must be of the type and dims that the model declares. Messages begin with
 * `input "NAME": `. */
clrs_status onnx_graph_bind(onnx_graph *graph, const void *bytes, size_t size, clrs_error *error);

/* Executes every node, once all inputs are bound: most give another view of bytes, a map of what is
 * read when it is moved, or are computed on the host, and some enqueue moves. *event, which the
 * caller releases, is of all that was enqueued, and fails if any of it did. Stops before a node
 * that needs numbers on the host, such as the dims of a Reshape, that a Concat, Pad, Gather or map
 * makes on the device: then the graph wants a tensor, and when its bytes have been given, the next
 * call goes on. Numbers of the model, of inputs, of shapes and of arithmetic are known on the host.
 *
 * The indices of a Gather are no such numbers, unless elements of less than a byte are gathered.
 * Those that the host knows are held to the range, as ONNX has it. Of those made on the device, and
 * of more than 4096 that are a view of an input, the host reads none: where one is out of range,
 * all bits of the result's elements are 0, and that is no error.
 *
 * Messages name the node. A graph runs once; after a failure it can only be closed. */
clrs_status onnx_graph_enqueue(onnx_graph *graph, cl_event *event, clrs_error *error);

/* The tensor whose bytes the graph needs, dense, and how many they are: there when the event of
 * onnx_graph_enqueue has ended. Borrowed until they are given. NULL where all nodes have run. */
clrs_tensor *onnx_graph_wanted(const onnx_graph *graph, size_t *size);
/* Its bytes, which may go when this returns. */
clrs_status onnx_graph_give(onnx_graph *graph, const void *bytes, size_t size, clrs_error *error);

/* An output of the graph; everything in it is borrowed from the graph. */
typedef struct onnx_output {
  const char *name;
  clrs_dtype dtype;
  clrs_shape shape;
  bool is_known; /* on the host, from the model or from shapes alone: no device has it */
  /* If it is known, its elements in row-major order, little-endian; strings as Arrow's views, into
   * these characters. */
  const uint8_t *bytes;
  size_t size;
  const onnx_strings *strings;
  /* The status is CLRS_OK unless the model declares another rank or extent. The message has both.
   * The declaration changes no result, so the caller may warn. */
  clrs_error stale;
} onnx_output;

size_t onnx_graph_output_count(const onnx_graph *graph);
/* Fails if no node computed the output, or its type is not what the model declares. */
clrs_status onnx_graph_output(const onnx_graph *graph, size_t index, onnx_output *output,
                              clrs_error *error);
/* The output in row-major order from a whole byte on: its tensor, moved if it has to be, and the
 * event of all that was enqueued for it. The caller releases both. */
clrs_status onnx_graph_fetch(onnx_graph *graph, size_t index, clrs_tensor **tensor, cl_event *event,
                             clrs_error *error);

/* Launches of kernels so far. */
size_t onnx_graph_launches(const onnx_graph *graph);
