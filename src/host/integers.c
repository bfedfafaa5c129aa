/*
 * Strict integers on the command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "integers.h"

#include <string.h>

#include "fail.h"
#include "text.h"

/* Appends a digit on the negative side, where INT64_MIN has room. */
static bool append_digit(int64_t *negative, char digit) {
  return !__builtin_mul_overflow(*negative, 10, negative) &&
         !__builtin_sub_overflow(*negative, digit - '0', negative);
}

clrs_status cli_integer_parse(const char *text, size_t length, int64_t *value, clrs_error *error) {
  bool minus = length > 0 && text[0] == '-';
  size_t first = minus || (length > 0 && text[0] == '+') ? 1 : 0;
  size_t next = first;
  int64_t negative = 0;
  for (; next < length && text[next] >= '0' && text[next] <= '9'; next++) {
    if (!append_digit(&negative, text[next])) {
      return clrs__fail(error, CLRS_OVERFLOW, "'%s' does not fit in 64 bits",
                        clrs__show_part(text, length).text);
    }
  }
  if (next == first || next < length) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is not a decimal integer",
                      clrs__show_part(text, length).text);
  }
  if (!minus && __builtin_sub_overflow(0, negative, &negative)) {
    return clrs__fail(error, CLRS_OVERFLOW, "'%s' does not fit in 64 bits",
                      clrs__show_part(text, length).text);
  }
  *value = negative;
  return CLRS_OK;
}

clrs_status cli_integers_parse(const char *text, size_t *count, int64_t values[CLRS_MAX_RANK],
                               clrs_error *error) {
  size_t found = 0;
  for (const char *next = text; text[0] != '\0'; next++) {
    size_t length = strcspn(next, ",");
    if (found == CLRS_MAX_RANK) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "'%s' has more than %d values",
                        clrs__show(text).text, CLRS_MAX_RANK);
    }
    CLRS_TRY(cli_integer_parse(next, length, &values[found++], error));
    next += length;
    if (*next == '\0') {
      break;
    }
  }
  *count = found;
  return CLRS_OK;
}
