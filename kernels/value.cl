/*
 * The value that stands for elements of a source: of a fill, and of a gather by an index that names
 * no place. One element, repeated to 16 bytes; units are whole elements or parts of one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_VALUE_CL
#define CLRS_VALUE_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

/* Unit number `part`, counted on and on through the repetitions. By shifts: an array that is
 * indexed by a variable would lie in private memory. */
INLINED UNIT unit_of(uint4 value, index_t part) {
#if UNIT_BITS == 128
  (void)part;
  return value;
#else
  const ulong low = (ulong)value.x | (ulong)value.y << 32;
  const ulong high = (ulong)value.z | (ulong)value.w << 32;
  const uint bit = (uint)(part & (128 / UNIT_BITS - 1)) * UNIT_BITS;
  return (UNIT)((bit < 64 ? low : high) >> (bit % 64));
#endif
}

#endif
