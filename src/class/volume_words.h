/*
 * The axes of a volume as gpu_short.cl lists them: in the order of the destination, in that of the
 * source, and those of the table of places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_VOLUME_WORDS_H
#define CLRS_CLASS_VOLUME_WORDS_H

#include "class.h"

/* The axes of the volume in the order of the source, the nearest steps last, with bytes of local
 * memory for destination strides. */
void clrs__volume_reads(const clrs__cut *cut, clrs__nest *reads);

/* Units of an access; accesses that the items of a group have at most. */
int64_t clrs__access_units(int kind, uint32_t unit_bits);
int64_t clrs__most_accesses(int kind, uint32_t unit_bits);

/* Are units as narrow as blocks are good for? Wider units are as fast by themselves: 9 x 9 x 9 x 9
 * x 27 of 32 bits took 782 instructions for a KiB in blocks, and 551 one by one. */
static inline bool clrs__takes_blocks(uint32_t unit_bits) {
  return unit_bits > 1 && unit_bits <= 16;
}

typedef struct clrs__volume_sizes {
  uint32_t axes; /* of the words */
  int64_t reads, writes;
  int64_t table_units; /* neighbours in the source, of which the table has the places */
  int64_t run_units;   /* of a run of the destination */
} clrs__volume_sizes;
clrs__volume_sizes clrs__volume_sizes_of(const clrs__cut *cut);

/* For encode. */
void clrs__encode_volume(const clrs__cut *cut, clrs__words *words);

#endif
