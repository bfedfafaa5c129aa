/*
 * The address of a gather or a scatter. One side of the move is named: the strides find the units
 * of place 0, and an index says how far from there a row lies. The other side is listed: the
 * strides find all units.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_ADDRESS_CL
#define CLRS_ADDRESS_CL
#ifndef INDEXED
#define INDEXED 1
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

/* The indices, the flag, and the element that a gather writes for a skipped index, repeated to 16
 * bytes. If the words say that there is no flag, the flag pointer is some other buffer. */
typedef struct address_t {
  global const uchar *indices;
  global uint *flag;
  uint4 value;
} address_t;

/* Returns the units between place 0 and a place of the axis. The place is split into digits, the
 * fastest first, and the last digit takes the rest. Example: the axis has 6 places, which are 2
 * rows of 3. Digit 0 has extent 3 and stride 1, and digit 1 has stride 10. Place 4 has the digits 1
 * and 1, so the place lies 11 units on. */
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
