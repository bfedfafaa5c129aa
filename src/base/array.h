/*
 * Arrays that grow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdlib.h>

/* Makes room for one more than `count` elements of `size` bytes. Returns the array, which may have
 * moved. Returns NULL if there is no memory, and leaves the array unchanged. */
static inline void *clrs__array_grow(void *array, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) {
    return array;
  }
  const size_t doubled = *capacity > 0 ? 2 * *capacity : 4;
  void *grown = realloc(array, doubled * size);
  if (grown != NULL) {
    *capacity = doubled;
  }
  return grown;
}
