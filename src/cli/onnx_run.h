/*
 * Runs a model on files and writes the outputs, for the onnx command.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include "host.h"
#include "inputs.h"

typedef struct onnx_request {
  const char *model;
  size_t input_count;
  char *const *inputs;
  const char *folder; /* must exist; receives output_0.pb, output_1.pb, ... */
  bool writes_npy;    /* receives output_0.npy, ... instead */
  uint64_t external;  /* most bytes of external data, in files of the model's folder */
  cli_inputs *files;  /* list of the command's files; files that are read here are added */
  FILE *explain;      /* one line for each move, then "launches: N"; may be NULL */
} onnx_request;

/* Runs the model. Output files appear or change only if all are complete. */
clrs_status onnx_run(cli_host *host, const onnx_request *request, clrs_error *error);
