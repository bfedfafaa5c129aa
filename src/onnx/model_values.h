/*
 * The named values of a graph while it runs: each has bytes on the host, a tensor on the device,
 * or both. A value is there from when it is given until its last reader has had it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_MODEL_VALUES_H
#define CLRESHAPE_CLI_MODEL_VALUES_H

#include <clreshape/clreshape.h>

#include "tensor_proto.h"

typedef struct model_value {
  const char *name; /* borrowed from the model */
  bool on_host;     /* `dense` is filled */
  bool known;       /* on the host, and no data: from the model alone or from shapes */
  cli_dense dense;
  clrs_tensor *tensor; /* owned; NULL until it is on the device */
  size_t memory;       /* taken for it and its bytes */
} model_value;

/* In place of a node: initializers, and inputs that are none. */
#define MODEL_INITIALIZER (UINT32_MAX - 1)
#define MODEL_NO_NODE UINT32_MAX

/* A name that the graph gives to a value. */
typedef struct model_name {
  const char *text;
  uint64_t prefix;    /* of the text, to compare first */
  model_value *value; /* owned; NULL before it is given, and after its last reader */
  uint32_t node;      /* that gives it, or one of the two */
  uint32_t readers;   /* that are still to come */
  bool given;
} model_name;

/* Names are declared, then sorted, and only then are there values. Whatever the names are, finding
 * one takes as many comparisons as its length and the logarithm of their count allow. */
typedef struct model_values {
  model_name *names;
  size_t count, capacity;
  size_t memory; /* bytes that may still be taken */
} model_values;

/* What a value holds, and the memory charged to it; for one that is in no table. */
void model_value_free(model_values *values, model_value *value);

/* `memory` is what all of it may take, with the values and what is charged to them. */
clrs_status model_values_init(size_t capacity, size_t memory, model_values *values,
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

/* Memory that is about to be taken, or was; for the value, which returns it when it goes, or for as
 * long as an operator runs. */
clrs_status model_values_take(model_values *values, size_t bytes, clrs_error *error);
void model_values_return(model_values *values, size_t bytes);
clrs_status model_values_charge(model_values *values, model_value *value, size_t bytes,
                                clrs_error *error);

#endif /* CLRESHAPE_CLI_MODEL_VALUES_H */
