/*
 * Tools for parsing a chain: parts of a text, and a list of numbers that grows.
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

/* Returns the part before the first `separator`. *rest then begins behind the separator. Without a
 * separator, returns all of *rest, and *rest gets a NULL text. */
clrs__span clrs__span_cut(clrs__span *rest, char separator);

/* The same, and an empty part if *rest has a NULL text. */
clrs__span clrs__span_next(clrs__span *rest, char separator);

/* Removes blanks at both ends. */
clrs__span clrs__span_trim(clrs__span span);

/* Shows a span in a message, as clrs__show does. */
clrs__shown clrs__span_show(clrs__span span);

bool clrs__span_is(clrs__span span, const char *text);

/* Returns the number of the word that equals the span, or -1. */
int64_t clrs__span_find(clrs__span span, const char *const *words, int count);
/* The same, with an error that lists the words. `what` says what each word is. */
clrs_status clrs__span_parse_word(clrs__span span, const char *what, const char *const *words,
                                  int count, int64_t *value, clrs_error *error);

/* Returns CLRS_LIMIT_EXCEEDED if there is no room. */
clrs_status clrs__numbers_append(clrs__numbers *numbers, size_t count, const int64_t *values,
                                 clrs_error *error);
