/*
 * Shared by the tests of operations on views: dense views, and the expected results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_VIEW_EXPECT_H
#define CLRS_TEST_VIEW_EXPECT_H

#include "harness/check.h"
#include "harness/tensors.h"
#include "view/cells.h"
#include "view/ops.h"
#include "view/repeats.h"
#include "view/slice.h"

static inline clrs_shape shape_of(uint32_t rank, const int64_t *dims) {
  clrs_error error;
  clrs_shape shape;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  return shape;
}

static inline clrs_view dense(uint32_t rank, const int64_t *dims) {
  clrs_error error;
  clrs_shape shape;
  clrs_view view;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, &view, &error), error);
  return view;
}

#define DENSE(...)                                                                                 \
  dense(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})

/* A walk of so many axes of 2, where no two axes merge and no step equals a digit's step. */
static inline clrs__walk uneven_walk(uint32_t axes) {
  clrs__walk walk = {.offset = 0};
  for (uint32_t i = 0; i < axes; i++)
    clrs__walk_append(&walk, (clrs_axis){2, i % 2 ? 1 : 5});
  return walk;
}

static inline clrs_view view_of_walks(uint32_t depth, const clrs__walk *walks) {
  clrs_error error;
  clrs_view view = {.dtype = CLRS_U8, .shape = {1, {1}}};
  for (view.depth = 1; view.depth <= depth; view.depth++)
    CHECK_OK(clrs__view_set_top(&view, &walks[view.depth - 1], &error), error);
  view.depth = depth;
  for (uint32_t i = 0; i < walks[depth - 1].axis_count; i++)
    view.shape.dims[0] *= walks[depth - 1].axes[i].extent;
  return view;
}

/* The shape, and where every element is. */
static inline void expect_view(const clrs_view *view, uint32_t rank, const int64_t *dims,
                               const int64_t *positions) {
  const char *why = NULL;
  oracle expected = {.shape = {.rank = rank}};
  if (rank > 0)
    memcpy(expected.shape.dims, dims, rank * sizeof dims[0]);
  expected.count = oracle_count(&expected.shape);
  int64_t room[64];
  memcpy(room, positions, (size_t)expected.count * sizeof room[0]);
  expected.positions = room;
  if (!view_matches(view, &expected, &why))
    fail_msg("%s", why);
}

#endif
