/*
 * What `run` and `explain` are asked to do: their common arguments, and the work as a plan.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_REQUEST_H
#define CLRESHAPE_CLI_REQUEST_H

#include <stdio.h>

#include "npy.h"

typedef struct cli_request {
  const char *command; /* "run" or "explain" */
  const char *input;
  const char *output; /* NULL if explain got none */
  const char *device; /* NULL for the default one */
  clrs_rules rules;
  clrs_copy_policy policy;
  clrs_class required_class;
  bool explain, json, help;
  clrs_chain chain; /* of the operations, one of each argument or more */
} cli_request;

/* Reads the command line. Anything but CLI_EXIT_DONE has been reported already. */
int cli_request_read(int argc, char **argv, cli_request *request);

clrs_status cli_dialect_parse(const char *name, clrs_dialect *dialect, clrs_error *error);

/* The state after one operation of the chain. */
typedef struct cli_step {
  clrs_shape shape;
  bool is_view; /* one strided layout over that shape exists */
} cli_step;

/* The request on a given input, decided without a device. */
typedef struct cli_work {
  clrs_layout layout; /* of the input */
  clrs_view view;     /* of the result */
  clrs_plan plan;
  cli_step steps[CLRS_MAX_OPS];
} cli_work;

clrs_status cli_work_init(const cli_request *request, const cli_npy_header *header, cli_work *work,
                          clrs_error *error);

/* The facts of the plan, as text for people and as one JSON object. */
clrs_status cli_work_print(FILE *file, const cli_request *request, const cli_work *work,
                           clrs_error *error);
clrs_status cli_work_print_json(FILE *file, const cli_request *request, const cli_work *work,
                                clrs_error *error);

#endif /* CLRESHAPE_CLI_REQUEST_H */
