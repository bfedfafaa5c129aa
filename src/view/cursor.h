/*
 * The positions of a view's elements, one after the other: for the host, which follows small
 * tensors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

typedef struct clrs__cursor {
  const clrs_view *view;
  uint32_t first_axis; /* first of the view's axes in the top level */
  int64_t at;          /* position that the top level has reached */
  int64_t indices[CLRS_MAX_AXES];
} clrs__cursor;

/* Puts the cursor before the first element. The view was checked and is not empty. */
void clrs__cursor_start(clrs__cursor *cursor, const clrs_view *view);

/* Returns the position of the next element in the storage. May be called once for each element. */
int64_t clrs__cursor_next(clrs__cursor *cursor);
