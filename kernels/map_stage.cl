/*
 * The parameters of a row's elements: one for all of them, or staged in the row's order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_STAGE_CL
#define CLRS_MAP_STAGE_CL
#ifndef CLRS_MAP_SOURCE_CL
#include "map_source.cl"
#endif

/* ---- parameters ---- */

INLINED bool stays(mapped_ref move, int operand) {
  bool all = true;
  for (index_t k = first_run_axis(move); k < move->axis_count; k++) {
    all = all && move->axes[k].strides[operand] == 0;
  }
  return all;
}

/* The same value so many times; 32 bits of it. In lanes the last ones overlap those before. */
#if LANES > 1
#define REPEAT(value, to, count)                                                                   \
  for (index_t i = 0; i < count; i += LANES) {                                                     \
    if (count < LANES) {                                                                           \
      PLAIN_LOOP                                                                                   \
      for (index_t k = 0; k < count; k++) {                                                        \
        (to)[k] = value;                                                                           \
      }                                                                                            \
    } else {                                                                                       \
      ((any_wholes_t *)((to) + min(i, count - LANES)))->value = (wholes_t)as_int(value);           \
    }                                                                                              \
  }
#else
#define REPEAT(value, to, count)                                                                   \
  for (index_t i = 0; i < count; i++) {                                                            \
    (to)[i] = value;                                                                               \
  }
#endif

/* How the parameters of a row change along it: not at all; or they are staged, one for each
 * element, or one for LANES of them that share it. */
#define SPREAD_NOT 0
#define SPREAD_ALONG 1
#define SPREAD_IN_LANES 2

/* May the parameters be staged one for LANES elements? They may if a parameter changes only at
 * multiples of LANES, counted from the run's first element. */
INLINED bool share_lanes(mapped_ref move) {
  const index_t last = move->axis_count - 1;
  bool all = LANES > 1 && move->axes[last].extent % LANES == 0 && move->chunk_columns % LANES == 0;
  for (int operand = CLRS_FIRST_VIEW; operand < OPERANDS; operand++) {
    all = all && move->axes[last].strides[operand] == 0;
  }
  return all;
}

/* Stages what VALUE gives at the positions of an operand along the row. */
#define STAGE_PARAMETER(operand, staged, VALUE)                                                    \
  {                                                                                                \
    const index_t stride = move->axes[move->axis_count - 1].strides[operand];                      \
    piece_t piece;                                                                                 \
    start_pieces(move, runs, row, operand, &piece);                                                \
    do {                                                                                           \
      if (stride == 0) {                                                                           \
        const index_t position = piece.at;                                                         \
        const arith_or_zero value = VALUE;                                                         \
        if (stages->spread == SPREAD_IN_LANES) {                                                   \
          PLAIN_LOOP                                                                               \
          for (index_t i = piece.done / LANES; i < (piece.done + piece.length) / LANES; i++) {     \
            (staged)[i] = value;                                                                   \
          }                                                                                        \
        } else {                                                                                   \
          REPEAT(value, (staged) + piece.done, piece.length)                                       \
        }                                                                                          \
      } else {                                                                                     \
        PLAIN_LOOP                                                                                 \
        for (index_t i = 0; i < piece.length; i++) {                                               \
          const index_t position = piece.at + i * stride;                                          \
          staged[piece.done + i] = VALUE;                                                          \
        }                                                                                          \
      }                                                                                            \
    } while (next_piece(move, runs, row, operand, &piece));                                        \
  }

#define STEP_STAYS(n) all = all && (ORIGIN_##n == CLRS_ORIGIN_NUMBER || stays(move, VIEW_##n));
INLINED bool all_stay(mapped_ref move) {
  bool all = true;
  EACH_STEP(STEP_STAYS)
#if ZERO_PLACE != 0
  STEP_STAYS(8)
#endif
  return all;
}

/* ---- rows ---- */

#ifdef HAS_INVERSES
#define INVERSES(n) (OP_##n == CLRS_OP_DIVIDE)

INLINED bool is_within(float p, int exponent) {
  const uint value = as_uint(p) & 0x7fffffffu;
  return value >= (uint)(127 - exponent) << 23 && value <= (uint)(127 + exponent) << 23;
}

/* Does this parameter let steps.cl divide by inverses? */
INLINED bool may_invert(int op, float p) {
  const bool is_sum = op == CLRS_OP_ADD || op == CLRS_OP_SUBTRACT;
  if (op == CLRS_OP_DIVIDE) {
    return is_within(p, 30);
  }
  return DIVISION != CLRS_DIVIDES_INTEGERS || !is_sum || p == 0.0f || is_within(p, 60);
}
#else
#define INVERSES(n) 0
#define may_invert(op, p) false
#endif

#define DECLARE_STAGE(n)                                                                           \
  arith_t step_##n[CLRS_MAPPED_STAGE], inverse_##n[INVERSES(n) ? CLRS_MAPPED_STAGE : 1];
#define FILL_STAGE(n)                                                                              \
  if (ORIGIN_##n == CLRS_ORIGIN_NUMBER) {                                                          \
    const arith_t value = PARAMETER(n, 0);                                                         \
    for (index_t i = 0; i < count; i++) {                                                          \
      stages->step_##n[i] = value;                                                                 \
    }                                                                                              \
  } else {                                                                                         \
    STAGE_PARAMETER(VIEW_##n, stages->step_##n, PARAMETER(n, position))                            \
  }                                                                                                \
  for (index_t i = 0; DIVISION != CLRS_DIVIDES_NOT && i < count; i++) {                            \
    stages->by_inverses &= may_invert(OP_##n, stages->step_##n[i]);                                \
  }                                                                                                \
  for (index_t i = 0; INVERSES(n) && i < count; i++) {                                             \
    stages->inverse_##n[i] = 1 / stages->step_##n[i];                                              \
  }

/* The parameters of a row's elements, where they change along it. */
typedef struct stages_t {
  EACH_STEP(DECLARE_STAGE)
  int spread; /* SPREAD_ALONG or SPREAD_IN_LANES */
  bool by_inverses;
  int zeros[ZERO_PLACE != 0 ? CLRS_MAPPED_STAGE : 1]; /* 32 bits of it, with or without a sign */
} stages_t;

#define arith_or_zero arith_t
INLINED void stage_steps(mapped_ref move, const tensors_t tensors, const runs_t *runs,
                         const row_t row, stages_t *stages) {
  const index_t count = stages->spread == SPREAD_IN_LANES ? row.count / LANES : row.count;
  stages->by_inverses = true;
  EACH_STEP(FILL_STAGE)
  (void)count;
  (void)tensors;
  (void)runs;
}
#undef arith_or_zero

#define arith_or_zero int
INLINED void stage_zeros(mapped_ref move, const tensors_t tensors, const runs_t *runs,
                         const row_t row, stages_t *stages) {
#if ZERO_PLACE != 0
  if (ORIGIN_8 == CLRS_ORIGIN_NUMBER) {
    for (index_t i = 0; i < row.count; i++) {
      stages->zeros[i] = (int)ZERO_PARAMETER(0);
    }
  } else {
    STAGE_PARAMETER(VIEW_8, stages->zeros, (int)ZERO_PARAMETER(position))
  }
#endif
  (void)move;
  (void)tensors;
  (void)runs;
  (void)row;
  (void)stages;
}

/* Are the row's parameters those that are staged? So they are where each part begins at a period of
 * them, and no other step moves them. */
INLINED bool are_staged(mapped_ref move, const row_t row, int spread, const stages_t *stages,
                        places_t *staged_at) {
  bool same = stages->spread == spread && move->period != 0;
  for (int operand = CLRS_FIRST_VIEW; operand < OPERANDS; operand++) {
    same = same && staged_at->at[operand] == row.places.at[operand];
    staged_at->at[operand] = row.places.at[operand];
  }
  return same;
}

/* Those of a row in which all elements have the same. */
INLINED parameters_t uniform_parameters(mapped_ref move, const tensors_t tensors, const row_t row) {
  parameters_t p = parameters_at(move, tensors, row.places);
#ifdef HAS_INVERSES
#define INVERT(n)                                                                                  \
  p.by_inverses &= may_invert(OP_##n, FIRST(p.p##n));                                              \
  if (INVERSES(n)) {                                                                               \
    p.inverse##n = (value_t)(1.0f / FIRST(p.p##n));                                                \
  }
  p.by_inverses = true;
  EACH_STEP(INVERT)
#endif
  return p;
}

#endif
