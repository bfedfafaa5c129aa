/*
 * Checks that a kernel may write the elements of a view in any order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "cut_axes.h"

/* Returns CLRS_OVERLAP if a kernel that wrote the view's elements would write one position twice,
 * or if no proof shows that all positions are different. */
clrs_status clrs__view_check_written(const clrs_view *destination, clrs_error *error);
