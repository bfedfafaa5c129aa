/*
 * The accounts of the fault layer. See fault_layer_objects.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_layer_objects.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 4096 };

typedef struct object {
  struct object *next;
  void *handle;
  object_kind kind;
  long references;
  const char *made_by;
  bool has_setter; /* for a kernel: true between arguments and launch */
  pthread_t setter;
} object;

static object *buckets[BUCKETS];
static long live, over_releases, shared_kernels;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static object **find(object_kind kind, const void *handle) {
  object **at = &buckets[((uintptr_t)handle >> 4) % BUCKETS];
  while (*at && ((*at)->handle != handle || (*at)->kind != kind))
    at = &(*at)->next;
  return at;
}

void objects_made(object_kind kind, void *handle, const char *call) {
  if (!handle)
    return;
  pthread_mutex_lock(&lock);
  object **at = find(kind, handle);
  if (!*at) {
    *at = calloc(1, sizeof **at);
    if (!*at)
      abort();
    **at = (object){.handle = handle, .kind = kind, .made_by = call};
  }
  (*at)->references++;
  live++;
  pthread_mutex_unlock(&lock);
}

bool objects_released(object_kind kind, void *handle) {
  pthread_mutex_lock(&lock);
  object **at = find(kind, handle);
  object *const found = *at;
  if (!found) {
    over_releases++;
  } else {
    live--;
    if (--found->references == 0) {
      *at = found->next;
      free(found);
    }
  }
  pthread_mutex_unlock(&lock);
  return found != NULL;
}

bool objects_are_held(object_kind kind, const void *handle) {
  pthread_mutex_lock(&lock);
  const bool held = *find(kind, handle) != NULL;
  pthread_mutex_unlock(&lock);
  return held;
}

void objects_kernel_used(void *kernel, kernel_use use) {
  pthread_mutex_lock(&lock);
  object *const found = *find(OBJECT_KERNEL, kernel);
  if (found) {
    if (found->has_setter && !pthread_equal(found->setter, pthread_self()))
      shared_kernels++;
    found->has_setter = use == KERNEL_ARGUMENT;
    found->setter = pthread_self();
  }
  pthread_mutex_unlock(&lock);
}

long objects_live(void) {
  pthread_mutex_lock(&lock);
  const long count = live;
  pthread_mutex_unlock(&lock);
  return count;
}

long objects_over_releases(void) {
  pthread_mutex_lock(&lock);
  const long count = over_releases;
  pthread_mutex_unlock(&lock);
  return count;
}

long objects_shared_kernels(void) {
  pthread_mutex_lock(&lock);
  const long count = shared_kernels;
  pthread_mutex_unlock(&lock);
  return count;
}

void objects_describe(char *text, size_t size) {
  static const char *const names[OBJECT_KINDS] = {"context", "queue",  "mem",
                                                  "program", "kernel", "event"};
  size_t used = 0;
  text[0] = '\0';
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < BUCKETS; i++)
    for (const object *o = buckets[i]; o && used < size; o = o->next) {
      const int wrote = snprintf(text + used, size - used, " %s(%ld, of %s)", names[o->kind],
                                 o->references, o->made_by);
      used += wrote > 0 ? (size_t)wrote : 0;
    }
  pthread_mutex_unlock(&lock);
}
