/* SPDX-License-Identifier: Apache-2.0 */
#include "safetensors.h"

#include "fail.h"

#ifdef CLRS_WITH_JANSSON

#include <string.h>

#include "checked.h"
#include "raw.h"
#include "safetensors_file.h"
#include "text.h"

clrs_status cli_safetensors_check(const cli_npy_type *type, const clrs_shape *shape,
                                  clrs_error *error) {
  (void)shape;
  return type->units == 1 && cli_tensors_type_name(type->dtype) != NULL
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "safetensors has no type for %s; of whole bytes, bitcast=u8 at the end "
                          "keeps the bits",
                          clrs__show(type->descr).text);
}

/* ---- one tensor ---- */

static clrs_status fail_choice(const cli_tensors *of, const char *rule, clrs_error *error) {
  size_t count = 0, shown = 0;
  const char *key;
  json_t *value;
  json_object_foreach(of->header, key, value) {
    count += cli_tensors_has(key);
  }
  clrs__describe(error, CLRS_INVALID_ARGUMENT, "%s: %s; it has %zu tensors",
                 clrs__show(of->name).text, rule, count);
  json_object_foreach(of->header, key, value) {
    if (cli_tensors_has(key) && shown < 8) {
      clrs__append(error, "%s%s", shown++ > 0 ? ", " : ": ", clrs__show(key).text);
    }
  }
  clrs__append(error, "%s", count > 8 ? ", ..." : "");
  return CLRS_INVALID_ARGUMENT;
}

/* Returns the tensor of that name, or the only tensor, or NULL. */
static const json_t *choose(const cli_tensors *of, const char *name) {
  const json_t *found = NULL;
  size_t count = 0;
  const char *key;
  json_t *value;
  if (name != NULL) {
    return cli_tensors_has(name) ? json_object_get(of->header, name) : NULL;
  }
  json_object_foreach(of->header, key, value) {
    if (cli_tensors_has(key)) {
      found = value;
      count++;
    }
  }
  return count == 1 ? found : NULL;
}

static clrs_status read_shape(const cli_tensors *of, const json_t *array, clrs_shape *shape,
                              clrs_error *error) {
  int64_t dims[CLRS_MAX_RANK];
  const size_t rank = json_array_size(array);
  if (!json_is_array(array) || rank > CLRS_MAX_RANK) {
    return cli_tensors_fail(of, "a shape is no list of at most 32 numbers", error);
  }
  for (size_t i = 0; i < rank; i++) {
    if (!cli_tensors_read_number(array, i, &dims[i])) {
      return cli_tensors_fail(of, "a dim of a shape is no number >= 0", error);
    }
  }
  return clrs_shape_init(rank, dims, shape, error) == CLRS_OK
             ? CLRS_OK
             : cli_fail_prefix(error, "%s", of->name);
}

static clrs_status read_type(const cli_tensors *of, const json_t *value, cli_npy_type *type,
                             clrs_error *error) {
  const char *name = json_string_value(value);
  clrs_dtype dtype;
  if (name == NULL) {
    return cli_tensors_fail(of, "a tensor has no dtype", error);
  }
  return cli_tensors_find_type(name, &dtype)
             ? cli_raw_type(dtype, type, error)
             : clrs__fail(error, CLRS_UNSUPPORTED, "%s: elements of type %s are not read", of->name,
                          clrs__show(name).text);
}

/* Compares the place of the data with the file and with the shape. */
static clrs_status read_place(const cli_tensors *of, const json_t *offsets, cli_npy_header *header,
                              clrs_error *error) {
  int64_t begin = 0, end = 0, count = 0, bytes = 0;
  CLRS_TRY(cli_tensors_read_place(of, offsets, &begin, &end, error));
  CLRS_TRY(clrs_shape_count(&header->shape, &count, error));
  if (!clrs__multiply(count, header->type.element_bytes, &bytes) || bytes != end - begin) {
    return cli_tensors_fail(of, "damaged: the data of a tensor has another size than its shape",
                            error);
  }
  header->data_offset = of->data_offset + (uint64_t)begin;
  header->data_bytes = (uint64_t)bytes;
  return CLRS_OK;
}

static clrs_status read_tensor(const cli_tensors *of, const json_t *tensor, cli_npy_header *header,
                               clrs_error *error) {
  memset(header, 0, sizeof *header);
  CLRS_TRY(read_type(of, json_object_get(tensor, "dtype"), &header->type, error));
  CLRS_TRY(read_shape(of, json_object_get(tensor, "shape"), &header->shape, error));
  return read_place(of, json_object_get(tensor, "data_offsets"), header, error);
}

clrs_status cli_safetensors_open(const char *name, const cli_archive_name *of, int *fd,
                                 cli_npy_header *header, clrs_error *error) {
  cli_tensors file;
  CLRS_TRY(cli_tensors_open(of->path, name, &file, error));
  const json_t *tensor = choose(&file, of->member);
  clrs_status status =
      tensor != NULL ? read_tensor(&file, tensor, header, error)
                     : fail_choice(&file,
                                   of->member != NULL ? "there is no tensor of that name"
                                                      : "name one tensor, as in A.safetensors:name",
                                   error);
  if (status == CLRS_OK) {
    *fd = file.fd;
    file.fd = -1;
  }
  cli_tensors_close(&file);
  return status;
}

clrs_status cli_safetensors_list(const char *path, cli_names *names, clrs_error *error) {
  cli_tensors file;
  const char *key;
  json_t *value;
  clrs_status status = cli_tensors_open(path, path, &file, error);
  if (status != CLRS_OK) {
    return status;
  }
  json_object_foreach(file.header, key, value) {
    if (status == CLRS_OK && cli_tensors_has(key)) {
      status = cli_names_add(names, path, key, strlen(key), error);
    }
  }
  cli_tensors_close(&file);
  return status;
}

#else

static clrs_status fail_missing(const char *name, clrs_error *error) {
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "%s: this program was built without jansson, which reads the headers of "
                    "safetensors (Debian: install libjansson-dev and build again)",
                    name);
}

clrs_status cli_safetensors_open(const char *name, const cli_archive_name *of, int *fd,
                                 cli_npy_header *header, clrs_error *error) {
  (void)of, (void)fd, (void)header;
  return fail_missing(name, error);
}

clrs_status cli_safetensors_list(const char *path, cli_names *names, clrs_error *error) {
  (void)names;
  return fail_missing(path, error);
}

clrs_status cli_safetensors_check(const cli_npy_type *type, const clrs_shape *shape,
                                  clrs_error *error) {
  (void)type, (void)shape;
  return fail_missing("the output", error);
}

clrs_status cli_safetensors_write(const cli_archive_made *made, clrs_error *error) {
  return fail_missing(made->path, error);
}

clrs_status cli_safetensors_check_kept(const char *path, uint64_t *bytes, clrs_error *error) {
  (void)bytes;
  return fail_missing(path, error);
}

#endif
