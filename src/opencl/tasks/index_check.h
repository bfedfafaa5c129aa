/*
 * Checks the views of a gather or a scatter. Only the device knows the values of the indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "indexed_pass.h"

/* A move between two sides. Indices, flag and limits are for the caller to set. */
static inline clrs__indexed_move clrs__indexed_between(const clrs_move *sides, bool scatters) {
  clrs__indexed_move move = {.scatters = scatters};
  move.operands[scatters ? CLRS_LISTED : CLRS_NAMED] = sides->source;
  move.operands[scatters ? CLRS_NAMED : CLRS_LISTED] = sides->destination;
  return move;
}

/* Takes the rules of the caller's indices, but no tensor, and checks the whole move. */
clrs_status clrs__indexed_complete(clrs__indexed_move *move, const clrs_indices *indices,
                                   clrs_error *error);
