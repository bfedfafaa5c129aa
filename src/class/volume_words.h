/*
 * The axes of a volume in the three lists of gpu_short.cl: in the order of the destination, in the
 * order of the source, and the axes of the table of places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_VOLUME_WORDS_H
#define CLRS_CLASS_VOLUME_WORDS_H

#include "class.h"

/* The axes of the volume in the order of the source, the nearest steps last. Destination strides
 * are bytes of local memory. */
void clrs__volume_reads(const clrs__cut *cut, clrs__nest *reads);

/* Units of an access, and the most accesses that the items of a group make. */
int64_t clrs__access_units(int kind, uint32_t unit_bits);
int64_t clrs__most_accesses(int kind, const clrs__cut *cut);

/* Returns true if units are narrow enough for blocks to pay. Wider units are as fast without
 * blocks. Example: 9 x 9 x 9 x 9 x 27 of 32 bits took 782 instructions for a KiB in blocks, and 551
 * without blocks. */
static inline bool clrs__takes_blocks(uint32_t unit_bits) {
  return unit_bits > 1 && unit_bits <= 16;
}

typedef struct clrs__volume_sizes {
  uint32_t axes; /* axes in the words */
  int64_t reads, writes;
  int64_t table_units; /* neighbours in the source with places in the table */
  int64_t run_units;   /* units of a run of the destination */
} clrs__volume_sizes;
clrs__volume_sizes clrs__volume_sizes_of(const clrs__cut *cut);

/* For encode. */
void clrs__encode_volume(const clrs__cut *cut, clrs__words *words);

#endif
