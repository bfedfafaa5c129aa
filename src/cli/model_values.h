/*
 * The named values of a graph while it runs: each has bytes on the host, a tensor on the device,
 * or both.
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
} model_value;

/* Capacity is fixed, so a pointer to a value stays good until the end. */
typedef struct model_values {
  model_value *items;
  size_t count, capacity;
  uint32_t *slots; /* a hash table of index + 1; 0 is free */
  size_t slot_mask;
} model_values;

/* Of a value that is in no table. */
void model_value_free(model_value *value);

clrs_status model_values_init(size_t capacity, model_values *values, clrs_error *error);
/* Releases everything in it. An all-zero one is allowed. */
void model_values_free(model_values *values);

/* NULL if there is none of that name. */
model_value *model_values_find(const model_values *values, const char *name);
/* A new, empty value. Fails on a second one of the same name: a value is assigned once. */
clrs_status model_values_add(model_values *values, const char *name, model_value **value,
                             clrs_error *error);

#endif /* CLRESHAPE_CLI_MODEL_VALUES_H */
