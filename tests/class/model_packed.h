/*
 * A second reading of which run of the destination a packed block takes, and of the order in which
 * core launches go through their outer axes, for tests that compare.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MODEL_PACKED_H
#define CLRS_TEST_MODEL_PACKED_H

#include <stdlib.h>

#include "nests.h"

typedef struct packed_model {
  int64_t units; /* of the run */
  clrs_nest nest;
  uint32_t outer;
} packed_model;

/* Reads count twice: what lies near in the source goes inside. Outermost the axis of the longest
 * steps; of equal ones the order stays. */
static inline void model_sort_outer(clrs_nest *nest, uint32_t count) {
  uint64_t keys[CLRS_MAX_AXES];
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t source = (uint64_t)llabs(nest->axes[i].source_stride);
    const uint64_t destination = (uint64_t)llabs(nest->axes[i].destination_stride);
    keys[i] = source < 2 * destination ? source : 2 * destination + 1;
  }
  for (uint32_t to = 0; to < count; to++) {
    uint32_t largest = to;
    for (uint32_t i = to; i < count; i++)
      largest = keys[i] > keys[largest] ? i : largest;
    const clrs_nest_axis axis = nest->axes[largest];
    const uint64_t key = keys[largest];
    for (uint32_t i = largest; i > to; i--) {
      nest->axes[i] = nest->axes[i - 1];
      keys[i] = keys[i - 1];
    }
    nest->axes[to] = axis;
    keys[to] = key;
  }
}

/* Of an axis that steps by lines or more: as many units as lines fit half of a cache of 16 ways of
 * 64 KiB, where those that lie at multiples of a power of two share places; but 256 bytes fit. */
static inline int64_t model_cached(int64_t step, int64_t units, int64_t unit_bytes) {
  int64_t power = 64;
  if (llabs(step) * unit_bytes < 64)
    return INT64_MAX;
  while (power < 65536 && step * unit_bytes % (2 * power) == 0)
    power *= 2;
  const int64_t lines = 65536 / power * 8, least = 256 / (units * unit_bytes);
  return lines > least ? lines : least;
}

/* At most 8 KiB and 2048 units: whole axes that follow each other without a gap, and of the next a
 * divisor; one that makes whole lines of 64 bytes before a larger one. No more than 64 numbers of
 * parts are tried. */
static inline packed_model model_packed(const clrs_nest *canonical, int64_t unit_bytes,
                                        uint32_t most_axes) {
  packed_model model = {1, *canonical, canonical->axis_count};
  const int64_t most = unit_bytes > 4 ? 8192 / unit_bytes : 2048;
  clrs_nest_axis *axes = model.nest.axes;
  for (; model.outer > 0; model.outer--) {
    const clrs_nest_axis axis = axes[model.outer - 1];
    if (axis.destination_stride != model.units || axis.extent * model.units > most ||
        axis.extent > model_cached(axis.source_stride, model.units, unit_bytes))
      break;
    model.units *= axis.extent;
  }
  if (model.outer == 0 || axes[model.outer - 1].destination_stride != model.units ||
      canonical->axis_count >= most_axes)
    return model;
  const uint32_t at = model.outer - 1;
  const clrs_nest_axis whole = axes[at];
  const int64_t cached = model_cached(whole.source_stride, model.units, unit_bytes);
  int64_t part = 1, tries = 0;
  for (int64_t parts = 1; parts <= whole.extent && tries < 64; parts++) {
    const int64_t larger = (whole.extent + parts - 1) / parts;
    if (larger * model.units > most || larger > cached)
      continue;
    tries++;
    if (whole.extent % parts != 0)
      continue;
    part = part == 1 ? whole.extent / parts : part;
    if (whole.extent / parts * model.units * unit_bytes % 64 == 0) {
      part = whole.extent / parts;
      break;
    }
  }
  if (part == 1)
    return model;
  for (uint32_t i = model.nest.axis_count++; i > at; i--)
    axes[i] = axes[i - 1];
  axes[at] = (clrs_nest_axis){whole.extent / part, whole.source_stride * part,
                              whole.destination_stride * part};
  axes[at + 1].extent = part;
  model.units *= part;
  return model;
}

#endif
