/* SPDX-License-Identifier: Apache-2.0 */
#include "npy_text.h"

#include <string.h>

#include "fail.h"
#include "text.h"

clrs_status cli_npy_malformed(clrs_error *error, const char *rule) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "malformed .npy header: %s", rule);
}

void cli_npy_skip_space(cli_npy_text *text) {
  /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): four characters, no string */
  while (text->next < text->end && memchr(" \t\r\n", *text->next, 4) != NULL) {
    text->next++;
  }
}

bool cli_npy_take(cli_npy_text *text, const char *token) {
  size_t length = strlen(token);
  cli_npy_skip_space(text);
  if ((size_t)(text->end - text->next) < length || memcmp(text->next, token, length) != 0) {
    return false;
  }
  text->next += length;
  return true;
}

/* ---- strings ---- */

static clrs_status read_quote(cli_npy_text *text, char *quote, clrs_error *error) {
  cli_npy_skip_space(text);
  if (text->next == text->end || (*text->next != '\'' && *text->next != '"')) {
    return cli_npy_malformed(error, "a string was expected");
  }
  *quote = *text->next++;
  return CLRS_OK;
}

clrs_status cli_npy_read_string(cli_npy_text *text, char *string, size_t size, clrs_error *error) {
  char quote;
  CLRS_TRY(read_quote(text, &quote, error));
  const char *first = text->next;
  const char *last = memchr(first, quote, (size_t)(text->end - first));
  if (last == NULL) {
    return cli_npy_malformed(error, "a string does not end");
  }
  size_t length = (size_t)(last - first);
  if (length >= size || memchr(first, '\\', length) || memchr(first, '\0', length)) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "'%s' is not a key or type that this program reads",
                      clrs__show_part(first, length).text);
  }
  memcpy(string, first, length);
  string[length] = '\0';
  text->next = last + 1;
  return CLRS_OK;
}

/* A backslash escapes the next character, even a quote. Python writes control characters as
 * escapes. */
clrs_status cli_npy_skip_string(cli_npy_text *text, clrs_error *error) {
  char quote;
  CLRS_TRY(read_quote(text, &quote, error));
  for (; text->next < text->end && *text->next != quote; text->next++) {
    if ((unsigned char)*text->next < ' ') {
      return cli_npy_malformed(error, "a string holds a control character");
    }
    if (*text->next == '\\' && ++text->next == text->end) {
      break;
    }
  }
  if (text->next == text->end) {
    return cli_npy_malformed(error, "a string does not end");
  }
  text->next++;
  return CLRS_OK;
}

/* ---- dims ---- */

static clrs_status fail_dims(clrs_error *error, const char *what, const char *rule) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "malformed .npy header: %s %s", what, rule);
}

/* Reads a dimension: digits, as Python writes an int, and an optional L, as Python 2 wrote a
 * long. */
static clrs_status read_dim(cli_npy_text *text, const char *what, int64_t *dim, clrs_error *error) {
  cli_npy_skip_space(text);
  const char *first = text->next;
  *dim = 0;
  for (; text->next < text->end && *text->next >= '0' && *text->next <= '9'; text->next++) {
    if (__builtin_mul_overflow(*dim, 10, dim) ||
        __builtin_add_overflow(*dim, *text->next - '0', dim)) {
      return clrs__fail(error, CLRS_OVERFLOW, "a dimension in %s does not fit in 64 bits", what);
    }
  }
  if (text->next == first) {
    return fail_dims(error, what, "holds something other than integers >= 0");
  }
  if (*first == '0' && text->next - first > 1) {
    return fail_dims(error, what, "has a dimension that begins with 0");
  }
  (void)cli_npy_take(text, "L");
  return CLRS_OK;
}

clrs_status cli_npy_read_dims(cli_npy_text *text, const char *what, clrs_shape *shape,
                              clrs_error *error) {
  int64_t dims[CLRS_MAX_RANK];
  size_t rank = 0;
  bool comma = true;
  if (!cli_npy_take(text, "(")) {
    return fail_dims(error, what, "is not a tuple");
  }
  while (!cli_npy_take(text, ")")) {
    if (!comma) {
      return fail_dims(error, what, "lacks a comma");
    }
    if (rank == CLRS_MAX_RANK) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%s has more than %d dimensions", what,
                        CLRS_MAX_RANK);
    }
    CLRS_TRY(read_dim(text, what, &dims[rank++], error));
    comma = cli_npy_take(text, ",");
  }
  if (rank == 1 && !comma) {
    return fail_dims(error, what, "is a number, not a tuple");
  }
  return clrs_shape_init(rank, dims, shape, error);
}
