/* SPDX-License-Identifier: Apache-2.0 */
#include "spelling.h"

#include <string.h>

#include "shape.h"

clrs__span clrs__span_cut(clrs__span *rest, char separator) {
  clrs__span part = *rest;
  const char *end = memchr(part.text, separator, part.length);
  *rest = (clrs__span){NULL, 0};
  if (end != NULL) {
    const size_t length = (size_t)(end - part.text);
    *rest = (clrs__span){end + 1, part.length - length - 1};
    part.length = length;
  }
  return part;
}

clrs__span clrs__span_next(clrs__span *rest, char separator) {
  return rest->text != NULL ? clrs__span_cut(rest, separator) : (clrs__span){"", 0};
}

clrs__span clrs__span_trim(clrs__span span) {
  for (; span.length > 0 && span.text[0] == ' '; span.length--) {
    span.text++;
  }
  while (span.length > 0 && span.text[span.length - 1] == ' ') {
    span.length--;
  }
  return span;
}

clrs__shown clrs__span_show(clrs__span span) {
  return clrs__show_part(span.text, span.length);
}

bool clrs__span_is(clrs__span span, const char *text) {
  return strlen(text) == span.length && memcmp(text, span.text, span.length) == 0;
}

int64_t clrs__span_find(clrs__span span, const char *const *words, int count) {
  for (int i = 0; i < count; i++) {
    if (clrs__span_is(span, words[i])) {
      return i;
    }
  }
  return -1;
}

clrs_status clrs__span_parse_word(clrs__span span, const char *what, const char *const *words,
                                  int count, int64_t *value, clrs_error *error) {
  *value = clrs__span_find(span, words, count);
  if (*value >= 0) {
    return CLRS_OK;
  }
  clrs__describe(error, CLRS_INVALID_ARGUMENT, "'%s' is no %s; known are %s",
                 clrs__span_show(span).text, what, words[0]);
  for (int i = 1; i < count; i++) {
    clrs__append(error, ", %s", words[i]);
  }
  return CLRS_INVALID_ARGUMENT;
}

clrs_status clrs__numbers_append(clrs__numbers *numbers, size_t count, const int64_t *values,
                                 clrs_error *error) {
  if (count > numbers->room - numbers->count) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "the chain has more than %d values",
                      CLRS__CHAIN_VALUES);
  }
  clrs__dims_copy(numbers->values + numbers->count, values, (uint32_t)count);
  numbers->count += (uint32_t)count;
  return CLRS_OK;
}
