/*
 * Maps on a request's source of u8. Along the last dim, a number of the map is added and a value of
 * a tensor is subtracted, saturated. More numbers than a launch's arguments have room for go into a
 * buffer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SCENARIO_MAP_H
#define CLRS_TEST_SCENARIO_MAP_H

#include "scenario.h"

/* Replaces the tensor by a mapped tensor, or keeps the tensor if the request has no map. */
clrs_status scenario_map(attempt *try, clrs_tensor **tensor);

/* The view of u8 with the same map, but by numbers only, as sequences require. */
clrs_status scenario_mapped_view(attempt *try, const clrs_view *view, clrs_mapped *mapped);

/* The bytes of the source's buffer, with each source element mapped, if the request has a map. The
 * elements must not overlap then. Writes API_BYTES. */
void scenario_bytes(const scenario *s, const api *a, const oracle *source, unsigned char *bytes);

#endif
