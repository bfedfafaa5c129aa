/*
 * What was tuned, in two tables: one for CPUs, one for GPUs. A size that a kernel knows too stands
 * in kernels/shared.h.
 *
 * A merit is bytes per time, per mille of a plain copy of as many bytes. A size is in bytes if its
 * name says so, else in what its name counts; a size of units under a byte counts as many of them
 * as a byte has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_TUNING_H
#define CLRS_CLASS_TUNING_H

/* ---- CPUs ----
 * Measured on PoCL with two cores. Merits are geometric means over the bench's cases that a class
 * takes. Where a class does badly, it has the lower merit of the two: then there is a better one,
 * or they are as bad. */
enum {
  CLRS__CPU_ROWS_MERIT = 1000,
  CLRS__CPU_TURNED_WIDER_MERIT = 820, /* cpu_short: longer squares than a narrow tile has */
  CLRS__CPU_TILE_OF_LINES_MERIT = 810,
  CLRS__CPU_ANY_MERIT = 800,
  CLRS__CPU_BLOCKS_MERIT = 795, /* cpu_short: small blocks that lie together on both sides */
  CLRS__CPU_TILE_MERIT = 790,
  CLRS__CPU_SHORT_MERIT = 700,
  CLRS__CPU_BLOCKS_APART_MERIT = 410, /* cpu_short: each of less than a long run */
  CLRS__CPU_SHORT_RUNS_MERIT = 400,   /* rows, tiles, any strides: a loop for each short run */
  CLRS__CPU_SUBBYTE_MERIT = 600,
  CLRS__COMPOSED_MERIT = 400,
  CLRS__SUBBYTE_MERIT = 100, /* slot by slot; 580 where bytes are shifted as they are */

  /* What a work-item takes at least, if there is as much, and what a chunk may hold. The first
   * level of a cache has 32 KiB, and the second 256 KiB or more. */
  CLRS__ITEM_BYTES = 131072,
  CLRS__CHUNK_BYTES = 32768,
  /* Of a small move an item takes less, so that there are several for each core: 102 random cases
   * of up to 2 MB were 1.075 times as fast with 8 items of 8 KiB and more, those that had been one
   * item 1.2 to 1.7 times. */
  CLRS__FEWEST_ITEMS = 8,
  CLRS__LEAST_ITEM_BYTES = 8192,
  CLRS__PAGE_BYTES = 4096,       /* what hardware reads ahead within */
  CLRS__WIDEST_TURNED_BYTES = 8, /* of a unit: a line has few that are wider */
  CLRS__SQUARE_SIDE = 16,        /* units: an edge of fewer costs as much as a square */
  CLRS__EQUAL_PART_TRIALS = 8,   /* numbers of parts that are looked at, for parts of one size */

  /* Chunks of every class: finding a smaller one costs as much as moving it. A tile with a shorter
   * side does better by any strides. */
  CLRS__CHUNK_FEWEST_UNITS = 16,
  CLRS__TILE_SHORTEST_SIDE = 4,

  /* cpu_rows: rows that are not made of lines are short up to here; as cpu_short's runs, those of
   * 160 bytes went from 0.62 to 0.79 when they became rows. Rows that are fetched ahead have
   * chunks of their own: with 64 rows of one place after the other, heads of 64 bytes to 1 KiB
   * went from 0.50 to 0.82 (17 cases from 10 MB on). */
  CLRS__ROWS_SHORT_BYTES = 160,
  CLRS__ROWS_CHUNK_BYTES = 2 * CLRS__CHUNK_BYTES,
  CLRS__ROWS_FETCHED_CHUNK_BYTES = 16384,
  CLRS__ROWS_MOST_FETCHED = 64,
  CLRS__NAMED_ROW_BYTES = 32768,      /* of a row that an index names in one chunk */
  CLRS__ROWS_LEAST_NEAR_BYTES = 1024, /* of rows of one place that make these worth reading first */

  /* cpu_tile: a tile is one or two lines wide and long enough for the reads to stream: transposes
   * reach 1.0 of the copy with 1024 rows at a time. */
  CLRS__TILE_COLUMN_BYTES = 128,
  CLRS__TILE_NARROW_COLUMN_BYTES = 64, /* of units under 4 bytes */
  CLRS__TILE_ROWS = 1024,
  CLRS__TILE_ROW_BYTES = 4096,
  CLRS__TILE_BYTES = 16384,
  CLRS__TILE_SHORT_ROW_BYTES = 1024, /* shorter ones: the next axis before the next columns */
  CLRS__TILE_SHORT_SIDE_BYTES = 16,  /* of a row: less than a lane */
  CLRS__TILE_SHORTEST_GOOD_SIDE = 8,
  /* Dense narrow matrices, staged as they lie: 5 by 292 bytes took half the time, 7 by 20 three
   * times as long. 15 random cases from 448 units on went from 0.25 to 0.49. */
  CLRS__TILE_WIDEST_WHOLE_BYTES = 2, /* of a unit */
  CLRS__TILE_LEAST_WHOLE_UNITS = 448,
  /* What is staged: so much of a row, and of a run of the source. Images of any extents went from
   * 0.50 to 0.56 (13 cases). */
  CLRS__TILE_STAGED_ROW_BYTES = 1024,
  CLRS__TILE_STAGED_ROW_UNITS = 256,
  CLRS__TILE_STAGED_RUN_LINES = 17,
  CLRS__TILE_STAGED_ITEMS = 3, /* work-items' bytes in a chunk, at most */

  /* cpu_any: shorter runs are better off with the table of cpu_short; where the kernel has a loop
   * for them, longer ones are up to 4 times as fast. */
  CLRS__ANY_SHORT_RUN_BYTES = 512,
  CLRS__ANY_SHORT_WIDE_RUN_BYTES = 128, /* of wide units */
  CLRS__ANY_WIDE_UNIT_BYTES = 4,
  /* Of all planes that are put together, or taken apart. 2 planes of 36 bytes, put together, were
   * 1.8 times as fast by the table, with shuffles, as by a loop, 4 of 50 bytes 0.7 times; taken
   * apart, 2.4 times, of 60 units of 16 bits 1.2 times, and 4 planes of 40 such units 0.7 times. */
  CLRS__ANY_FEWEST_UNZIPPED_UNITS = 96,
  CLRS__ANY_LEAST_UNZIPPED_BYTES = 256,
  CLRS__ANY_LEAST_ZIPPED_BYTES = 192,
  CLRS__ANY_FEWEST_ZIPPED_ROWS = 16,
  /* What a broadcast repeats is staged once for so many rows. Tiles of long columns that do not
   * step are slower than the value they have, written so often. 9 such cases went from 0.38 to
   * 0.80 (from 0.21 to 0.84 where units had been gathered one by one, from 0.67 to 1.1 as tiles).
   */
  CLRS__ANY_FEWEST_REPEATS = 4,
  CLRS__ANY_MOST_REPEATS = 64,
  CLRS__ANY_REPEATED_BYTES = 8128,
  CLRS__TILE_MOST_REPEATS = 512,

  /* cpu_short: the least of a run that is worth a table; the sides of a chunk that is turned; how
   * many divisors are tried. Half of a small second-level cache holds WAYS lines that lie
   * WAY_BYTES apart. Products of short axes went from 0.20 to 0.32 (24 cases). Where a turned chunk
   * has a side under LEAST_SIDE_BYTES, rows that use up the source's lines are gathered: with those
   * in place of single runs, 40 random cases went from 0.59 to 0.62, and 20 moves of many short
   * axes in any order from 0.36 to 0.41, those of 16 bits from 0.15 to 0.33 (2 of 5). Small blocks
   * that lie together on both sides, such as many 5 by 11 matrices, are gathered many at a time:
   * of 44 such moves, tiles or turned chunks of one block each had 0.35 and these 0.40, single ones
   * up to 4.5 times as fast. Larger ones are better turned. Blocks with gaps behind them, each of
   * less than a run, went from 0.07 to 0.23 (29 moves of 3 to 160 units, 8 to 32 bits), where tiles
   * and any strides had taken them. Tiles of whole lines, of units of 4 bytes and more, were 1.16
   * times as fast as products of axes (18 random cases of 8 to 220 MB; 9 kept aside: 1.2; narrower
   * ones: 0.94). */
  CLRS__SHORT_LEAST_BYTES = 256,
  CLRS__SHORT_LEAST_TILED_UNIT_BYTES = 4,
  CLRS__SHORT_TURNED_COLUMN_BYTES = 1024,
  CLRS__SHORT_TURNED_ROW_BYTES = 2048,
  CLRS__SHORT_TURNED_LEAST_SIDE_BYTES = 32,
  CLRS__SHORT_LEAST_ROW_BYTES = 256,
  CLRS__SHORT_WIDER_TILE_LINES = 3,
  CLRS__SHORT_MOST_TRIES = 64,
  CLRS__SHORT_MOST_SPREAD = 2, /* times as many units between the lowest and the highest */
  CLRS__SHORT_MOST_BLOCK_UNITS = 1024,
  CLRS__SHORT_MOST_BLOCK_BYTES = 2048,
  CLRS__SHORT_MOST_WIDE_BLOCK_BYTES = 512, /* of units of 8 bytes and more */
  CLRS__SHORT_WAY_BYTES = 65536,
  CLRS__SHORT_WAYS = 8,

  /* cpu_subbyte: rows of 289 nibbles out of pitched ones went from 0.2 to 0.5, columns of [N, 8]
   * nibbles from 0.05 to 0.25. 38 random cases: 0.26, and 0.39 since. */
  CLRS__BOX_ITEM_BYTES = 2 * CLRS__ITEM_BYTES,
  CLRS__BOX_FEWEST_ITEMS = 8,
  CLRS__BOX_WIDEST_GAP = 4,     /* times what lies inside an axis, in an image */
  CLRS__BOX_NEAR_UNITS = 32,    /* or so many units */
  CLRS__BOX_LONGEST_RUN = 8192, /* units wanted of a run on either side, if a box has room */
  CLRS__BOX_SHORTEST_RUN = 16,
  CLRS__BOX_SHORTEST_COPIED_BYTES = 300, /* rows of 140 bytes were 3 times as fast as bytes */
  CLRS__BOX_COPIED_BYTES = 16384,

  /* composed: rows that pay for a decoding of their own, and how far apart rows may be that read
   * the same lines. */
  CLRS__COMPOSED_FEWEST_ROWS = 4,
  CLRS__COMPOSED_FEWEST_UNITS = 32, /* units of a row; 256 took up to 5 times as long */
  CLRS__COMPOSED_SHORTEST_PERIOD = 16,
  CLRS__COMPOSED_MOST_PERIODS = 32,
  /* Its tiles: what is read at once of runs of the source, and written of those of the destination,
   * which are fewer where units are narrow and turning them takes time. Less than SHORT_BYTES is
   * joined by that of other residues. */
  CLRS__LATTICE_ROW_BYTES = 512,
  CLRS__LATTICE_COLUMN_BYTES = 2048,
  CLRS__LATTICE_TURNED_COLUMN_BYTES = 1024,
  CLRS__LATTICE_NARROW_COLUMN_BYTES = 512,
  CLRS__LATTICE_SHORT_BYTES = 512,
  CLRS__LATTICE_LEAST_LINES = 8, /* of one lag */

  CLRS__SUBBYTE_ITEM_BYTES = 16384
};

/* ---- GPUs ----
 * Nobody has timed these kernels yet. The merits are an order, by the lines that a work-group
 * touches. tests/bench/GPU.md has what a model predicts with these sizes. */
enum {
  CLRS__GPU_ROWS_MERIT = 950,
  CLRS__GPU_TILE_MERIT = 850,
  CLRS__GPU_SUBBYTE_RUNS_MERIT = 800, /* that both sides have, of units under a byte */
  CLRS__GPU_SHORT_MERIT = 700,
  CLRS__GPU_ROWS_SHORT_MERIT = 500, /* runs of one side alone */
  CLRS__GPU_ANY_MERIT = 300,

  /* Work-items of a group that each work on their own; groups that share out volumes: four or more
   * for each place of the largest GPUs, so that none waits long for the last. What a group finds
   * out once, it does not again for each volume. */
  CLRS__PLAIN_GROUP_ITEMS = 64,
  CLRS__GPU_MOST_VOLUME_GROUPS = 2048,

  /* gpu_rows: what a device reads at least; what a group takes at least of a row, if there is as
   * much; blocks of a row. Per mille of a group that have to move something: to look no further,
   * and to answer at all. */
  CLRS__GPU_LONG_RUN_BYTES = 32,
  CLRS__GPU_SHORTEST_ROW_BYTES = 128,
  CLRS__GPU_FEWEST_BLOCKS = 3,
  CLRS__GPU_ROWS_BUSY = 875,
  CLRS__GPU_ROWS_BUSY_ENOUGH = 500,
  /* gpu_tile: few, as any strides would read the source one unit per line. */
  CLRS__GPU_TILE_BUSY_ENOUGH = 375,

  /* gpu_short: what is wanted of a run on either side; of bytes, and of units under a byte, two
   * such runs fill a volume. One unit of a volume for each item of a group. Volumes become larger
   * where at least so many are left. */
  CLRS__GPU_VOLUME_RUN_BITS = 1024,
  CLRS__GPU_VOLUME_BYTE_RUN = 64,
  CLRS__GPU_VOLUME_PACKED_RUN = 128,
  CLRS__GPU_VOLUME_LEAST_UNITS = 256,
  CLRS__GPU_FEWEST_VOLUMES = 128,
  CLRS__GPU_VOLUME_MOST_TRIES = 1024 /* divisors of an extent that are looked at */
};

#endif
