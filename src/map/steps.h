/*
 * The arithmetic of a map's steps, on codes of their type.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "elements.h"

/* CLRS_F16, CLRS_BF16, CLRS_F32 or CLRS_F64? */
bool clrs__is_arithmetic(clrs_dtype dtype);

/* One operation, rounded once, half to even, to the arithmetic type, which may be CLRS_I32. A NaN
 * that it makes or passes on has no sign and no payload: which of the operands' devices keep
 * differs. */
clrs__word clrs__step(clrs_step_kind kind, clrs_dtype arithmetic, clrs__word x, clrs__word p);
