/*
 * Reads external data of a model from files in the model's folder. A location is a path within the
 * folder: not absolute, without `..`, and without links.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/onnx.h>

#include "inputs.h"

typedef struct model_folder {
  int folder;         /* descriptor of the folder, -1 if not open */
  int file;           /* descriptor of the last file, -1 if not open */
  char *location;     /* location of the last file */
  cli_inputs *inputs; /* every opened file is added */
} model_folder;

/* Opens the folder of the model file. The caller has set made->inputs, and closes *made in any
 * case. */
clrs_status model_folder_open(const char *model, model_folder *made, clrs_error *error);
void model_folder_close(model_folder *made);

/* The two functions of a clrs_onnx_external_reader, whose user_data is the folder. The check opens
 * the file that the read uses. */
clrs_status model_folder_check(void *user_data, const clrs_onnx_external *at, clrs_error *error);
clrs_status model_folder_read(void *user_data, const clrs_onnx_external *at, uint8_t *bytes,
                              clrs_error *error);
