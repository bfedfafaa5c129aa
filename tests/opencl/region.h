/*
 * A tensor in a buffer of random bytes, and host copies of both. The tests of fill, pad, concat and
 * stack build and compare regions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_REGION_H
#define CLRS_TEST_REGION_H

#include "harness/bits.h"
#include "harness/device.h"
#include "harness/oracle.h"
#include "harness/rng.h"
#include "harness/tensors.h"

/* A device, a library context for each way of execution, and two queues. */
typedef struct workshop {
  test_device opencl;
  clrs_context *libraries[3]; /* as the context chooses, a core at a time, wide */
  cl_command_queue unordered; /* the ordered queue if the device has no unordered queue */
} workshop;

int workshop_open(void **state);
int workshop_close(void **state);
#define SHOP_TEST(name) TEST_OF(const workshop, shop, name, NULL, NULL) /* in a group with both */
cl_command_queue workshop_queue(const workshop *shop, test_rng *rng);

typedef struct region {
  clrs_layout layout;
  oracle where; /* of the layout */
  bit_span span;
  size_t size;
  unsigned char *bytes; /* the expected bytes of the buffer */
  cl_mem buffer;
  clrs_tensor *tensor;
} region;

/* All movable types: every width from 1 to 128 bits. */
clrs_dtype dtype_random(test_rng *rng);

/* A random layout of that shape, strides that share elements only if `allow_repeats`, at random
 * bytes from the start of a buffer that is a little larger than needed. */
region region_random(const workshop *shop, clrs_context *library, test_rng *rng,
                     const clrs_layout *layout);
clrs_layout region_layout(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape,
                          bool allow_repeats);
void region_free(region *made);

/* Writes a single host element to all elements of `made`. Packed elements come in the low bits. */
void region_put_element(region *made, const unsigned char *element);
/* Copies the elements of `source` into the part of `made` that begins there, in the last dims. In
 * the dims before, the part has a single index. */
void region_put(region *made, const region *source, const int64_t *begins);

/* The buffer holds exactly `bytes`. Prints the seed if not. */
void region_require(const workshop *shop, const region *made, uint64_t seed, const char *what);

#endif
