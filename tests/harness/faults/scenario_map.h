/*
 * What maps do to a request's source of u8: along the last dim a number of the map's own is added
 * and one of a tensor subtracted, saturated. More numbers than a launch's arguments have room for
 * go into a buffer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SCENARIO_MAP_H
#define CLRS_TEST_SCENARIO_MAP_H

#include "scenario.h"

/* The tensor becomes a mapped one, or stays what it was. */
clrs_status scenario_map(attempt *try, clrs_tensor **tensor);

/* The view of u8, mapped the same, but by numbers alone, as sequences take them. */
clrs_status scenario_mapped_view(attempt *try, const clrs_view *view, clrs_mapped *mapped);

/* The bytes of the source's buffer, but each element of the source as it is moved: through the map,
 * if there is one. No two lie at one place then. API_BYTES of them. */
void scenario_bytes(const scenario *s, const api *a, const oracle *source, unsigned char *bytes);

#endif
