/*
 * A hash table that only grows, with linear probing and at most half of its slots in use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model_values.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"

clrs_status model_values_init(size_t capacity, model_values *values, clrs_error *error) {
  size_t slot_count = 16;
  while (slot_count < 2 * capacity)
    slot_count *= 2;
  *values = (model_values){0};
  values->items = calloc(capacity + 1, sizeof *values->items);
  values->slots = calloc(slot_count, sizeof *values->slots);
  values->capacity = capacity;
  values->slot_mask = slot_count - 1;
  if (values->items != NULL && values->slots != NULL)
    return CLRS_OK;
  free(values->items);
  free(values->slots);
  *values = (model_values){0};
  return cli_fail(error, CLRS_OUT_OF_MEMORY, "no memory for the %zu values of the graph", capacity);
}

void model_value_free(model_value *value) {
  cli_dense_free(&value->dense);
  clrs_tensor_release(value->tensor);
}

void model_values_free(model_values *values) {
  for (size_t i = 0; i < values->count; i++)
    model_value_free(&values->items[i]);
  free(values->items);
  free(values->slots);
  *values = (model_values){0};
}

/* The slot of that name, or the free one where it would go. FNV-1a spreads the bytes. */
static uint32_t *find_slot(const model_values *values, const char *name) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char *next = name; *next != '\0'; next++)
    hash = (hash ^ (uint8_t)*next) * 0x100000001b3U;
  size_t slot = (size_t)(hash ^ hash >> 32) & values->slot_mask;
  while (values->slots[slot] != 0 && strcmp(values->items[values->slots[slot] - 1].name, name) != 0)
    slot = (slot + 1) & values->slot_mask;
  return &values->slots[slot];
}

model_value *model_values_find(const model_values *values, const char *name) {
  uint32_t index = *find_slot(values, name);
  return index == 0 ? NULL : &values->items[index - 1];
}

clrs_status model_values_add(model_values *values, const char *name, model_value **value,
                             clrs_error *error) {
  if (name == NULL || name[0] == '\0')
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "a value without a name is defined");
  uint32_t *slot = find_slot(values, name);
  if (*slot != 0)
    return cli_fail(error, CLRS_INVALID_ARGUMENT,
                    "value \"%.100s\" is defined twice; each may be defined once", name);
  if (values->count == values->capacity)
    return cli_fail(error, CLRS_LIMIT_EXCEEDED, "more than %zu values", values->capacity);
  *value = &values->items[values->count++];
  (*value)->name = name;
  *slot = (uint32_t)values->count;
  return CLRS_OK;
}
