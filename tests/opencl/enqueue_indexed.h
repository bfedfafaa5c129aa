/*
 * A gather or a scatter into a destination, for tests that take both.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_ENQUEUE_INDEXED_H
#define CLRS_TEST_ENQUEUE_INDEXED_H

#include "clreshape/clreshape.h"

static inline clrs_status enqueue_indexed(bool scatters, clrs_tensor *source,
                                          const clrs_indices *indices, clrs_tensor *destination,
                                          const clrs_on *on, cl_event *event, clrs_error *error) {
  return scatters ? clrs_enqueue_scatter(source, indices, destination, on, event, error)
                  : clrs_enqueue_gather(source, indices, destination, NULL, on, event, error);
}

#endif
