/*
 * A launch of a piece of a mapped move: how work-items share the piece, and the words of the
 * kernel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pass.h"

enum {
  CLRS__MAPPED_WORD_BYTES =
      8 * (65 + 43 + 20 + (64 + CLRS_INDEX_DIGITS) * (3 + CLRS__MOST_OPERANDS))
};

typedef struct clrs__mapped_launch {
  uint32_t at;    /* number of the piece. For the caller to set */
  bool in_buffer; /* the words must be in a buffer, however few. For the caller to set */
  int64_t count;  /* elements of the piece */
  clrs__map_key key;
  uint32_t index_bits;
  uint64_t starts[2]; /* in bytes, of CLRS_TO and CLRS_FROM */
  uint64_t tensor_starts[CLRS_MAPPED_STEPS], index_start;
  size_t global[2], group[2];
  size_t word_bytes;
  union {
    uint64_t align;
    unsigned char bytes[CLRS__MAPPED_WORD_BYTES];
  } words;
} clrs__mapped_launch;

/* Makes the launch of the piece launch->at, for a device with this arithmetic. */
clrs_status clrs__mapped_encode(const clrs__mapped_pass *pass, const clrs__arithmetic *device,
                                clrs__mapped_launch *launch, clrs_error *error);
/* The taps of a resized picture, and the colours of a frame. Both lie behind the words. */
size_t clrs__mapped_tap_bytes(const clrs__mapped_pass *pass);
void clrs__mapped_put_taps(const clrs__mapped_pass *pass, unsigned char *to);
/* Makes the launch without the words and without all that depends on a device's arithmetic. */
clrs_status clrs__mapped_describe(const clrs__mapped_pass *pass, clrs__mapped_launch *launch,
                                  clrs_error *error);
