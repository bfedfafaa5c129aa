/*
 * index_units: a gather or a scatter of a unit for each work-item, for GPUs. Neighbouring
 * work-items move neighbouring units of a run, up to 16 bytes each, and read one index.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_INDEXED_CL
#include "indexed.cl"
#endif

/* Of unit i: its digits, the fastest first. */
INLINED indexed_at_t find_unit(const indexed_t *move, count_t i) {
  indexed_at_t at = {0, 0, 0};
  count_t rest = i;
  EACH_AXIS(k, 0, CLRS_INDEXED_LOOPS, move->loop_count) {
    const indexed_loop_t loop = move->loops[k];
    step_along(loop, take_digit(&rest, loop.extent, loop.extent_divisor), &at);
  }
  return at;
}

kernel void index_units(INDEXED_PARAMETERS, const indexed_t move) {
  const sides_t sides = SIDES;
  const index_rules_t rules = rules_of(move.extent, move.rules);
  FOR_EACH(i, first_index(), index_step(), move.count) {
    indexed_at_t at = find_unit(&move, i);
    count_t place;
    bool is_outside;
    if (find_place((long)sides.indices[at.index].value, rules, &place, &is_outside)) {
      at.named += units_to_place(&move, place);
      sides.destination[TO_OF(at)] = sides.source[FROM_OF(at)];
    }
#if !SCATTERS
    else {
      count_t run = i;
      const index_t column = take_digit(&run, move.loops[0].extent, move.loops[0].extent_divisor);
      sides.destination[at.listed] = unit_of(sides.value, column);
    }
#endif
    if (is_outside) {
      raise_flag(&sides, move.rules);
    }
  }
}
