/*
 * A sorted array of names. A hash table would be slow for some choices of names, a sorted array is
 * not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model_values.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"
#include "text.h"

/* Charges the names twice, because sorting may copy all names. */
clrs_status model_values_init(size_t capacity, onnx_arena *arena, model_values *values,
                              clrs_error *error) {
  *values = (model_values){.capacity = capacity, .arena = arena};
  CLRS_TRY(onnx_arena_take(arena, capacity, sizeof *values->names, &values->names, error));
  onnx_arena_keep(arena, values->names);
  return onnx_arena_charge(arena, values->names, capacity * sizeof *values->names, error);
}

static void release_tensor(void *block) {
  clrs_tensor_release(((model_value *)block)->tensor);
}

clrs_status model_value_new(onnx_arena *arena, model_value **value, clrs_error *error) {
  CLRS_TRY(onnx_arena_take(arena, 1, sizeof **value, value, error));
  onnx_arena_at_end(*value, release_tensor);
  return CLRS_OK;
}

static void drop(model_values *values, model_name *name) {
  if (name->value == NULL) {
    return;
  }
  onnx_arena_free(values->arena, name->value->dense.owned);
  onnx_arena_free(values->arena, name->value);
  name->value = NULL;
}

void model_values_free(model_values *values) {
  for (size_t i = 0; i < values->count; i++) {
    drop(values, &values->names[i]);
  }
  if (values->arena != NULL) {
    onnx_arena_free(values->arena, values->names);
  }
  *values = (model_values){0};
}

/* ---- names ---- */

/* Returns the first eight characters as a number with the order of the texts. Most names differ
 * there, and the number lies next to the other fields. */
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
  if (left->prefix != right->prefix) {
    return left->prefix < right->prefix ? -1 : 1;
  }
  return strcmp(left->text, right->text);
}

static int compare(const void *a, const void *b) {
  const model_name *left = a, *right = b;
  const int order = compare_texts(a, b);
  return order != 0 ? order : (left->node > right->node) - (left->node < right->node);
}

void model_values_declare(model_values *values, const char *name, uint32_t node) {
  if (name != NULL && name[0] != '\0' && values->count < values->capacity) {
    values->names[values->count++] =
        (model_name){.text = name, .prefix = prefix_of(name), .node = node};
  }
}

/* Sorts the names. If names are equal, the name with the earliest node is kept. */
void model_values_sort(model_values *values) {
  size_t kept = 0;
  qsort(values->names, values->count, sizeof *values->names, compare);
  for (size_t i = 0; i < values->count; i++) {
    if (kept == 0 || compare_texts(&values->names[kept - 1], &values->names[i]) != 0) {
      values->names[kept++] = values->names[i];
    }
  }
  values->count = kept;
}

model_name *model_values_name(const model_values *values, const char *name) {
  if (name == NULL) {
    return NULL;
  }
  const model_name sought = {.text = name, .prefix = prefix_of(name)};
  return bsearch(&sought, values->names, values->count, sizeof *values->names, compare_texts);
}

/* ---- values ---- */

void model_values_expect(model_values *values, const char *name) {
  model_name *found = model_values_name(values, name);
  if (found != NULL) {
    found->readers++;
  }
}

model_value *model_values_find(const model_values *values, const char *name) {
  const model_name *found = model_values_name(values, name);
  return found == NULL ? NULL : found->value;
}

clrs_status model_values_add(model_values *values, const char *name, model_value **value,
                             clrs_error *error) {
  if (name == NULL || name[0] == '\0') {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "a value without a name is defined");
  }
  model_name *found = model_values_name(values, name);
  if (found == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "value \"%s\" is not declared",
                      clrs__show(name).text);
  }
  if (found->given) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "value \"%s\" is defined twice; each may be defined once",
                      clrs__show(name).text);
  }
  CLRS_TRY(model_value_new(values->arena, value, error));
  onnx_arena_keep(values->arena, *value);
  (*value)->name = found->text;
  found->value = *value;
  found->given = true;
  return CLRS_OK;
}

void model_values_read(model_values *values, const char *name) {
  model_name *found = model_values_name(values, name);
  if (found != NULL && --found->readers == 0) {
    drop(values, found);
  }
}

void model_values_drop_unread(model_values *values, const char *name) {
  model_name *found = model_values_name(values, name);
  if (found != NULL && found->readers == 0) {
    drop(values, found);
  }
}
