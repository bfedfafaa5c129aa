/*
 * Packed moves, for core devices: where short axes are fastest on both sides, a block is made of
 * several of them. Columns are as many of the destination's axes as fill a run without gaps; where
 * other axes do the same in the source, these are rows, and blocks are turned like tiles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "blocks.h"

#include "checked.h"
#include "compose.h"

/* Of a block. The first four are known to kernels/cpu_short.cl. */
enum {
  BLOCK_BYTES = 8192,
  MOST_UNITS = 2048,
  MOST_TURNED_COLUMNS = 256,
  LANE_BYTES = 16,
  LEAST_BYTES = 256,
  LINE_BYTES = 64,
  ITEM_BYTES = 131072,
  TURNED_ROW_BYTES = 2048,
  MOST_TRIES = 64,
  /* Half of a small second-level cache: so many lines fit that lie WAY_BYTES apart. */
  WAY_BYTES = 65536,
  WAYS = 8
};

/* A divisor of the extent, of at most `most`: the largest that makes whole lines, or else the
 * largest. 1 if there is none nearby. */
static int64_t choose_part(int64_t extent, int64_t most, int64_t inner_bytes) {
  const int64_t fewest = clrs__divide_up(extent, most);
  int64_t largest = 1;
  for (int64_t parts = fewest; parts < fewest + MOST_TRIES && parts <= extent; parts++) {
    const int64_t part = extent / parts;
    if (extent % parts == 0 && part * inner_bytes % LINE_BYTES == 0) {
      return part;
    }
    largest = extent % parts == 0 && part > largest ? part : largest;
  }
  return largest;
}

/* How many units that lie this many units apart can be read, each with its line, so that the lines
 * are still there when the next block reads what is beside. */
static int64_t units_that_stay(int64_t step, int64_t unit_bytes) {
  const int64_t line = LINE_BYTES / unit_bytes, way = WAY_BYTES / unit_bytes;
  const int64_t apart = clrs__common_divisor(way, step);
  return step < line ? INT64_MAX : WAYS * (way / (apart > line ? apart : line));
}

/* How much of an axis a run of so many units can take. */
static int64_t room_for(clrs_nest_axis axis, int64_t units, int64_t unit_bytes) {
  const int64_t bytes = BLOCK_BYTES / unit_bytes / units, table = MOST_UNITS / units;
  const int64_t stay = units_that_stay((int64_t)clrs__magnitude(axis.source_stride), unit_bytes);
  const int64_t least = LEAST_BYTES / unit_bytes / units;
  const int64_t cached = stay > least ? stay : least, most = bytes < table ? bytes : table;
  return cached < most ? cached : most;
}

/* The canonical nest's inner axes that one run of the destination holds; how many units. */
static int64_t choose_run(clrs_launch *launch, int64_t unit_bytes) {
  clrs_nest *nest = &launch->nest;
  uint32_t first = nest->axis_count;
  int64_t units = 1;
  while (first > 0 && nest->axes[first - 1].destination_stride == units &&
         nest->axes[first - 1].extent <= room_for(nest->axes[first - 1], units, unit_bytes)) {
    first--;
    units *= nest->axes[first].extent;
  }
  const bool goes_on = first > 0 && nest->axes[first - 1].destination_stride == units;
  const int64_t room = goes_on ? room_for(nest->axes[first - 1], units, unit_bytes) : 1;
  if (room > 1 && nest->axis_count < clrs__launch_nest_axes(launch)) {
    const int64_t part = choose_part(nest->axes[first - 1].extent, room, units * unit_bytes);
    if (part > 1 && clrs__nest_split_axis(nest, first - 1, part)) {
      units *= part;
    }
  }
  launch->outer_axis_count = first;
  return units;
}

/* ---- rows and columns ---- */

typedef enum part { OUTER, ROW, COLUMN } part;

/* A nest's axes, each in one part of a block or outside of it, and what the two parts hold. */
typedef struct parts {
  clrs_nest nest;
  part of[CLRS_MAX_AXES];
  int64_t units[COLUMN + 1], most[COLUMN + 1];
} parts;

static bool split_axis(parts *p, uint32_t at, int64_t extent) {
  if (!clrs__nest_split_axis(&p->nest, at, extent)) {
    return false; /* never: there is room, and a part of an axis spans no more than the axis */
  }
  for (uint32_t i = p->nest.axis_count - 1; i > at; i--) {
    p->of[i] = p->of[i - 1];
  }
  return true;
}

/* Takes the axis, or a part of it, that goes on where the units of this kind end: in the source for
 * rows, in the destination for columns. */
static bool grow(parts *p, part which, int64_t unit_bytes, uint32_t axis_room) {
  const int64_t units = p->units[which], room = p->most[which] / units;
  for (uint32_t i = 0; i < p->nest.axis_count; i++) {
    const clrs_nest_axis axis = p->nest.axes[i];
    const int64_t step = which == ROW ? axis.source_stride : axis.destination_stride;
    if (p->of[i] != OUTER || step != units) {
      continue;
    }
    uint32_t at = i;
    int64_t extent = axis.extent;
    if (extent > room) {
      extent = choose_part(extent, room, units * unit_bytes);
      if (extent == 1 || p->nest.axis_count >= axis_room || !split_axis(p, at++, extent)) {
        return false;
      }
    }
    p->of[at] = which;
    p->units[which] *= extent;
    return true;
  }
  return false;
}

/* Rows and columns get axes by turns, the fewer first. */
static void choose_parts(parts *p, int64_t unit_bytes, uint32_t axis_room) {
  bool more[COLUMN + 1] = {false, true, true};
  while (more[ROW] || more[COLUMN]) {
    const bool fewer_rows = p->units[ROW] <= p->units[COLUMN];
    const part which = !more[COLUMN] || (more[ROW] && fewer_rows) ? ROW : COLUMN;
    more[which] = grow(p, which, unit_bytes, axis_room);
  }
}

static void append_part(const parts *p, part which, clrs_nest *nest) {
  const uint32_t first = nest->axis_count;
  for (uint32_t i = 0; i < p->nest.axis_count; i++) {
    const clrs_nest_axis axis = p->nest.axes[i];
    if (p->of[i] != which) {
      continue;
    }
    uint32_t at = nest->axis_count++;
    for (; which == ROW && at > first && nest->axes[at - 1].source_stride < axis.source_stride;
         at--) {
      nest->axes[at] = nest->axes[at - 1];
    }
    nest->axes[at] = axis;
  }
}

/* Makes a block of rows and columns, if there are enough of both. */
static bool choose_turned(clrs_launch *launch, int64_t unit_bytes) {
  parts p = {.nest = launch->nest, .units = {1, 1, 1}};
  p.most[ROW] = TURNED_ROW_BYTES / unit_bytes;
  p.most[COLUMN] = MOST_TURNED_COLUMNS;
  choose_parts(&p, unit_bytes, clrs__launch_nest_axes(launch));
  if (unit_bytes > 8 || p.units[ROW] < LANE_BYTES / unit_bytes ||
      p.units[COLUMN] < LINE_BYTES / unit_bytes) {
    return false;
  }
  launch->nest.axis_count = 0;
  append_part(&p, OUTER, &launch->nest);
  launch->outer_axis_count = launch->nest.axis_count;
  append_part(&p, ROW, &launch->nest);
  append_part(&p, COLUMN, &launch->nest);
  launch->chunk_extents[0] = p.units[ROW];
  launch->chunk_extents[1] = p.units[COLUMN];
  return true;
}

static void become_packed(clrs_launch *packed, clrs_launch *launch) {
  const int64_t block_bytes =
      packed->chunk_extents[0] * packed->chunk_extents[1] * packed->unit_bits / 8;
  const int64_t blocks = clrs__nest_repeats(&packed->nest, packed->outer_axis_count);
  const int64_t share = block_bytes < ITEM_BYTES ? ITEM_BYTES / block_bytes : 1;
  clrs__nest_sort_outer_axes(&packed->nest, packed->outer_axis_count);
  packed->kernel_class = CLRS_CLASS_CPU_SHORT;
  packed->chunks_per_item = share < blocks ? share : blocks;
  *launch = *packed;
}

bool clrs__launch_become_turned(const clrs_nest *canonical, clrs_launch *launch) {
  clrs_launch packed = *launch;
  packed.nest = *canonical;
  if (!choose_turned(&packed, launch->unit_bits / 8)) {
    return false;
  }
  become_packed(&packed, launch);
  return true;
}

bool clrs__launch_become_packed(const clrs_nest *canonical, bool required, clrs_launch *launch) {
  const int64_t unit_bytes = launch->unit_bits / 8;
  clrs_launch packed = *launch;
  packed.nest = *canonical;
  packed.chunk_extents[0] = 1;
  packed.chunk_extents[1] = choose_run(&packed, unit_bytes);
  if (packed.chunk_extents[1] * unit_bytes < LEAST_BYTES && !required) {
    return false;
  }
  become_packed(&packed, launch);
  return true;
}
