/*
 * Two work-items that write the same byte race, in any order of execution here, and even if both
 * write the same value. The bytes that an item writes are found by running the item over a buffer
 * and over the complement of all bits. A bit that ends up the same in both runs was written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Peak of bytes compared in a launch. Larger launches are not watched. */
enum { MOST_COMPARED = 1 << 24 };

typedef struct watched {
  unsigned char *bytes;
  size_t size;
  unsigned char *before, *after; /* one work-item */
  size_t *owner;                 /* item + 1 of each byte that was written */
} watched;

struct race_watch {
  size_t count;
  watched buffers[MAX_ARGUMENTS];
};

static bool is_watched(const race_watch *watch, const unsigned char *bytes) {
  for (size_t i = 0; i < watch->count; i++) {
    if (watch->buffers[i].bytes == bytes) {
      return true;
    }
  }
  return false;
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL) {
    abort();
  }
  return memory;
}

static void watch_buffer(race_watch *watch, cl_mem buffer) {
  const size_t size = buffer->size;
  watch->buffers[watch->count++] = (watched){buffer->bytes, size, allocate(size, 1),
                                             allocate(size, 1), allocate(size, sizeof(size_t))};
}

/* All items or none are watched: an item that runs over changed bytes changes bytes that are not
 * restored. */
static bool is_small(const struct _cl_kernel *kernel, size_t items) {
  size_t bytes = 0;
  for (size_t i = 0; i < MAX_ARGUMENTS; i++) {
    cl_mem buffer = kernel->arguments[i].is_set ? kernel->arguments[i].buffer : NULL;
    bytes += buffer != NULL ? buffer->size : 0;
  }
  return bytes <= MOST_COMPARED / items;
}

race_watch *races_start(const struct _cl_kernel *kernel, size_t items) {
  const char *wish = getenv("CLRS_MICROSCOPE_RACES");
  if (wish == NULL || strcmp(wish, "1") != 0 || !is_small(kernel, items)) {
    return NULL;
  }
  race_watch *watch = allocate(1, sizeof *watch);
  for (size_t i = 0; i < MAX_ARGUMENTS; i++) {
    cl_mem buffer = kernel->arguments[i].is_set ? kernel->arguments[i].buffer : NULL;
    if (buffer != NULL && !is_watched(watch, buffer->bytes)) {
      watch_buffer(watch, buffer);
    }
  }
  return watch;
}

static void restore(race_watch *watch, bool before) {
  for (size_t i = 0; i < watch->count; i++) {
    const watched *w = &watch->buffers[i];
    memcpy(w->bytes, before ? w->before : w->after, w->size);
  }
}

static void own(watched *w, size_t item) {
  for (size_t i = 0; i < w->size; i++) {
    if ((w->bytes[i] ^ w->after[i]) == 0xFF) {
      continue;
    }
    if (w->owner[i] != 0 && w->owner[i] != item + 1) {
      (void)fprintf(stderr, "microscope: work-items %zu and %zu both write byte %zu\n",
                    w->owner[i] - 1, item, i);
      abort();
    }
    w->owner[i] = item + 1;
  }
}

void races_run(race_watch *watch, size_t item, void (*run)(void *), void *what) {
  for (size_t i = 0; watch != NULL && i < watch->count; i++) {
    memcpy(watch->buffers[i].before, watch->buffers[i].bytes, watch->buffers[i].size);
  }
  run(what);
  if (watch == NULL) {
    return;
  }
  for (size_t i = 0; i < watch->count; i++) {
    memcpy(watch->buffers[i].after, watch->buffers[i].bytes, watch->buffers[i].size);
  }
  for (size_t i = 0; i < watch->count; i++) {
    watched *w = &watch->buffers[i];
    restore(watch, true);
    for (size_t b = 0; b < w->size; b++) {
      w->bytes[b] = (unsigned char)~w->bytes[b];
    }
    run(what);
    own(w, item);
  }
  restore(watch, false);
}

void races_end(race_watch *watch) {
  for (size_t i = 0; watch != NULL && i < watch->count; i++) {
    free(watch->buffers[i].before);
    free(watch->buffers[i].after);
    free(watch->buffers[i].owner);
  }
  free(watch);
}
