/*
 * Patterns of einops, as in "b t (h d) -> (b h) t d, h=12". einops_apply.c checks the rules that
 * need a shape. This file checks all other rules of einops, in the order of einops: the left, the
 * right, the same axes on both sides, the lengths, and that the rest can be inferred.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "einops.h"

#include <inttypes.h>
#include <string.h>

#include "integers.h"
#include "shape.h"

/* All axes appear on the right, so there are at most as many axes as dims. */
enum { MOST = CLRS_MAX_RANK };

typedef struct axis {
  clrs__span name; /* or the number of an anonymous axis */
  int64_t length;  /* or CLRS__UNKNOWN */
  bool is_right;   /* also stands on the right */
  bool is_given;   /* its length stands behind the pattern */
} axis;

/* One side. dims: the number of axes of each dim, or CLRS__ELLIPSIS. members: the axes of all
 * dims. */
typedef struct side {
  uint32_t dim_count, member_count;
  int64_t dims[MOST], members[MOST + 1]; /* members: axes and an ellipsis */
  bool has_ellipsis;
} side;

typedef struct pattern {
  bool is_repeat;
  uint32_t axis_count, left_count;
  axis axes[MOST];
  side left, right;
} pattern;

/* ---- axes ---- */

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* U+2026. einops uses this sign internally for '...', and therefore accepts the sign as the name of
 * an axis. */
static const clrs__span sign = {"\xe2\x80\xa6", 3};

static bool is_number(clrs__span word) {
  size_t digits = 0;
  while (digits < word.length && is_digit(word.text[digits])) {
    digits++;
  }
  return digits == word.length;
}

/* einops accepts Python identifiers that neither begin nor end with an underscore. */
static clrs_status check_name(clrs__span name, clrs_error *error) {
  bool is_name = name.length > 0 && name.text[name.length - 1] != '_' && is_letter(name.text[0]);
  for (size_t i = 0; i < name.length; i++) {
    is_name = is_name && (is_letter(name.text[i]) || is_digit(name.text[i]) || name.text[i] == '_');
  }
  return is_name ? CLRS_OK
                 : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                              "'%s' is no name of an axis: that is letters, digits and "
                              "underscores, of which it begins with a letter and does not end "
                              "with an underscore",
                              clrs__span_show(name).text);
}

/* The number of the axis of that name, or axis_count. */
static uint32_t find_axis(const pattern *p, clrs__span name) {
  uint32_t i = 0;
  while (i < p->axis_count && (p->axes[i].name.length != name.length ||
                               memcmp(p->axes[i].name.text, name.text, name.length) != 0)) {
    i++;
  }
  return i;
}

static clrs_status fail_many(clrs_error *error) {
  return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "the pattern has more than %d axes or dims", MOST);
}

static clrs_status add_axis(pattern *p, axis added, clrs_error *error) {
  if (p->axis_count == MOST) {
    return fail_many(error);
  }
  p->axes[p->axis_count++] = added;
  return CLRS_OK;
}

/* ---- one side ---- */

typedef struct reader {
  pattern *p;
  side *side;
  bool in_group; /* between parentheses */
} reader;

static bool is_left(const reader *in) {
  return in->side == &in->p->left;
}

static clrs_status begin_dim(reader *in, int64_t axes, clrs_error *error) {
  if (in->side->dim_count == MOST) {
    return fail_many(error);
  }
  in->side->dims[in->side->dim_count++] = axes;
  return CLRS_OK;
}

/* Adds an axis, or CLRS__ELLIPSIS, as a new dim or to the open parentheses. */
static clrs_status add_member(reader *in, int64_t member, clrs_error *error) {
  if (!in->in_group) {
    CLRS_TRY(begin_dim(in, 0, error));
  }
  in->side->dims[in->side->dim_count - 1]++;
  in->side->members[in->side->member_count++] = member;
  return CLRS_OK;
}

static clrs_status add_number(reader *in, clrs__span word, clrs_error *error) {
  int64_t length;
  CLRS_TRY(clrs__integer_parse(word.text, word.length, &length, error));
  if (length == 1) {
    return in->in_group ? CLRS_OK : begin_dim(in, 0, error);
  }
  if (length == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "an axis without a name has a length of 0; it "
                      "must be at least 1");
  }
  if (!in->p->is_repeat || is_left(in)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "an axis of length %" PRId64 " without a name stands %s; only 1 may, and "
                      "others on the right of repeat",
                      length, in->p->is_repeat ? "on the left of repeat" : "in rearrange");
  }
  CLRS_TRY(add_axis(in->p, (axis){word, length, true, false}, error));
  return add_member(in, in->p->axis_count - 1, error);
}

static clrs_status add_name(reader *in, clrs__span word, clrs_error *error) {
  pattern *p = in->p;
  if (!clrs__span_is(word, sign.text)) {
    CLRS_TRY(check_name(word, error));
  }
  uint32_t found = find_axis(p, word);
  if (found < p->axis_count && (is_left(in) || p->axes[found].is_right)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "axis '%s' stands twice on the %s",
                      clrs__span_show(word).text, is_left(in) ? "left" : "right");
  }
  if (found == p->axis_count) {
    if (!is_left(in) && !p->is_repeat) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "axis '%s' stands on the right only; rearrange has all axes on both "
                        "sides, new ones are for repeat",
                        clrs__span_show(word).text);
    }
    CLRS_TRY(add_axis(p, (axis){.name = word, .length = CLRS__UNKNOWN}, error));
  }
  p->axes[found].is_right = !is_left(in);
  return add_member(in, found, error);
}

static clrs_status add_ellipsis(reader *in, clrs_error *error) {
  if (in->side->has_ellipsis) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'...' stands twice on one side");
  }
  if (in->in_group && is_left(in)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "'...' stands in parentheses; on the left it must not");
  }
  in->side->has_ellipsis = true;
  return in->in_group ? add_member(in, CLRS__ELLIPSIS, error)
                      : begin_dim(in, CLRS__ELLIPSIS, error);
}

static clrs_status add_parenthesis(reader *in, char c, clrs_error *error) {
  if (in->in_group == (c == '(')) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      in->in_group ? "parentheses stand in parentheses; they have one level"
                                   : "a ')' has no '('");
  }
  in->in_group = c == '(';
  return in->in_group ? begin_dim(in, 0, error) : CLRS_OK;
}

static clrs_status add_word(reader *in, clrs__span word, clrs_error *error) {
  if (clrs__span_is(word, "...")) {
    return add_ellipsis(in, error);
  }
  return is_number(word) ? add_number(in, word, error) : add_name(in, word, error);
}

static bool ends_word(char next) {
  return next == '(' || next == ')' || next == ' ';
}

static clrs_status read_side(pattern *p, side *read, clrs__span text, clrs_error *error) {
  reader in = {p, read, false};
  while (text.length > 0) {
    size_t length = 0;
    while (length < text.length && !ends_word(text.text[length])) {
      length++;
    }
    if (length > 0) {
      CLRS_TRY(add_word(&in, (clrs__span){text.text, length}, error));
    } else {
      length = 1;
      if (text.text[0] != ' ') {
        CLRS_TRY(add_parenthesis(&in, text.text[0], error));
      }
    }
    text = (clrs__span){text.text + length, text.length - length};
  }
  return in.in_group ? clrs__fail(error, CLRS_INVALID_ARGUMENT, "a '(' has no ')'") : CLRS_OK;
}

/* ---- both sides, and the lengths ---- */

static const char *find_arrow(clrs__span text) {
  for (size_t i = 0; i + 1 < text.length; i++) {
    if (memcmp(text.text + i, "->", 2) == 0) {
      return text.text + i;
    }
  }
  return NULL;
}

bool clrs__has_arrow(clrs__span text) {
  return find_arrow(text) != NULL;
}

static clrs_status read_sides(pattern *p, clrs__span text, clrs_error *error) {
  const char *arrow = find_arrow(text);
  if (arrow == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' has no '->' between two sides",
                      clrs__span_show(text).text);
  }
  const size_t left = (size_t)(arrow - text.text);
  CLRS_TRY(read_side(p, &p->left, (clrs__span){text.text, left}, error));
  p->left_count = p->axis_count;
  CLRS_TRY(read_side(p, &p->right, (clrs__span){arrow + 2, text.length - left - 2}, error));
  for (uint32_t i = 0; i < p->left_count; i++) {
    if (!p->axes[i].is_right) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "axis '%s' stands on the left only; no axis is dropped",
                        clrs__span_show(p->axes[i].name).text);
    }
  }
  if (p->left.has_ellipsis && find_axis(p, sign) < p->axis_count) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'...' and '%s' stand in one pattern",
                      clrs__span_show(sign).text);
  }
  return p->left.has_ellipsis == p->right.has_ellipsis
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "'...' stands on the %s only",
                          p->left.has_ellipsis ? "left" : "right");
}

/* Reads one "name=length". */
static clrs_status read_length(pattern *p, clrs__span text, clrs_error *error) {
  clrs__span value = text;
  const clrs__span name = clrs__span_trim(clrs__span_cut(&value, '='));
  int64_t length;
  if (value.text == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is not a length such as h=12",
                      clrs__span_show(text).text);
  }
  CLRS_TRY(check_name(name, error));
  value = clrs__span_trim(value);
  CLRS_TRY(clrs__integer_parse(value.text, value.length, &length, error));
  const uint32_t found = find_axis(p, name);
  if (found == p->axis_count || p->axes[found].is_given) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "axis '%s' %s", clrs__span_show(name).text,
                      found == p->axis_count ? "has a length but is not in the pattern"
                                             : "has two lengths");
  }
  if (length < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the length of axis '%s' is %" PRId64 "; it must be at least 0",
                      clrs__span_show(name).text, length);
  }
  p->axes[found].length = length;
  p->axes[found].is_given = true;
  return CLRS_OK;
}

static clrs_status check_new_axes(const pattern *p, clrs_error *error) {
  for (uint32_t i = p->left_count; i < p->axis_count; i++) {
    if (p->axes[i].length == CLRS__UNKNOWN) {
      return clrs__fail(
          error, CLRS_INVALID_ARGUMENT, "axis '%s' is new and needs a length, as in %s=2",
          clrs__span_show(p->axes[i].name).text, clrs__span_show(p->axes[i].name).text);
    }
  }
  return CLRS_OK;
}

/* Each dim of the left may have one axis of unknown length, which the dim determines. */
static clrs_status check_unknown(const pattern *p, clrs_error *error) {
  const axis *next = p->axes;
  for (uint32_t dim = 0; dim < p->left.dim_count; dim++) {
    const axis *unknown = NULL;
    for (int64_t i = 0; i < p->left.dims[dim]; i++, next++) {
      if (next->length != CLRS__UNKNOWN) {
        continue;
      }
      if (unknown != NULL) {
        return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the lengths of axes '%s' and '%s' cannot both be inferred; give "
                          "one, as in %s=2",
                          clrs__span_show(unknown->name).text, clrs__span_show(next->name).text,
                          clrs__span_show(unknown->name).text);
      }
      unknown = next;
    }
  }
  return CLRS_OK;
}

/* ---- as numbers ---- */

static clrs_status append_pattern(const pattern *p, clrs__numbers *numbers, clrs_error *error) {
  int64_t values[4 + 4 * MOST + 1] = {p->axis_count, p->left_count, p->left.dim_count,
                                      p->right.dim_count};
  int64_t *next = values + 4;
  for (uint32_t i = 0; i < p->axis_count; i++) {
    *next++ = p->axes[i].length;
  }
  clrs__dims_copy(next, p->left.dims, p->left.dim_count);
  next += p->left.dim_count;
  clrs__dims_copy(next, p->right.dims, p->right.dim_count);
  next += p->right.dim_count;
  clrs__dims_copy(next, p->right.members, p->right.member_count);
  next += p->right.member_count;
  return clrs__numbers_append(numbers, (size_t)(next - values), values, error);
}

static clrs_status parse(clrs__span text, bool is_repeat, clrs__numbers *numbers,
                         clrs_error *error) {
  pattern p = {.is_repeat = is_repeat};
  CLRS_TRY(read_sides(&p, clrs__span_cut(&text, ','), error));
  while (text.text != NULL) {
    CLRS_TRY(read_length(&p, clrs__span_cut(&text, ','), error));
  }
  CLRS_TRY(check_new_axes(&p, error));
  CLRS_TRY(check_unknown(&p, error));
  return append_pattern(&p, numbers, error);
}

clrs_status clrs__rearrange_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  return parse(text, false, numbers, error);
}

clrs_status clrs__repeat_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  return parse(text, true, numbers, error);
}
