/*
 * A gather or a scatter of views without common loops. Each element is found on its own, and the
 * words of the launch lie in a buffer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "indexed_pass.h"

enum {
  CLRS__ANY_INDEXED_BITS = 64, /* bits of the index arithmetic */
  /* The levels of three operands, and the axes, which have four words each. */
  CLRS__ANY_INDEXED_WORDS =
      8 + CLRS_INDEXED_OPERANDS * (1 + 2 * CLRS_INDEXED_LEVELS + 4 * CLRS_INDEXED_AXES)
};

/* A value without pointers, which a plan holds. */
typedef struct clrs__any_indexed {
  clrs__index_key key;
  uint32_t axis; /* of the named view */
  uint32_t rules, unit_bits;
  uint64_t byte_offsets[CLRS_INDEXED_OPERANDS];
  clrs_view views[CLRS_INDEXED_OPERANDS];
} clrs__any_indexed;

typedef struct clrs__any_indexed_launch {
  size_t global[2], group[2];
  size_t word_bytes;
  uint64_t words[CLRS__ANY_INDEXED_WORDS];
} clrs__any_indexed_launch;

void clrs__any_indexed_start(const clrs__indexed_move *move, clrs__any_indexed *pass);
void clrs__any_indexed_encode(const clrs__any_indexed *pass, const clrs_device_limits *limits,
                              clrs__any_indexed_launch *launch);
