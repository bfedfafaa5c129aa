/*
 * A pad with operations behind the pad: every piece of the result becomes a part of the
 * destination.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "mosaic.h"
#include "padded.h"

/* A source, the pad, and the operations behind. */
typedef struct clrs__padded_parts {
  clrs_tensor *source;
  clrs__padded_ask ask;
} clrs__padded_parts;

/* Writes the destination, or a new tensor if `destination` is NULL. A work needs a destination. */
clrs_status clrs__padded_parts_write(const clrs__padded_parts *of, clrs_tensor *destination,
                                     clrs_tensor **result, const clrs__site *site,
                                     clrs_error *error);
