/*
 * See fuzz.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create */

#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- memory: the address sanitizer tells of every allocation ---- */

int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *memory);

enum { ALLOWANCE = 16 << 20 };

static size_t allowed, used, blocks;
static _Thread_local int watching; /* libFuzzer has a thread */

static void on_malloc(const volatile void *memory, size_t size) {
  (void)memory;
  if (!watching) {
    return;
  }
  used += size;
  blocks++;
  if (used > allowed) {
    watching = 0;
    (void)fprintf(stderr, "%zu bytes are allocated at a time; %zu are allowed\n", used, allowed);
    abort();
  }
}

static void on_free(const volatile void *memory) {
  if (watching && memory != NULL) {
    const size_t size = __sanitizer_get_allocated_size(memory);
    used -= size < used ? size : used;
    blocks -= blocks > 0;
  }
}

void fuzz_memory_begin(size_t size) {
  static int installed;
  if (!installed) {
    installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    REQUIRE(installed);
  }
  allowed = size + ALLOWANCE;
  used = blocks = 0;
  watching = 1;
}

void fuzz_memory_end(void) {
  watching = 0;
  REQUIRE(blocks == 0);
}

/* ---- numbers ---- */

uint8_t fuzz_byte(fuzz_source *source) {
  if (source->left == 0) {
    return 0;
  }
  source->left--;
  return *source->bytes++;
}

int64_t fuzz_number(fuzz_source *source) {
  static const int64_t turns[] = {
      0,         INT64_C(1) << 31, INT64_C(1) << 32, INT64_C(1) << 53, INT64_C(1) << 62,
      INT64_MAX, INT64_MIN + 128};
  const uint8_t kind = fuzz_byte(source);
  if (kind < 200) {
    return (int64_t)(kind % 20) - 3;
  }
  if (kind < 250) {
    const int64_t near = (int64_t)fuzz_byte(source) - 128;
    const int64_t turn = turns[kind % (sizeof turns / sizeof *turns)];
    return near > 0 && turn == INT64_MAX ? turn - near : turn + near;
  }
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) {
    value = value << 8 | fuzz_byte(source);
  }
  return (int64_t)value;
}

/* ---- files ---- */

const char *fuzz_file(const uint8_t *data, size_t size) {
  static int file = -1;
  static char path[40];
  if (file < 0) {
    file = memfd_create("input", MFD_CLOEXEC);
    REQUIRE(file >= 0);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  }
  REQUIRE(ftruncate(file, 0) == 0);
  REQUIRE(pwrite(file, data, size, 0) == (ssize_t)size);
  return path;
}
