/*
 * Work-items that change the same byte race, whatever order they run in here: after each item the
 * buffers are compared with how they were before it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

typedef struct watched {
  const unsigned char *bytes;
  size_t size;
  unsigned char *before;
  size_t *owner; /* item + 1 of each byte that was changed */
} watched;

struct race_watch {
  size_t count;
  watched buffers[MAX_ARGUMENTS];
};

/* Bytes compared in one launch at most; larger launches go unwatched. */
enum { MOST_COMPARED = 1 << 24 };

race_watch *races_start(const struct _cl_kernel *kernel, size_t items) {
  const char *wish = getenv("CLRS_MICROSCOPE_RACES");
  if (wish == NULL || strcmp(wish, "1") != 0) {
    return NULL;
  }
  race_watch *watch = calloc(1, sizeof *watch);
  for (size_t i = 0; watch != NULL && i < MAX_ARGUMENTS; i++) {
    cl_mem buffer = kernel->arguments[i].buffer;
    if (!kernel->arguments[i].is_set || buffer == NULL || buffer->size > MOST_COMPARED / items) {
      continue;
    }
    watched *w = &watch->buffers[watch->count++];
    *w = (watched){buffer->bytes, buffer->size, malloc(buffer->size),
                   calloc(buffer->size, sizeof *w->owner)};
    if (w->before == NULL || w->owner == NULL) {
      abort();
    }
    memcpy(w->before, w->bytes, w->size);
  }
  return watch;
}

static void look_at(watched *w, size_t item) {
  for (size_t i = 0; i < w->size; i++) {
    if (w->bytes[i] != w->before[i]) {
      if (w->owner[i] != 0 && w->owner[i] != item + 1) {
        (void)fprintf(stderr, "microscope: work-items %zu and %zu both change byte %zu\n",
                      w->owner[i] - 1, item, i);
        abort();
      }
      w->owner[i] = item + 1;
      w->before[i] = w->bytes[i];
    }
  }
}

void races_look(race_watch *watch, size_t item) {
  for (size_t i = 0; watch != NULL && i < watch->count; i++) {
    watched *w = &watch->buffers[i];
    if (memcmp(w->bytes, w->before, w->size) != 0) {
      look_at(w, item);
    }
  }
}

void races_end(race_watch *watch) {
  for (size_t i = 0; watch != NULL && i < watch->count; i++) {
    free(watch->buffers[i].before);
    free(watch->buffers[i].owner);
  }
  free(watch);
}
