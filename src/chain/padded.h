/*
 * A pad with operations behind the pad, as pieces of the result. Each piece is a box of the result,
 * and shows a rectangle of the source or the border's value. Together the pieces write each element
 * of the result once.
 *
 * Example: pad=1 of the five elements a b c d e, and window=0,3,2 behind the pad, has the result
 *
 *     0 a b        piece 1: the border's 0 of window 0       piece 2: a b of window 0
 *     b c d        piece 3: windows 1, of elements of the source alone
 *     d e 0        piece 4: d e of window 2                  piece 5: the border's 0 of window 2
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pad_op.h"

/* Finds the first pad of the chain. Returns false if the chain has no pad. */
bool clrs__chain_find_pad(const clrs_chain *chain, uint32_t *at);
/* Reads operation number `at`, a pad, for the view in front of the pad. */
clrs_status clrs__chain_pad(const clrs_chain *chain, uint32_t at, const clrs_view *front,
                            clrs__pad_widths *pad, clrs_error *error);

/* A pad, and the operations behind the pad: number `first` of the chain and later operations. */
typedef struct clrs__padded_ask {
  const clrs__pad_widths *pad;
  const clrs_chain *chain;
  uint32_t first;
  const clrs_rules *rules; /* as in clrs_chain_map */
} clrs__padded_ask;

typedef struct clrs__padded {
  clrs__pad_widths pad;
  clrs_shape shape; /* before the pad */
  clrs_dtype dtype;
  clrs_mapped after; /* maps of the result's elements; the shape is the shape of the result */
  clrs_shape axes;   /* a shape of the result in which every piece is a box */
  int64_t starts[CLRS_MAX_RANK]; /* the padded tensor's index, in each dim, of the first element */
  int64_t steps[CLRS_MAX_RANK][CLRS_MAX_RANK]; /* [axis][dim]: change of the index along an axis */
} clrs__padded;

/* Measures the pad of `front`, the view in front, and the operations behind. Returns
 * CLRS_UNSUPPORTED for a second pad, for an operation that mixes elements, and for a reshape that
 * the padded dims do not factor into. */
clrs_status clrs__padded_init(const clrs__padded_ask *ask, const clrs_view *front,
                              clrs__padded *padded, clrs_error *error);

typedef struct clrs__padded_piece {
  bool is_border;
  clrs_slice slices[CLRS_MAX_RANK]; /* a part of the result, seen as padded->axes */
  clrs_view seen;                   /* numbers of the source's elements, if not the border */
} clrs__padded_piece;

/* Calls `take` for each piece. Stops at the first failure. Returns CLRS_LIMIT_EXCEEDED if there are
 * over 8192 pieces. With a NULL `take` the pieces are only counted. */
typedef clrs_status clrs__take_piece(void *context, const clrs__padded_piece *piece,
                                     clrs_error *error);
clrs_status clrs__padded_each(const clrs__padded *padded, clrs__take_piece *take, void *context,
                              size_t *count, clrs_error *error);

/* Restricts the maps behind the pad to a piece. The source of *part is dense. */
clrs_status clrs__padded_maps(const clrs__padded *padded, const clrs_slice *slices,
                              clrs_mapped *part, clrs_error *error);
