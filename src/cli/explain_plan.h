/*
 * A request on a given input as a plan, and the plan in words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include "npy_header.h"
#include "request.h"
#include "result_parts.h"

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
  clrs_mapped seen;   /* what is moved: of `mapped` all or a box of a pad, and what follows that */
  cli_part part;      /* where to, once it is measured */
  bool computes;
  clrs_plan plan;
  cli_step steps[CLRS_MAX_OPS];
} cli_work;

clrs_status cli_work_init(const cli_request *request, const cli_npy_header *header, cli_work *work,
                          clrs_error *error);

/* Measures what the request's assembly makes of that, and of its files, and takes the first part.
 */
clrs_status cli_work_assemble(const cli_request *request, const cli_npy_header *header,
                              cli_work *work, clrs_error *error);

/* Takes the next part: all of what was initialised anew, as of another file of the assembly. */
clrs_status cli_work_take(const cli_request *request, cli_work *work, clrs_error *error);

/* Takes box number `box` of a pad. */
clrs_status cli_work_take_box(const cli_request *request, size_t box, cli_work *work,
                              clrs_error *error);

/* The facts of the plan, as text for people and as one JSON object. */
clrs_status cli_work_print(FILE *file, const cli_request *request, const cli_work *work,
                           clrs_error *error);
clrs_status cli_work_print_json(FILE *file, const cli_request *request, const cli_work *work,
                                clrs_error *error);
