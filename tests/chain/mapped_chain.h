/*
 * Shared by the tests of chains that make a picture or a frame: the chain's mapped view, and
 * refusals.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MAPPED_CHAIN_H
#define CLRS_TEST_MAPPED_CHAIN_H

#include "harness/check.h"
#include "harness/tensors.h"

/* A dense source through the chain. *before is the source alone. */
static inline clrs_status map_chain(const char *text, const clrs_shape *shape, clrs_dtype dtype,
                                    clrs_mapped *before, clrs_mapped *mapped) {
  clrs_chain chain;
  clrs_view view;
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_OK(clrs_view_dense(dtype, shape, &view, &error), error);
  CHECK_OK(clrs_mapped_init(&view, before, &error), error);
  *mapped = *before;
  return clrs_chain_map(&chain, NULL, mapped, &error);
}

static inline clrs_mapped chained(const char *text, const clrs_shape *shape, clrs_dtype dtype) {
  clrs_view view;
  CHECK_OK(clrs_view_dense(dtype, shape, &view, &error), error);
  return mapped_after(&view, text);
}

/* Requires that the chain is refused, and that nothing changes. */
static inline void expect_refused(const char *text, const clrs_shape *shape, clrs_dtype dtype,
                                  const char *says) {
  clrs_mapped before, mapped;
  assert_true(map_chain(text, shape, dtype, &before, &mapped) != CLRS_OK);
  CHECK_SAYS(error, says);
  assert_memory_equal(&mapped, &before, sizeof before);
}

static inline void expect_no_chain(const char *text, const char *says) {
  clrs_chain chain;
  assert_true(clrs_chain_parse(text, &chain, &error) != CLRS_OK);
  CHECK_SAYS(error, says);
}

#endif
