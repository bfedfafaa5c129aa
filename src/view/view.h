/*
 * Views: a shape over a stack of walks, and the planner's questions about views.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "compose.h"

/* A reason against a cheaper outcome. clrs_plan_explain makes a sentence of the reason. */
typedef enum clrs__reason_kind {
  CLRS__REASON_DIM_HAS_NO_STRIDE,  /* values: dim, its extent */
  CLRS__REASON_STACKED_WALKS,      /* values: depth */
  CLRS__REASON_DESTINATION_GIVEN,  /* the caller chose the destination */
  CLRS__REASON_COPY_REQUESTED,     /* CLRS_COPY_ALWAYS */
  CLRS__REASON_AXES_DO_NOT_FACTOR, /* values: the two extents that do not divide */
  CLRS__REASON_TOO_MANY_PIECES,    /* values: the most pieces that one move is cut into */
  CLRS__REASON_FEW_BYTES,          /* values: bytes to move, launches that they would take */
  CLRS__REASON_MAPPED,             /* elements are computed when they are moved */
  CLRS__REASON_INDEXED             /* places are known on the device only */
} clrs__reason_kind;

typedef struct clrs__reason {
  clrs__reason_kind kind;
  int64_t values[2];
} clrs__reason;

/* Checks all that a caller could spoil by writing into a view: the dtype, the shape, and that the
 * levels of the stack stay within one another. */
clrs_status clrs__view_check(const clrs_view *view, clrs_error *error);

/* Checks the view as clrs__view_check does, and returns the element count. */
clrs_status clrs__view_measure(const clrs_view *view, int64_t *count, clrs_error *error);

/* The bounds of a view that was checked. */
clrs_bounds clrs__view_bounds(const clrs_view *view);

bool clrs__view_is_empty(const clrs_view *view);

bool clrs__view_equal(const clrs_view *a, const clrs_view *b);

/* Copies the used parts of a view's arrays, usually a tenth of the view. */
void clrs__view_copy(clrs_view *to, const clrs_view *from);
/* As clrs_view_dense, of a type and a shape that were checked before. */
void clrs__view_make_dense(clrs_dtype dtype, const clrs_shape *shape, clrs_view *view);

/* One level as a separate walk. `level` < depth. */
void clrs__view_level(const clrs_view *view, uint32_t level, clrs__walk *walk);

/* Replaces the top level. Fails if the view has no room for the axes. */
clrs_status clrs__view_set_top(clrs_view *view, const clrs__walk *walk, clrs_error *error);

/* Puts a dense level on top. Its positions count the present elements. */
clrs_status clrs__view_push(clrs_view *view, clrs_error *error);

/* Merges the two uppermost levels as long as that is possible. */
clrs_status clrs__view_collapse(clrs_view *view, clrs_error *error);

/* Stacks `upper` on `lower`. The positions of `upper` are the row-major numbers of the elements of
 * `lower`. Fails if there is no room for the levels or axes. */
clrs_status clrs__view_stack(const clrs_view *lower, const clrs_view *upper, clrs_view *both,
                             clrs_error *error);

/* Finds one walk for the whole stack of a view that has elements. Not all mergeable axes are
 * merged. Returns false if there is no walk. */
bool clrs__view_find_walk(const clrs_view *view, clrs__walk *walk);

/* Finds the single layout that equals the view. Otherwise returns false and the reason. */
bool clrs__view_find_layout(const clrs_view *view, clrs_layout *layout, clrs__reason *reason);

/* Returns true if a single layout describes the view. */
bool clrs__view_has_layout(const clrs_view *view);

/* A sentence for a reason. */
typedef struct clrs__sentence {
  char text[200];
} clrs__sentence;
clrs__sentence clrs__reason_sentence(const clrs__reason *reason);
