/*
 * Requests that read numbers on the device: a pattern, or the indices of a gather or a scatter
 * along axis 0.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SCENARIO_INDEXED_H
#define CLRS_TEST_SCENARIO_INDEXED_H

#include "scenario.h"

/* Byte offset of the indices: behind everything else in the destination's buffer. */
enum { PATTERN_AT = API_BYTES - 64 };

bool scenario_is_indexed(const scenario *s);
clrs_status scenario_index(const scenario *s, attempt *try, clrs_tensor *source,
                           clrs_tensor *target);
/* Computes the expected rows: row i of one tensor is row values[i] of the second. */
void scenario_put_rows(const scenario *s, const api *a, const oracle *source,
                       const clrs_layout *target, unsigned char *bytes);

#endif
