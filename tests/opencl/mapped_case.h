/*
 * A random map, the tensors among the map's parameters and a source: the tests of mapped tensors
 * compare the result on host and device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MAPPED_CASE_H
#define CLRS_TEST_MAPPED_CASE_H

#include <clreshape/plan.h>

#include "harness/rng.h"

/* Bytes of each buffer, elements of a source, tensors that a map may use. */
enum { CASE_BYTES = 1 << 18, CASE_COUNT = 1500, CASE_TENSORS = CLRS_MAP_STEPS };

typedef struct map_case {
  uint64_t seed;
  test_rng rng;
  clrs_map map;
  clrs_layout source;
  uint64_t source_offset;
  clrs_view seen; /* the mapped view: the source after some movement operations */
  clrs_layout tensors[CASE_TENSORS];
  uint64_t tensor_offsets[CASE_TENSORS];
  bool is_tensor[CASE_TENSORS];
  uint64_t next_offset; /* smallest byte offset of the next tensor */
  uint32_t view_count;  /* ways in which parameters are spread */
} map_case;

/* Draws the types too, which differ. Returns false if no such map exists, or the map would be too
 * large. */
bool map_case_draw(uint64_t seed, map_case *drawn);
/* NumPy's cast between these types, from a drawn source. */
bool map_case_draw_cast(uint64_t seed, clrs_dtype from, clrs_dtype to, map_case *drawn);

/* A byte offset that a caller may use. */
uint64_t map_case_offset(test_rng *rng, clrs_dtype dtype);
/* Do the elements that the layout reaches, from a small offset on, lie in CASE_BYTES? */
bool map_case_fits(const clrs_layout *layout);

/* Any bytes, CASE_BYTES of them, where most floats that the map reads have a moderate size. */
void map_case_bytes(map_case *c, unsigned char *source, unsigned char *tensors);

#endif
