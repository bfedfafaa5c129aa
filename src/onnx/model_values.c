/*
 * A sorted array of names: no choice of names makes it slow, as it would a hash table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model_values.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "text.h"

/* Beyond the bytes of a value: what an allocator adds to each of its blocks. */
enum { VALUE_BYTES = sizeof(model_value) + 16 };

clrs_status model_values_take(model_values *values, size_t bytes, clrs_error *error) {
  if (bytes > values->memory)
    return clrs__fail(
        error, CLRS_LIMIT_EXCEEDED,
        "the values of the graph would take more memory than a model of its size may");
  values->memory -= bytes;
  return CLRS_OK;
}

void model_values_return(model_values *values, size_t bytes) {
  values->memory += bytes;
}

clrs_status model_values_charge(model_values *values, model_value *value, size_t bytes,
                                clrs_error *error) {
  CLRS_TRY(model_values_take(values, bytes, error));
  value->memory += bytes;
  return CLRS_OK;
}

/* Sorting may copy all names once. */
clrs_status model_values_init(size_t capacity, size_t memory, model_values *values,
                              clrs_error *error) {
  *values = (model_values){.capacity = capacity, .memory = memory};
  CLRS_TRY(model_values_take(values, 2 * (capacity + 1) * sizeof *values->names, error));
  values->names = calloc(capacity + 1, sizeof *values->names);
  return values->names != NULL ? CLRS_OK
                               : clrs__fail(error, CLRS_OUT_OF_MEMORY,
                                            "no memory for the %zu values of the graph", capacity);
}

void model_value_free(model_values *values, model_value *value) {
  model_values_return(values, value->memory);
  cli_dense_free(&value->dense);
  clrs_tensor_release(value->tensor);
}

static void drop(model_values *values, model_name *name) {
  if (name->value == NULL)
    return;
  model_value_free(values, name->value);
  free(name->value);
  name->value = NULL;
}

void model_values_free(model_values *values) {
  for (size_t i = 0; i < values->count; i++)
    drop(values, &values->names[i]);
  free(values->names);
  *values = (model_values){0};
}

/* ---- names ---- */

/* The first eight characters as a number that is in their order: most names differ there, and it
 * is beside those that it is compared with. */
static uint64_t prefix_of(const char *text) {
  uint64_t prefix = 0;
  for (int i = 0; i < 8; i++) {
    prefix = prefix << 8 | (unsigned char)*text;
    text += *text != '\0';
  }
  return prefix;
}

static int compare_texts(const void *a, const void *b) {
  const model_name *left = a, *right = b;
  if (left->prefix != right->prefix)
    return left->prefix < right->prefix ? -1 : 1;
  return strcmp(left->text, right->text);
}

static int compare(const void *a, const void *b) {
  const model_name *left = a, *right = b;
  const int order = compare_texts(a, b);
  return order != 0 ? order : (left->node > right->node) - (left->node < right->node);
}

void model_values_declare(model_values *values, const char *name, uint32_t node) {
  if (name != NULL && name[0] != '\0' && values->count < values->capacity)
    values->names[values->count++] =
        (model_name){.text = name, .prefix = prefix_of(name), .node = node};
}

/* Of equal names the first is kept, which has the earliest node. */
void model_values_sort(model_values *values) {
  size_t kept = 0;
  qsort(values->names, values->count, sizeof *values->names, compare);
  for (size_t i = 0; i < values->count; i++) {
    if (kept == 0 || compare_texts(&values->names[kept - 1], &values->names[i]) != 0)
      values->names[kept++] = values->names[i];
  }
  values->count = kept;
}

model_name *model_values_name(const model_values *values, const char *name) {
  if (name == NULL)
    return NULL;
  const model_name sought = {.text = name, .prefix = prefix_of(name)};
  return bsearch(&sought, values->names, values->count, sizeof *values->names, compare_texts);
}

/* ---- values ---- */

void model_values_expect(model_values *values, const char *name) {
  model_name *found = model_values_name(values, name);
  if (found != NULL)
    found->readers++;
}

model_value *model_values_find(const model_values *values, const char *name) {
  const model_name *found = model_values_name(values, name);
  return found == NULL ? NULL : found->value;
}

clrs_status model_values_add(model_values *values, const char *name, model_value **value,
                             clrs_error *error) {
  if (name == NULL || name[0] == '\0')
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "a value without a name is defined");
  model_name *found = model_values_name(values, name);
  if (found == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "value \"%s\" is not declared",
                      clrs__show(name).text);
  if (found->given)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "value \"%s\" is defined twice; each may be defined once",
                      clrs__show(name).text);
  CLRS_TRY(model_values_take(values, VALUE_BYTES, error));
  found->value = calloc(1, sizeof *found->value);
  if (found->value == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a value");
  found->given = true;
  *found->value = (model_value){.name = found->text, .memory = VALUE_BYTES};
  *value = found->value;
  return CLRS_OK;
}

void model_values_read(model_values *values, const char *name) {
  model_name *found = model_values_name(values, name);
  if (found != NULL && --found->readers == 0)
    drop(values, found);
}

void model_values_drop_unread(model_values *values, const char *name) {
  model_name *found = model_values_name(values, name);
  if (found != NULL && found->readers == 0)
    drop(values, found);
}
