/*
 * An open file of safetensors: 8 bytes of a length, a JSON object of that length, and the data.
 * Only for sources that are built with jansson.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <jansson.h>

#include <clreshape/plan.h>

enum { CLI_TENSORS_LENGTH = 8, CLI_TENSORS_MOST_HEADER = 100000000 /* the format's own limit */ };

typedef struct cli_tensors {
  int fd;
  const char *name;                 /* for messages */
  json_t *header;                   /* an object, or NULL for no file */
  uint64_t data_offset, data_bytes; /* in the file */
} cli_tensors;

/* Opens the file and parses the header. On failure nothing stays open. Messages begin with `name`,
 * which must live as long as the file. */
clrs_status cli_tensors_open(const char *path, const char *name, cli_tensors *of,
                             clrs_error *error);
void cli_tensors_close(cli_tensors *of);

/* Fails with the name and the rule. */
clrs_status cli_tensors_fail(const cli_tensors *of, const char *rule, clrs_error *error);

/* Is the member of the object a tensor? The other member is the metadata. */
bool cli_tensors_has(const char *key);

/* Reads a number >= 0. */
bool cli_tensors_read_number(const json_t *array, size_t index, int64_t *value);

/* Reads data_offsets, which must lie in the file. */
clrs_status cli_tensors_read_place(const cli_tensors *of, const json_t *offsets, int64_t *begin,
                                   int64_t *end, clrs_error *error);

/* Returns the format's name for a type, or NULL; finds the type of a name. */
const char *cli_tensors_type_name(clrs_dtype dtype);
bool cli_tensors_find_type(const char *name, clrs_dtype *dtype);
