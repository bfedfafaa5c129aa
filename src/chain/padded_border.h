/*
 * The values of a pad's border behind the maps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "padded.h"

/* Cuts a piece of the border into parts of one value, and calls `take` with the value after the
 * maps, in the low bits. Numbers along an axis, such as a mean for each channel, make a part for
 * each index of the axis. */
typedef clrs_status clrs__take_value(void *context, const clrs_slice *slices,
                                     const uint8_t *element, clrs_error *error);
clrs_status clrs__padded_border(const clrs__padded *padded, const clrs_slice *slices,
                                clrs__take_value *take, void *context, clrs_error *error);
