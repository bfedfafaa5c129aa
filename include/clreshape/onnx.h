/*
 * clreshape/onnx.h - ONNX models of operators that move elements, and map them on the way: bytes
 * in, tensors and an event out. A library of its own, clreshape::onnx, on top of clreshape. No
 * function of this header opens a file, prints, or waits.
 *
 *     clrs_onnx_model_load          a model, from the bytes of a ModelProto
 *     clrs_onnx_model_read_external bytes of the model in other files, through the caller
 *     clrs_onnx_graph_open          a run of it on a queue
 *     clrs_onnx_graph_bind          its next input, from the bytes of a TensorProto
 *     clrs_onnx_graph_enqueue       all of its nodes; an event
 *     clrs_onnx_graph_wanted, _give numbers that it needs from the device to go on
 *     clrs_onnx_graph_output        what an output is, and its bytes if the host knows them
 *     clrs_onnx_graph_fetch         an output as a tensor in row-major order; an event
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_ONNX_H
#define CLRESHAPE_ONNX_H

#include "clreshape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- model
 * A model is parsed once and may then be run any number of times, by one graph after the other or
 * by several at once. Loading copies the bytes: it takes time and memory in proportion to them.
 * Opsets 1 to 28 are known. Time, memory and the number of launches of a run have limits that
 * follow from the size of the model; what lies beyond is CLRS_LIMIT_EXCEEDED. Messages show names
 * out of the model escaped. A failed call gives no model.
 */
typedef struct clrs_onnx_model clrs_onnx_model;

/* Of a model or tensor: protobuf's own limit on a message. */
#define CLRS_ONNX_MOST_BYTES INT32_MAX

/* The bytes may go when this returns. What no graph could execute, such as an opset that is not
 * known, is refused now, an operator when its node is reached. */
CLRS_CHECKED clrs_status clrs_onnx_model_load(const void *bytes, size_t size,
                                              clrs_onnx_model **model, clrs_error *error);
/* After the last of its graphs was closed. NULL is allowed. */
CLRS_API void clrs_onnx_model_free(clrs_onnx_model *model);

/* Data that the model has in another file. */
typedef struct clrs_onnx_external {
  const char *location; /* a path out of the model, which nobody has looked at yet */
  uint64_t offset, size;
} clrs_onnx_external;

/* Fails unless so many bytes are there. No memory is taken for them before. */
typedef clrs_status (*clrs_onnx_check_fn)(void *user_data, const clrs_onnx_external *at,
                                          clrs_error *error);
/* Reads exactly so many bytes from there, right after the check, or fails. */
typedef clrs_status (*clrs_onnx_read_fn)(void *user_data, const clrs_onnx_external *at,
                                         uint8_t *bytes, clrs_error *error);

typedef struct clrs_onnx_external_reader {
  clrs_onnx_check_fn check;
  clrs_onnx_read_fn read;
  void *user_data;
  uint64_t most_bytes; /* of all initializers together; more is CLRS_LIMIT_EXCEEDED */
} clrs_onnx_external_reader;

/* Takes over the data of all initializers that have theirs elsewhere; before a graph is opened. A
 * model of which this is not asked is refused there. After a failure the model can only be freed,
 * unless an argument was wrong. */
CLRS_CHECKED clrs_status clrs_onnx_model_read_external(clrs_onnx_model *model,
                                                       const clrs_onnx_external_reader *reader,
                                                       clrs_error *error);

/* ------------------------------------------------------------------------------------- graph
 * A run of a model, once: inputs are bound, then the nodes are enqueued, then outputs are fetched.
 * Model, context and queue are the caller's, must outlive the graph, and are only read. The queue
 * may be in order or out of order. The host computes shapes and small constants; what moves
 * elements is enqueued, one launch for most nodes and none where a view will do. A graph may not be
 * used by two threads at once; two graphs may. After a failure a graph can only be closed, unless
 * an argument was NULL or a call came out of its turn.
 */
typedef struct clrs_onnx_graph clrs_onnx_graph;

/* A time that bytes are moved. */
typedef struct clrs_onnx_moved {
  size_t index;      /* of the node, or of the output */
  const char *name;  /* never NULL; as it is in the model: escape it before it is shown */
  const char *op;    /* the node's operator; NULL where an output is moved */
  uint32_t launches; /* of kernels */
  /* What was moved and how; NULL where only a border was filled. There is no plan where a Gather
   * goes by indices on the device. */
  const clrs_view *view;
  const clrs_plan *plan;
} clrs_onnx_moved;

/* Is told of each move by the thread that enqueues. What `moved` points to lives during the call.
 */
typedef void (*clrs_onnx_moved_fn)(void *user_data, const clrs_onnx_moved *moved);

typedef struct clrs_onnx_observer {
  clrs_onnx_moved_fn moved; /* NULL: nobody is told */
  void *user_data;
} clrs_onnx_observer;

/* Fails if an initializer is not such as it must be, or an input of the graph is no tensor. The
 * observer is copied; NULL is nobody. A queue of another cl_context than the context's is refused
 * when something is enqueued. */
CLRS_CHECKED clrs_status clrs_onnx_graph_open(const clrs_onnx_model *model, clrs_context *context,
                                              cl_command_queue queue,
                                              const clrs_onnx_observer *observer,
                                              clrs_onnx_graph **graph, clrs_error *error);
/* At any time, also with commands in flight. NULL is allowed. */
CLRS_API void clrs_onnx_graph_close(clrs_onnx_graph *graph);

/* How many inputs must be bound: those that are no initializers. 0 for NULL. */
CLRS_API size_t clrs_onnx_graph_input_count(const clrs_onnx_graph *graph);
/* Binds the next input, in the model's order, to the tensor in the bytes of a TensorProto, which
 * may go when this returns. The tensor must be of the type and dims that the model declares.
 * Messages begin with `input "NAME": `. */
CLRS_CHECKED clrs_status clrs_onnx_graph_bind(clrs_onnx_graph *graph, const void *bytes,
                                              size_t size, clrs_error *error);

/* Executes every node, once all inputs are bound: most give another view of bytes, a map of what is
 * read when it is moved, or are computed on the host, and some enqueue moves. *event, which the
 * caller releases, is of all that was enqueued, and fails if any of it did. Stops before a node
 * that needs numbers on the host, such as the dims of a Reshape, that a Concat, Pad, Gather or map
 * makes on the device: then the graph wants a tensor, and when its bytes have been given, the next
 * call goes on. Numbers of the model, of inputs, of shapes and of arithmetic are known on the host.
 *
 * The indices of a Gather are no such numbers, unless elements of less than a byte are gathered.
 * The host checks the range of the indices that it knows, as ONNX defines the range. The host reads
 * no index that was made on the device, and none of a view of an input with more than 4096 indices.
 * All bits of the elements that such an index selects are 0 if the index is out of range. The call
 * is no error then.
 *
 * Messages name the node. */
CLRS_CHECKED clrs_status clrs_onnx_graph_enqueue(clrs_onnx_graph *graph, cl_event *event,
                                                 clrs_error *error);

/* The tensor whose bytes the graph needs, dense, and how many they are: there when the event of
 * clrs_onnx_graph_enqueue has ended. Borrowed until they are given. NULL and 0 where all nodes have
 * run, and for NULL. `size` may be NULL. */
CLRS_API clrs_tensor *clrs_onnx_graph_wanted(const clrs_onnx_graph *graph, size_t *size);
/* Its bytes, which may go when this returns. */
CLRS_CHECKED clrs_status clrs_onnx_graph_give(clrs_onnx_graph *graph, const void *bytes,
                                              size_t size, clrs_error *error);

/* ----------------------------------------------------------------------------------- outputs
 * Both functions may be called when all nodes have run, for each output any number of times. What
 * an output is costs nothing; to fetch it costs a move, unless its bytes lie in row-major order
 * already. After a failure both may be called again.
 */

/* The characters that string elements point into. Each element is one of Arrow's utf8 views, of
 * CLRS_ONNX_STRING_BYTES. A tensor that is fetched has its own: clrs_tensor_characters. */
typedef struct clrs_onnx_strings {
  const uint8_t *characters;
  size_t size;
} clrs_onnx_strings;

enum { CLRS_ONNX_STRING_BYTES = 16 };

/* An output of the graph; everything in it is borrowed from the graph. */
typedef struct clrs_onnx_output {
  const char *name;
  clrs_dtype dtype;
  clrs_shape shape;
  bool is_known; /* on the host, from the model or from shapes alone: no device has it */
  /* If it is known, its elements in row-major order, little-endian, and of strings the characters.
   */
  const uint8_t *bytes;
  size_t size;
  clrs_onnx_strings strings;
  /* The status is CLRS_OK unless the model declares another rank or extent. The message has both.
   * The declaration changes no result, so the caller may warn. */
  clrs_error stale;
} clrs_onnx_output;

/* 0 for NULL. */
CLRS_API size_t clrs_onnx_graph_output_count(const clrs_onnx_graph *graph);
/* Fails if no node computed the output, or its type is not what the model declares. */
CLRS_CHECKED clrs_status clrs_onnx_graph_output(const clrs_onnx_graph *graph, size_t index,
                                                clrs_onnx_output *output, clrs_error *error);
/* The output in row-major order from a whole byte on: its tensor, moved if it has to be, and the
 * event of all that was enqueued for it. The caller releases both. */
CLRS_CHECKED clrs_status clrs_onnx_graph_fetch(clrs_onnx_graph *graph, size_t index,
                                               clrs_tensor **tensor, cl_event *event,
                                               clrs_error *error);

/* Launches of kernels so far. 0 for NULL. */
CLRS_API size_t clrs_onnx_graph_launches(const clrs_onnx_graph *graph);

/* ----------------------------------------------------------------------------------- tensors
 * TensorProtos without protobuf: what stands in front of the data, and the strings of Arrow's
 * views. Pure functions; they allocate nothing.
 */

/* What stands in a TensorProto in front of its data: dims, data_type, name, and the tag and length
 * of raw_data. Followed by the elements in row-major order, little-endian and packed, it is a
 * complete TensorProto. For strings there is no raw_data: each follows behind a
 * clrs_onnx_string_header. *header_size is what it takes. With header NULL that is all; else it is
 * written there, and if it takes more than `capacity` bytes nothing is and the answer is
 * CLRS_OUT_OF_BOUNDS. What has no ONNX type is CLRS_UNSUPPORTED, 2 GiB and more
 * CLRS_LIMIT_EXCEEDED. */
CLRS_CHECKED clrs_status clrs_onnx_tensor_header(clrs_dtype dtype, const clrs_shape *shape,
                                                 const char *name, void *header, size_t capacity,
                                                 size_t *header_size, clrs_error *error);

/* What stands in front of the characters of one string. Answers how many bytes that are, 0 for
 * NULL. */
enum { CLRS_ONNX_STRING_HEADER = 11 };
CLRS_API size_t clrs_onnx_string_header(size_t character_count,
                                        uint8_t header[CLRS_ONNX_STRING_HEADER]);

/* A string; not terminated, and any byte may be in it. */
typedef struct clrs_onnx_text {
  const uint8_t *bytes;
  size_t size;
} clrs_onnx_text;

/* What the view shows; `text` borrows from both. CLRS_OUT_OF_BOUNDS if it points elsewhere. */
CLRS_CHECKED clrs_status clrs_onnx_strings_get(const clrs_onnx_strings *strings,
                                               const uint8_t view[CLRS_ONNX_STRING_BYTES],
                                               clrs_onnx_text *text, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_ONNX_H */
