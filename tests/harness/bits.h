/*
 * Elements of any width in a byte array, bit by bit, as the data format defines elements. Element k
 * of width w occupies bits k*w to k*w + w - 1. Bits are counted from the low end of each byte, or,
 * if element 0 is in the high bit (CLRS_U1), from the high end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_BITS_H
#define CLRS_TEST_BITS_H

#include "oracle.h"

typedef struct bit_span {
  uint64_t byte_offset; /* of element 0 */
  uint32_t width;
  bool msb_first;
} bit_span;

/* How elements of dtype lie from byte_offset on. */
bit_span bits_of(clrs_dtype dtype, uint64_t byte_offset);
/* Copies one element. The surrounding bits in `to` are unchanged. */
void bits_copy(const bit_span *from_span, const unsigned char *from, int64_t from_position,
               const bit_span *to_span, unsigned char *to, int64_t to_position);
/* Copies element k of one tensor onto element k of the second, for all k. */
void bits_move(const bit_span *from_span, const unsigned char *from, const oracle *source,
               const bit_span *to_span, unsigned char *to, const oracle *destination);
/* Bytes from the start of the buffer to the end of the element at `highest`. */
uint64_t bits_end(const bit_span *span, int64_t highest);
/* Sets `flag` in touched[i] for each byte i in which an element lies. Returns false, and keeps the
 * flags set so far, if an element lies beyond `size` bytes. */
bool bits_mark(const bit_span *span, const oracle *where, unsigned char flag,
               unsigned char *touched, size_t size);

#endif
