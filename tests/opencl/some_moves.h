/*
 * Lists of moves between the two buffers of `api`, for tests of works.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SOME_MOVES_H
#define CLRS_TEST_SOME_MOVES_H

#include "api.h"
#include "harness/works.h"

enum { MANY = 1000 };

typedef struct some_moves {
  size_t count;
  clrs_tensor *sources[MANY], *destinations[MANY];
} some_moves;

/* bytes [offset, offset + count) of the buffer, `stride` apart */
static inline clrs_tensor *bytes_at(const api *a, cl_mem buffer, uint64_t offset, int64_t count,
                                    int64_t stride) {
  const clrs_layout layout = api_layout(CLRS_U8, 1, LIST(count), LIST(stride));
  return api_wrap(a->library, buffer, offset, &layout);
}

static inline void add(some_moves *moves, clrs_tensor *source, clrs_tensor *destination) {
  moves->sources[moves->count] = source;
  moves->destinations[moves->count++] = destination;
}

static inline void release(some_moves *moves) {
  for (size_t i = 0; i < moves->count; i++) {
    clrs_tensor_release(moves->sources[i]);
    clrs_tensor_release(moves->destinations[i]);
  }
  moves->count = 0;
}

static inline clrs_tensor *dense_at(const api *a, cl_mem buffer, uint64_t offset, clrs_dtype dtype,
                                    int64_t count) {
  const clrs_layout layout = api_layout(dtype, 1, LIST(count), NULL);
  return api_wrap(a->library, buffer, offset, &layout);
}

#endif
