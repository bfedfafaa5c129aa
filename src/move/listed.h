/*
 * Do two operands meet? Answered by listing what bytes their elements have: slow, but no structure
 * of the views makes it slower.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* How many positions are looked up to compare two operands that have elements; INT64_MAX if that
 * does not fit. */
int64_t clrs__listing_effort(const clrs_operand *a, const clrs_operand *b);

/* Exact, but that a packed element of 3 or 6 bits counts as two bytes. Both have elements and a
 * footprint. */
bool clrs__lists_meet(const clrs_operand *a, const clrs_operand *b);
