/*
 * A row's codes through the map: in lanes, straight into the lines of the destination; or one by
 * one into a stage, for a loop that a compiler may make vectors of.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_CONVERT_CL
#define CLRS_MAP_CONVERT_CL
#ifndef CLRS_MAP_STAGE_CL
#include "map_stage.cl"
#endif

/* Where a row's result goes, and which parameters its elements have. */
typedef struct target_t {
  global uchar *destination;
  index_t at, stride;
  bool varies; /* along the row: they are staged */
} target_t;

#if LANES > 1
/* Elements of one line, or of lanes that are two. */
#define LINE_STEP (UNIT_BITS > 32 ? LANES : LINE_BYTES * 8 / UNIT_BITS)

/* Elements from the first line of the destination to the last one; none if no element begins a line
 * or no line is whole. */
typedef struct edges_t {
  index_t head, tail;
} edges_t;

INLINED edges_t find_edges(global const TO_T *to, index_t count) {
  const size_t past = (size_t)to % LINE_BYTES;
  edges_t edges = {0, 0};
  if (past % sizeof(TO_T) == 0) {
    edges.head = past == 0 ? 0 : (index_t)((LINE_BYTES - past) / sizeof(TO_T));
    edges.tail = edges.head + max(count - edges.head, (index_t)0) / LINE_STEP * LINE_STEP;
  }
  return edges;
}

INLINED void take_staged(const stages_t *stages, index_t i, parameters_t *p) {
#define TAKE_LANES(n) p->p##n = ((const any_floats_t *)(stages->step_##n + i))->value;
  EACH_STEP(TAKE_LANES)
#ifdef HAS_INVERSES
#define TAKE_INVERSES(n)                                                                           \
  if (INVERSES(n)) {                                                                               \
    p->inverse##n = ((const any_floats_t *)(stages->inverse_##n + i))->value;                      \
  }
  EACH_STEP(TAKE_INVERSES)
#endif
#if ZERO_PLACE != 0
  p->zero = ((const any_wholes_t *)(stages->zeros + i))->value;
#endif
}

INLINED to_lanes_t convert_lanes(codes_ref codes, const parameters_t p) {
  return CAST(to_lanes_t, CONVERT(((global const any_from_t *)codes)->value, p));
}

/* Fewer than LANES elements, or some apart. */
INLINED void convert_few(codes_ref codes, index_t count, const parameters_t p,
                         const target_t target) {
  union {
    to_lanes_t lanes;
    TO_T codes[LANES];
  } results;
  FROM_T few[LANES] = {0};
  PLAIN_LOOP
  for (index_t i = 0; i < count; i++) {
    few[i] = ((global const any_code_t *)codes)[i].code;
  }
  results.lanes = convert_lanes(AS_CODES_REF(few), p);
  PLAIN_LOOP
  for (index_t i = 0; i < count; i++) {
    store_code(ELEMENT(TO), target.destination, target.at + i * target.stride, results.codes[i]);
  }
}

/* The lanes from element i on, of which a vector is made in the destination. */
INLINED to_lanes_t convert_at(codes_ref codes, index_t i, const stages_t *stages, parameters_t p,
                              bool varies) {
  if (varies) {
    take_staged(stages, i, &p);
  }
  return convert_lanes(codes + i, p);
}

/* Lanes as whole lines: each on its own would be narrowed by a store, which goes through the cache.
 */
#define LANES_AT(k) convert_at(codes, i + (k)*LANES, stages, p, varies)
INLINED void convert_line(codes_ref codes, index_t i, const stages_t *stages, const parameters_t p,
                          bool varies, global TO_T *to) {
  global uint16 *line = (global uint16 *)(to + i);
#if UNIT_BITS == 8
  const uint4 a = as_uint4(LANES_AT(0)), b = as_uint4(LANES_AT(1));
  const uint4 c = as_uint4(LANES_AT(2)), d = as_uint4(LANES_AT(3));
  STORE_LINE((uint16)(a, b, c, d), line);
#elif UNIT_BITS == 16
  const uint8 a = as_uint8(LANES_AT(0)), b = as_uint8(LANES_AT(1));
  STORE_LINE((uint16)(a, b), line);
#elif UNIT_BITS == 32
  STORE_LINE(as_uint16(LANES_AT(0)), line);
#else
  const to_lanes_t lanes = LANES_AT(0);
  STORE_LINE(as_uint16(lanes.lo), line);
  STORE_LINE(as_uint16(lanes.hi), line + 1);
#endif
}

INLINED void convert_lines(codes_ref codes, edges_t edges, const stages_t *stages,
                           const parameters_t p, bool varies, global TO_T *to) {
  for (index_t i = edges.head; i < edges.tail; i += LINE_STEP) {
#pragma unroll
    for (int line = 0; line < LINE_STEP * (int)sizeof(FROM_T); line += LINE_BYTES) {
      PREFETCH((global const uchar *)(codes + i) + PREFETCHED_BYTES + line);
    }
    convert_line(codes, i, stages, p, varies, to);
  }
}

/* What is before the first line and behind the last one, by lanes that overlap them: of 40 elements
 * whose first 3 end a line, lanes from 0 and from 24. */
INLINED void convert_edges(codes_ref codes, index_t count, edges_t edges, const stages_t *stages,
                           const parameters_t p, bool varies, global TO_T *to) {
  for (index_t i = 0; i < count; i += LANES) {
    if (i >= edges.head && i < edges.tail) {
      i = edges.tail - LANES;
      continue;
    }
    const index_t at = min(i, count - LANES);
    ((global any_to_t *)(to + at))->value = convert_at(codes, at, stages, p, varies);
  }
}

INLINED void convert_run(codes_ref codes, index_t count, const stages_t *stages, parameters_t p,
                         const target_t target) {
  global TO_T *to = (global TO_T *)target.destination + target.at;
  const edges_t edges = find_edges(to, count);
#ifdef HAS_INVERSES
  codes_t beyond = (codes_t)0;
  const bool by_inverses = target.varies ? stages->by_inverses : p.by_inverses;
  p.beyond = &beyond;
  if (by_inverses) {
    p.by_inverses = true;
    if (target.varies) {
      convert_lines(codes, edges, stages, p, true, to);
    } else {
      convert_lines(codes, edges, stages, p, false, to);
    }
  }
  p.by_inverses = false;
  bool divides_again = !by_inverses;
  if (DIVISION == CLRS_DIVIDES) {
    divides_again |= any(AS_WHOLES(beyond << 31)) != 0;
  }
  if (divides_again) {
    convert_lines(codes, edges, stages, p, target.varies, to);
  }
#else
  if (target.varies) {
    convert_lines(codes, edges, stages, p, true, to);
  } else {
    convert_lines(codes, edges, stages, p, false, to);
  }
#endif
  convert_edges(codes, count, edges, stages, p, target.varies, to);
}

INLINED void convert_row(codes_ref codes, index_t count, const stages_t *stages,
                         const parameters_t uniform, target_t target) {
  if (target.stride == 1 && count >= LANES) {
    convert_run(codes, count, stages, uniform, target);
    return;
  }
  PLAIN_LOOP
  for (index_t i = 0; i < count; i += LANES) {
    parameters_t p = uniform;
    if (target.varies) {
      take_staged(stages, i, &p);
    }
    p.by_inverses = false;
    convert_few(codes + i, min((index_t)LANES, count - i), p, target);
    target.at += LANES * target.stride;
  }
}
#else
INLINED parameters_t staged_parameters(const stages_t *stages, index_t i) {
  parameters_t p = no_parameters();
#define TAKE_STAGED(n) p.p##n = stages->step_##n[i];
  EACH_STEP(TAKE_STAGED)
#if ZERO_PLACE != 0
  p.zero = ZERO_SIGNED ? (zero_t)stages->zeros[i] : (zero_t)(uint)stages->zeros[i];
#endif
  (void)stages;
  return p;
}

INLINED void write_row(const TO_T *result, index_t count, const target_t target) {
#if !UNALIGNED
  if (target.stride == 1) {
    stream_staged((const UNIT *)result, (global UNIT *)target.destination + target.at, count);
    return;
  }
#endif
  for (index_t i = 0; i < count; i++) {
    store_code(ELEMENT(TO), target.destination, target.at + i * target.stride, result[i]);
  }
}

INLINED void convert_row(const FROM_T *codes, index_t count, const stages_t *stages,
                         const parameters_t uniform, const target_t target) {
  TO_T result[CLRS_MAPPED_STAGE];
  if (target.varies) {
    for (index_t i = 0; i < count; i++) {
      result[i] = (TO_T)CONVERT(codes[i], staged_parameters(stages, i));
    }
  } else {
    for (index_t i = 0; i < count; i++) {
      result[i] = (TO_T)CONVERT(codes[i], uniform);
    }
  }
  write_row(result, count, target);
}
#endif

#endif
