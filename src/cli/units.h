/*
 * Elements of any width as units that the library moves. Example: an element of 12 bytes is three
 * units of 32 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* Makes the view of `elements` in which each element is `units` units (at least 2) along a new last
 * dim. The storage holds units of the view's dtype in place of elements. */
clrs_status cli_view_in_units(const clrs_view *elements, uint32_t units, clrs_view *view,
                              clrs_error *error);
