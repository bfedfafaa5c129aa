/*
 * Strict integers in text: "2,-1,3" and nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

/* Parses an optional sign and decimal digits, within 64 bits. The integer must use all `length`
 * bytes. */
clrs_status clrs__integer_parse(const char *text, size_t length, int64_t *value, clrs_error *error);

/* Parses at most CLRS_MAX_RANK integers with commas between them. An empty text is an empty
 * list. */
clrs_status clrs__integers_parse(const char *text, size_t length, size_t *count,
                                 int64_t values[CLRS_MAX_RANK], clrs_error *error);
