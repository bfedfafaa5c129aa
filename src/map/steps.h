/*
 * The arithmetic of a map's steps, on codes of their type.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "elements.h"

/* Returns true for CLRS_F16, CLRS_BF16, CLRS_F32 and CLRS_F64. */
bool clrs__is_arithmetic(clrs_dtype dtype);

/* One operation, rounded once, half to even, to the arithmetic type, which may be CLRS_I32. A NaN
 * result has no sign and no payload, because devices keep different operands' signs and
 * payloads. */
clrs__word clrs__step(clrs_step_kind kind, clrs_dtype arithmetic, clrs__word x, clrs__word p);
