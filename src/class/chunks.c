/* SPDX-License-Identifier: Apache-2.0 */
#include "chunks.h"

#include "checked.h"
#include "tuning.h"

enum { MOST_PLANES = 4 }; /* planes in the loops of cpu_any.cl */

void clrs__complete_axes(clrs__nest *nest) {
  while (nest->axis_count < 2) {
    clrs__insert_axis(nest, 0);
  }
}

/* The axis, except the last, with the smallest step in the source. Neighbours along this axis share
 * lines. */
static uint32_t nearest_source_axis(const clrs__nest *nest) {
  uint32_t nearest = nest->axis_count - 2;
  for (uint32_t i = nest->axis_count - 1; i > 0;) {
    i--;
    const uint64_t stride = clrs__magnitude(nest->axes[i].source_stride);
    if (stride > 0 && stride < clrs__magnitude(nest->axes[nearest].source_stride)) {
      nearest = i;
    }
  }
  return nearest;
}

void clrs__choose_row_axis(clrs__nest *nest) {
  const uint32_t nearest = nearest_source_axis(nest);
  const uint64_t column_step = clrs__magnitude(clrs__chunk_axis(nest, 1)->source_stride);
  if (clrs__magnitude(nest->axes[nearest].source_stride) < column_step) {
    clrs__move_axis(nest, nearest, nest->axis_count - 2);
  }
}

void clrs__avoid_tiny_chunks(clrs__nest *nest) {
  const uint32_t row = nest->axis_count - 2;
  uint32_t longest = row;
  if (nest->axes[row].extent >= CLRS__CHUNK_FEWEST_UNITS / nest->axes[row + 1].extent) {
    return;
  }
  for (uint32_t i = 0; i < row; i++) {
    longest = nest->axes[i].extent > nest->axes[longest].extent ? i : longest;
  }
  clrs__move_axis(nest, longest, row);
}

bool clrs__is_run(const clrs__nest *nest) {
  const clrs__nest_axis *column = clrs__chunk_axis(nest, 1);
  return column->extent == 1 || (column->source_stride == 1 && column->destination_stride == 1);
}

bool clrs__is_transposed(const clrs__nest *nest) {
  return clrs__magnitude(clrs__chunk_axis(nest, 0)->source_stride) == 1 &&
         clrs__chunk_axis(nest, 1)->destination_stride == 1;
}

bool clrs__leaves_gaps(const clrs__nest *nest, int64_t units) {
  bool has_gaps = true;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    has_gaps = has_gaps && nest->axes[i].destination_stride != units;
  }
  return has_gaps;
}

bool clrs__writes_lines(const clrs__nest *nest, int64_t line_units) {
  bool aligned =
      nest->destination_offset % line_units == 0 && clrs__chunk_axis(nest, 0)->source_stride == 1;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    aligned = aligned && nest->axes[i].destination_stride % line_units == 0;
  }
  return aligned;
}

bool clrs__zips_planes(const clrs__nest *nest) {
  const clrs__nest_axis *planes = clrs__chunk_axis(nest, 1);
  const int64_t pixel = clrs__chunk_axis(nest, 0)->destination_stride;
  return planes->destination_stride == 1 && planes->extent <= MOST_PLANES &&
         (pixel == planes->extent ||
          (pixel > planes->extent && clrs__leaves_gaps(nest, planes->extent)));
}

bool clrs__unzips_planes(const clrs__nest *nest) {
  const int64_t planes = clrs__chunk_axis(nest, 0)->extent;
  const int64_t step = clrs__chunk_axis(nest, 1)->source_stride;
  return step <= MOST_PLANES && (step == planes || (planes == 3 && step == 4));
}

/* Very narrow tiles are faster by any strides, above all if they zip planes. Long columns of one
 * value are faster by any strides as well. */
static bool is_good_tile(const clrs__nest *nest) {
  const clrs__nest_axis *column = clrs__chunk_axis(nest, 1);
  return clrs__is_transposed(nest) &&
         (column->source_stride != 0 || column->extent < CLRS__TILE_MOST_REPEATS) &&
         clrs__chunk_axis(nest, 0)->extent >= CLRS__TILE_SHORTEST_SIDE &&
         clrs__chunk_axis(nest, 1)->extent >= CLRS__TILE_SHORTEST_SIDE &&
         !clrs__zips_planes(nest) && !clrs__unzips_planes(nest);
}

clrs__geometry clrs__arrange(clrs__nest *nest) {
  clrs__complete_axes(nest);
  if (clrs__is_run(nest)) {
    clrs__avoid_tiny_chunks(nest);
    return CLRS__RUN;
  }
  clrs__choose_row_axis(nest);
  clrs__avoid_tiny_chunks(nest);
  return is_good_tile(nest) ? CLRS__TRANSPOSED : CLRS__ANY_STRIDES;
}

int64_t clrs__chunk_count(const clrs__cut *cut) {
  int64_t count = clrs__nest_repeats(&cut->nest, cut->nest.axis_count - 2);
  for (uint32_t which = 0; which < 2; which++) {
    count = clrs__exact_multiply(count, clrs__chunk_parts(cut, which));
  }
  return count;
}

int64_t clrs__item_bytes(const clrs__nest *nest, uint32_t unit_bits) {
  const int64_t units = clrs__nest_count(nest) / CLRS__FEWEST_ITEMS;
  return units >= CLRS__ITEM_BYTES
             ? CLRS__ITEM_BYTES
             : clrs__clamp(clrs__exact_multiply(units, clrs__unit_bytes(unit_bits)),
                           CLRS__LEAST_ITEM_BYTES, CLRS__ITEM_BYTES);
}

void clrs__share_chunks(clrs__cut *cut) {
  const int64_t *extents = cut->as.chunks.extents;
  const int64_t chunk_bytes = clrs__exact_multiply(clrs__exact_multiply(extents[0], extents[1]),
                                                   clrs__unit_bytes(cut->unit_bits));
  cut->kind = CLRS__CUT_CHUNKS;
  cut->work = clrs__chunk_count(cut);
  cut->share =
      clrs__clamp(clrs__item_bytes(&cut->nest, cut->unit_bits) / chunk_bytes, 1, cut->work);
}
