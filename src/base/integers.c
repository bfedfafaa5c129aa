/* SPDX-License-Identifier: Apache-2.0 */
#include "integers.h"

#include <string.h>

#include "checked.h"
#include "text.h"

/* Appends a digit to a negative number, because INT64_MIN fits only as a negative number. */
static bool append_digit(int64_t *negative, char digit) {
  return clrs__multiply(*negative, 10, negative) &&
         clrs__add(*negative, -(int64_t)(digit - '0'), negative);
}

clrs_status clrs__integer_parse(const char *text, size_t length, int64_t *value,
                                clrs_error *error) {
  const bool has_minus = length > 0 && text[0] == '-';
  const size_t first = has_minus || (length > 0 && text[0] == '+') ? 1 : 0;
  size_t next = first;
  bool fits = true;
  int64_t negative = 0;
  for (; next < length && text[next] >= '0' && text[next] <= '9'; next++) {
    fits = fits && append_digit(&negative, text[next]);
  }
  if (next == first || next < length) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is not a decimal integer",
                      clrs__show_part(text, length).text);
  }
  if (!fits || (!has_minus && !clrs__negate(negative, &negative))) {
    return clrs__fail(error, CLRS_OVERFLOW, "'%s' does not fit in 64 bits",
                      clrs__show_part(text, length).text);
  }
  *value = negative;
  return CLRS_OK;
}

clrs_status clrs__integers_parse(const char *text, size_t length, size_t *count,
                                 int64_t values[CLRS_MAX_RANK], clrs_error *error) {
  size_t found = 0;
  for (size_t begin = 0; length > 0 && begin <= length;) {
    const char *comma = memchr(text + begin, ',', length - begin);
    const size_t end = comma != NULL ? (size_t)(comma - text) : length;
    if (found == CLRS_MAX_RANK) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "'%s' has more than %d values",
                        clrs__show_part(text, length).text, CLRS_MAX_RANK);
    }
    CLRS_TRY(clrs__integer_parse(text + begin, end - begin, &values[found++], error));
    begin = end + 1;
  }
  *count = found;
  return CLRS_OK;
}
