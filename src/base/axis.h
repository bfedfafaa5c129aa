/*
 * Axes as callers count them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

/* Turns an axis in [-rank, rank) into [0, rank). A negative axis counts from the end. `what` is the
 * name of the axis in the message. */
clrs_status clrs__axis_normalize(int64_t axis, uint32_t rank, const char *what, uint32_t *index,
                                 clrs_error *error);
