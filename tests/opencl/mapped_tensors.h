/*
 * A random map's tensors on the device, and the mapped elements from clrs_map_apply on the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MAPPED_TENSORS_H
#define CLRS_TEST_MAPPED_TENSORS_H

#include "map_fixture.h"

/* All mapped elements, dense, in CASE_BYTES that the caller frees. */
unsigned char *map_case_apply(const map_fixture *f, const map_case *c);

clrs_tensor *map_wrap(clrs_context *library, cl_mem buffer, uint64_t offset,
                      const clrs_layout *layout);

/* NULL if the device is refused the map's steps. */
clrs_tensor *map_case_tensor(const map_fixture *f, const map_case *c, clrs_context *library,
                             clrs_tensor *source);

#endif
