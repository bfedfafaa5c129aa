/*
 * What was tuned: the merits of the classes, and sizes that several of them choose by. A size that
 * one class alone chooses by stands at the head of its file, with what was measured; one that a
 * kernel knows too in kernels/shared.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_TUNING_H
#define CLRS_CLASS_TUNING_H

/* A merit is bytes per time, per mille of a plain copy of as many bytes.
 *
 * CPU: measured on PoCL with two cores, geometric means over the bench's cases that each class
 * takes. Where a class does badly, it has the lower merit of the two: then there is a better one,
 * or they are as bad. */
enum {
  CLRS__CPU_ROWS_MERIT = 1000,
  CLRS__CPU_TURNED_WIDER_MERIT = 820, /* cpu_short: longer squares than a narrow tile has */
  CLRS__CPU_TILE_MERIT = 810,
  CLRS__CPU_ANY_MERIT = 800,
  CLRS__CPU_SHORT_MERIT = 700,
  CLRS__CPU_SHORT_RUNS_MERIT = 400, /* the first three, of short runs: a loop for each */
  CLRS__CPU_SUBBYTE_MERIT = 600,
  CLRS__COMPOSED_MERIT = 400,
  CLRS__SUBBYTE_MERIT = 100 /* slot by slot; 580 where bytes are shifted as they are */
};

/* GPU: an order, by the lines that a work-group touches; nobody has timed these kernels yet. */
enum {
  CLRS__GPU_ROWS_MERIT = 950,
  CLRS__GPU_TILE_MERIT = 850,
  CLRS__GPU_SUBBYTE_RUNS_MERIT = 800, /* that both sides have, of units under a byte */
  CLRS__GPU_SHORT_MERIT = 700,
  CLRS__GPU_ROWS_SHORT_MERIT = 500, /* runs of one side alone */
  CLRS__GPU_ANY_MERIT = 300
};

/* A CPU: what a work-item takes at least, if there is as much, and what a chunk may hold. The first
 * level of a cache has 32 KiB, and the second 256 KiB or more. */
enum { CLRS__ITEM_BYTES = 131072, CLRS__CHUNK_BYTES = 32768 };

/* What hardware reads ahead within. */
enum { CLRS__PAGE_BYTES = 4096 };

#endif
