/*
 * Parameters that change along a row. Parameters are read and converted in lots of as many as there
 * are lanes. Each parameter is then written for all elements that share it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_SPREAD_CL
#define CLRS_MAP_SPREAD_CL
#ifndef CLRS_MAP_SOURCE_CL
#include "map_source.cl"
#endif

/* There are three ways to stage parameters: a parameter for each element, for each group of 1 <<
 * shift elements, or for a whole row. The elements of a group share the parameter, and are whole
 * lanes. */
#define WHOLE_ROW (INDEX_BITS - 2)
#define SPREAD_ALONG 0
#define SPREAD_IN_GROUPS 1
#define SPREAD_IN_LINES 2 /* groups of whole lines, so parameters are constant in a line */

/* Elements of one line, or of lanes that fill two lines. */
#define LINE_STEP (TO_BITS > 32 ? LANES : LINE_BYTES / (int)sizeof(TO_T))

INLINED index_t groups_of(index_t elements, int shift) {
  return ((elements - 1) >> shift) + 1;
}

INLINED int spread_of(int shift) {
  const int in_groups = 1 << min(shift, 8) < LINE_STEP ? SPREAD_IN_GROUPS : SPREAD_IN_LINES;
  return shift == 0 ? SPREAD_ALONG : in_groups;
}

INLINED index_t end_of_group(index_t i, int shift) {
  return ((i >> shift) + 1) << shift;
}

/* Room for staged numbers. Numbers are written in vectors of lanes, up to LANES - 1 numbers past
 * the end. */
#define STAGED_NUMBERS (CLRS_MAPPED_STAGE + LANES - 1)

/* A lot of parameters. The last parameter is repeated in the remaining lanes, so that a test of all
 * lanes is a test of the parameters. */
typedef union lot_t {
  parameters_of_lanes_t values;
  parameter_t value[LANES];
} lot_t;

/* ---- reading ---- */

#if LANES > 1
INLINED uchar16 load_seconds(global const uchar *from) {
  const uchar16 a = ((global const any_uchar16_t *)from)->value;
  const uchar16 b = ((global const any_uchar16_t *)(from + LANES - 1))->value;
  return (uchar16)(a.even, b.odd);
}

INLINED uchar16 load_thirds(global const uchar *from) {
  const uchar16 a = ((global const any_uchar16_t *)from)->value;
  const uchar16 b = ((global const any_uchar16_t *)(from + LANES - 1))->value;
  const uchar16 c = ((global const any_uchar16_t *)(from + 2 * LANES - 2))->value;
  return (uchar16)(a.s0369, a.scf, b.s369c, b.sf, c.s369c, c.sf);
}

/* Loads bytes that are 1 to 4 bytes apart. No byte behind the last is read. */
INLINED uchar16 load_steps(global const uchar *from, index_t step) {
  return step == 1   ? ((global const any_uchar16_t *)from)->value
         : step == 2 ? load_seconds(from)
         : step == 3 ? load_thirds(from)
                     : (uchar16)(load_seconds(from).even, load_seconds(from + 2 * LANES - 2).odd);
}

#define NEIGHBOURS(type, bits)                                                                     \
  CAST(codes_t, ((global const any_##type##_t *)(tensor + at * (bits) / 8))->value)

INLINED codes_t load_lot(const element_t element, global const uchar *tensor, index_t at,
                         index_t step, index_t count) {
  union {
    codes_t all;
    code_t one[LANES];
  } codes;
  if (step == 1 && count == LANES && element.bits < 8 && at * element.bits % 8 == 0) {
    return unpack_lanes(element, tensor + at * element.bits / 8);
  }
  if (step == 1 && count == LANES && element.bits > 8) {
    return element.bits == 16   ? NEIGHBOURS(ushort16, 16)
           : element.bits == 32 ? NEIGHBOURS(uint16, 32)
                                : NEIGHBOURS(ulong16, 64);
  }
  if (step >= 1 && step <= 4 && count == LANES && element.bits == 8) {
    return CAST(codes_t, load_steps(tensor + at, step));
  }
  codes.all = (codes_t)(code_t)load_code(element, tensor, at + (count - 1) * step);
  PLAIN_LOOP
  for (index_t k = 0; k < count - 1; k++) {
    codes.one[k] = (code_t)load_code(element, tensor, at + k * step);
  }
  return codes.all;
}

/* Returns true if a lot of these elements can be read in lanes. This needs the result of
 * float_of_code to be a step on the way to the nearest number of the step's type. */
INLINED bool is_read_in_lanes(const element_t element) {
  return element.bits <= VALUE_BITS;
}

#if WAY == CLRS_WAY_INTEGERS /* the integer way has no parameters */
#define READ_LOT(n)
#else
INLINED value_t read_lot(const step_t step, const element_t element, codes_t codes) {
  if (computes_integers(step)) {
    return VALUE_OF_INTS(ints_of_code(element, codes));
  }
  const value_t x = float_of_code(element, codes, step.type.mantissa_bits);
  return takes_integers(step) ? x : round_to_float(step.type, x);
}
#define READ_LOT(n)                                                                                \
  if (ORIGIN_##n == CLRS_ORIGIN_TENSOR && is_read_in_lanes(ELEMENT(TYPE_##n))) {                   \
    lot.values = read_lot(STEP(n), ELEMENT(TYPE_##n),                                              \
                          load_lot(ELEMENT(TYPE_##n), tensors.t##n, at, series.step, count));      \
  } else
#endif
#else
#define READ_LOT(n)
#endif

#define EACH_OF_LOT(FILL, TAKE)                                                                    \
  {                                                                                                \
    index_t position = at + (count - 1) * series.step;                                             \
    FILL PLAIN_LOOP for (index_t i = 0; i < count - 1; i++) {                                      \
      position = at + i * series.step;                                                             \
      TAKE                                                                                         \
    }                                                                                              \
    (void)position;                                                                                \
  }
#define FILL_LOT(n)                                                                                \
  READ_LOT(n)                                                                                      \
  EACH_OF_LOT(lot.values = (parameters_of_lanes_t)PARAMETER(n, position);                          \
              , lot.value[i] = PARAMETER(n, position);)

/* ---- writing ---- */

/* Repeats each lane, from lane n on. */
#define HALF_OF(k, n, p) ((n) + (k) / 2)

/* Writes the lot, which begins with number `first` of the series, for the elements before `end`. */
INLINED void spread_values(const lot_t *lot, const series_t series, index_t first, index_t end,
                           parameter_t *staged) {
#if LANES > 1
  if (series.each == 1) {
    ((any_floats_t *)(staged + series.origin + first))->value = lot->values;
    return;
  }
#endif
  index_t next = series.origin + first * series.each;
#if LANES > 1
  if (series.each == 2 && next >= 0 && next + 2 * LANES <= end) {
    const value_t all = lot->values;
    ((any_floats_t *)(staged + next))->value =
        __builtin_shufflevector(all, all, EACH_LANE(HALF_OF, 0, 0));
    ((any_floats_t *)(staged + next + LANES))->value =
        __builtin_shufflevector(all, all, EACH_LANE(HALF_OF, 8, 0));
    return;
  }
#endif
  PLAIN_LOOP
  for (index_t k = 0; k < LANES && first + k < series.count; k++) {
    const index_t from = max(next, (index_t)0), to = min(next + series.each, end);
    const parameter_t one = lot->value[k];
    PLAIN_LOOP
    for (index_t i = from; i < to; i += LANES) {
#if LANES > 1
      ((any_floats_t *)(staged + i))->value = (value_t)one;
#else
      staged[i] = one;
#endif
    }
    next += series.each;
  }
}

/* Repeats the first `period` numbers up to the end. Copies in vectors of lanes as soon as enough
 * whole periods exist. */
INLINED void repeat_values(parameter_t *staged, index_t period, index_t end) {
  index_t distance = period, i = period;
  PLAIN_LOOP
  while (distance < LANES) {
    distance += period;
  }
  PLAIN_LOOP
  for (; i < (LANES > 1 ? min(end, distance) : end); i++) {
    staged[i] = staged[i - period];
  }
#if LANES > 1
  PLAIN_LOOP
  for (; i < end; i += LANES) {
    ((any_floats_t *)(staged + i))->value = ((const any_floats_t *)(staged + i - distance))->value;
  }
#endif
}

#endif
