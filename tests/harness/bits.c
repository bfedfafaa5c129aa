/*
 * Elements of any width, bit by bit. See bits.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bits.h"

#include <stdlib.h>
#include <string.h>

bit_span bits_of(clrs_dtype dtype, uint64_t byte_offset) {
  return (bit_span){byte_offset, clrs_dtype_bits(dtype), dtype == CLRS_U1};
}

static uint64_t first_bit(const bit_span *span, int64_t position) {
  return (span->byte_offset * 8) + (uint64_t)position * span->width;
}

static unsigned char bit_mask(const bit_span *span, uint64_t bit) {
  return (unsigned char)(span->msb_first ? 0x80u >> (bit % 8) : 1u << (bit % 8));
}

void bits_copy(const bit_span *from_span, const unsigned char *from, int64_t from_position,
               const bit_span *to_span, unsigned char *to, int64_t to_position) {
  const uint64_t from_bit = first_bit(from_span, from_position);
  const uint64_t to_bit = first_bit(to_span, to_position);
  if (to_span->width % 8 == 0) {
    memcpy(to + to_bit / 8, from + from_bit / 8, to_span->width / 8);
    return;
  }
  for (uint32_t b = 0; b < to_span->width; b++) {
    const bool set = from[(from_bit + b) / 8] & bit_mask(from_span, from_bit + b);
    const unsigned char mask = bit_mask(to_span, to_bit + b);
    unsigned char *byte = &to[(to_bit + b) / 8];
    *byte = (unsigned char)(set ? *byte | mask : *byte & ~mask);
  }
}

void bits_move(const bit_span *from_span, const unsigned char *from, const oracle *source,
               const bit_span *to_span, unsigned char *to, const oracle *destination) {
  if (source->count != destination->count)
    abort();
  for (int64_t k = 0; k < source->count; k++)
    bits_copy(from_span, from, source->positions[k], to_span, to, destination->positions[k]);
}

uint64_t bits_end(const bit_span *span, int64_t highest) {
  return (first_bit(span, highest) + span->width + 7) / 8;
}

bool bits_mark(const bit_span *span, const oracle *where, unsigned char flag,
               unsigned char *touched, size_t size) {
  const uint64_t bytes = span->width < 8 ? 1 : span->width / 8;
  for (int64_t k = 0; k < where->count; k++) {
    const uint64_t end = bits_end(span, where->positions[k]);
    if (end > size)
      return false;
    for (uint64_t byte = end - bytes; byte < end; byte++)
      touched[byte] |= flag;
  }
  return true;
}
