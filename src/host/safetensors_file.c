/* SPDX-License-Identifier: Apache-2.0 */
#include "fail.h" /* also without jansson: a source declares something */

#ifdef CLRS_WITH_JANSSON

#include "safetensors_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descriptor.h"
#include "text.h"
#include "zip_read.h"

/* ---- types ---- */

typedef struct type_name {
  const char *name;
  clrs_dtype dtype;
} type_name;

static const type_name types[] = {
    {"BOOL", CLRS_BOOL}, {"U8", CLRS_U8},          {"I8", CLRS_I8},
    {"U16", CLRS_U16},   {"I16", CLRS_I16},        {"F16", CLRS_F16},
    {"BF16", CLRS_BF16}, {"U32", CLRS_U32},        {"I32", CLRS_I32},
    {"F32", CLRS_F32},   {"U64", CLRS_U64},        {"I64", CLRS_I64},
    {"F64", CLRS_F64},   {"F8_E5M2", CLRS_F8E5M2}, {"F8_E4M3", CLRS_F8E4M3FN},
    {"C64", CLRS_C64},   {"F8_E8M0", CLRS_F8E8M0},
};

enum { TYPES = sizeof types / sizeof types[0] };

const char *cli_tensors_type_name(clrs_dtype dtype) {
  for (size_t i = 0; i < TYPES; i++) {
    if (types[i].dtype == dtype) {
      return types[i].name;
    }
  }
  return NULL;
}

bool cli_tensors_find_type(const char *name, clrs_dtype *dtype) {
  for (size_t i = 0; i < TYPES; i++) {
    if (strcmp(name, types[i].name) == 0) {
      *dtype = types[i].dtype;
      return true;
    }
  }
  return false;
}

/* ---- the header ---- */

clrs_status cli_tensors_fail(const cli_tensors *of, const char *rule, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", of->name, rule);
}

static clrs_status read_at(const cli_tensors *of, uint64_t at, void *bytes, size_t size,
                           clrs_error *error) {
  for (size_t done = 0; done < size;) {
    const uint64_t from = at + done;
    const ssize_t got = cli_read_some(of->fd, &from, (char *)bytes + done, size - done);
    if (got <= 0) {
      return got < 0 ? cli_fail_file(error, of->name, errno)
                     : cli_tensors_fail(of, "truncated: the file ends within its header", error);
    }
    done += (size_t)got;
  }
  return CLRS_OK;
}

static clrs_status parse(cli_tensors *of, const char *text, size_t size, clrs_error *error) {
  json_error_t why;
  of->header = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
  if (of->header == NULL) {
    return why.text[0] == '\0' || json_error_code(&why) == json_error_out_of_memory
               ? clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory")
               : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: malformed JSON header: %s", of->name,
                            clrs__show(why.text).text);
  }
  return json_is_object(of->header) ? CLRS_OK
                                    : cli_tensors_fail(of, "its JSON header is no object", error);
}

static clrs_status read_header(cli_tensors *of, clrs_error *error) {
  unsigned char length[CLI_TENSORS_LENGTH];
  cli_file_info info;
  if (cli_file_look_opened(of->fd, &info) != 0 || !info.is_regular) {
    return cli_tensors_fail(of, "not a regular file", error);
  }
  CLRS_TRY(read_at(of, 0, length, sizeof length, error));
  const uint64_t size = cli_zip_number(length, sizeof length);
  if (size > CLI_TENSORS_MOST_HEADER || size > info.size - CLI_TENSORS_LENGTH) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s: not a file of safetensors: its header claims %" PRIu64 " bytes",
                      of->name, size);
  }
  of->data_offset = CLI_TENSORS_LENGTH + size;
  of->data_bytes = info.size - of->data_offset;
  char *text = malloc((size_t)size + 1);
  CLRS_TRY_MEMORY(text, error, "out of memory");
  clrs_status status = read_at(of, CLI_TENSORS_LENGTH, text, (size_t)size, error);
  if (status == CLRS_OK) {
    status = parse(of, text, (size_t)size, error);
  }
  free(text);
  return status;
}

void cli_tensors_close(cli_tensors *of) {
  json_decref(of->header);
  if (of->fd >= 0) {
    close(of->fd);
  }
}

clrs_status cli_tensors_open(const char *path, const char *name, cli_tensors *of,
                             clrs_error *error) {
  json_set_alloc_funcs(malloc, free);
  *of = (cli_tensors){.fd = cli_file_open(path, true), .name = name};
  if (of->fd < 0) {
    return cli_fail_file(error, name, errno);
  }
  const clrs_status status = read_header(of, error);
  if (status != CLRS_OK) {
    cli_tensors_close(of);
  }
  return status;
}

/* ---- places ---- */

bool cli_tensors_has(const char *key) {
  return strcmp(key, "__metadata__") != 0;
}

bool cli_tensors_read_number(const json_t *array, size_t index, int64_t *value) {
  const json_t *item = json_array_get(array, index);
  *value = json_is_integer(item) ? json_integer_value(item) : -1;
  return *value >= 0;
}

clrs_status cli_tensors_read_place(const cli_tensors *of, const json_t *offsets, int64_t *begin,
                                   int64_t *end, clrs_error *error) {
  return json_array_size(offsets) == 2 && cli_tensors_read_number(offsets, 0, begin) &&
                 cli_tensors_read_number(offsets, 1, end) && *begin <= *end &&
                 (uint64_t)*end <= of->data_bytes
             ? CLRS_OK
             : cli_tensors_fail(of, "damaged: the data of a tensor lies outside of the file",
                                error);
}

#endif
