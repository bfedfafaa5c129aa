/* SPDX-License-Identifier: Apache-2.0 */
#include "safetensors.h"

#ifdef CLRS_WITH_JANSSON

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descriptor.h"
#include "fail.h"
#include "safetensors_file.h"
#include "spool.h"
#include "zip_read.h"

/* A tensor of the new file: `tensor` is an object of its own, with dtype and shape. */
typedef struct item {
  const char *name;
  json_t *tensor;
  int fd;
  const char *path;
  uint64_t at, size; /* place of the data in the file `fd`, and bytes */
  uint32_t bits;     /* width of an element, or 0 for a type that is not read */
  size_t index;
} item;

typedef struct item_list {
  size_t count;
  item *items;
} item_list;

static void free_items(item_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    json_decref(list->items[i].tensor);
  }
  free(list->items);
}

static void add_item(item_list *list, const item *added) {
  list->items[list->count] = *added;
  list->items[list->count].index = list->count;
  list->count++;
}

static json_t *new_tensor(const cli_archive_array *array) {
  json_t *shape = json_array();
  for (uint32_t i = 0; i < array->shape.rank; i++) {
    (void)json_array_append_new(shape, json_integer(array->shape.dims[i])); /* the count tells */
  }
  if (json_array_size(shape) != array->shape.rank) {
    json_decref(shape);
    return NULL;
  }
  return json_pack("{s:s,s:o}", "dtype", cli_tensors_type_name(array->dtype), "shape", shape);
}

static clrs_status add_tensors(const cli_archive_made *made, item_list *list, clrs_error *error) {
  for (size_t i = 0; i < made->count; i++) {
    const cli_archive_array *array = &made->arrays[i];
    const item added = {.name = array->name != NULL ? array->name : "tensor",
                        .tensor = new_tensor(array),
                        .fd = made->elements,
                        .path = "a temporary file",
                        .at = array->at,
                        .size = array->size,
                        .bits = clrs_dtype_bits(array->dtype)};
    CLRS_TRY_MEMORY(added.tensor, error, "out of memory");
    add_item(list, &added);
  }
  return CLRS_OK;
}

/* Is the name the name of one of the first `count` items? */
static bool has_item(const item_list *list, size_t count, const char *name) {
  size_t i = 0;
  while (i < count && strcmp(list->items[i].name, name) != 0) {
    i++;
  }
  return i < count;
}

static clrs_status keep_tensors(const cli_tensors *old, item_list *list, clrs_error *error) {
  const size_t count = list->count;
  const char *key;
  json_t *value;
  json_object_foreach(old->header, key, value) {
    const json_t *offsets = json_object_get(value, "data_offsets");
    const char *type = json_string_value(json_object_get(value, "dtype"));
    int64_t begin = 0, end = 0;
    clrs_dtype dtype = CLRS_U8;
    if (!cli_tensors_has(key) || has_item(list, count, key)) {
      continue;
    }
    CLRS_TRY(cli_tensors_read_place(old, offsets, &begin, &end, error));
    const bool is_known = type != NULL && cli_tensors_find_type(type, &dtype);
    const item kept = {.name = key,
                       .tensor = json_copy(value),
                       .fd = old->fd,
                       .path = old->name,
                       .at = old->data_offset + (uint64_t)begin,
                       .size = (uint64_t)(end - begin),
                       .bits = is_known ? clrs_dtype_bits(dtype) : 0};
    CLRS_TRY_MEMORY(kept.tensor, error, "out of memory");
    add_item(list, &kept);
  }
  return CLRS_OK;
}

/* Wide elements come first, so that each tensor begins at a multiple of its width. */
static int compare_items(const void *a, const void *b) {
  const item *first = a, *second = b;
  return first->bits != second->bits    ? (first->bits < second->bits ? 1 : -1)
         : first->index < second->index ? -1
                                        : first->index > second->index;
}

/* Puts the places of all tensors into the header. */
static bool put_items(const item_list *list, json_t *header) {
  uint64_t at = 0;
  for (size_t i = 0; i < list->count; i++) {
    const item *put = &list->items[i];
    json_t *offsets = json_pack("[I,I]", (json_int_t)at, (json_int_t)(at + put->size));
    at += put->size;
    if (json_object_set_new(put->tensor, "data_offsets", offsets) != 0 ||
        json_object_set(header, put->name, put->tensor) != 0) {
      return false;
    }
  }
  return true;
}

/* Returns the text of the header, or NULL if there is no memory. */
static char *format_header(const item_list *list, const json_t *metadata) {
  json_t *header = json_object();
  char *text = NULL;
  json_t *kept = metadata != NULL ? json_copy((json_t *)(uintptr_t)metadata) : NULL;
  if (header != NULL &&
      (metadata == NULL || json_object_set_new(header, "__metadata__", kept) == 0) &&
      put_items(list, header)) {
    text = json_dumps(header, JSON_COMPACT);
  }
  json_decref(header);
  return text;
}

static clrs_status write_header(const cli_archive_made *made, const char *text, clrs_error *error) {
  unsigned char length[CLI_TENSORS_LENGTH];
  static const char spaces[] = "       ";
  const size_t size = strlen(text),
               rest = (CLI_TENSORS_LENGTH - size % CLI_TENSORS_LENGTH) % CLI_TENSORS_LENGTH;
  if (size + rest > CLI_TENSORS_MOST_HEADER) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%s: its header would have %zu bytes", made->path,
                      size);
  }
  cli_zip_put(length, sizeof length, size + rest);
  CLRS_TRY(cli_write_all(made->file, made->path, length, sizeof length, error));
  CLRS_TRY(cli_write_all(made->file, made->path, text, size, error));
  return cli_write_all(made->file, made->path, spaces, rest, error);
}

static clrs_status copy_items(const cli_archive_made *made, const item_list *list,
                              clrs_error *error) {
  for (size_t i = 0; i < list->count; i++) {
    const item *from = &list->items[i];
    const cli_spool_copy copy = {from->fd, made->file, from->path, made->path, from->size, false};
    if (lseek(from->fd, (off_t)from->at, SEEK_SET) < 0) {
      return cli_fail_file(error, from->path, errno);
    }
    CLRS_TRY(cli_spool_run(&copy, error));
  }
  return CLRS_OK;
}

static clrs_status write_items(const cli_archive_made *made, const cli_tensors *old,
                               item_list *list, clrs_error *error) {
  CLRS_TRY(add_tensors(made, list, error));
  CLRS_TRY(keep_tensors(old, list, error));
  qsort(list->items, list->count, sizeof *list->items, compare_items);
  char *text = format_header(list, json_object_get(old->header, "__metadata__"));
  CLRS_TRY_MEMORY(text, error, "out of memory");
  clrs_status status = write_header(made, text, error);
  free(text);
  return status == CLRS_OK ? copy_items(made, list, error) : status;
}

clrs_status cli_safetensors_write(const cli_archive_made *made, clrs_error *error) {
  cli_tensors old = {.fd = -1};
  json_set_alloc_funcs(malloc, free);
  if (made->kept != NULL) {
    CLRS_TRY(cli_tensors_open(made->kept, made->kept, &old, error));
  }
  item_list list = {0, calloc(json_object_size(old.header) + made->count, sizeof *list.items)};
  const clrs_status status = list.items != NULL
                                 ? write_items(made, &old, &list, error)
                                 : clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  free_items(&list);
  cli_tensors_close(&old);
  return status;
}

clrs_status cli_safetensors_check_kept(const char *path, uint64_t *bytes, clrs_error *error) {
  cli_tensors old;
  CLRS_TRY(cli_tensors_open(path, path, &old, error));
  *bytes = old.data_offset + old.data_bytes;
  cli_tensors_close(&old);
  return CLRS_OK;
}

#endif
