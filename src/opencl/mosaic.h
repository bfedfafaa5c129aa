/*
 * A destination put together from parts: fill, pad, concat and stack. Each becomes a list of
 * commands that write disjoint parts of one destination. All are planned and made before the first
 * is enqueued, so that bad input leaves the destination untouched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "batch_tables.h"
#include "tensor.h"

typedef struct clrs__mosaic {
  const clrs_tensor *destination;
  const clrs__tail *tail;
  clrs_view region;    /* of it, whose parts are added; at first all of it */
  clrs_tensor *border; /* what parts without a source show, broadcast to the region; or NULL */
  bool is_batched;     /* small parts share launches */
  clrs__commands commands;
  clrs__tables tables;
} clrs__mosaic;

clrs__mosaic clrs__mosaic_of(clrs_context *context, const clrs_tensor *destination,
                             const clrs__tail *tail);

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

/* Enqueues all, if `status`, of adding them, is CLRS_OK; releases the mosaic. */
clrs_status clrs__mosaic_end(clrs__mosaic *mosaic, clrs_status status, clrs_error *error);
