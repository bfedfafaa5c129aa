/*
 * Parameters that change along a row, at the rate at which they change: as many as there are lanes
 * are read and converted at a time, and each is then written for all elements that it belongs to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_SPREAD_CL
#define CLRS_MAP_SPREAD_CL
#ifndef CLRS_MAP_SOURCE_CL
#include "map_source.cl"
#endif

/* Parameters are staged one for each element, or one for a group of 1 << shift elements that share
 * it and are whole lanes, or one for all of a row. */
#define WHOLE_ROW (INDEX_BITS - 2)
#define SPREAD_ALONG 0
#define SPREAD_IN_GROUPS 1
#define SPREAD_IN_LINES 2 /* groups of whole lines, in which nothing changes */

/* Elements of one line, or of lanes that are two. */
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

/* Numbers are written by lanes, up to one lane less than all of them too far. */
#define STAGED_NUMBERS (CLRS_MAPPED_STAGE + LANES - 1)

/* Some parameters. Behind the last one it is repeated: what is asked of all lanes is asked of them.
 */
typedef union lot_t {
  parameters_of_lanes_t values;
  parameter_t value[LANES];
} lot_t;

/* ---- reading ---- */

#if LANES > 1
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
  if (step == 1 && count == LANES && element.bits >= 8) {
    return element.bits == 8    ? NEIGHBOURS(uchar16, 8)
           : element.bits == 16 ? NEIGHBOURS(ushort16, 16)
           : element.bits == 32 ? NEIGHBOURS(uint16, 32)
                                : NEIGHBOURS(ulong16, 64);
  }
  codes.all = (codes_t)(code_t)load_code(element, tensor, at + (count - 1) * step);
  PLAIN_LOOP
  for (index_t k = 0; k < count - 1; k++) {
    codes.one[k] = (code_t)load_code(element, tensor, at + k * step);
  }
  return codes.all;
}

/* A lot is read so if what float_of_code makes of such an element is on the way to the nearest
 * number of the step's type. */
INLINED bool is_read_in_lanes(const element_t element) {
  return element.bits <= VALUE_BITS;
}

#if WAY == CLRS_WAY_INTEGERS /* which has no parameters */
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

/* Writes the lot, which begins with number `first` of the series, for what is before `end`. */
INLINED void spread_values(const lot_t *lot, const series_t series, index_t first, index_t end,
                           parameter_t *staged) {
#if LANES > 1
  if (series.each == 1) {
    ((any_floats_t *)(staged + series.origin + first))->value = lot->values;
    return;
  }
#endif
  index_t next = series.origin + first * series.each;
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

/* Copies the first `period` numbers behind themselves up to the end; in lanes as soon as so many
 * whole periods are there. */
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
