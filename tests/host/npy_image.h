/*
 * Every parse has the bytes at the end of a page with an unmapped page behind, so an over-read is a
 * crash.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_NPY_IMAGE_H
#define CLRS_TEST_NPY_IMAGE_H

#include <sys/mman.h>
#include <unistd.h>

#include "harness/check.h"
#include "host/npy.h"

enum { ROOM = 65536 };

/* A file in memory. The part given to the parser is `size` bytes of a file of `file_size`. */
typedef struct image {
  unsigned char bytes[ROOM];
  size_t size;
  uint64_t file_size;
} image;

static unsigned char *guarded; /* ROOM bytes, then a page that nobody may touch */

static inline int map_guarded(void **state) {
  (void)state;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  guarded = mmap(NULL, ROOM + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return guarded == MAP_FAILED || mprotect(guarded + ROOM, page, PROT_NONE) != 0;
}

static inline clrs_status parse(const image *file, cli_npy_header *header, clrs_error *error) {
  unsigned char *bytes = guarded + ROOM - file->size;
  memcpy(bytes, file->bytes, file->size);
  return cli_npy_parse(bytes, file->size, file->file_size, header, error);
}

/* A file of that version with that header text, unchanged, and `data` bytes of 0. */
static inline void build(image *file, int version, const char *text, size_t data) {
  size_t length = strlen(text), begin = version == 1 ? 10 : 12;
  memset(file, 0, sizeof *file);
  memcpy(file->bytes, "\x93NUMPY", 6);
  file->bytes[6] = (unsigned char)version;
  for (size_t i = 8; i < begin; i++) {
    file->bytes[i] = (unsigned char)(length >> 8 * (i - 8));
  }
  memcpy(file->bytes + begin, text, length);
  file->size = begin + length + data;
  file->file_size = file->size;
}

#define HEAD(descr, order, shape)                                                                  \
  "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }   \n"

#endif
