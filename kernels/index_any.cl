/*
 * index_any: a gather or a scatter of any views and stacks of walks. Each element is found on its
 * own, in 64 bits, and moved in units. Loops over all operands are faster (address.cl).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_ADDRESS_CL
#include "address.cl"
#endif

typedef struct operand_t {
  index_t level_count;
  level_t levels[CLRS_INDEXED_LEVELS];
  level_axis_t axes[CLRS_INDEXED_AXES];
} operand_t;

typedef struct any_indexed_t {
  CLRS_ANY_INDEXED_WORDS(DECLARE_WORD)
  operand_t operands[CLRS_INDEXED_OPERANDS];
} any_indexed_t;

/* Returns the position of element `number`. Each level splits a number into the digits of its axes,
 * the fastest first, and gives the number for the next level. The first level adds `added`, the way
 * to a place of an index. Example: a level of axes 3 (stride 1) and 2 (stride 10) with offset 5
 * makes 16 of number 4, because 4 has the digits 1 and 1. */
HELPER index_t follow_operand(global const operand_t *operand, index_t number, index_t added) {
  index_t k = 0, position = number;
  for (index_t level = 0; level < operand->level_count; level++) {
    const index_t end = k + operand->levels[level].axis_count;
    count_t rest = (count_t)position;
    position = operand->levels[level].offset + (level == 0 ? added : 0);
    for (; k < end; k++) {
      const level_axis_t axis = operand->axes[k];
      position += take_digit(&rest, axis.extent, axis.divisor) * axis.stride;
    }
  }
  return position;
}

/* Moves an element. Returns true if its index is out of range. */
HELPER bool move_element(global const UNIT *source, global UNIT *destination, address_t address,
                         global const any_indexed_t *move, index_t i) {
  const index_t listed = follow_operand(&move->operands[CLRS_LISTED], i, 0);
  const index_t at = follow_operand(&move->operands[CLRS_INDEX], i, 0);
  const index_rules_t rules = rules_of(move->extent, move->rules);
  const index_t parts = move->parts;
  count_t place;
  bool is_outside;
  if (find_place(load_index(address.indices, at, move->rules), rules, &place, &is_outside)) {
    const index_t named =
        follow_operand(&move->operands[CLRS_NAMED], i, (index_t)place * move->step);
    for (index_t part = 0; part < parts; part++) {
      destination[(SCATTERS ? named : listed) * parts + part] =
          source[(SCATTERS ? listed : named) * parts + part];
    }
  } else if (!SCATTERS) {
    for (index_t part = 0; part < parts; part++) {
      destination[listed * parts + part] = unit_of(address.value, part);
    }
  }
  return is_outside;
}

BODY void move_index_any(const work_t work, global const UNIT *source, global UNIT *destination,
                         const address_t address, global const any_indexed_t *move) {
  const count_t count = (count_t)move->count, per_item = (count_t)move->count_per_item;
  for (count_t first = work.first * per_item; first < count; first += work.step * per_item) {
    const count_t end = min(first + per_item, count);
    bool is_any_outside = false;
    for (count_t i = first; i < end; i++) {
      is_any_outside |= move_element(source, destination, address, move, (index_t)i);
    }
    if (is_any_outside) {
      raise_flag(address.flag, move->rules);
    }
  }
}

kernel void index_any(global const UNIT *source, ulong source_start, global UNIT *destination,
                      ulong destination_start,
                      ADDRESS_PARAMETERS global const any_indexed_t *move) {
  move_index_any(find_work(), source + source_start, destination + destination_start, INDEX_ADDRESS,
                 move);
}
