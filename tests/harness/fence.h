/*
 * Memory between two pages that may not be touched: on devices that use the host's memory in place,
 * as PoCL does, a read or a write one byte outside kills the test program.
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

/* A buffer of the memory's first or last `size` bytes; *bytes is where they are. */
cl_mem fence_buffer(const test_device *device, const fenced *memory, bool at_end, size_t size,
                    unsigned char **bytes);

/* A tensor of random bytes against either fence. */
typedef struct fenced_tensor {
  clrs_layout layout; /* given */
  bit_span span;
  oracle where;
  unsigned char *bytes; /* `size` of them */
  size_t size;
  cl_mem buffer; /* NULL if it is larger than the memory */
} fenced_tensor;

/* False if it is larger than the memory; to be removed all the same. */
bool fence_place(const test_device *device, const fenced *memory, test_rng *rng,
                 fenced_tensor *tensor);
void fence_remove(fenced_tensor *tensor);

#endif
