/*
 * A gather or a scatter by indices as a launch: how it is shared out, and what the kernel is told.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "index_key.h"
#include "indexed_pass.h"

/* Of index_any: of three operands the levels, and the axes of four words. */
enum {
  CLRS__INDEXED_WORDS =
      8 + CLRS_INDEXED_OPERANDS * (1 + 2 * CLRS_INDEXED_LEVELS + 4 * CLRS_INDEXED_AXES)
};

typedef struct clrs__indexed_launch {
  clrs__index_key key;
  uint32_t unit_bits, index_bits;
  bool loops;                             /* index_units: there are fewer work-items than units */
  bool is_tabled;                         /* the words lie in a buffer */
  uint64_t starts[CLRS_INDEXED_OPERANDS]; /* units; of the indices bytes */
  size_t global[2], group[2];
  size_t word_bytes;
  uint64_t words[CLRS__INDEXED_WORDS];
} clrs__indexed_launch;

/* Makes the launch of a pass. */
void clrs__indexed_encode(const clrs__indexed_pass *pass, clrs__indexed_launch *launch);
/* Makes all of the launch but the words. */
void clrs__indexed_describe(const clrs__indexed_pass *pass, clrs__indexed_launch *launch);
