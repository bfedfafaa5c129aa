/*
 * Where the units of a move's named side lie, of a gather or a scatter: where an index
 * says, so many units from place 0 on, which the strides find. The other side is listed: its units
 * lie where the strides say.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_ADDRESS_CL
#define CLRS_ADDRESS_CL
#ifndef ENTRY_BITS
#define ENTRY_BITS 64
#endif
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif
#ifndef CLRS_VALUE_CL
#include "value.cl"
#endif
#ifndef CLRS_INDICES_CL
#include "indices.cl"
#endif

/* The indices, the flag, and the element that a gather writes for an index that is skipped, again
 * and again for 16 bytes. Without a flag the words say so, and the buffer is another one. */
typedef struct address_t {
  global const index_entry_t *indices;
  global uint *flag;
  uint4 value;
} address_t;

/* The last digit takes what is left. Of 6 places that are 2 rows of 3, place 4 is step 1 of a row,
 * and step 1 from row to row. */
INLINED index_t units_to_place(move_ref move, count_t place) {
  index_t units = 0;
  EACH_AXIS(k, 0, CLRS_INDEX_DIGITS, move->digit_count) {
    const level_axis_t digit = move->digits[k];
    if (k + 1 == move->digit_count) {
      units += (index_t)place * digit.stride;
    } else {
      units += take_digit(&place, digit.extent, digit.divisor) * digit.stride;
    }
  }
  return units;
}

#endif
