/*
 * A destination that is assembled from parts: fill, pad, concat and stack. The parts become
 * commands, or tasks of a work, that write disjoint parts of one destination. All commands are
 * planned and made before the first command is enqueued, so bad input leaves the destination
 * untouched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "batch_tables.h"
#include "work.h"

/* The place that the parts go to: a queue, or the task list of a work. */
typedef struct clrs__site {
  clrs_context *context;
  const clrs__tail *tail;
  clrs__task_list *tasks; /* set for a work, which has no tail, or NULL */
} clrs__site;

/* The site of a work that takes tasks. */
clrs_status clrs__site_of_work(clrs_work *work, clrs__site *site, clrs_error *error);

/* Checks that the tensor exists and belongs to the site's context. Only a work accepts a slot
 * tensor. */
clrs_status clrs__site_check(const clrs__site *site, const clrs_tensor *tensor, const char *what,
                             clrs_error *error);
/* Checks a destination of the caller's. */
clrs_status clrs__site_check_destination(const clrs__site *site, const clrs_tensor *destination,
                                         clrs_error *error);
/* Checks each source of a list. */
clrs_status clrs__site_check_all(const clrs__site *site, size_t count, clrs_tensor *const *sources,
                                 clrs_error *error);

typedef struct clrs__mosaic {
  clrs_tensor *destination;
  const clrs__site *site;
  size_t first_task;   /* number of tasks that the work had before */
  clrs_view region;    /* region that parts are added to, at first the whole destination */
  clrs_tensor *border; /* shown by parts without a source, broadcast to the region, or NULL */
  bool is_batched;     /* small parts share launches */
  clrs__commands commands;
  clrs__tables tables;
} clrs__mosaic;

/* Lets small parts share launches if there are enough parts. Fewer parts are launched alone,
 * because those kernels are more likely to have been built. */
void clrs__mosaic_share_launches(clrs__mosaic *mosaic, size_t part_count);

/* Sets the value of the parts without a source, from one element in host memory. */
void clrs__mosaic_set_value(clrs__mosaic *mosaic, const void *element);

/* Sets slices[] to the whole region. */
void clrs__mosaic_slices(const clrs__mosaic *mosaic, clrs_slice *slices);

/* Adds the part that writes `slices` of the region: the tensor's elements, or the border or the
 * value if `source` is NULL. */
clrs_status clrs__mosaic_add(clrs__mosaic *mosaic, const clrs_tensor *source,
                             const clrs_slice *slices, clrs_error *error);

/* Adds parts that write the whole region: the source at `begins`, and the border or the value
 * around the source. */
clrs_status clrs__mosaic_add_framed(clrs__mosaic *mosaic, const clrs_tensor *source,
                                    const int64_t *begins, clrs_error *error);

/* Adds parts that write the whole region: the source, padded to the region with the source's own
 * elements. */
clrs_status clrs__mosaic_add_padded(clrs__mosaic *mosaic, clrs_tensor *source, const clrs_pad *pad,
                                    clrs_error *error);

/* Adds all parts of a destination to the mosaic. `of` says which parts. */
typedef clrs_status clrs__mosaic_parts(clrs__mosaic *mosaic, const void *of, clrs_error *error);

/* Adds the parts, and enqueues the parts or leaves the parts to the work. Plans again if a kernel
 * cannot have the groups of a plan. */
clrs_status clrs__mosaic_write(const clrs__site *site, clrs_tensor *destination,
                               clrs__mosaic_parts *add, const void *of, clrs_error *error);
