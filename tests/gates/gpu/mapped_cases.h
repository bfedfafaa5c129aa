/*
 * Mapped moves as launches of a GPU.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "launch_line.h"

/* Prints the launches of a case with a map, of such a view of the source. */
void plan_mapped_case(const test_case *test, const clrs_view *view,
                      const clrs_device_limits *limits);
