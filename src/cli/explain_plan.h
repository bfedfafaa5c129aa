/*
 * A request on a given input as a plan, and the plan in words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include "npy_header.h"
#include "request.h"

/* The state after one operation of the chain. */
typedef struct cli_step {
  clrs_shape shape;
  clrs_dtype dtype;
  bool is_view; /* one strided layout over that shape exists, and nothing is computed */
} cli_step;

/* The request on a given input, decided without a device. */
typedef struct cli_work {
  clrs_layout layout; /* of the input's elements */
  uint32_t units;     /* of an element: what is moved, if it is not 1 */
  clrs_mapped mapped; /* what the operations make of the input, in units */
  clrs_view view;     /* of the result's elements, if it computes nothing */
  cli_assembled made; /* of it; until it is measured the shape of the view */
  bool computes;
  clrs_plan plan;
  cli_step steps[CLRS_MAX_OPS];
} cli_work;

clrs_status cli_work_init(const cli_request *request, const cli_npy_header *header, cli_work *work,
                          clrs_error *error);

/* Measures what the request's assembly makes of that, and of its files. */
clrs_status cli_work_assemble(const cli_request *request, const cli_npy_header *header,
                              cli_work *work, clrs_error *error);

/* The facts of the plan, as text for people and as one JSON object. */
clrs_status cli_work_print(FILE *file, const cli_request *request, const cli_work *work,
                           clrs_error *error);
clrs_status cli_work_print_json(FILE *file, const cli_request *request, const cli_work *work,
                                clrs_error *error);
