/*
 * What parsing a chain takes: parts of a text, and a list that numbers are appended to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/plan.h"

enum { CLRS__CHAIN_VALUES = 256 };
#include "status.h"
#include "text.h"

/* A part of a text. */
typedef struct clrs__span {
  const char *text;
  size_t length;
} clrs__span;

/* A list to which numbers are appended. */
typedef struct clrs__numbers {
  int64_t *values;
  uint32_t count, room;
} clrs__numbers;

/* The part before the first `separator`, which *rest then begins behind; all of it, if there is
 * none, and *rest has a NULL text. */
clrs__span clrs__span_cut(clrs__span *rest, char separator);

/* Without blanks at its ends. */
clrs__span clrs__span_trim(clrs__span span);

/* For a message, as clrs__show. */
clrs__shown clrs__span_show(clrs__span span);

bool clrs__span_is(clrs__span span, const char *text);

/* CLRS_LIMIT_EXCEEDED if there is no room. */
clrs_status clrs__numbers_append(clrs__numbers *numbers, size_t count, const int64_t *values,
                                 clrs_error *error);
