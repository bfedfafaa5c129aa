/*
 * A gather or a scatter by indices as loops over its three operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"
#include "nest.h"

/* What is moved. The views were checked; listed and named ones have one element type of whole
 * bytes. The listed view has the dims of the named one, but those of the indices in place of
 * `axis`. Without elements on that axis nothing of the named view is looked at. */
typedef struct clrs__indexed_move {
  clrs_operand operands[CLRS_INDEXED_OPERANDS];
  uint32_t axis; /* of the named view */
  bool scatters;
  uint32_t rules;      /* CLRS_INDEX_..., added up */
  clrs_operand flag;   /* one CLRS_U32. No view: no flag */
  const void *element; /* a gather writes this for a skipped index; NULL is all bits 0 */
  const clrs_device_limits *limits;
} clrs__indexed_move;

/* Elements of the listed view in front of the axis' dims, of these, and behind them. */
typedef struct clrs__indexed_parts {
  int64_t before, middle, behind;
} clrs__indexed_parts;
clrs__indexed_parts clrs__indexed_parts_of(const clrs_view *named, const clrs_view *indices,
                                           uint32_t axis);

/* Walks in the order of the listed view's elements. Of a named view: where the elements of place 0
 * are, again for every index, and the axis as a walk of its own. Of the indices: each again for
 * every element that shares it. Both give false if the view is no single walk. */
bool clrs__indexed_named_walk(const clrs_view *view, uint32_t axis, int64_t middle,
                              clrs__walk *walk, clrs__walk *places);
bool clrs__indexed_index_walk(const clrs_view *indices, const clrs__indexed_parts *parts,
                              clrs__walk *walk);
/* Of a named view whose axis has no places: nothing of the view is moved. */
void clrs__indexed_empty_walk(const clrs__indexed_parts *parts, clrs__walk *walk,
                              clrs__walk *places);

/* The rules of the move, and how its indices are read. */
uint32_t clrs__indexed_rules(const clrs__indexed_move *move);

/* Of a move whose listed view has elements: the loops over its operands, in elements, in the order
 * of the listed side, and what else leads to the named elements. False if the views have no common
 * loops, or the axis has too many digits. */
bool clrs__indexed_find_loops(const clrs__indexed_move *move, clrs__nest *nest,
                              clrs__address *address);
