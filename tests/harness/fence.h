/*
 * Memory between two inaccessible pages. On devices that use host memory in place, like PoCL, a
 * read or a write of a byte outside kills the test program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FENCE_H
#define CLRS_TEST_FENCE_H

#include "bits.h"
#include "device.h"
#include "rng.h"

typedef struct fenced {
  unsigned char *begin;
  size_t size;
} fenced;

fenced fence(size_t pages);
void unfence(const fenced *memory);

/* A buffer of the memory's first or last `size` bytes, and *bytes points to these bytes. */
cl_mem fence_buffer(const test_device *device, const fenced *memory, bool at_end, size_t size,
                    unsigned char **bytes);

/* A tensor of random bytes against either fence. */
typedef struct fenced_tensor {
  clrs_layout layout; /* given */
  bit_span span;
  oracle where;
  unsigned char *bytes; /* `size` of them */
  size_t size;
  cl_mem buffer; /* NULL if the buffer would be larger than the memory */
} fenced_tensor;

/* Returns false if `size` is larger than the memory. The caller must remove the memory in any
 * case. */
bool fence_place(const test_device *device, const fenced *memory, test_rng *rng,
                 fenced_tensor *tensor);
void fence_remove(fenced_tensor *tensor);

#endif
