/*
 * What the onnx command does, as a function: run a model on files and write its outputs.
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
  bool writes_npy;    /* and then output_0.npy, ... */
  uint64_t external;  /* bytes at most of data that the model has in other files of its folder */
  cli_inputs *files;  /* that the command has read: those that are read here go on the list */
  FILE *explain;      /* one line for each move, then "launches: N"; may be NULL */
} onnx_request;

/* No output file appears or changes unless all are complete. */
clrs_status onnx_run(cli_host *host, const onnx_request *request, clrs_error *error);
