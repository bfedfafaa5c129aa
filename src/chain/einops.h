/*
 * rearrange and repeat in the notation of einops.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

/* Returns true if the text has "->". */
bool clrs__has_arrow(clrs__span text);

/* Converts a pattern and its lengths to the numbers that clrs__einops_apply reads:
 *
 * 1. four counts: axes, axes on the left, dims on the left, dims on the right
 * 2. the length of each axis, or CLRS__UNKNOWN. The axes of the left come first, in order
 * 3. the number of axes of each dim of the left, or CLRS__ELLIPSIS for "..."
 * 4. the same for each dim of the right
 * 5. the number of each axis of the right, or CLRS__ELLIPSIS for "..." among others in a dim
 *
 * Example: b (h d) -> (b h) d, h=12 is 3 3 2 2, -1 12 -1, 1 2, 2 1, 0 1 2. */
clrs_status clrs__rearrange_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error);
clrs_status clrs__repeat_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error);

enum { CLRS__UNKNOWN = -1, CLRS__ELLIPSIS = -1 };
