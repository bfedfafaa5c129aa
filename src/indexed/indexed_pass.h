/*
 * A gather or a scatter by indices, as loops over its three operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"
#include "nest.h"

/* A gather or a scatter. The views were checked. Listed and named views have the same element type
 * of whole bytes. The listed view has the dims of the named view, with the dims of the indices in
 * place of `axis`. If that axis has no elements, the named view is not read. */
typedef struct clrs__indexed_move {
  clrs_operand operands[CLRS_INDEXED_OPERANDS];
  uint32_t axis; /* of the named view */
  bool scatters;
  uint32_t rules;      /* sum of CLRS_INDEX_... */
  clrs_operand flag;   /* one CLRS_U32, or no flag if there is no view */
  const void *element; /* a gather writes this for a skipped index, and all bits 0 if NULL */
  const clrs_device_limits *limits;
} clrs__indexed_move;

/* Elements of the listed view: before the axis' dims, in these dims, and behind these dims.
 * Example: a gather along axis 1 of [2,6,5] with [3] indices has 2, 3 and 5. */
typedef struct clrs__indexed_parts {
  int64_t before, middle, behind;
} clrs__indexed_parts;
clrs__indexed_parts clrs__indexed_parts_of(const clrs_view *named, const clrs_view *indices,
                                           uint32_t axis);

/* Finds walks in the order of the listed view's elements. The walk of a named view gives the
 * elements of place 0, repeated for every index, and `places` walks along the axis. The walk of the
 * indices repeats each index for every element that shares the index. Both functions return false
 * if the view is not a single walk. */
bool clrs__indexed_named_walk(const clrs_view *view, uint32_t axis, int64_t middle,
                              clrs__walk *walk, clrs__walk *places);
bool clrs__indexed_index_walk(const clrs_view *indices, const clrs__indexed_parts *parts,
                              clrs__walk *walk);
/* Finds the walks of a named view whose axis has no places. Nothing of the view is moved. */
void clrs__indexed_empty_walk(const clrs__indexed_parts *parts, clrs__walk *walk,
                              clrs__walk *places);

/* Returns the rules of the move, with the width and alignment of the indices. */
uint32_t clrs__indexed_rules(const clrs__indexed_move *move);

/* Finds the loops over the operands, in elements, in the order of the listed side, and the address
 * of the named elements. The listed view has elements. Returns false if the views have no common
 * loops, or the axis has too many digits. */
bool clrs__indexed_find_loops(const clrs__indexed_move *move, clrs__nest *nest,
                              clrs__address *address);
