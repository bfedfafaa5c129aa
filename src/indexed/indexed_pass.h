/*
 * A gather or a scatter by indices as loops over its three operands, in units. Where the views have
 * no common loops, each element is found on its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "indexed_words.h"
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

/* The loops, from the outermost on, of runs of `run` units, which are neighbours on both sides and
 * share an index. Strides of listed and named are in units, those of the indices in theirs. A pass
 * is a value without pointers, which a plan holds. */
typedef struct clrs__indexed_pass {
  clrs_view views[CLRS_INDEXED_OPERANDS];
  clrs_operand operands[CLRS_INDEXED_OPERANDS]; /* without views */
  uint32_t axis;
  bool scatters;
  uint32_t rules;
  clrs_device_limits limits;
  bool has_nest; /* else only the operands and the unit are known */
  uint32_t unit_bits;
  int64_t extent; /* of the axis */
  int64_t run;
  int64_t starts[CLRS_INDEXED_OPERANDS]; /* from the start of the buffers; indices from byte_offset
                                          */
  clrs__nest nest;
  uint32_t digit_count;
  clrs_axis digits[CLRS_INDEXED_DIGITS]; /* of the named dim, the fastest first */
} clrs__indexed_pass;

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

/* Of a move whose listed view has elements. CLRS_OVERFLOW: a position does not fit in 64 bits. */
clrs_status clrs__indexed_plan(const clrs__indexed_move *move, clrs__indexed_pass *pass,
                               clrs_error *error);

/* Copies what has a value. */
void clrs__indexed_pass_copy(clrs__indexed_pass *to, const clrs__indexed_pass *from);
