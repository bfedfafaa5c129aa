/*
 * Random layouts, and the meaning of a view or a layout of the library, read from the documented
 * fields.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_TENSORS_H
#define CLRS_TEST_TENSORS_H

#include "oracle.h"
#include "rng.h"

typedef struct layout_wish {
  uint32_t max_rank;
  int64_t max_dim;
  int64_t max_count;
  int zero_percent;   /* chance that a dim is 0 */
  bool allow_repeats; /* strides of 0 and strides that let elements coincide */
} layout_wish;

/* Dense, permuted, padded, reversed, broadcast or wild. The offset makes the lowest position
 * `floor`. Without allow_repeats no two elements coincide. */
clrs_layout layout_random(test_rng *rng, clrs_dtype dtype, const layout_wish *wish, int64_t floor);
/* The same, of a given shape. */
clrs_layout layout_random_of_shape(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape,
                                   bool allow_repeats, int64_t floor);
/* Any strides of 1 to 60 in either direction: often interleaved, sometimes with two elements in the
 * same place. */
clrs_layout layout_wild_of_shape(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape,
                                 int64_t floor);
/* Dense in this order of nesting, outermost first, with gaps between rows at times. */
clrs_layout layout_nested(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape,
                          const uint32_t *order);

/* One of two types, packed or of whole bytes, in place of any. Kernels with 64-bit words, or with
 * loops over pieces, are the same text for every unit, and each program takes half a second to
 * build. So the cases of a default run use two types there. */
clrs_dtype dtype_of_two(clrs_dtype dtype);

/* Returns the view of a layout that the library must accept. Without strides the layout is
 * dense. */
clrs_view view_strided(clrs_dtype dtype, uint32_t rank, const int64_t *dims, const int64_t *strides,
                       int64_t offset);
/* Returns the view after a chain that the library must accept. */
clrs_mapped mapped_after(const clrs_view *view, const char *chain);

/* Writes the position of every element according to the library: levels bottom to top, each
 * enumerated row-major. Returns false if the view breaks the documented form (normal form, or a
 * level that leaves the level below). *why then names the violation. */
bool view_positions(const clrs_view *view, int64_t *positions, const char **why);
/* Returns the position that position k of the top level leads to, for a view with at least one
 * level. */
int64_t view_position_at(const clrs_view *view, int64_t k);
/* Does the view stand for exactly the oracle's shape and positions? */
bool view_matches(const clrs_view *view, const oracle *expected, const char **why);
bool layout_matches(const clrs_layout *layout, const oracle *expected);

/* The lowest and the highest element that a layout shows. */
clrs_bounds bounds_of(const clrs_layout *layout);

void print_layout(const clrs_layout *layout, char *text, size_t size);

#endif
