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
#include "text.h"

/* The state after one operation of the chain. */
typedef struct cli_step {
  clrs_shape shape;
  clrs_dtype dtype;
  bool is_view; /* one strided layout over that shape exists, and nothing is computed */
} cli_step;

/* What all parts of an assembly take together. */
typedef struct cli_total {
  uint64_t count, launches;
  uint64_t bytes_read, bytes_written; /* those of a border that the host fills are written */
} cli_total;

/* The request on a given input, decided without a device. */
typedef struct cli_work {
  clrs_layout layout; /* of the input's elements */
  uint32_t units;     /* of an element: what is moved, if it is not 1 */
  clrs__shown type;   /* of the input, in NumPy's words */
  clrs_mapped mapped; /* what the operations make of the input, in units */
  clrs_view view;     /* of the result's elements, if it computes nothing */
  cli_assembled made; /* of it; until it is measured the shape of the view */
  clrs_mapped seen;   /* what is moved: of `mapped` all or a box of a pad, and what follows that */
  cli_part part;      /* where to, once it is measured */
  bool computes;
  clrs_plan plan;  /* of an assembly: that of its first part */
  cli_total parts; /* of an assembly, once they are counted */
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

/* Takes a file of the assembly, of which the header was read: the next part. *request is set to
 * that of the part, which has no operations in front of the assembly. */
clrs_status cli_work_take_file(cli_request *request, const char *path, const cli_npy_header *header,
                               cli_work *work, clrs_error *error);

/* Takes slab number `slab` of the border that a pad leaves in mode constant: one element, which is
 * seen everywhere. */
clrs_status cli_work_take_slab(const cli_request *request, uint32_t slab, cli_work *work,
                               clrs_error *error);

/* The plan of what is taken. `to` is the view that it goes to; NULL: an alias or a new buffer. */
clrs_status cli_work_plan(const cli_request *request, const clrs_view *to, cli_work *work,
                          clrs_error *error);

/* The facts of the plan, as text for people and as one JSON object. */
clrs_status cli_work_print(FILE *file, const cli_request *request, const cli_work *work,
                           clrs_error *error);
clrs_status cli_work_print_json(FILE *file, const cli_request *request, const cli_work *work,
                                clrs_error *error);
