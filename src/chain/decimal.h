/*
 * Strict decimal numbers in text: "-0.485", "1e-3" and nothing around them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "spelling.h"

/* A sign, digits with a point among them or before them, and an exponent, of which only digits must
 * be there. The double that is nearest, half to even, whatever the locale. More than 19 digits from
 * the first that is not 0 on are CLRS_LIMIT_EXCEEDED, what no double is near to CLRS_OVERFLOW. */
clrs_status clrs__decimal_parse(clrs__span text, double *value, clrs_error *error);
