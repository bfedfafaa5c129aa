/*
 * Runs and columns that begin anywhere in the source, as a table lists. Runs are gathered into a
 * stage. Columns are transposed straight from the source, a 16-byte lane of each column at a time.
 * cpu_short and the lattices of composed share this file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_COLUMNS_CL
#define CLRS_COLUMNS_CL
#ifndef CLRS_TRANSPOSE_CL
#include "transpose.cl"
#endif

/* ---- runs ---- */

/* Runs that are gathered at once. The lines of this many runs stay in the fastest cache. */
#define COLUMNS_AT_ONCE 64

#if UNIT_BITS >= 8
#define UNIT_BYTES (UNIT_BITS / 8)

#if NATIVE_CODE
/* Gathers runs of sizeof(type) to twice that many bytes, as two parts that overlap or meet. A run
 * of 5 bytes is the uint of bytes 0 to 3 and the uint of bytes 1 to 4. No part crosses the ends of
 * the run. */
#define RUN_PART(type)                                                                             \
  typedef struct ANY_BYTES part_##type {                                                           \
    type value;                                                                                    \
  } part_##type;                                                                                   \
  HELPER void gather_##type(global const uchar *source, const index_t *from, index_t count,        \
                            index_t bytes, uchar *staged) {                                        \
    const index_t last = bytes - (index_t)sizeof(type);                                            \
    for (index_t i = 0; i < count; i++) {                                                          \
      global const uchar *run = source + (ptrdiff_t)from[i] * UNIT_BYTES;                          \
      const type head = ((global const part_##type *)run)->value;                                  \
      const type tail = ((global const part_##type *)(run + last))->value;                         \
      ((part_##type *)staged)->value = head;                                                       \
      ((part_##type *)(staged + last))->value = tail;                                              \
      staged += bytes;                                                                             \
    }                                                                                              \
  }
RUN_PART(ushort)
RUN_PART(uint)
RUN_PART(ulong)
RUN_PART(uint4)
RUN_PART(uint8)

/* Gathers runs of more than a line in whole lines. The last line ends at the end of the run. */
HELPER void gather_long(global const uchar *source, const index_t *from, index_t count,
                        index_t bytes, uchar *staged) {
  const index_t last = bytes - LINE_BYTES;
  for (index_t i = 0; i < count; i++) {
    global const uchar *run = source + (ptrdiff_t)from[i] * UNIT_BYTES;
    for (index_t at = 0; at < last; at += LINE_BYTES) {
      ((any_line_t *)(staged + at))->value = ((global const any_line_t *)(run + at))->value;
    }
    ((any_line_t *)(staged + last))->value = ((global const any_line_t *)(run + last))->value;
    staged += bytes;
  }
}

/* Gathers runs one behind the other in the stage. */
HELPER void gather_runs(global const UNIT *source, const index_t *from, index_t count, index_t run,
                        UNIT *restrict staged) {
  global const uchar *bytes = (global const uchar *)source;
  const index_t run_bytes = run * UNIT_BYTES;
  if (run == 1) {
    for (index_t i = 0; i < count; i++) {
      staged[i] = source[from[i]];
    }
  } else if (run_bytes < 4) {
    gather_ushort(bytes, from, count, run_bytes, (uchar *)staged);
  } else if (run_bytes < 8) {
    gather_uint(bytes, from, count, run_bytes, (uchar *)staged);
  } else if (run_bytes < 16) {
    gather_ulong(bytes, from, count, run_bytes, (uchar *)staged);
  } else if (run_bytes < 32) {
    gather_uint4(bytes, from, count, run_bytes, (uchar *)staged);
  } else if (run_bytes <= 64) {
    gather_uint8(bytes, from, count, run_bytes, (uchar *)staged);
  } else {
    gather_long(bytes, from, count, run_bytes, (uchar *)staged);
  }
}
#else
/* Gathers runs unit by unit (lines.cl gives the reason). */
HELPER void gather_runs(global const UNIT *source, const index_t *from, index_t count, index_t run,
                        UNIT *restrict staged) {
  for (index_t i = 0; i < count; i++) {
    for (index_t unit = 0; unit < run; unit++) {
      *staged++ = source[from[i] + unit];
    }
  }
}
#endif
#endif

/* ---- columns ---- */

#if defined(HAS_LANES) && defined(HAS_SQUARES)
/* Columns to prefetch, because there are more columns than streams that the hardware prefetches.
 * `at` lists offsets from `units`, which is NULL if nothing is to be prefetched. */
typedef struct fetch_t {
  global const UNIT *units;
  const index_t *at;
} fetch_t;

HELPER lane_t load_lane(global const UNIT *run, fetch_t fetch, int column) {
  const lane_t lane = ((global const any_lane_t *)run)->value;
  if (fetch.units != 0) {
    PREFETCH(fetch.units + fetch.at[column]);
  }
  return lane;
}

/* Transposes a line of each of UNITS_PER_LINE columns. The lines are copied first, because columns
 * a power of two apart share few places in the cache. */
HELPER void turn_lines(global const UNIT *source, const index_t *from, fetch_t fetch, UNIT *turned,
                       index_t pitch) {
  union {
    uint16 lines[UNITS_PER_LINE];
    lane_t lanes[UNITS_PER_LINE][LINE_LANES];
  } copied;
  for (int i = 0; i < UNITS_PER_LINE; i++) {
    copied.lines[i] = ((global const any_line_t *)(source + from[i]))->value;
    if (fetch.units != 0) {
      PREFETCH(fetch.units + fetch.at[i]);
    }
  }
  for (int part = 0; part < LINE_LANES; part++) {
    line_t v[LANE_UNITS];
#define COPIED_LANE(i) copied.lanes[i][part]
    LOAD_LANES(v, COPIED_LANE)
#pragma unroll
    for (int i = 0; i < LANE_UNITS; i++) {
      ((any_units_t *)(turned + (part * LANE_UNITS + i) * pitch))->value = v[i];
    }
  }
}

/* Transposes a line of each of LANE_UNITS columns to a lane of each of UNITS_PER_LINE rows. */
HELPER void turn_narrow_lines(global const UNIT *source, const index_t *from, fetch_t fetch,
                              UNIT *turned, index_t pitch) {
  union {
    line_t lines[LANE_UNITS];
    lane_t lanes[LANE_UNITS][LINE_LANES];
  } narrow;
#pragma unroll
  for (int i = 0; i < LANE_UNITS; i++) {
    narrow.lines[i] = ((global const any_units_t *)(source + from[i]))->value;
    if (fetch.units != 0) {
      PREFETCH(fetch.units + fetch.at[i]);
    }
  }
  transpose_lanes(narrow.lines);
  for (int lane = 0; lane < LINE_LANES; lane++) {
#pragma unroll
    for (int i = 0; i < LANE_UNITS; i++) {
      ((any_lane_t *)(turned + (lane * LANE_UNITS + i) * pitch))->value = narrow.lanes[i][lane];
    }
  }
}

/* Transposes a lane of each of UNITS_PER_LINE columns to a line of each of LANE_UNITS rows, which
 * are `pitch` units apart. */
HELPER void turn_lanes(global const UNIT *source, const index_t *from, fetch_t fetch, UNIT *turned,
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
