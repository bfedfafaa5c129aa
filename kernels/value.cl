/*
 * The value in place of source elements, for a fill, and for a gather's index that names no place.
 * The value is one element, repeated to 16 bytes. Units are whole elements or parts of an element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_VALUE_CL
#define CLRS_VALUE_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

/* Returns unit number `part`, counted through the repetitions. Uses shifts, because an array with a
 * variable index would be in private memory. */
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
