/*
 * Packed moves, for core devices: where short axes are fastest on both sides, a block is made of as
 * many of the destination's axes as fill a run without gaps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checked.h"
#include "compose.h"
#include "plan.h"

/* Of a block. The first two are known to kernels/packed.cl. */
enum {
  BLOCK_BYTES = 8192,
  MOST_UNITS = 2048,
  LEAST_BYTES = 256,
  LINE_BYTES = 64,
  ITEM_BYTES = 131072,
  MOST_TRIES = 64
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

/* The canonical nest's inner axes that one run of the destination holds; how many units. */
static int64_t choose_run(clrs_launch *launch, int64_t unit_bytes) {
  clrs_nest *nest = &launch->nest;
  const int64_t most =
      BLOCK_BYTES / unit_bytes < MOST_UNITS ? BLOCK_BYTES / unit_bytes : MOST_UNITS;
  uint32_t first = nest->axis_count;
  int64_t units = 1;
  while (first > 0 && nest->axes[first - 1].destination_stride == units &&
         nest->axes[first - 1].extent <= most / units) {
    first--;
    units *= nest->axes[first].extent;
  }
  const bool goes_on = first > 0 && nest->axes[first - 1].destination_stride == units;
  if (goes_on && most / units > 1 && nest->axis_count < clrs__launch_nest_axes(launch)) {
    const int64_t part =
        choose_part(nest->axes[first - 1].extent, most / units, units * unit_bytes);
    if (part > 1 && clrs__nest_split_axis(nest, first - 1, part)) {
      units *= part;
    }
  }
  launch->outer_axis_count = first;
  return units;
}

bool clrs__launch_become_packed(const clrs_nest *canonical, bool required, clrs_launch *launch) {
  const int64_t unit_bytes = launch->unit_bits / 8;
  clrs_launch packed = *launch;
  packed.nest = *canonical;
  const int64_t units = choose_run(&packed, unit_bytes);
  if (units * unit_bytes < LEAST_BYTES && !required) {
    return false;
  }
  const int64_t blocks = clrs__nest_repeats(&packed.nest, packed.outer_axis_count);
  const int64_t share = ITEM_BYTES / (units * unit_bytes);
  clrs__nest_sort_outer_axes(&packed.nest, packed.outer_axis_count);
  packed.kernel_class = CLRS_CLASS_PACKED;
  packed.block_extents[0] = 1;
  packed.block_extents[1] = units;
  packed.blocks_per_item = share < blocks ? share : blocks;
  *launch = packed;
  return true;
}
