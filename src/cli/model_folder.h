/*
 * The files of a model's own folder, for data that the model has there. A location is a path within
 * the folder: not absolute, without `..`, and with no link on the way.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/onnx.h>

#include "inputs.h"

typedef struct model_folder {
  int folder;         /* descriptors; -1 if it is not open */
  int file;           /* the one that was read last */
  char *location;     /* of that */
  cli_inputs *inputs; /* each file that is opened goes on the list */
} model_folder;

/* The folder that the file is in. The caller has set made->inputs. *made is to be closed in any
 * case.
 */
clrs_status model_folder_open(const char *model, model_folder *made, clrs_error *error);
void model_folder_close(model_folder *made);

/* The two functions of an clrs_onnx_external_reader, whose user_data is the folder: the check opens
 * the file that is then read. */
clrs_status model_folder_check(void *user_data, const clrs_onnx_external *at, clrs_error *error);
clrs_status model_folder_read(void *user_data, const clrs_onnx_external *at, uint8_t *bytes,
                              clrs_error *error);
