/*
 * Axes of nests, as tests write axes down: an extent, the step of the source, the step of the
 * destination.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_AXES_H
#define CLRS_TEST_AXES_H

#include "view/compose.h"

typedef struct test_axis {
  int64_t extent, source, destination;
} test_axis;

/* A count and an array: the last two arguments of nest_of_axes. */
#define AXES(...)                                                                                  \
  (sizeof((const test_axis[]){__VA_ARGS__}) / sizeof(test_axis)), ((const test_axis[]){__VA_ARGS__})

static inline clrs__nest_axis axis_of(int64_t extent, int64_t source, int64_t destination) {
  return CLRS__NEST_AXIS(extent, source, destination);
}

static inline clrs__nest nest_of_axes(size_t count, const test_axis *axes) {
  clrs__nest nest = {.operand_count = 2, .axis_count = (uint32_t)count};
  for (size_t i = 0; i < count; i++)
    nest.axes[i] = axis_of(axes[i].extent, axes[i].source, axes[i].destination);
  return nest;
}

static inline bool is_axis(const clrs__nest_axis *axis, int64_t extent, int64_t source,
                           int64_t destination) {
  return axis->extent == extent && axis->source_stride == source &&
         axis->destination_stride == destination;
}

#endif
