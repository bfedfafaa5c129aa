/*
 * The named values of a graph while it runs: each has bytes on the host, a tensor on the device,
 * or both. A value is there from when it is given until its last reader has had it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

#include "tensor_proto.h"

typedef struct model_value {
  const char *name; /* borrowed from the model */
  bool on_host;     /* `dense` is filled */
  bool known;       /* on the host, and no data: from the model alone or from shapes */
  onnx_dense dense;
  clrs_tensor *tensor; /* owned; NULL until it is on the device */
  /* The input of the graph that the value is a view of, as it was bound; else NULL. */
  const onnx_dense *input;
} model_value;

/* In place of a node: initializers, and inputs that are none. */
#define MODEL_INITIALIZER (UINT32_MAX - 1)
#define MODEL_NO_NODE UINT32_MAX

/* A name that the graph gives to a value. */
typedef struct model_name {
  const char *text;
  uint64_t prefix;    /* of the text, to compare first */
  model_value *value; /* owned; NULL before it is given, and after its last reader */
  uint32_t node;      /* the one that gives the value; MODEL_INITIALIZER, MODEL_NO_NODE */
  uint32_t readers;   /* that are still to come */
  bool given;
} model_name;

/* Names are declared, then sorted, and only then are there values. Whatever the names are, finding
 * one takes as many comparisons as its length and the logarithm of their count allow. */
typedef struct model_values {
  model_name *names;
  size_t count, capacity;
  onnx_arena *arena;
} model_values;

/* An empty value that is in no table and ends with the node. */
clrs_status model_value_new(onnx_arena *arena, model_value **value, clrs_error *error);

/* The arena, where the table and its values are, must outlive it. */
clrs_status model_values_init(size_t capacity, onnx_arena *arena, model_values *values,
                              clrs_error *error);
/* Releases everything in it. An all-zero one is allowed. */
void model_values_free(model_values *values);

/* A name that `node` gives. NULL and "" are left out. */
void model_values_declare(model_values *values, const char *name, uint32_t node);
void model_values_sort(model_values *values);
/* One more node, or output of the graph, will read that name, if it is declared. */
void model_values_expect(model_values *values, const char *name);

/* NULL if no value of that name is declared. */
model_name *model_values_name(const model_values *values, const char *name);
/* NULL if there is none of that name. */
model_value *model_values_find(const model_values *values, const char *name);
/* A new, empty value of a declared name. Fails on a second one: a value is assigned once. */
clrs_status model_values_add(model_values *values, const char *name, model_value **value,
                             clrs_error *error);
/* A reader has had it. With the last one the value goes; so it does if nobody expects it. */
void model_values_read(model_values *values, const char *name);
void model_values_drop_unread(model_values *values, const char *name);
