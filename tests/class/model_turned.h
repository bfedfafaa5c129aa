/*
 * A second reading of which axes make the rows and the columns of a turned block, for tests that
 * compare.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MODEL_TURNED_H
#define CLRS_TEST_MODEL_TURNED_H

#include "model_packed.h"

enum { MODEL_OUTER = -1, MODEL_ROWS, MODEL_COLUMNS };

typedef struct turned_model {
  bool turns;
  clrs_nest nest;
  uint32_t outer;
  int64_t units[2], share; /* of rows and columns; of a work-item, in blocks */
} turned_model;

/* As long as it may be, of 64 numbers of parts: one of whole lines before a longer one. */
static inline int64_t model_part(int64_t extent, int64_t most, int64_t inner_bytes) {
  int64_t longest = 1, tries = 0;
  for (int64_t part = most < extent ? most : extent, last = 0; part > 0 && tries < 64; part--) {
    const int64_t parts = extent / part + (extent % part != 0);
    if (parts == last)
      continue;
    tries += last == 0 ? 1 : parts - last;
    last = parts;
    if (tries > 64 || extent % parts != 0)
      continue;
    longest = longest == 1 ? extent / parts : longest;
    if (extent / parts * inner_bytes % 64 == 0)
      return extent / parts;
  }
  return longest;
}

/* The axis that goes on where the units of a kind end, or a part of it; false if none does. */
static inline bool model_take(turned_model *m, int *kinds, int kind, int64_t unit_bytes,
                              uint32_t most_axes) {
  const int64_t most = kind == MODEL_ROWS ? 2048 / unit_bytes : 256;
  clrs_nest_axis *axes = m->nest.axes;
  uint32_t at = 0;
  while (at < m->nest.axis_count &&
         (kinds[at] != MODEL_OUTER ||
          (kind == MODEL_ROWS ? axes[at].source_stride : axes[at].destination_stride) !=
              m->units[kind]))
    at++;
  if (at == m->nest.axis_count)
    return false;
  if (axes[at].extent * m->units[kind] > most) {
    const int64_t part =
        model_part(axes[at].extent, most / m->units[kind], m->units[kind] * unit_bytes);
    if (part == 1 || m->nest.axis_count == most_axes)
      return false;
    for (uint32_t i = m->nest.axis_count++; i > at; i--) {
      axes[i] = axes[i - 1];
      kinds[i] = kinds[i - 1];
    }
    axes[at].extent /= part;
    axes[at].source_stride *= part;
    axes[at].destination_stride *= part;
    axes[++at].extent = part;
  }
  kinds[at] = kind;
  m->units[kind] *= axes[at].extent;
  return true;
}

/* Outer axes, then rows, the longest steps of the source first, then columns. */
static inline void model_order(turned_model *m, const int *kinds) {
  clrs_nest ordered = m->nest;
  ordered.axis_count = 0;
  for (int kind = MODEL_OUTER; kind <= MODEL_COLUMNS; kind++) {
    const uint32_t first = ordered.axis_count;
    for (uint32_t i = 0; i < m->nest.axis_count; i++)
      if (kinds[i] == kind)
        ordered.axes[ordered.axis_count++] = m->nest.axes[i];
    for (uint32_t i = first; kind == MODEL_ROWS && i < ordered.axis_count; i++)
      for (uint32_t j = i + 1; j < ordered.axis_count; j++)
        if (ordered.axes[j].source_stride > ordered.axes[i].source_stride) {
          const clrs_nest_axis axis = ordered.axes[i];
          ordered.axes[i] = ordered.axes[j];
          ordered.axes[j] = axis;
        }
    m->outer = kind == MODEL_OUTER ? ordered.axis_count : m->outer;
  }
  m->nest = ordered;
  model_sort_outer(&m->nest, m->outer);
}

/* Rows follow each other in the source, at most 2 KiB of them; columns in the destination, at most
 * 256. The fewer of them are the next to get an axis, rows before columns. */
static inline turned_model model_turned(const clrs_nest *canonical, int64_t unit_bytes,
                                        uint32_t most_axes) {
  turned_model m = {.nest = *canonical, .units = {1, 1}};
  int kinds[CLRS_MAX_AXES];
  bool done[2] = {false, false};
  for (uint32_t i = 0; i < CLRS_MAX_AXES; i++)
    kinds[i] = MODEL_OUTER;
  while (!done[MODEL_ROWS] || !done[MODEL_COLUMNS]) {
    int kind = m.units[MODEL_COLUMNS] < m.units[MODEL_ROWS] ? MODEL_COLUMNS : MODEL_ROWS;
    kind = done[kind] ? 1 - kind : kind;
    done[kind] = !model_take(&m, kinds, kind, unit_bytes, most_axes);
  }
  m.turns = unit_bytes < 16 && m.units[MODEL_ROWS] * unit_bytes >= 16 &&
            m.units[MODEL_COLUMNS] * unit_bytes >= 64;
  model_order(&m, kinds);
  const int64_t bytes = m.units[MODEL_ROWS] * m.units[MODEL_COLUMNS] * unit_bytes;
  const int64_t blocks = nest_units(&m.nest, 0, m.outer);
  for (m.share = 1; m.share < blocks && (m.share + 1) * bytes <= 131072;)
    m.share++;
  return m;
}

#endif
