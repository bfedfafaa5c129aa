/*
 * See heap.h. Needs glibc, which exports the original functions under other names too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "heap.h"

#include <malloc.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

static _Atomic size_t used, start, peak, largest;

static void *taken(void *block, size_t asked) {
  used += malloc_usable_size(block);
  peak = used > peak ? used : peak;
  largest = asked > largest ? asked : largest;
  return block;
}

__attribute__((visibility("default"))) void *malloc(size_t size) {
  return taken(__libc_malloc(size), size);
}

/* A product that does not fit gives NULL, whatever is then counted as asked for. */
__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
  return taken(__libc_calloc(count, size), count * size);
}

__attribute__((visibility("default"))) void *realloc(void *block, size_t size) {
  const size_t before = malloc_usable_size(block);
  void *grown = __libc_realloc(block, size);
  used -= grown != NULL || size == 0 ? before : 0;
  return taken(grown, size);
}

__attribute__((visibility("default"))) void free(void *block) {
  used -= malloc_usable_size(block);
  __libc_free(block);
}

void heap_watch(void) {
  start = peak = used;
  largest = 0;
}

size_t heap_peak(void) {
  return peak - start;
}

size_t heap_largest(void) {
  return largest;
}
