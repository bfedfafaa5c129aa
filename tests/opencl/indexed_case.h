/*
 * A gather or a scatter by indices, drawn at random, and the expected result from a loop over all
 * elements. Draws every width of whole bytes, any layout, stacks of walks on all three sides, both
 * index types, and every rule for an index outside.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_INDEXED_CASE_H
#define CLRS_TEST_INDEXED_CASE_H

#include "enqueue_indexed.h"
#include "region.h"

enum { LIBRARIES = 6, MOST_INDICES = 64 };

/* A workshop with a context for each way of execution: the default, with 64-bit arithmetic, and
 * with few work-items. */
typedef struct fixture {
  workshop *shop;
  clrs_context *libraries[LIBRARIES];
} fixture;

int fixture_open(void **state);
int fixture_close(void **state);

/* A tensor of the requested shape, and the region that the tensor shows. */
typedef struct side {
  region made;
  clrs_tensor *seen;
  oracle where;
} side;

typedef struct indexed_case {
  uint64_t seed;
  bool scatters;
  clrs_dtype dtype;
  clrs_shape named, indices, listed;
  uint32_t axis;
  int64_t before, extent, middle, behind;
  side from, to, index;
  clrs_indices given;
  unsigned char element[16];
  int64_t values[MOST_INDICES], places[MOST_INDICES]; /* per index, -1 means skipped */
  bool is_any_outside;
  cl_mem flag;
  cl_uint flag_words[3];
  clrs_tensor *flag_tensor;
} indexed_case;

/* Does the context compute with 64-bit words? */
bool indexed_is_wide(const fixture *f, const clrs_context *library);
/* A type of whole bytes. In the first seeds of a test, floats where words have 64 bits. */
clrs_dtype indexed_dtype_random(const fixture *f, const clrs_context *library, uint64_t seed,
                                test_rng *rng);
/* Shapes that go together. */
void indexed_shapes_random(indexed_case *c, test_rng *rng);

/* A case with a given seed and direction: no two indices of a scatter name the same place. */
void indexed_case_draw(const fixture *f, clrs_context *library, test_rng *rng, indexed_case *c);
void indexed_case_free(indexed_case *c);

/* Writes the expected result into the regions and the flag, and compares every byte. */
void indexed_case_expect(indexed_case *c);
void indexed_case_require(const fixture *f, const indexed_case *c);

#endif
