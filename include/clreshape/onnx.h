/*
 * clreshape/onnx.h - runs ONNX models whose operators move and map elements. A model comes in as
 * bytes, and the results are tensors and an event. The header belongs to a separate library,
 * clreshape::onnx, on top of clreshape. No function here opens a file, prints, or waits.
 *
 *     clrs_onnx_model_load          a model, from the bytes of a ModelProto
 *     clrs_onnx_model_read_external bytes of the model in other files, through the caller
 *     clrs_onnx_graph_open          a run of the model on a queue
 *     clrs_onnx_graph_bind          the next input, from the bytes of a TensorProto
 *     clrs_onnx_graph_enqueue       all nodes, with an event
 *     clrs_onnx_graph_wanted, _give numbers from the device that the run needs
 *     clrs_onnx_graph_output        description of an output, and bytes known on the host
 *     clrs_onnx_graph_fetch         an output as a tensor in row-major order, with an event
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
 * A model is parsed once and may then be run any number of times, by graphs one after the other or
 * at once. Loading copies the bytes, and costs time and memory in proportion to the bytes. Opsets 1
 * to 28 are supported. The time, memory and launches of a run have limits that follow from the size
 * of the model. CLRS_LIMIT_EXCEEDED beyond the limits. Messages escape names from the model. A
 * failed call gives no model.
 */
typedef struct clrs_onnx_model clrs_onnx_model;

/* Most bytes of a model or tensor, which is protobuf's own limit on a message. */
#define CLRS_ONNX_MOST_BYTES INT32_MAX

/* Loads a model. The bytes are copied. Fails at once for a model that no graph could execute, such
 * as a model of an unknown opset. An unsupported operator fails when its node is reached. */
CLRS_CHECKED clrs_status clrs_onnx_model_load(const void *bytes, size_t size,
                                              clrs_onnx_model **model, clrs_error *error);
/* Call after the last graph of the model was closed. NULL is allowed. */
CLRS_API void clrs_onnx_model_free(clrs_onnx_model *model);

/* Data of the model that lies in another file. */
typedef struct clrs_onnx_external {
  const char *location;  /* a path from the model, which the caller must check */
  uint64_t offset, size; /* first byte in the file, and number of bytes */
} clrs_onnx_external;

/* Checks the location, and that `size` bytes exist there. Called before memory is allocated. */
typedef clrs_status (*clrs_onnx_check_fn)(void *user_data, const clrs_onnx_external *at,
                                          clrs_error *error);
/* Reads exactly `size` bytes, right after the check, or fails. */
typedef clrs_status (*clrs_onnx_read_fn)(void *user_data, const clrs_onnx_external *at,
                                         uint8_t *bytes, clrs_error *error);

/* The caller's access to files. */
typedef struct clrs_onnx_external_reader {
  clrs_onnx_check_fn check; /* called first */
  clrs_onnx_read_fn read;   /* called if the check succeeds */
  void *user_data;          /* given to both */
  uint64_t most_bytes;      /* limit for all initializers together, CLRS_LIMIT_EXCEEDED beyond */
} clrs_onnx_external_reader;

/* Reads the data of all initializers that lie in other files. Call before a graph is opened.
 * Without this call, a graph of a model with external data is refused. After a failure the model
 * can only be freed, unless an argument was wrong. */
CLRS_CHECKED clrs_status clrs_onnx_model_read_external(clrs_onnx_model *model,
                                                       const clrs_onnx_external_reader *reader,
                                                       clrs_error *error);

/* ------------------------------------------------------------------------------------- graph
 * A graph is one run of a model. Inputs are bound, then the nodes are enqueued, then outputs are
 * fetched. The model, context and queue remain the caller's, must outlive the graph, and are only
 * read. The queue may be in order or out of order. The host computes shapes and small constants.
 * Moves of elements are enqueued: one launch for most nodes, and no launch if a view is enough. Two
 * threads may not use one graph at once, but may use two graphs. After a failure a graph can only
 * be closed, unless an argument was NULL or a call was out of order.
 */
typedef struct clrs_onnx_graph clrs_onnx_graph;

/* A move of bytes. */
typedef struct clrs_onnx_moved {
  size_t index;          /* index of the node or of the output */
  const char *name;      /* never NULL. Copied from the model, so escape before display */
  const char *op;        /* operator of the node, NULL if an output is moved */
  uint32_t launches;     /* kernel launches */
  const clrs_view *view; /* NULL if only a border was filled */
  const clrs_plan *plan; /* NULL also for a Gather by indices on the device */
} clrs_onnx_moved;

/* Called for each move on the enqueuing thread. The contents of `moved` live during the call. */
typedef void (*clrs_onnx_moved_fn)(void *user_data, const clrs_onnx_moved *moved);

/* A callback for moves. */
typedef struct clrs_onnx_observer {
  clrs_onnx_moved_fn moved; /* NULL: no callback */
  void *user_data;          /* given to the callback */
} clrs_onnx_observer;

/* Opens a graph. Fails if an initializer is invalid, or if an input of the graph is not a tensor.
 * The observer is copied and may be NULL. A queue of another cl_context than the context's is
 * refused at the first enqueue. */
CLRS_CHECKED clrs_status clrs_onnx_graph_open(const clrs_onnx_model *model, clrs_context *context,
                                              cl_command_queue queue,
                                              const clrs_onnx_observer *observer,
                                              clrs_onnx_graph **graph, clrs_error *error);
/* May be called at any time, also with commands in flight. NULL is allowed. */
CLRS_API void clrs_onnx_graph_close(clrs_onnx_graph *graph);

/* The number of inputs to bind, which are the inputs without an initializer. 0 for NULL. */
CLRS_API size_t clrs_onnx_graph_input_count(const clrs_onnx_graph *graph);
/* Binds the next input, in the model's order, to a tensor from the bytes of a TensorProto. The
 * bytes are copied. The tensor must have the type and dims that the model declares. Messages begin
 * with `input "NAME": `. */
CLRS_CHECKED clrs_status clrs_onnx_graph_bind(clrs_onnx_graph *graph, const void *bytes,
                                              size_t size, clrs_error *error);

/* Executes every node. All inputs must be bound. Most nodes give another view of bytes, give a map
 * that is applied when the elements are moved, or are computed on the host. Some nodes enqueue
 * moves. *event, which the caller releases, covers all that was enqueued, and fails if any command
 * fails.
 *
 * The call stops before a node that needs numbers on the host which a Concat, Pad, Gather or map
 * makes on the device. The dims of a Reshape are an example. The graph then wants a tensor. After
 * the bytes of the tensor have been given, the next call continues. Numbers from the model, inputs,
 * shapes and arithmetic are known on the host.
 *
 * Gather indices may be computed on the device, except for elements of less than a byte. The host
 * checks the range of the indices that are known on the host, as ONNX defines the range. The host
 * does not read indices that were made on the device, or indices in a view of an input with more
 * than 4096 indices. If such an index is out of range, all bits of the selected elements are 0, and
 * the call does not fail.
 *
 * Messages name the node. */
CLRS_CHECKED clrs_status clrs_onnx_graph_enqueue(clrs_onnx_graph *graph, cl_event *event,
                                                 clrs_error *error);

/* The tensor whose bytes the graph needs, dense, and the size in bytes. The bytes are ready when
 * the event of clrs_onnx_graph_enqueue has completed. The tensor is borrowed until the bytes are
 * given. NULL and 0 if all nodes have run, and for a NULL graph. `size` may be NULL. */
CLRS_API clrs_tensor *clrs_onnx_graph_wanted(const clrs_onnx_graph *graph, size_t *size);
/* Gives the bytes of the wanted tensor. The bytes are copied. */
CLRS_CHECKED clrs_status clrs_onnx_graph_give(clrs_onnx_graph *graph, const void *bytes,
                                              size_t size, clrs_error *error);

/* ----------------------------------------------------------------------------------- outputs
 * Both functions may be called after all nodes have run, any number of times for each output.
 * Describing an output costs nothing. Fetching an output costs a move, unless the bytes are already
 * in row-major order. After a failure both functions may be called again.
 */

/* The characters that string elements point into. Each element is one of Arrow's utf8 views, of
 * CLRS_ONNX_STRING_BYTES bytes. A fetched tensor has character buffers of its own:
 * clrs_tensor_characters. */
typedef struct clrs_onnx_strings {
  const uint8_t *characters; /* all strings, one after the other */
  size_t size;               /* bytes */
} clrs_onnx_strings;

enum { CLRS_ONNX_STRING_BYTES = 16 };

/* An output of the graph. All fields are borrowed from the graph. */
typedef struct clrs_onnx_output {
  const char *name;          /* from the model, so escape before display */
  clrs_dtype dtype;          /* type of the elements */
  clrs_shape shape;          /* as computed */
  bool is_known;             /* known on the host from the model or from shapes, and on no device */
  const uint8_t *bytes;      /* if is_known, the elements in row-major order, little-endian */
  size_t size;               /* bytes */
  clrs_onnx_strings strings; /* if is_known, the characters of strings */
  /* The status is not CLRS_OK if the model declares another rank or extent. The message has both.
   * The declaration changes no result, so the caller may only warn. */
  clrs_error stale;
} clrs_onnx_output;

/* The number of outputs. 0 for NULL. */
CLRS_API size_t clrs_onnx_graph_output_count(const clrs_onnx_graph *graph);
/* Describes an output. Fails if no node computed the output, or if the type differs from the
 * model's declaration. */
CLRS_CHECKED clrs_status clrs_onnx_graph_output(const clrs_onnx_graph *graph, size_t index,
                                                clrs_onnx_output *output, clrs_error *error);
/* Fetches the output in row-major order from a whole byte on. Gives the tensor, moved if needed,
 * and the event of all that was enqueued for the output. The caller releases both. */
CLRS_CHECKED clrs_status clrs_onnx_graph_fetch(clrs_onnx_graph *graph, size_t index,
                                               clrs_tensor **tensor, cl_event *event,
                                               clrs_error *error);

/* The number of kernel launches so far. 0 for NULL. */
CLRS_API size_t clrs_onnx_graph_launches(const clrs_onnx_graph *graph);

/* ----------------------------------------------------------------------------------- tensors
 * TensorProtos without protobuf: the bytes in front of the data, and the strings of Arrow's views.
 * Pure functions, which allocate nothing.
 */

/* Writes the bytes in front of a TensorProto's data: dims, data_type, name, and the tag and length
 * of raw_data. The header, followed by the elements in row-major order, little-endian and packed,
 * is a complete TensorProto. Strings have no raw_data: each string follows behind a
 * clrs_onnx_string_header. *header_size is the size of the header. With a NULL header only
 * *header_size is set. CLRS_OUT_OF_BOUNDS, and nothing is written, if the header takes more than
 * `capacity` bytes. CLRS_UNSUPPORTED if the dtype has no ONNX type. CLRS_LIMIT_EXCEEDED for 2 GiB
 * and more. */
CLRS_CHECKED clrs_status clrs_onnx_tensor_header(clrs_dtype dtype, const clrs_shape *shape,
                                                 const char *name, void *header, size_t capacity,
                                                 size_t *header_size, clrs_error *error);

/* Writes the bytes in front of one string's characters. Returns the number of bytes, 0 for NULL. */
enum { CLRS_ONNX_STRING_HEADER = 11 };
CLRS_API size_t clrs_onnx_string_header(size_t character_count,
                                        uint8_t header[CLRS_ONNX_STRING_HEADER]);

/* A string. The bytes are not terminated and may have any value. */
typedef struct clrs_onnx_text {
  const uint8_t *bytes; /* first byte */
  size_t size;          /* bytes */
} clrs_onnx_text;

/* Reads the string that the view shows. `text` borrows from both arguments. CLRS_OUT_OF_BOUNDS if
 * the view points outside the characters. */
CLRS_CHECKED clrs_status clrs_onnx_strings_get(const clrs_onnx_strings *strings,
                                               const uint8_t view[CLRS_ONNX_STRING_BYTES],
                                               clrs_onnx_text *text, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_ONNX_H */
