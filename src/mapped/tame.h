/*
 * Maps whose numbers stay far from the smallest floats, whatever the elements are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "step_kind.h"

/* Proves of a map that was checked that steps of floats give the same bits where denormal floats
 * are flushed to 0, and where quotients are kernels/quotient.h's. False where that is not proved.
 */
bool clrs__map_is_tame(const clrs_map *map);
