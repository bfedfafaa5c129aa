/*
 * The parameters of a row's elements: one for all elements, or staged in the order of the row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_STAGE_CL
#define CLRS_MAP_STAGE_CL
#ifndef CLRS_MAP_SPREAD_CL
#include "map_spread.cl"
#endif

#define COUNT_PARAMETER(n) +(ORIGIN_##n != CLRS_ORIGIN_NONE)
#define HAS_PARAMETERS ((0 EACH_STEP(COUNT_PARAMETER)) > 0)
#define HAS_VIEWS (VIEWS_END > CLRS_FIRST_VIEW) /* some parameters may change along a row */

/* ---- groups ---- */

/* Returns the largest power of two at whose multiples, counted from the run's first element, all
 * changes of parameters lie. Example: 32 for blocks of 96 neighbours that share a scale. */
INLINED index_t shared_group(mapped_ref move) {
  const index_t last = move->axis_count - 1;
  index_t all = move->axes[last].extent | move->chunk_columns;
  for (int operand = CLRS_FIRST_VIEW; operand < VIEWS_END; operand++) {
    all |= IS_VIEW(operand) && move->axes[last].strides[operand] != 0;
  }
  return all & -all;
}

/* Returns the largest power of two that divides both `group` and `count`, as a shift, or 0 if that
 * is less than LANES. A whole row is a group if all parameters are constant. */
INLINED int group_shift(mapped_ref move, index_t group, index_t count) {
  const index_t all = group | count, least = all & -all;
  const bool is_shared = LANES > 1 && least >= LANES;
  if (!HAS_VIEWS || move->period == 1) {
    return WHOLE_ROW;
  }
  return is_shared ? (int)popcount(least - 1) : 0;
}

/* ---- rows ---- */

#ifdef HAS_INVERSES
#define INVERSES(n) (OP_##n == CLRS_OP_DIVIDE)
#else
#define INVERSES(n) 0
#endif

/* Returns true if any of the parameters is wild. A divisor is wild if steps.cl cannot divide by the
 * inverse of the divisor. A number that is added to integers is wild beyond 2^25 or 2^-25. Any
 * other parameter is wild if a step with it may give NaN. */
INLINED bool is_wild(int op, value_t p) {
#if LANES > 1 && WAY == CLRS_WAY_FLOATS
  const codes_t outside = is_beyond(p, 25), none = (codes_t)0;
  if (op == CLRS_OP_DIVIDE) {
    return is_any(is_beyond(p, 30) | AS_CODES(p) >> 31u);
  }
  if (op == CLRS_OP_ROUND_AND_ADD) {
    return false;
  }
  if (op == CLRS_OP_ADD || op == CLRS_OP_SUBTRACT) {
    const bool asks = never_gives_nan() || DIVISION == CLRS_DIVIDES_INTEGERS;
    return asks && is_any(AS_CODES(p) << 1u == 0 ? none : outside);
  }
  return never_gives_nan() && is_any(is_beyond(p, 127));
#else
  (void)op;
  (void)p;
  return false;
#endif
}

#define DECLARE_STAGE(n)                                                                           \
  parameter_t step_##n[ORIGIN_##n != CLRS_ORIGIN_NONE ? STAGED_NUMBERS : 1];                       \
  parameter_t inverse_##n[INVERSES(n) ? STAGED_NUMBERS : 1];                                       \
  parameter_t low_##n[INVERSES(n) ? STAGED_NUMBERS : 1];
#ifdef HAS_INVERSES
#define STAGE_INVERSES(n)                                                                          \
  if (INVERSES(n)) {                                                                               \
    const value_t p = lot.values, inverse = (value_t)1 / p,                                        \
                  low = fma(-p, inverse, (value_t)1) / p;                                          \
    stages->is_tame = stages->is_tame && divides_all(p, inverse, low);                             \
    lot.values = inverse;                                                                          \
    spread_values(&lot, series, k, end, stages->inverse_##n);                                      \
    lot.values = low;                                                                              \
    spread_values(&lot, series, k, end, stages->low_##n);                                          \
  }
#else
#define STAGE_INVERSES(n)
#endif
#define STAGE_LOT(n)                                                                               \
  if (ORIGIN_##n != CLRS_ORIGIN_NONE && VIEW_##n == operand) {                                     \
    FILL_LOT(n)                                                                                    \
    spread_values(&lot, series, k, end, stages->step_##n);                                         \
    stages->is_tame = stages->is_tame && !(TAMES && is_wild(OP_##n, lot.values));                  \
    STAGE_INVERSES(n)                                                                              \
  }
#define STAGE_PERIODS(n)                                                                           \
  if (ORIGIN_##n != CLRS_ORIGIN_NONE) {                                                            \
    repeat_values(stages->step_##n, end, all);                                                     \
  }                                                                                                \
  if (INVERSES(n)) {                                                                               \
    repeat_values(stages->inverse_##n, end, all);                                                  \
    repeat_values(stages->low_##n, end, all);                                                      \
  }

/* The staged parameters of a row's elements. */
typedef struct stages_t {
  EACH_STEP(DECLARE_STAGE)
  int shift; /* each number is staged for 1 << shift elements */
  bool is_tame;
  places_t places; /* the places of the row with these parameters */
  index_t column, count;
} stages_t;

/* Stages a lot of all parameters of one view. */
INLINED void stage_lot(mapped_ref move, const tensors_t tensors, int operand, const series_t series,
                       index_t k, index_t end, stages_t *stages) {
  const index_t at = series.at + k * series.step, count = min(series.count - k, (index_t)LANES);
  lot_t lot;
  EACH_STEP(STAGE_LOT)
  (void)move;
  (void)tensors;
  (void)at;
  (void)count;
}

/* Stages all parameters of one view. Numbers in the map have no view, and are staged with the
 * destination's view. */
APART void stage_view(mapped_ref move, const tensors_t tensors, const runs_t *runs, const row_t row,
                      int operand, index_t end, stages_t *stages) {
  const bool is_one = !HAS_VIEWS || operand == CLRS_TO || stages->shift == WHOLE_ROW;
  series_t series = {row.places.at[operand], 0, 1, 0, end};
  piece_t piece;
  if (!is_one) {
    start_pieces(move, runs, row, operand, &piece);
  }
  do {
    if (!is_one) {
      series = find_series(move, runs, row, operand, &piece);
      series.origin >>= stages->shift;
      series.each >>= stages->shift;
    }
    PLAIN_LOOP
    for (index_t k = 0; k < series.count; k += LANES) {
      stage_lot(move, tensors, operand, series, k, end, stages);
    }
  } while (!is_one && next_series(move, runs, row, operand, &piece));
}

/* Returns true if an operand's staged parameters are those of the row. */
INLINED bool is_staged(const row_t row, int operand, const stages_t *stages) {
  return operand == CLRS_TO || !IS_VIEW(operand) ||
         stages->places.at[operand] == row.places.at[operand];
}

/* Stages the parameters of a whole part, even if the row is shorter, because the next row may be
 * longer. If the parameters have a period, one period is staged and then repeated. Views that are
 * staged for the row are left if `keeps`. */
APART void stage_parameters(mapped_ref move, const tensors_t tensors, const runs_t *runs, row_t row,
                            bool keeps, stages_t *stages) {
  const index_t whole = move->period != 0 ? move->chunk_columns : row.count;
  row.count = move->period != 0 ? min(move->period, whole) : whole;
  const index_t end = groups_of(row.count, stages->shift), all = groups_of(whole, stages->shift);
  stages->is_tame = keeps ? stages->is_tame : TAMES;
  PLAIN_LOOP
  for (int operand = CLRS_TO; operand < VIEWS_END; operand++) {
    const bool is_kept = keeps && is_staged(row, operand, stages);
    if (operand != CLRS_FROM && IS_VIEW(operand) && HAS_PARAMETERS && !is_kept) {
      stage_view(move, tensors, runs, row, operand, end, stages);
    }
  }
  stages->places = row.places;
  stages->column = row.column;
  stages->count = whole;
  if (HAS_VIEWS && end < all) {
    EACH_STEP(STAGE_PERIODS)
  }
}

/* Makes the staged parameters those of the row. A view stays staged if the steps since then moved
 * no parameter of the view: neither between rows, nor along the row except by whole periods. */
INLINED void stage_row_parameters(mapped_ref move, const tensors_t tensors, const runs_t *runs,
                                  const row_t row, int shift, stages_t *stages) {
  const bool keeps = stages->shift == shift && row.count <= stages->count &&
                     (move->period != 0 || stages->column == row.column);
  bool are_staged = keeps;
  for (int operand = CLRS_FIRST_VIEW; operand < VIEWS_END; operand++) {
    are_staged = are_staged && is_staged(row, operand, stages);
  }
  if (!are_staged) {
    stages->shift = shift;
    stage_parameters(move, tensors, runs, row, keeps, stages);
  }
}

#endif
