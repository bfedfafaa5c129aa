/*
 * Which program a gather or a scatter by indices needs, beside the widths of units and of the index
 * arithmetic: never a shape, nor a rule of the indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How a launch is shared out, by the files of kernels/. */
typedef enum clrs__index_geometry {
  CLRS__NOT_INDEXED,
  CLRS__INDEX_ROWS,
  CLRS__INDEX_UNITS,
  CLRS__INDEX_ANY,
  CLRS__INDEX_GEOMETRIES
} clrs__index_geometry;

/* Bytes, so that two keys are equal if their bytes are. All 0: nothing is indexed. */
typedef struct clrs__index_key {
  uint8_t geometry;
  uint8_t entry_bits;   /* of an index: 32 or 64 */
  uint8_t is_unaligned; /* indices begin at any byte */
  uint8_t scatters;     /* the indices name places of the destination */
  uint8_t in_blocks;    /* index_units: of 16 bytes, wherever in one a run begins */
} clrs__index_key;

/* Of its kernel, and of the kernel's file. */
const char *clrs__index_key_name(const clrs__index_key *key);
