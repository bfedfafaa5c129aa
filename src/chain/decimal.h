/*
 * Strict decimal numbers in text: "-0.485", "1e-3" and nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "spelling.h"

/* Parses a sign, digits with an optional point, and an exponent. Only digits are required. Returns
 * the nearest double, half to even, for any locale. Returns CLRS_LIMIT_EXCEEDED for more than 19
 * digits from the first nonzero digit on, and CLRS_OVERFLOW if no double is near. */
clrs_status clrs__decimal_parse(clrs__span text, double *value, clrs_error *error);
