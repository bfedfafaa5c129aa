/*
 * Tuned sizes and merits in two tables: one for CPUs, one for GPUs. Sizes that kernels use as well
 * are in kernels/shared.h.
 *
 * A merit is bytes per time, per mille of a plain copy of as many bytes. A size is in bytes if the
 * name says so. Otherwise the size counts the things in the name. For units under a byte, a size in
 * bytes counts each byte with all units.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_TUNING_H
#define CLRS_CLASS_TUNING_H

/* ---- CPUs ----
 * Measured on PoCL with two cores. Merits are geometric means over the bench's cases that a
 * class takes. A class with two merits has the lower merit in bad cases. A better class then
 * wins, or all classes are as bad. */
enum {
  CLRS__CPU_ROWS_MERIT = 1000,
  CLRS__CPU_TURNED_WIDER_MERIT = 820, /* cpu_short: longer squares than in a narrow tile */
  CLRS__CPU_TILE_OF_LINES_MERIT = 810,
  CLRS__CPU_ANY_MERIT = 800,
  CLRS__CPU_BLOCKS_MERIT = 795, /* cpu_short: small blocks that lie together on both sides */
  CLRS__CPU_TILE_MERIT = 790,
  CLRS__CPU_SHORT_MERIT = 700,
  CLRS__CPU_BLOCKS_APART_MERIT = 410, /* cpu_short: blocks with gaps, shorter than a long run */
  CLRS__CPU_SHORT_RUNS_MERIT = 400,   /* rows, tiles, any strides: a loop for each short run */
  CLRS__CPU_SUBBYTE_MERIT = 600,
  CLRS__COMPOSED_MERIT = 400,
  CLRS__SUBBYTE_MERIT = 100, /* slot by slot. 580 if bytes are only shifted */

  /* The least bytes of a work-item in a large move, and the most bytes of a chunk. The first level
   * of a cache has 32 KiB, and the second level 256 KiB or more. */
  CLRS__ITEM_BYTES = 131072,
  CLRS__CHUNK_BYTES = 32768,
  /* Work-items of a small move are smaller, so that each core has several items. 102 random cases
   * of up to 2 MB were 1.075 times as fast with 8 items of 8 KiB and more. Moves that had been a
   * single item became 1.2 to 1.7 times as fast. */
  CLRS__FEWEST_ITEMS = 8,
  CLRS__LEAST_ITEM_BYTES = 8192,
  CLRS__PAGE_BYTES = 4096,       /* hardware reads ahead within a page */
  CLRS__WIDEST_TURNED_BYTES = 8, /* a line has few wider units */
  CLRS__SQUARE_SIDE = 16,        /* units: a shorter edge costs as much as a square */
  CLRS__EQUAL_PART_TRIALS = 8,   /* numbers of parts that are tried to find equal parts */

  /* Chunks of every class: finding a smaller chunk costs as much as moving the chunk. A tile with a
   * shorter side is faster by any strides. */
  CLRS__CHUNK_FEWEST_UNITS = 16,
  CLRS__TILE_SHORTEST_SIDE = 4,

  /* cpu_rows: rows up to this size are short unless lines make up the rows. Runs of 160 bytes in
   * cpu_short went from 0.62 to 0.79 as rows. Rows that are fetched ahead have chunks of another
   * size. With 64 rows of one place after the other, heads of 64 bytes to 1 KiB went from 0.50 to
   * 0.82 (17 cases from 10 MB on). */
  CLRS__ROWS_SHORT_BYTES = 160,
  CLRS__ROWS_CHUNK_BYTES = 2 * CLRS__CHUNK_BYTES,
  CLRS__ROWS_FETCHED_CHUNK_BYTES = 16384,
  CLRS__ROWS_MOST_FETCHED = 64,
  CLRS__NAMED_ROW_BYTES = 32768,      /* part of a row, named by an index, in one chunk */
  CLRS__ROWS_LEAST_NEAR_BYTES = 1024, /* rows of a place, worth reading first */

  /* cpu_tile: a tile is one or two lines wide, and long enough for streaming reads. Transposes
   * reach 1.0 of the copy with 1024 rows at a time. */
  CLRS__TILE_COLUMN_BYTES = 128,
  CLRS__TILE_NARROW_COLUMN_BYTES = 64, /* of units under 4 bytes */
  CLRS__TILE_ROWS = 1024,
  CLRS__TILE_ROW_BYTES = 4096,
  CLRS__TILE_BYTES = 16384,
  CLRS__TILE_SHORT_ROW_BYTES = 1024, /* shorter rows: next axis before next columns */
  CLRS__TILE_SHORT_SIDE_BYTES = 16,  /* side of a row: less than a lane */
  CLRS__TILE_SHORTEST_GOOD_SIDE = 8,
  /* Dense narrow matrices, staged in their own order: 5 by 292 bytes took half the time, 7 by 20
   * bytes three times as long. 15 random cases from 448 units on went from 0.25 to 0.49. */
  CLRS__TILE_WIDEST_WHOLE_BYTES = 2, /* of a unit */
  CLRS__TILE_LEAST_WHOLE_UNITS = 448,
  /* Staged parts of a row, and of a run of the source. Images of any extents went from 0.50 to 0.56
   * (13 cases). */
  CLRS__TILE_STAGED_ROW_BYTES = 1024,
  CLRS__TILE_STAGED_ROW_UNITS = 256,
  CLRS__TILE_STAGED_RUN_LINES = 17,
  CLRS__TILE_STAGED_ITEMS = 3, /* a chunk has at most the bytes of so many work-items */

  /* cpu_any: shorter runs are faster with the table of cpu_short. Longer runs are up to 4 times as
   * fast with a loop of the kernel. */
  CLRS__ANY_SHORT_RUN_BYTES = 512,
  CLRS__ANY_SHORT_WIDE_RUN_BYTES = 128, /* of wide units */
  CLRS__ANY_WIDE_UNIT_BYTES = 4,
  /* All planes together, zipped or unzipped. 2 zipped planes of 36 bytes were 1.8 times as fast by
   * the table, with shuffles, as by a loop. 4 zipped planes of 50 bytes were 0.7 times as fast.
   * Unzipped by the table, 2 planes of 36 bytes were 2.4 times as fast, 2 planes of 60 units of 16
   * bits 1.2 times, and 4 planes of 40 such units 0.7 times. */
  CLRS__ANY_FEWEST_UNZIPPED_UNITS = 96,
  CLRS__ANY_LEAST_UNZIPPED_BYTES = 256,
  CLRS__ANY_LEAST_ZIPPED_BYTES = 192,
  CLRS__ANY_FEWEST_ZIPPED_ROWS = 16,
  /* Broadcasts: the repeated data is staged once for so many rows. Tiles of long columns without a
   * step in the source are slower than writing one value repeatedly. 9 broadcasts went from 0.38 to
   * 0.80. Cases that had been gathered unit by unit went from 0.21 to 0.84, and cases that had been
   * tiles from 0.67 to 1.1. */
  CLRS__ANY_FEWEST_REPEATS = 4,
  CLRS__ANY_MOST_REPEATS = 64,
  CLRS__ANY_REPEATED_BYTES = 8128,
  CLRS__TILE_MOST_REPEATS = 512,

  /* cpu_short: the shortest run that is worth a table, the sides of a transposed chunk, and the
   * number of divisors to try. Half of a small second-level cache holds WAYS lines that lie
   * WAY_BYTES apart. Products of short axes went from 0.20 to 0.32 (24 cases).
   *
   * If a transposed chunk has a side under LEAST_SIDE_BYTES, rows that use up the source's lines
   * are gathered instead. Compared with single runs, 40 random cases went from 0.59 to 0.62, and 20
   * moves of many short axes in any order from 0.36 to 0.41. Moves of 16 bits among the 20 went
   * from 0.15 to 0.33 (2 of 5).
   *
   * Small blocks that lie together on both sides, such as many 5 by 11 matrices, are gathered many
   * at a time. For 44 moves of small blocks, tiles or transposed chunks of one block each had 0.35,
   * and gathered blocks 0.40, some up to 4.5 times as fast. Larger blocks are faster transposed.
   * Blocks with gaps behind them, each shorter than a run, went from 0.07 to 0.23 (29 moves of 3 to
   * 160 units, 8 to 32 bits). Tiles and any strides had taken these moves.
   *
   * Tiles of whole lines, of units of 4 bytes and more, were 1.16 times as fast as products of axes
   * (18 random cases of 8 to 220 MB). 9 cases kept aside had 1.2, and narrower units 0.94. */
  CLRS__SHORT_LEAST_BYTES = 256,
  CLRS__SHORT_LEAST_TILED_UNIT_BYTES = 4,
  CLRS__SHORT_TURNED_COLUMN_BYTES = 1024,
  CLRS__SHORT_TURNED_ROW_BYTES = 2048,
  CLRS__SHORT_TURNED_LEAST_SIDE_BYTES = 32,
  CLRS__SHORT_LEAST_ROW_BYTES = 256,
  CLRS__SHORT_WIDER_TILE_LINES = 3,
  CLRS__SHORT_MOST_TRIES = 64,
  CLRS__SHORT_MOST_SPREAD = 2, /* ratio of the units from lowest to highest to the moved units */
  CLRS__SHORT_MOST_BLOCK_UNITS = 1024,
  CLRS__SHORT_MOST_BLOCK_BYTES = 2048,
  CLRS__SHORT_MOST_WIDE_BLOCK_BYTES = 512, /* units of 8 bytes and more */
  CLRS__SHORT_WAY_BYTES = 65536,
  CLRS__SHORT_WAYS = 8,

  /* cpu_subbyte: rows of 289 nibbles with a pitch in the source went from 0.2 to 0.5, columns of
   * [N, 8] nibbles from 0.05 to 0.25. 38 random cases went from 0.26 to 0.39. */
  CLRS__BOX_ITEM_BYTES = 2 * CLRS__ITEM_BYTES,
  CLRS__BOX_FEWEST_ITEMS = 8,
  CLRS__BOX_WIDEST_GAP = 4,     /* ratio to the span inside an axis, in an image */
  CLRS__BOX_NEAR_UNITS = 32,    /* or so many units in any case */
  CLRS__BOX_LONGEST_RUN = 8192, /* units of a run on either side, if a box has room */
  CLRS__BOX_SHORTEST_RUN = 16,
  CLRS__BOX_SHORTEST_COPIED_BYTES = 300, /* rows of 140 bytes were 3 times as fast as bytes */
  CLRS__BOX_COPIED_BYTES = 16384,

  /* composed: the fewest rows that pay for being decoded together, and the distance between rows
   * that read the same lines. */
  CLRS__COMPOSED_FEWEST_ROWS = 4,
  CLRS__COMPOSED_FEWEST_UNITS = 32, /* units of a row. 256 took up to 5 times as long */
  CLRS__COMPOSED_SHORTEST_PERIOD = 16,
  CLRS__COMPOSED_MOST_PERIODS = 32,
  /* Tiles of lattices: bytes of a run to read in the source, and to write in the destination.
   * Writes are shorter for narrow units, because transposes of narrow units take time. Sides
   * shorter than SHORT_BYTES are joined with other residues. */
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
 * touches. tests/bench/GPU.md has the predictions of a model for the present sizes. */
enum {
  CLRS__GPU_ROWS_MERIT = 950,
  CLRS__GPU_TILE_MERIT = 850,
  CLRS__GPU_SUBBYTE_RUNS_MERIT = 800, /* runs of both sides, of units under a byte */
  CLRS__GPU_SHORT_MERIT = 700,
  CLRS__GPU_ROWS_SHORT_MERIT = 500, /* runs of one side alone */
  CLRS__GPU_ANY_MERIT = 300,

  /* Work-items of a group if items work alone, and the most groups that share volumes. The limit is
   * four or more groups for each place of the largest GPUs, so that no group waits long for the
   * last. A group computes shared values once, not for each volume. */
  CLRS__PLAIN_GROUP_ITEMS = 64,
  CLRS__GPU_MOST_VOLUME_GROUPS = 2048,

  /* gpu_rows. The first three, in order: the bytes of a device's smallest read, the part of a long
   * row that a group takes, and the fewest blocks of a row. The last two are the share of a group
   * that must move something, per mille: the share that ends the search, and the share that the
   * class needs to answer. */
  CLRS__GPU_LONG_RUN_BYTES = 32,
  CLRS__GPU_SHORTEST_ROW_BYTES = 128,
  CLRS__GPU_FEWEST_BLOCKS = 3,
  CLRS__GPU_ROWS_BUSY = 875,
  CLRS__GPU_ROWS_BUSY_ENOUGH = 500,
  /* gpu_tile: a low share suffices, because any strides would read the source one unit per line. */
  CLRS__GPU_TILE_BUSY_ENOUGH = 375,

  /* gpu_short: the wanted bits of a run on either side. For bytes and units under a byte, two runs
   * of the wanted units fill a volume. A volume has at least one unit for each item of a group.
   * Volumes become larger if at least so many volumes are left. */
  CLRS__GPU_VOLUME_RUN_BITS = 1024,
  CLRS__GPU_VOLUME_BYTE_RUN = 64,
  CLRS__GPU_VOLUME_PACKED_RUN = 128,
  CLRS__GPU_FEWEST_VOLUMES = 128,
  CLRS__GPU_VOLUME_MOST_TRIES = 1024 /* divisors of an extent that are looked at */
};

#endif
