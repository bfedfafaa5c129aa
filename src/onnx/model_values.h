/*
 * The named values of a running graph. Each value has bytes on the host, a tensor on the device, or
 * both. A value exists from the node that gives the value until the last reader has read the value.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

#include "tensor_proto.h"

typedef struct model_value {
  const char *name; /* borrowed from the model */
  bool on_host;     /* `dense` is filled */
  bool known;       /* known on the host, from the model alone or from shapes */
  onnx_dense dense;
  clrs_tensor *tensor; /* owned. NULL until the value is on the device */
  /* The graph's input, as bound, that the value is a view of, or NULL. */
  const onnx_dense *input;
} model_value;

/* Used as node number for initializers, and for inputs that are no initializers. */
#define MODEL_INITIALIZER (UINT32_MAX - 1)
#define MODEL_NO_NODE UINT32_MAX

/* A name of a value in the graph. */
typedef struct model_name {
  const char *text;
  uint64_t prefix;    /* first characters of the text, compared first */
  model_value *value; /* owned. NULL before the value is given, and after the last reader */
  uint32_t node;      /* node that gives the value, or MODEL_INITIALIZER, or MODEL_NO_NODE */
  uint32_t readers;   /* readers still to come */
  bool given;
} model_name;

/* A table of names. All names are declared first, then sorted, and then values are added. Finding a
 * name takes time proportional to the name's length and the logarithm of the count, for any
 * names. */
typedef struct model_values {
  model_name *names;
  size_t count, capacity;
  onnx_arena *arena;
} model_values;

/* Makes an empty value that is in no table and ends with the node. */
clrs_status model_value_new(onnx_arena *arena, model_value **value, clrs_error *error);

/* Makes an empty table in the arena. The arena must outlive the table. */
clrs_status model_values_init(size_t capacity, onnx_arena *arena, model_values *values,
                              clrs_error *error);
/* Releases the table and all values. An all-zero table is allowed. */
void model_values_free(model_values *values);

/* Declares a name that `node` gives. NULL and "" are ignored. */
void model_values_declare(model_values *values, const char *name, uint32_t node);
void model_values_sort(model_values *values);
/* Counts one more reader of the name, a node or an output of the graph, if the name is declared. */
void model_values_expect(model_values *values, const char *name);

/* Returns the declared name, or NULL. */
model_name *model_values_name(const model_values *values, const char *name);
/* Returns the value of that name, or NULL. */
model_value *model_values_find(const model_values *values, const char *name);
/* Adds a new, empty value for a declared name. Fails for a second value, because a name is assigned
 * once. */
clrs_status model_values_add(model_values *values, const char *name, model_value **value,
                             clrs_error *error);
/* Counts one reader of the value as done. The value is freed after the last reader. A value without
 * readers is freed by the second function. */
void model_values_read(model_values *values, const char *name);
void model_values_drop_unread(model_values *values, const char *name);
