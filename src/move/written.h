/*
 * May a kernel write the elements of a view, in whatever order?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "cut_axes.h"

/* CLRS_OVERLAP if a kernel that wrote the view's elements would write one position twice, or if
 * nothing shows that the kernel would not. */
clrs_status clrs__view_check_written(const clrs_view *destination, clrs_error *error);
