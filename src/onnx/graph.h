/*
 * A running model: the values, the places of their bytes, and the remaining limits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fold.h"
#include "model.h"
#include "model_values.h"
#include "onnx_device.h"

/* The character buffer that all string tensors of a run share. Only string tensors with the same
 * buffer can be joined. The buffer has room for all characters of the model and the inputs. */
typedef struct onnx_characters {
  cl_mem buffer; /* NULL until the first string tensor is on the device */
  size_t uploaded;
} onnx_characters;

struct clrs_onnx_graph {
  const clrs_onnx_model *model;
  onnx_arena arena;  /* limited by the model's size */
  onnx_arena inputs; /* unlimited: not part of the model. Values borrow from here */
  model_values values;
  size_t input_count, bound_count; /* inputs to bind, and inputs bound so far */
  size_t next_input;               /* index among the model's inputs of the next input to bind */
  size_t next_node;
  bool runs_again;           /* run the node again, because an input has just been stored */
  size_t given_outputs;      /* number of outputs that a second run of the node skips */
  bool has_run;              /* has the graph run, to the end or to a failure? */
  model_value *wanted_value; /* the value whose bytes the next node needs from the device */
  clrs_tensor *wanted;       /* that value in row-major order, or NULL */
  onnx_strings strings;
  onnx_device device;
  onnx_characters characters;
  clrs_onnx_observer observer;
  size_t launches; /* kernel launches so far */
};

/* Counts `launches` upcoming launches. Tells the observer what the launches move, unless `moved` is
 * NULL. Fails if a model of this size may not make so many launches. */
clrs_status onnx_graph_launch(clrs_onnx_graph *graph, uint32_t launches,
                              const clrs_onnx_moved *moved, clrs_error *error);

/* The approximate size of a value's tensor on the host. */
enum { ONNX_TENSOR_BYTES = sizeof(clrs_view) + 512 };

/* Finds the value's tensor, and uploads the value if only the host has the bytes. *tensor is not
 * retained. */
clrs_status onnx_graph_tensor(clrs_onnx_graph *graph, model_value *value, clrs_tensor **tensor,
                              clrs_error *error);
/* Returns CLRS_UNSUPPORTED if the tensor is mapped and no pass moves the tensor into row-major
 * order, because axes of the source and of the parameters have no common refinement. Any other
 * tensor can be moved. */
clrs_status onnx_check_pass(const clrs_tensor *tensor, clrs_error *error);
/* Moves the value's tensor into row-major order. The value then has the new tensor, *tensor. Moves
 * nothing if the tensor is in row-major order already. */
clrs_status onnx_graph_store(clrs_onnx_graph *graph, model_value *value,
                             const clrs_onnx_moved *moved, clrs_tensor **tensor, clrs_error *error);
/* Stores the value's tensor if the tensor is mapped. *tensor is then a tensor with bytes. */
clrs_status onnx_graph_stored(clrs_onnx_graph *graph, model_value *value,
                              const clrs_onnx_moved *moved, clrs_tensor **tensor,
                              clrs_error *error);
/* Finds the value's bytes on the host. If only the device has the bytes, the call fails, and the
 * graph asks for the bytes. When the bytes have been given, the node runs again. A node must
 * therefore ask for bytes before the node gives outputs or enqueues commands. */
clrs_status onnx_graph_dense(clrs_onnx_graph *graph, model_value *value, const onnx_dense **dense,
                             clrs_error *error);
/* Gives a string tensor the run's character buffer, with all characters so far. Other tensors are
 * unchanged. Takes over the reference to `plain`, also on failure. */
clrs_status onnx_graph_attach(clrs_onnx_graph *graph, clrs_tensor *plain, clrs_tensor **tensor,
                              clrs_error *error);
/* Return the shape and type of a value, on host or device. */
const clrs_shape *onnx_graph_shape(const model_value *value);
clrs_dtype onnx_graph_dtype(const model_value *value);

/* Copies the value's view, which an operation then changes. */
clrs_status onnx_graph_view(clrs_onnx_graph *graph, model_value *value, clrs_view *view,
                            clrs_error *error);

/* Enqueues moving the tensor into row-major order from a whole byte on. `moved` describes the move
 * for the observer, or is NULL. The caller releases *dense. */
clrs_status onnx_graph_materialize(clrs_onnx_graph *graph, clrs_tensor *tensor,
                                   const clrs_onnx_moved *moved, clrs_tensor **dense,
                                   clrs_error *error);
