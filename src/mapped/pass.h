/*
 * A mapped move as launches: each reads every element once, takes it through the map and writes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/plan.h"
#include "cut_axes.h"
#include "indexed_pass.h"
#include "key.h"

/* A mapped tensor, and what is wanted of it. */
typedef struct clrs__mapped_move {
  const clrs_map *map;
  const clrs_map_views *views; /* bound to the map */
  const clrs_view *seen;       /* of the mapped elements, numbered row-major: what is moved */
  clrs_operand source;         /* whose view is views->source */
  clrs_operand parameters[CLRS_MAPPED_STEPS]; /* of tensors: where they begin; no views */
  clrs_operand destination;
  const clrs_device_limits *limits;
  /* Of a gather or scatter, else NULL. Its named and listed views are `seen` and the destination.
   */
  const clrs__indexed_move *indices;
} clrs__mapped_move;

/* Are shapes and types such as a pass takes? */
clrs_status clrs__mapped_move_check(const clrs__mapped_move *move, clrs_error *error);

/* The move, cut into pieces whose elements lie in loops. The move has elements, and its shape is
 * that of the destination, which touches no element twice. A pass is a value without pointers: a
 * plan holds a pass, and any device whose arithmetic suffices carries the pass out. */
typedef struct clrs__mapped_pass {
  clrs_map map;
  clrs_operand source, destination, parameters[CLRS_MAPPED_STEPS]; /* without views */
  clrs_footprint read[CLRS_MAPPED_STEPS]; /* bytes of parameters that are tensors */
  clrs_device_limits limits;
  clrs__map_key key;    /* settled when a launch is encoded */
  clrs_operand indices; /* of a gather or scatter, and so is what follows */
  int64_t extent;       /* of the axis whose places the indices name */
  uint32_t rules, digit_count;
  clrs__nest_axis digits[CLRS_INDEX_DIGITS]; /* of a place, the fastest first */
  clrs__pieces pieces;
} clrs__mapped_pass;

/* Copies the pieces that there are. */
void clrs__mapped_pass_copy(clrs__mapped_pass *to, const clrs__mapped_pass *from);

/* Rows of a packed destination: `run` neighbours each, which begin `pitch` elements apart. */
typedef struct clrs__packed_rows {
  int64_t run, rows, pitch;
} clrs__packed_rows;

/* False if the loops do not write such rows in order. Of a [4,100] whose columns were cut into 96
 * and 4, the first piece is 4 rows of 96 at a pitch of 100; of what is dense there is one row. */
bool clrs__packed_rows_of(const clrs__nest *nest, clrs__packed_rows *found);

/* CLRS_UNSUPPORTED if views have no common loops. */
clrs_status clrs__mapped_plan(const clrs__mapped_move *move, clrs__mapped_pass *pass,
                              clrs_error *error);
