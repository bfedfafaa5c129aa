/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "array.h"
#include "fail.h"

typedef struct cli_input {
  uint64_t device, number;
  char *name;
} cli_input;

static clrs_status add(cli_inputs *inputs, const cli_file_info *info, const char *name,
                       clrs_error *error) {
  cli_input *grown =
      clrs__array_grow(inputs->list, inputs->count, &inputs->capacity, sizeof *inputs->list);
  char *copy = grown != NULL ? strdup(name) : NULL;
  inputs->list = grown != NULL ? grown : inputs->list;
  if (copy == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  inputs->list[inputs->count++] = (cli_input){info->device, info->number, copy};
  return CLRS_OK;
}

clrs_status cli_inputs_add(cli_inputs *inputs, const char *path, clrs_error *error) {
  cli_file_info info;
  cli_archive_name archive;
  if (cli_file_look(path, &info) == 0) {
    CLRS_TRY(add(inputs, &info, path, error));
  }
  return cli_archive_find(path, &archive) && cli_file_look(archive.path, &info) == 0
             ? add(inputs, &info, archive.path, error)
             : CLRS_OK;
}

clrs_status cli_inputs_add_opened(cli_inputs *inputs, int fd, const char *name, clrs_error *error) {
  cli_file_info info;
  return cli_file_look_opened(fd, &info) == 0 ? add(inputs, &info, name, error)
                                              : cli_fail_file(error, name, errno);
}

clrs_status cli_inputs_check(const cli_inputs *inputs, const char *path, const cli_file_info *info,
                             clrs_error *error) {
  for (size_t i = 0; i < inputs->count; i++) {
    const cli_input *input = &inputs->list[i];
    if (input->device == info->device && input->number == info->number) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: the output is the input file %s", path,
                        input->name);
    }
  }
  return CLRS_OK;
}

void cli_inputs_free(cli_inputs *inputs) {
  for (size_t i = 0; i < inputs->count; i++) {
    free(inputs->list[i].name);
  }
  free(inputs->list);
  *inputs = (cli_inputs){0};
}
