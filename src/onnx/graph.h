/*
 * A model being executed: its values, where their bytes are, and what it may still cost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fold.h"
#include "model.h"
#include "model_values.h"
#include "onnx_device.h"

/* The character buffer that all string tensors of a run share: only then may they be put together.
 * It has room for all characters of the model and its inputs. */
typedef struct onnx_characters {
  cl_mem buffer; /* NULL until the first string tensor is on the device */
  size_t uploaded;
} onnx_characters;

struct clrs_onnx_graph {
  const clrs_onnx_model *model;
  onnx_arena arena;  /* within what a model of its size may take */
  onnx_arena inputs; /* without a limit, as inputs are no part of the model; values borrow them */
  model_values values;
  size_t input_count, bound_count; /* inputs that must be bound, and those that are */
  size_t next_input;               /* where among the model's inputs to look for the next one */
  size_t next_node;
  bool runs_again;           /* an input of the node has just been stored: the node is run again */
  size_t given_outputs;      /* a second run of the node leaves out so many outputs */
  bool has_run;              /* to its end, or to a failure */
  model_value *wanted_value; /* whose bytes the next node needs, and only the device has */
  clrs_tensor *wanted;       /* the same in row-major order; NULL: none are */
  onnx_strings strings;
  onnx_device device;
  onnx_characters characters;
  clrs_onnx_observer observer;
  size_t launches; /* of kernels, so far */
};

/* Counts launches that are about to be made, and tells the observer what they move, unless `moved`
 * is NULL. Fails if a model of its size may not make so many. */
clrs_status onnx_graph_launch(clrs_onnx_graph *graph, uint32_t launches,
                              const clrs_onnx_moved *moved, clrs_error *error);

/* What the tensor of a value takes on the host, roughly. */
enum { ONNX_TENSOR_BYTES = sizeof(clrs_view) + 512 };

/* The value's tensor, uploaded now if it was on the host only. Not retained. */
clrs_status onnx_graph_tensor(clrs_onnx_graph *graph, model_value *value, clrs_tensor **tensor,
                              clrs_error *error);
/* CLRS_UNSUPPORTED if the tensor is mapped and no pass moves it into row-major order: axes of the
 * source and of the parameters may have no common refinement. Any other tensor can be moved. */
clrs_status onnx_check_pass(const clrs_tensor *tensor, clrs_error *error);
/* Puts the value's tensor into row-major order and gives it. From now on the value has that tensor.
 * Moves nothing if the tensor is in row-major order already. */
clrs_status onnx_graph_store(clrs_onnx_graph *graph, model_value *value,
                             const clrs_onnx_moved *moved, clrs_tensor **tensor, clrs_error *error);
/* Stores the value's tensor if it is mapped, and gives it: a tensor with bytes. */
clrs_status onnx_graph_stored(clrs_onnx_graph *graph, model_value *value,
                              const clrs_onnx_moved *moved, clrs_tensor **tensor,
                              clrs_error *error);
/* The value's bytes. Where only the device has them this fails, and the graph wants them: the node
 * is run anew when they have been given. So a node asks for bytes before it gives or enqueues
 * anything. */
clrs_status onnx_graph_dense(clrs_onnx_graph *graph, model_value *value, const onnx_dense **dense,
                             clrs_error *error);
/* A string tensor gets the run's character buffer, with all characters met so far; any other is
 * handed on as it is. Takes over the reference to `plain`, also on failure. */
clrs_status onnx_graph_attach(clrs_onnx_graph *graph, clrs_tensor *plain, clrs_tensor **tensor,
                              clrs_error *error);
/* The shape and type of a value wherever it is. */
const clrs_shape *onnx_graph_shape(const model_value *value);
clrs_dtype onnx_graph_dtype(const model_value *value);

/* The value's view, for an operation to change. */
clrs_status onnx_graph_view(clrs_onnx_graph *graph, model_value *value, clrs_view *view,
                            clrs_error *error);

/* The tensor in row-major order from a whole byte on, once what is enqueued has run. `moved`, which
 * may be NULL, says for what. The caller releases *dense. */
clrs_status onnx_graph_materialize(clrs_onnx_graph *graph, clrs_tensor *tensor,
                                   const clrs_onnx_moved *moved, clrs_tensor **dense,
                                   clrs_error *error);
