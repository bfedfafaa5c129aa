/*
 * A destination put together from parts: fill, pad, concat and stack. Each becomes a list of
 * commands that write disjoint parts of one destination, or tasks of a work that do so. All
 * commands are planned and made before the first is enqueued, so that bad input leaves the
 * destination untouched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "batch_tables.h"
#include "work.h"

/* Where the parts go: to a queue, or into the list of a work. */
typedef struct clrs__site {
  clrs_context *context;
  const clrs__tail *tail;
  clrs__task_list *tasks; /* of a work, and then no tail; else NULL */
} clrs__site;

/* The site of a work that takes tasks. */
clrs_status clrs__site_of_work(clrs_work *work, clrs__site *site, clrs_error *error);

/* The tensor is there, of the site's context, and a slot in a work alone. */
clrs_status clrs__site_check(const clrs__site *site, const clrs_tensor *tensor, const char *what,
                             clrs_error *error);
/* A destination of the caller's. */
clrs_status clrs__site_check_destination(const clrs__site *site, const clrs_tensor *destination,
                                         clrs_error *error);
/* Each of a list of sources. */
clrs_status clrs__site_check_all(const clrs__site *site, size_t count, clrs_tensor *const *sources,
                                 clrs_error *error);

typedef struct clrs__mosaic {
  clrs_tensor *destination;
  const clrs__site *site;
  size_t first_task;   /* of a work: its number of tasks before */
  clrs_view region;    /* of it, whose parts are added; at first all of it */
  clrs_tensor *border; /* what parts without a source show, broadcast to the region; or NULL */
  bool is_batched;     /* small parts share launches */
  clrs__commands commands;
  clrs__tables tables;
} clrs__mosaic;

clrs__mosaic clrs__mosaic_of(const clrs__site *site, clrs_tensor *destination);

/* The value of the parts without a source, from one element in host memory. */
void clrs__mosaic_set_value(clrs__mosaic *mosaic, const void *element);

/* All of the region. */
void clrs__mosaic_slices(const clrs__mosaic *mosaic, clrs_slice *slices);

/* Adds what writes `slices` of the region: a tensor's elements, or border or value if it is NULL.
 */
clrs_status clrs__mosaic_add(clrs__mosaic *mosaic, const clrs_tensor *source,
                             const clrs_slice *slices, clrs_error *error);

/* Adds what writes the region: the source, which fits, and border or value around it. */
clrs_status clrs__mosaic_add_framed(clrs__mosaic *mosaic, const clrs_tensor *source,
                                    const int64_t *begins, clrs_error *error);

/* Adds what writes the region: the source, padded to it with its own elements. */
clrs_status clrs__mosaic_add_padded(clrs__mosaic *mosaic, clrs_tensor *source, const clrs_pad *pad,
                                    clrs_error *error);

/* Enqueues all, or leaves them to the work, if `status`, of adding them, is CLRS_OK. Releases the
 * mosaic. */
clrs_status clrs__mosaic_end(clrs__mosaic *mosaic, clrs_status status, clrs_error *error);
