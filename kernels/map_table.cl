/*
 * Codes of 4 bits through a table. Where neighbours share their parameters, the 16 codes are taken
 * through the map once, and a permutation of that vector gives the elements of a line: of the codes
 * 3, 0 and 3 the results number 3, 0 and 3.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_TABLE_CL
#define CLRS_MAP_TABLE_CL
#ifndef CLRS_MAP_CONVERT_CL
#include "map_convert.cl"
#endif

#if LANES > 1 && defined(__AVX512BW__) && (UNIT_BITS == 16 || UNIT_BITS == 32)
typedef union table_t {
  to_lanes_t lanes;
  TO_T of[LANES];
} table_t;

/* Are the codes half bytes in order, and do two vectors of them share their parameters? */
INLINED bool has_tables(mapped_ref move, const target_t target, int shift) {
  const bool is_half_byte = ELEMENT(FROM).bits == 4, is_shared = 1 << min(shift, 8) >= 2 * LANES;
  return is_half_byte && is_shared && target.stride == 1 &&
         move->axes[move->axis_count - 1].strides[CLRS_FROM] == 1;
}

/* A line's codes, two to a byte, as numbers of a unit's width: indices into the table. */
#if UNIT_BITS == 16
INLINED uint16 take_line(const table_t *table, global const uchar *packed) {
  typedef short shorts_t __attribute__((ext_vector_type(32)));
  const uint16 bytes = CAST(uint16, as_uchar16(((global const any_uint4_t *)packed)->value));
  const uint16 codes =
      ELEMENT(FROM).is_msb_first ? bytes >> 4u | bytes << 16u : bytes | bytes << 12u;
  const uint8 results = as_uint8(table->lanes);
  const uint16 twice = (uint16)(results, results), places = codes & 0x000f000fu;
  return __builtin_astype(__builtin_ia32_permvarhi512(__builtin_astype(twice, shorts_t),
                                                      __builtin_astype(places, shorts_t)),
                          uint16);
}
#else
INLINED uint16 take_line(const table_t *table, global const uchar *packed) {
  const ulong8 bytes = CAST(ulong8, as_uchar8(((global const any_ulong_t *)packed)->value));
  const ulong8 codes =
      ELEMENT(FROM).is_msb_first ? bytes >> 4ul | bytes << 32ul : bytes | bytes << 28ul;
  const int16 places = as_int16(codes) & 15;
  return as_uint16(__builtin_ia32_permvarsi512(as_int16(table->lanes), places));
}
#endif

INLINED void take_one(const table_t *table, global const uchar *source, index_t from,
                      global uchar *destination, index_t to) {
  store_code(ELEMENT(TO), destination, to,
             table->of[load_code(ELEMENT(FROM), source, from) % LANES]);
}

/* A group of elements that share their parameters. */
INLINED void take_group(const table_t *table, global const uchar *source, index_t from,
                        const target_t target, index_t count) {
  global TO_T *to = (global TO_T *)target.destination + target.at;
  index_t i = 0;
  PLAIN_LOOP
  for (; i < count && (size_t)(to + i) % LINE_BYTES != 0; i++) {
    take_one(table, source, from + i, target.destination, target.at + i);
  }
  PLAIN_LOOP
  for (; i + LINE_STEP <= count; i += LINE_STEP) {
    global const uchar *packed = source + (from + i) / 2;
    PREFETCH(packed + PREFETCHED_BYTES);
    STORE_LINE(take_line(table, packed), (global uint16 *)(to + i));
  }
  PLAIN_LOOP
  for (; i < count; i++) {
    take_one(table, source, from + i, target.destination, target.at + i);
  }
}

#define LANE_NUMBER(k, n, p) (k)

/* The codes of a row's part, which begin at position `from` of the source. */
INLINED void take_row(global const uchar *source, index_t from, index_t count,
                      const stages_t *stages, target_t target) {
  parameters_t p = no_parameters();
  table_t table;
  for (index_t i = 0; i < count;) {
    const index_t end = min(end_of_group(i, stages->shift), count);
    take_in_groups(stages, i, &p);
    table.lanes = CAST(to_lanes_t, CONVERT((from_lanes_t)(EACH_LANE(LANE_NUMBER, 0, 0)), p));
    take_group(&table, source, from + i, target, end - i);
    target.at += end - i;
    i = end;
  }
}

/* False if codes begin a line of the destination in the middle of a byte, or are not neighbours. */
APART bool convert_by_table(global const uchar *source, mapped_ref move, const runs_t *runs,
                            const row_t row, const stages_t *stages, const target_t target) {
  piece_t piece;
  if (!has_tables(move, target, stages->shift)) {
    return false;
  }
  start_pieces(move, runs, row, CLRS_FROM, &piece);
  const bool is_whole = piece.length == row.count;
  const bool is_even = (piece.at + head_of(target, row.count)) % 2 == 0;
  if (is_whole && is_even) {
    take_row(source, piece.at, row.count, stages, target);
  }
  return is_whole && is_even;
}
#else
#define convert_by_table(source, move, runs, row, stages, target) false
#endif

#endif
