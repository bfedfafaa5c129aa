/*
 * Axes as callers count them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

/* Turns an axis in [-rank, rank), where negative ones count from the end, into [0, rank). `what`
 * names it in the message. */
clrs_status clrs__axis_normalize(int64_t axis, uint32_t rank, const char *what, uint32_t *index,
                                 clrs_error *error);
