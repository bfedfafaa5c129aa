/*
 * Finds out whether two operands share a byte, by listing the bytes of their elements. Listing is
 * slow, but takes the same time for any structure of the views.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* The number of positions to look up when comparing two operands that have elements. Returns
 * INT64_MAX if the number does not fit. */
int64_t clrs__listing_effort(const clrs_operand *a, const clrs_operand *b);

/* Exact, except that a packed element of 3 or 6 bits counts as two bytes. Both operands have
 * elements and a footprint. */
bool clrs__lists_meet(const clrs_operand *a, const clrs_operand *b);
