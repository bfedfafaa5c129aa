/*
 * Converts a row's codes by the map. Vectors of lanes go straight into the lines of the
 * destination. Without lanes, a loop that a compiler may vectorize puts single codes into a stage.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_CONVERT_CL
#define CLRS_MAP_CONVERT_CL
#ifndef CLRS_MAP_STAGE_CL
#include "map_stage.cl"
#endif

/* The destination of a row's result. */
typedef struct target_t {
  global uchar *destination;
  index_t at, stride;
  index_t gap; /* source elements from the end of the row's codes to the next row's codes */
} target_t;

/* Writes elements with a stride in the destination, and nothing between the elements. */
APART void write_apart(const TO_T *staged, index_t count, const target_t target) {
  for (index_t i = 0; i < count; i++) {
    store_code(ELEMENT(TO), target.destination, target.at + i * target.stride, staged[i]);
  }
}

#if TO_BITS < 8
#define IS_PACKED true
#if LANES > 1
#if TO_BITS == 4
#define CODES_OF_16_BYTES ushort16
typedef any_ushort16_t any_codes_t;
#elif TO_BITS == 2
#define CODES_OF_16_BYTES uint16
typedef any_uint16_t any_codes_t;
#else
#define CODES_OF_16_BYTES ulong16
typedef any_ulong16_t any_codes_t;
#endif
#ifdef __ENDIAN_LITTLE__
#define PLACE_OF_SLOT(slot) (8 * (slot))
#else
#define PLACE_OF_SLOT(slot) (8 * (8 / TO_BITS - 1 - (slot)))
#endif

/* Packs 16 bytes at a time, and returns the number of packed bytes. Codes 0x0a and 0x0b become
 * 0xba. */
INLINED index_t pack(const TO_T *staged, index_t bytes, global uchar *to) {
  index_t i = 0;
  PLAIN_LOOP
  for (; i + 16 <= bytes; i += 16) {
    const CODES_OF_16_BYTES codes = ((const any_codes_t *)(staged + i * (8 / TO_BITS)))->value;
    CODES_OF_16_BYTES packed = 0;
    UNROLLED
    for (int slot = 0; slot < 8 / TO_BITS; slot++) {
      packed |= codes >> PLACE_OF_SLOT(slot) << packed_shift(ELEMENT(TO), (uint)slot);
    }
    ((global any_uchar16_t *)(to + i))->value = CAST(uchar16, packed);
  }
  return i;
}
#else
#define pack(staged, bytes, to) 0
#endif

/* Writes sub-byte neighbours, the first of which begins a byte. The bits behind the last element
 * stay. Three elements of 4 bits are a byte and half of the next byte. */
APART void write_staged(const TO_T *staged, index_t count, const target_t target) {
  const index_t per_byte = 8 / TO_BITS, whole = count / per_byte;
  global uchar *to = target.destination + target.at / per_byte;
  uint mask = 0, bits = 0;
  for (index_t i = pack(staged, whole, to); i < whole; i++) {
    uint byte = 0;
    UNROLLED
    for (index_t slot = 0; slot < per_byte; slot++) {
      /* rusticl 25.0 swaps codes that are each shifted by their place. */
      const index_t next = ELEMENT(TO).is_msb_first ? slot : per_byte - 1 - slot;
      byte = byte << TO_BITS | (uint)staged[i * per_byte + next];
    }
    to[i] = (uchar)byte;
  }
  for (index_t i = whole * per_byte; i < count; i++) {
    const uint shift = packed_shift(ELEMENT(TO), (uint)(i % per_byte));
    bits |= (uint)staged[i] << shift;
    mask |= ((1u << TO_BITS) - 1u) << shift;
  }
  if (mask != 0) {
    to[whole] = (uchar)(bits | (to[whole] & ~mask));
  }
}
#else
#define IS_PACKED false
#define write_staged write_apart
#endif

#if LANES > 1
/* The elements [head, tail) fill whole lines of the destination. If no element begins a line or no
 * line is whole, head and tail are equal. The number of all elements is `count`. The source
 * elements between the row's codes and the next row's codes are `gap`. Both are used for
 * prefetching. Example: for 20 bytes that begin at byte 10 of a line, head and tail are 20, because
 * the next line begins behind these bytes. */
typedef struct edges_t {
  index_t head, tail, count, gap;
} edges_t;

INLINED edges_t find_edges(global const TO_T *to, index_t count) {
  const size_t past = (size_t)to % LINE_BYTES;
  edges_t edges = {0, 0, count, 0};
  if (past % sizeof(TO_T) == 0) {
    edges.head = min((index_t)((LINE_BYTES - past) % LINE_BYTES / sizeof(TO_T)), count);
    edges.tail = edges.head + (count - edges.head) / LINE_STEP * LINE_STEP;
  }
  return edges;
}

/* Returns the number of elements before the first line, or 0 without lines. Whole groups of these
 * elements must share a parameter. */
INLINED index_t head_of(const target_t target, index_t count) {
  return target.stride != 1 || IS_PACKED || count < LANES
             ? 0
             : find_edges((global const TO_T *)target.destination + target.at, count).head;
}

INLINED value_t staged_along(const parameter_t *staged, index_t i) {
  return ((const any_floats_t *)(staged + i))->value;
}

INLINED void take_along(const stages_t *stages, index_t i, parameters_t *p) {
#define TAKE_ALONG(n)                                                                              \
  if (ORIGIN_##n != CLRS_ORIGIN_NONE) {                                                            \
    p->p##n = staged_along(stages->step_##n, i);                                                   \
  }
#define TAKE_INVERSE_ALONG(n)                                                                      \
  if (INVERSES(n)) {                                                                               \
    p->inverse##n = staged_along(stages->inverse_##n, i);                                          \
    p->low##n = staged_along(stages->low_##n, i);                                                  \
  }
  EACH_STEP(TAKE_ALONG)
#ifdef HAS_INVERSES
  EACH_STEP(TAKE_INVERSE_ALONG)
#endif
}

INLINED void take_in_groups(const stages_t *stages, index_t i, parameters_t *p) {
  const index_t group = i >> stages->shift;
#define TAKE_IN_GROUPS(n)                                                                          \
  if (ORIGIN_##n != CLRS_ORIGIN_NONE) {                                                            \
    p->p##n = (value_t)stages->step_##n[group];                                                    \
  }
#define TAKE_INVERSE_IN_GROUPS(n)                                                                  \
  if (INVERSES(n)) {                                                                               \
    p->inverse##n = (value_t)stages->inverse_##n[group];                                           \
    p->low##n = (value_t)stages->low_##n[group];                                                   \
  }
  EACH_STEP(TAKE_IN_GROUPS)
#ifdef HAS_INVERSES
  EACH_STEP(TAKE_INVERSE_IN_GROUPS)
#endif
  (void)group;
}

INLINED void take_staged(const stages_t *stages, index_t i, int spread, parameters_t *p) {
  if (spread == SPREAD_ALONG) {
    take_along(stages, i, p);
  } else {
    take_in_groups(stages, i, p);
  }
}

INLINED to_lanes_t convert_lanes(codes_ref codes, const parameters_t p) {
  return CAST(to_lanes_t, CONVERT(((global const any_from_t *)codes)->value, p));
}

typedef union lanes_result_t {
  to_lanes_t lanes;
  TO_T codes[LANES];
} lanes_result_t;

/* Converts fewer than LANES elements. */
APART void convert_few(codes_ref codes, index_t count, const parameters_t p,
                       const target_t target) {
  lanes_result_t results;
  FROM_T few[LANES] = {0};
  PLAIN_LOOP
  for (index_t i = 0; i < count; i++) {
    few[i] = ((global const any_code_t *)codes)[i].code;
  }
  results.lanes = convert_lanes(AS_CODES_REF(few), p);
  write_staged(results.codes, count, target);
}

/* Converts the lanes from element i on, for a vector of the destination. p has no parameters yet if
 * the parameters may change within a line. */
INLINED to_lanes_t convert_at(codes_ref codes, index_t i, const stages_t *stages, parameters_t p,
                              int spread) {
  if (spread != SPREAD_IN_LINES) {
    take_staged(stages, i, spread, &p);
  }
  return convert_lanes(codes + i, p);
}

/* Converts a whole line of lanes at once. A store of one vector would be narrower than a line, and
 * would go through the cache. */
#define LANES_AT(k) convert_at(codes, i + (k)*LANES, stages, p, spread)
INLINED void convert_line(codes_ref codes, index_t i, const stages_t *stages, const parameters_t p,
                          int spread, global TO_T *to) {
  global uint16 *line = (global uint16 *)(to + i);
#if TO_BITS <= 8
  const uint4 a = as_uint4(LANES_AT(0)), b = as_uint4(LANES_AT(1));
  const uint4 c = as_uint4(LANES_AT(2)), d = as_uint4(LANES_AT(3));
  STORE_LINE((uint16)(a, b, c, d), line);
#elif TO_BITS == 16
  const uint8 a = as_uint8(LANES_AT(0)), b = as_uint8(LANES_AT(1));
  STORE_LINE((uint16)(a, b), line);
#elif TO_BITS == 32
  STORE_LINE(as_uint16(LANES_AT(0)), line);
#else
  const to_lanes_t lanes = LANES_AT(0);
  STORE_LINE(as_uint16(lanes.lo), line);
  STORE_LINE(as_uint16(lanes.hi), line + 1);
#endif
}

INLINED void convert_lines(codes_ref codes, edges_t edges, const stages_t *stages, parameters_t p,
                           int spread, global TO_T *to) {
  index_t i = edges.head;
  while (i < edges.tail) {
    index_t end = edges.tail;
    if (spread == SPREAD_IN_LINES) {
      end = min(end_of_group(i, stages->shift), edges.tail);
      take_in_groups(stages, i, &p);
    }
    PLAIN_LOOP
    for (; i < end; i += LINE_STEP) {
      const index_t ahead = i + PREFETCHED_BYTES / (index_t)sizeof(FROM_T);
      codes_ref next = codes + ahead + (ahead < edges.count ? 0 : edges.gap);
#pragma unroll
      for (int line = 0; line < LINE_STEP * (int)sizeof(FROM_T); line += LINE_BYTES) {
        PREFETCH((global const uchar *)next + line);
      }
      convert_line(codes, i, stages, p, spread, to);
    }
  }
}

/* Converts the elements before the first line and behind the last line, in lanes that overlap the
 * lines. Example: of 40 elements whose first 3 end a line, the lanes begin at 0 and at 24. Only
 * elements outside the lines are written, because a store into a line that has just been written
 * around the cache would wait for that line. copy_staged_edge_bytes takes a line at most, and lanes
 * of 8-byte elements are two lines. So the last 12 elements of such a row are copied as 8 and 4. */
INLINED void convert_edges(codes_ref codes, index_t count, edges_t edges, const stages_t *stages,
                           parameters_t p, int spread, global TO_T *to) {
  lanes_result_t results;
  PLAIN_LOOP
  for (index_t i = 0; i < count;) {
    if (i >= edges.head && i < edges.tail) {
      i = edges.tail;
      continue;
    }
    const index_t at = min(i, count - LANES);
    const index_t end = i < edges.head ? edges.head : count;
    const index_t left = end - i;
    const index_t part = left >= LANES ? LANES : min(left, (index_t)(LINE_BYTES / sizeof(TO_T)));
    take_staged(stages, at, spread, &p);
    results.lanes = convert_lanes(codes + at, p);
    if (part == LANES) {
      ((global any_to_t *)(to + at))->value = results.lanes;
    } else {
      copy_staged_edge_bytes((const uchar *)(results.codes + (i - at)), (global uchar *)(to + i),
                             part * (index_t)sizeof(TO_T));
    }
    i += part;
  }
}

/* Converts lines by three loops. Each loop is for another way in which parameters change. */
INLINED void convert_spread(codes_ref codes, edges_t edges, const stages_t *stages,
                            const parameters_t p, global TO_T *to) {
  const bool may_change = HAS_VIEWS, has_groups = LINE_STEP > LANES;
  const int spread = may_change ? spread_of(stages->shift) : SPREAD_IN_LINES;
  if (spread == SPREAD_ALONG) {
    convert_lines(codes, edges, stages, p, SPREAD_ALONG, to);
  } else if (has_groups && spread == SPREAD_IN_GROUPS) {
    convert_lines(codes, edges, stages, p, SPREAD_IN_GROUPS, to);
  } else {
    convert_lines(codes, edges, stages, p, SPREAD_IN_LINES, to);
  }
}

/* Converts the lines and the elements around the lines. A row with wild parameters or numbers is
 * converted completely like the elements around lines. A row of strided or packed elements is also
 * converted this way, into a stage: vectors took a fifth of the time of single elements. */
INLINED void convert_run(codes_ref codes, index_t count, const stages_t *stages, parameters_t p,
                         const target_t target) {
  TO_T staged[CLRS_MAPPED_STAGE];
  const bool is_staged = target.stride != 1 || IS_PACKED;
  global TO_T *to =
      is_staged ? (global TO_T *)(size_t)staged : (global TO_T *)target.destination + target.at;
  const edges_t none = {0, 0, 0, 0};
  edges_t edges = is_staged ? none : find_edges(to, count);
  bool is_done = true;
  edges.gap = target.gap;
#ifdef HAS_INVERSES
  codes_t beyond = (codes_t)0;
  p.beyond = &beyond;
#endif
  p.is_tame = TAMES;
  if (!is_staged && (!TAMES || stages->is_tame)) {
    convert_spread(codes, edges, stages, p, to);
  } else {
    is_done = false;
  }
#ifdef HAS_INVERSES
  if (DIVISION == CLRS_DIVIDES) {
    is_done = is_done && !is_any(beyond);
  }
#endif
  p.is_tame = false;
  convert_edges(codes, count, is_done ? edges : none, stages, p, spread_of(stages->shift), to);
  if (is_staged) {
    write_staged(staged, count, target);
  }
}

INLINED void convert_row(codes_ref codes, index_t count, const stages_t *stages, target_t target) {
  parameters_t p = no_parameters();
  if (count >= LANES) {
    convert_run(codes, count, stages, p, target);
    return;
  }
  take_staged(stages, 0, spread_of(stages->shift), &p);
  convert_few(codes, count, p, target);
}
#else
#define head_of(target, count) 0

INLINED parameters_t staged_parameters(const stages_t *stages, index_t i) {
  parameters_t p = no_parameters();
#define TAKE_STAGED(n) p.p##n = stages->step_##n[ORIGIN_##n != CLRS_ORIGIN_NONE ? i : 0];
  EACH_STEP(TAKE_STAGED)
  (void)stages;
  return p;
}

INLINED void convert_row(const FROM_T *codes, index_t count, const stages_t *stages,
                         const target_t target) {
  TO_T result[CLRS_MAPPED_STAGE];
  if (HAS_PARAMETERS && stages->shift == 0) {
    for (index_t i = 0; i < count; i++) {
      result[i] = (TO_T)CONVERT(codes[i], staged_parameters(stages, i));
    }
  } else {
    const parameters_t p = staged_parameters(stages, 0);
    for (index_t i = 0; i < count; i++) {
      result[i] = (TO_T)CONVERT(codes[i], p);
    }
  }
  write_staged(result, count, target);
}
#endif

#endif
