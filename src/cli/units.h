/*
 * Elements of any width as units that the library moves: one of 12 bytes is three of 32 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* What `elements` shows, each element as so many units (at least 2) in a new last dim. The storage
 * holds units of the view's dtype where `elements` counts elements. */
clrs_status cli_view_in_units(const clrs_view *elements, uint32_t units, clrs_view *view,
                              clrs_error *error);
