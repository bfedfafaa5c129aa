/*
 * Words of a launch, in the width of the kernel's index, stored one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <string.h>

#include "divisor.h"

typedef struct clrs__launch_words {
  uint32_t index_bits;
  unsigned char *to;
  size_t bytes; /* stored so far */
} clrs__launch_words;

static inline void clrs__put_bytes(clrs__launch_words *words, const void *from, size_t bytes) {
  memcpy(words->to + words->bytes, from, bytes);
  words->bytes += bytes;
}

static inline void clrs__put_word(clrs__launch_words *words, int64_t word) {
  const int32_t narrow = (int32_t)word;
  if (words->index_bits == 32) {
    clrs__put_bytes(words, &narrow, sizeof narrow);
  } else {
    clrs__put_bytes(words, &word, sizeof word);
  }
}

/* Stores the two words of a divisor. */
static inline void clrs__put_divisor(clrs__launch_words *words, int64_t number) {
  const clrs__divisor divisor = clrs__divisor_of(number, words->index_bits);
  clrs__put_word(words, divisor.magic);
  clrs__put_word(words, divisor.shift);
}
