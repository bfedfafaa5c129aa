/*
 * Plans a request for a given input, and prints the plan.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include "npy_header.h"
#include "request.h"
#include "result_parts.h"
#include "text.h"

/* The state after one operation of the chain. */
typedef struct cli_step {
  clrs_shape shape;
  clrs_dtype dtype;
  bool is_view; /* a strided layout exists, and nothing is computed */
} cli_step;

/* Totals of all parts of an assembly. */
typedef struct cli_total {
  uint64_t count, launches;
  uint64_t bytes_read, bytes_written; /* including a border that the host fills */
} cli_total;

/* A request for a given input, planned without a device. */
typedef struct cli_work {
  clrs_layout layout; /* layout of the input's elements */
  uint32_t units;     /* units per element (units are moved if not 1) */
  clrs__shown type;   /* NumPy's type of the input */
  clrs_mapped mapped; /* the input after the operations, in units */
  clrs_view view;     /* the result's elements, if nothing is computed */
  cli_assembled made; /* the assembly's result, or the shape of the view before measuring */
  clrs_mapped seen;   /* the part to move: `mapped` or a box, after all operations */
  cli_part part;      /* the part's place, valid after measuring */
  bool computes;
  clrs_plan plan;  /* plan, or the first part's plan for an assembly */
  cli_total parts; /* totals of an assembly, valid after counting */
  cli_step steps[CLRS_MAX_OPS];
} cli_work;

clrs_status cli_work_init(const cli_request *request, const cli_npy_header *header, cli_work *work,
                          clrs_error *error);

/* Measures the request's assembly with all files, and takes the first part. */
clrs_status cli_work_assemble(const cli_request *request, const cli_npy_header *header,
                              cli_work *work, clrs_error *error);

/* Takes box number `box` of a pad. */
clrs_status cli_work_take_box(const cli_request *request, size_t box, cli_work *work,
                              clrs_error *error);

/* Takes the next part from a file of the assembly whose header was read. *request becomes the
 * request for that part, which has no operations before the assembly. */
clrs_status cli_work_take_file(cli_request *request, const char *path, const cli_npy_header *header,
                               cli_work *work, clrs_error *error);

/* Takes slab number `slab` of the border of a pad in mode constant: one element, repeated
 * everywhere. */
clrs_status cli_work_take_slab(const cli_request *request, uint32_t slab, cli_work *work,
                               clrs_error *error);

/* Plans the taken part. `to` is the destination's view. NULL allows an alias or a new buffer. */
clrs_status cli_work_plan(const cli_request *request, const clrs_view *to, cli_work *work,
                          clrs_error *error);

/* Prints the plan as text for people, or as one JSON object. */
clrs_status cli_work_print(FILE *file, const cli_request *request, const cli_work *work,
                           clrs_error *error);
clrs_status cli_work_print_json(FILE *file, const cli_request *request, const cli_work *work,
                                clrs_error *error);
