/*
 * Requests that allocate memory, from the pool and by the caller, and requests on lent memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SCENARIO_MEMORY_H
#define CLRS_TEST_SCENARIO_MEMORY_H

#include "scenario.h"

/* Makes and releases a result. The request may recycle the bytes of this result. */
clrs_status scenario_use_pool(const scenario *s, attempt *try, clrs_tensor *source);

/* A move of the source as DLPack's unversioned and then versioned tensor. */
clrs_status scenario_lend(attempt *try, clrs_tensor *source, clrs_tensor *target);

/* Makes a new tensor, and a move into this tensor. */
clrs_status scenario_allocate(attempt *try, clrs_tensor *source);

/* The source's elements into memory of the attempt's. */
clrs_status scenario_read(attempt *try, clrs_tensor *source);
/* Requires that the elements are there, in the oracle's order. */
void scenario_verify_read(const scenario *s, const attempt *try, const oracle *source);

#endif
