/*
 * Lanes of 16 bytes that are composed by shuffles: one instruction moves any byte of a lane to any
 * place. If the units of a destination lane are close together in the source, this reads a few
 * lanes there instead of each unit.
 *
 * A lane has as many parts as are needed to reach all of its units, from the lowest unit on.
 * Example: bytes of 5 by 11 matrices, by columns. The first lane has the bytes 0, 11, 22, 33, 44,
 * 1, 12, 23, 34, 45 and so on, up to 3. Its first part is the source bytes 0 to 15, of which 0 to 3
 * and 11 to 14 go to the lane. The second part is 22 to 37, and the third 44 to 59. The place of
 * each byte is found once and is the same in every chunk.
 *
 * A part that would reach past the last unit of the chunk ends at that unit instead.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_SHUFFLES_CL
#define CLRS_SHUFFLES_CL
#ifndef CLRS_COLUMNS_CL
#include "columns.cl"
#endif

#if NATIVE_CODE && defined(__SSSE3__) && (UNIT_BITS == 8 || UNIT_BITS == 16)
#define SHUFFLE(lane, places) __builtin_ia32_pshufb128(lane, places)

/* The places of the bytes of unit k of a lane are UNIT_PLACES + k * UNIT_STEP. A place with its
 * highest bit set makes a byte 0. */
#if UNIT_BITS == 8
#define UNIT_PLACES 0
#define UNIT_STEP 1
#else
#define UNIT_PLACES 0x0100
#define UNIT_STEP 0x0202
#endif

#define MOST_LANES (CLRS_SHORT_UNITS / LANE_UNITS)
#define MOST_PARTS (LANE_UNITS / 2) /* more parts take longer than unit by unit */
#define FEWEST_BYTES_OF_RUN 4       /* runs of this size are copied as fast as shuffled */

/* The parts of all lanes of a chunk. Parts that a lane does not need move nothing. */
typedef struct shuffles_t {
  index_t lane_count; /* lanes of a chunk, or 0 if unit by unit is better */
  index_t part_count; /* parts of the lane that needs most */
  uchar needed[MOST_LANES];
  index_t from[MOST_LANES][MOST_PARTS];
  char16 places[MOST_LANES][MOST_PARTS];
} shuffles_t;

typedef struct ANY_BYTES any_bytes_t {
  char16 value;
} any_bytes_t;

#if INDEX_BITS == 32
#define INDEX int
#else
#define INDEX long
#endif
typedef index_t lane_index_t __attribute__((ext_vector_type(LANE_UNITS)));

typedef struct ANY_BYTES any_indices_t {
  lane_index_t value;
} any_indices_t;

/* The minimum of each unit of the lower half and its counterpart of the upper half. */
#define HALVED(units) ((units).lo < (units).hi ? (units).lo : (units).hi)

HELPER index_t lowest_of(lane_index_t at) {
#if UNIT_BITS == 8
  const VECTOR_OF(INDEX, 8) eight = HALVED(at);
#else
  const VECTOR_OF(INDEX, 8) eight = at;
#endif
  const VECTOR_OF(INDEX, 4) four = HALVED(eight);
  const VECTOR_OF(INDEX, 2) two = HALVED(four);
  return min(two.x, two.y);
}

/* Lists the parts of a lane. `at` has the positions of the units, and `highest` is the highest
 * position of the chunk. Returns the number of parts, or MOST_PARTS + 1 if MOST_PARTS are not
 * enough. */
HELPER index_t list_parts(lane_index_t at, index_t highest, index_t *from, char16 *places) {
  index_t count = 0;
  for (index_t lowest = lowest_of(at); lowest <= highest; lowest = lowest_of(at)) {
    if (count == MOST_PARTS) {
      return MOST_PARTS + 1;
    }
    const index_t start = min(lowest, highest - (LANE_UNITS - 1));
    const lane_index_t unit = at - start;
    const lane_index_t is_here = (unit >= 0) & (unit < LANE_UNITS);
    const lane_index_t moved = (unit * UNIT_STEP + UNIT_PLACES) | ~is_here; /* elsewhere -1 */
    places[count] = as_char16(__builtin_convertvector(moved, lane_t));
    from[count++] = start;
    at = is_here ? (lane_index_t)(highest + 1) : at;
  }
  return count;
}

/* Adds parts that move nothing, so that all lanes have the same number of parts. A number above
 * four is made even. */
HELPER void fill_lanes(shuffles_t *shuffles) {
  const index_t most = shuffles->part_count;
  shuffles->part_count = most > 4 ? most + most % 2 : most;
  for (index_t lane = 0; lane < shuffles->lane_count; lane++) {
    for (index_t part = shuffles->needed[lane]; part < shuffles->part_count; part++) {
      shuffles->places[lane][part] = -1;
      shuffles->from[lane][part] = shuffles->from[lane][0];
    }
  }
}

/* Lists the parts of all lanes of a chunk with its units at `at`. The last lane ends with the
 * chunk: for 55 bytes, the last lane is bytes 39 to 54. */
HELPER void list_lanes(const index_t *at, index_t units, shuffles_t *shuffles) {
  index_t lowest = 0, highest = 0;
  for (index_t i = 0; i < units; i++) {
    lowest = min(lowest, at[i]);
    highest = max(highest, at[i]);
  }
  const bool has_lanes = units >= LANE_UNITS && highest - lowest >= LANE_UNITS - 1;
  shuffles->lane_count = has_lanes ? (units + LANE_UNITS - 1) / LANE_UNITS : 0;
  shuffles->part_count = 0;
  for (index_t lane = 0; lane < shuffles->lane_count; lane++) {
    const index_t first = min(lane * LANE_UNITS, units - LANE_UNITS);
    const index_t parts = list_parts(((const any_indices_t *)(at + first))->value, highest,
                                     shuffles->from[lane], shuffles->places[lane]);
    shuffles->needed[lane] = (uchar)parts;
    shuffles->part_count = max(shuffles->part_count, parts);
    shuffles->lane_count = parts > MOST_PARTS ? 0 : shuffles->lane_count;
  }
  fill_lanes(shuffles);
}

/* Lists the shuffles of a chunk of `count` runs, which begin at `from`. This function and
 * shuffle_chunk are APART: inlined, they kept the compiler from inlining gather_runs. */
APART void list_shuffles(const index_t *from, index_t count, index_t run, shuffles_t *shuffles) {
  index_t at[CLRS_SHORT_UNITS];
  shuffles->lane_count = 0;
  if (run == 1) {
    list_lanes(from, count, shuffles);
  } else if (run * UNIT_BYTES < FEWEST_BYTES_OF_RUN) {
    for (index_t i = 0; i < count; i++) {
      for (index_t unit = 0; unit < run; unit++) {
        at[i * run + unit] = from[i] + unit;
      }
    }
    list_lanes(at, count * run, shuffles);
  }
}

/* Shuffles lanes of at most `most` parts each. */
#define SHUFFLE_LANES(most)                                                                        \
  if (shuffles->part_count <= (most)) {                                                            \
    for (index_t lane = 0; lane < shuffles->lane_count; lane++) {                                  \
      char16 value = 0;                                                                            \
      _Pragma("unroll") for (int part = 0; part < (most); part++) {                                \
        global const UNIT *from = source + shuffles->from[lane][part];                             \
        value |= SHUFFLE(((global const any_bytes_t *)from)->value, shuffles->places[lane][part]); \
      }                                                                                            \
      ((any_bytes_t *)(staged + min(lane * LANE_UNITS, units - LANE_UNITS)))->value = value;       \
    }                                                                                              \
    return;                                                                                        \
  }

/* Shuffles a chunk of `units` units into a stage. */
APART void shuffle_chunk(global const UNIT *source, const shuffles_t *restrict shuffles,
                         index_t units, UNIT *restrict staged) {
  SHUFFLE_LANES(1)
  SHUFFLE_LANES(2)
  SHUFFLE_LANES(3)
  SHUFFLE_LANES(4)
#if UNIT_BITS == 8
  SHUFFLE_LANES(6)
  SHUFFLE_LANES(8)
#endif
}

#else
typedef struct shuffles_t {
  index_t lane_count;
} shuffles_t;

HELPER void list_shuffles(const index_t *from, index_t count, index_t run, shuffles_t *shuffles) {
  (void)from;
  (void)count;
  (void)run;
  shuffles->lane_count = 0;
}

HELPER void shuffle_chunk(global const UNIT *source, const shuffles_t *shuffles, index_t units,
                          UNIT *staged) {
  (void)source;
  (void)shuffles;
  (void)units;
  (void)staged;
}
#endif

#endif
