/*
 * Columns that begin anywhere in the source, as a table says, are turned straight from there: a
 * lane of 16 bytes of each at a time. What cpu_short and the lattices of composed share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_COLUMNS_CL
#define CLRS_COLUMNS_CL
#ifndef CLRS_TRANSPOSE_CL
#include "transpose.cl"
#endif

#if defined(HAS_LANES) && defined(HAS_SQUARES)
/* What is read soon, as there are more columns than reads that the hardware foresees: `at` offsets
 * from `units`, which is NULL where nothing is to be fetched. */
typedef struct fetch_t {
  global const UNIT *units;
  const index_t *at;
} fetch_t;

inline lane_t load_lane(global const UNIT *run, fetch_t fetch, int column) {
  const lane_t lane = ((global const any_lane_t *)run)->value;
  if (fetch.units != 0) {
    PREFETCH(fetch.units + fetch.at[column]);
  }
  return lane;
}

/* A lane of each of as many columns as a line has units becomes a line of each of LANE_UNITS rows,
 * which are `pitch` units apart. */
inline void turn_lanes(global const UNIT *source, const index_t *from, fetch_t fetch, UNIT *turned,
                       index_t pitch) {
  line_t v[LANE_UNITS];
#define LANE_OF_COLUMN(i) load_lane(source + from[i], fetch, i)
  LOAD_LANES(v, LANE_OF_COLUMN)
#pragma unroll
  for (int i = 0; i < LANE_UNITS; i++) {
    ((any_units_t *)(turned + i * pitch))->value = v[i];
  }
}
#endif

#endif
