/*
 * A mapped move as launches. Each launch reads every element once, maps the element, and writes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/plan.h"
#include "cut_axes.h"
#include "indexed_pass.h"
#include "key.h"

/* A move of a mapped tensor. */
typedef struct clrs__mapped_move {
  const clrs_map *map;
  const clrs_map_views *views; /* bound to the map */
  const clrs_view *seen;       /* the moved elements, by row-major numbers of mapped elements */
  clrs_operand source;         /* with the view views->source */
  clrs_operand parameters[CLRS_MAPPED_STEPS]; /* starts of tensors, without views */
  clrs_operand destination;
  const clrs_device_limits *limits;
  /* The gather or scatter, or NULL. Its named and listed views are `seen` and the destination. */
  const clrs__indexed_move *indices;
} clrs__mapped_move;

/* Returns an error if a pass does not take these shapes and types. */
clrs_status clrs__mapped_move_check(const clrs__mapped_move *move, clrs_error *error);

/* A move, cut into pieces whose elements form loops. The move has elements, and the shape of the
 * destination, which touches no element twice. A pass is a value without pointers. A plan holds a
 * pass, and any device with sufficient arithmetic can execute the pass. */
typedef struct clrs__mapped_pass {
  clrs_map map;
  clrs_operand source, destination, parameters[CLRS_MAPPED_STEPS]; /* without views */
  clrs_footprint read[CLRS_MAPPED_STEPS]; /* bytes of parameters that are tensors */
  clrs_device_limits limits;
  clrs__map_key key;     /* settled when a launch is encoded */
  clrs_operand indices;  /* for a gather or scatter, like the following fields */
  clrs_resample picture; /* of a resampling map */
  int64_t extent;        /* extent of the axis that the indices address */
  uint32_t rules, digit_count;
  clrs__nest_axis digits[CLRS_INDEX_DIGITS]; /* digits of a place, the fastest first */
  clrs__pieces pieces;
} clrs__mapped_pass;

/* Rows of a packed destination. Each row is `run` neighbours, and rows begin `pitch` elements
 * apart. */
typedef struct clrs__packed_rows {
  int64_t run, rows, pitch;
} clrs__packed_rows;

/* Finds the rows. Returns false if the loops do not write rows of this kind in order. Example: the
 * columns of [4,100] are cut into 96 and 4. The first piece is 4 rows of 96 with a pitch of 100. A
 * dense piece is a single row. */
bool clrs__packed_rows_of(const clrs__nest *nest, clrs__packed_rows *found);

/* Plans the pass. Fails with CLRS_UNSUPPORTED if views have no common loops. */
clrs_status clrs__mapped_plan(const clrs__mapped_move *move, clrs__mapped_pass *pass,
                              clrs_error *error);
