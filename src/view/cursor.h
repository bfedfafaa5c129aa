/*
 * Where the elements of a view are, one after the other: for the host, which follows small tensors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

typedef struct clrs__cursor {
  const clrs_view *view;
  uint32_t first_axis; /* of the top level, among the view's axes */
  int64_t at;          /* in what the top level enumerates */
  int64_t indices[CLRS_MAX_AXES];
} clrs__cursor;

/* Stands before the first element of a view that was checked and has some. */
void clrs__cursor_start(clrs__cursor *cursor, const clrs_view *view);

/* The position of the next element in the storage. Called once for each element, no more. */
int64_t clrs__cursor_next(clrs__cursor *cursor);
