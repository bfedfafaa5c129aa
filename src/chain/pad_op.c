/* SPDX-License-Identifier: Apache-2.0 */
#include "pad_op.h"

#include <inttypes.h>
#include <string.h>

#include "decimal.h"
#include "dtype.h"
#include "integers.h"
#include "steps.h"
#include "view.h"

/* ---- parsing ---- */

/* The text without `start`. Returns false if the text begins otherwise. */
static bool span_after(clrs__span text, const char *start, clrs__span *rest) {
  const size_t length = strlen(start);
  if (text.length < length || memcmp(text.text, start, length) != 0) {
    return false;
  }
  *rest = (clrs__span){text.text + length, text.length - length};
  return true;
}

static clrs_status parse_mode(clrs__span text, int64_t *mode, clrs_error *error) {
  static const char *const modes[] = {"constant", "edge", "reflect", "symmetric", "wrap"};
  return clrs__span_parse_word(text, "mode", modes, sizeof modes / sizeof modes[0], mode, error);
}

/* A decimal number, or inf, -inf or nan. */
static clrs_status parse_value(clrs__span text, int64_t *bits, clrs_error *error) {
  static const char *const words[] = {"inf", "-inf", "nan"};
  static const uint64_t numbers[] = {0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000};
  const int64_t word = clrs__span_find(text, words, 3);
  double value = 0;
  if (word >= 0) {
    memcpy(bits, &numbers[word], sizeof *bits);
    return CLRS_OK;
  }
  CLRS_TRY(clrs__decimal_parse(text, &value, error));
  memcpy(bits, &value, sizeof value);
  return CLRS_OK;
}

static clrs_status parse_side(clrs__span text, int64_t *width, clrs_error *error) {
  CLRS_TRY(clrs__integer_parse(text.text, text.length, width, error));
  return *width >= 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the width %" PRId64 " is negative; slice takes elements away", *width);
}

static clrs_status append_width(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  int64_t sides[2];
  clrs__span behind = text;
  const clrs__span before = clrs__span_cut(&behind, ':');
  CLRS_TRY(parse_side(before, &sides[0], error));
  CLRS_TRY(parse_side(behind.text != NULL ? behind : before, &sides[1], error));
  return clrs__numbers_append(numbers, 2, sides, error);
}

/* Parses an item. `head` has the two values before the widths. */
static clrs_status parse_item(clrs__span item, int64_t *head, clrs__numbers *numbers,
                              clrs_error *error) {
  clrs__span rest;
  return span_after(item, "mode=", &rest)    ? parse_mode(rest, &head[CLRS__PAD_MODE], error)
         : span_after(item, "value=", &rest) ? parse_value(rest, &head[CLRS__PAD_VALUE], error)
                                             : append_width(item, numbers, error);
}

clrs_status clrs__pad_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  int64_t head[CLRS__PAD_WIDTHS] = {CLRS_PAD_CONSTANT, 0};
  const uint32_t first = numbers->count;
  CLRS_TRY(clrs__numbers_append(numbers, CLRS__PAD_WIDTHS, head, error));
  while (text.text != NULL) {
    CLRS_TRY(parse_item(clrs__span_cut(&text, ','), head, numbers, error));
  }
  memcpy(numbers->values + first, head, sizeof head);
  return head[CLRS__PAD_MODE] == CLRS_PAD_CONSTANT || head[CLRS__PAD_VALUE] == 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "only mode constant has a value; the other modes repeat elements");
}

clrs_status clrs__pad_apply(const clrs__op *op, clrs_view *view, clrs_error *error) {
  (void)op;
  (void)view;
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "no view shows a border; clrs_enqueue_chain writes the border");
}

/* ---- the value ---- */

void clrs__pad_turn(clrs_dtype dtype, uint8_t element[CLRS__PAD_ELEMENT]) {
  if (clrs__dtype_is_msb_first(dtype)) {
    element[0] = (uint8_t)((element[0] & 1) << 7 | element[0] >> 7);
  }
}

static clrs_status convert(clrs_dtype from, const void *value, clrs_dtype to, void *converted,
                           clrs_error *error) {
  const clrs_shape scalar = {0, {0}};
  clrs_view view;
  clrs_map map;
  clrs_map_views views;
  const clrs_map_data data = {.source = {value, (clrs_dtype_bits(from) + 7) / 8}};
  clrs__view_make_dense(from, &scalar, &view);
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, from, to, &map, error));
  CLRS_TRY(clrs_map_bind(&map, &view, NULL, &views, error));
  return clrs_map_apply(&map, &views, &data, converted, (clrs_dtype_bits(to) + 7) / 8, error);
}

clrs_status clrs__pad_element(double value, clrs_dtype dtype, uint8_t element[CLRS__PAD_ELEMENT],
                              clrs_error *error) {
  double back = 0;
  int64_t bits;
  memset(element, 0, CLRS__PAD_ELEMENT);
  memcpy(&bits, &value, sizeof bits);
  if (bits == 0) { /* not -0 */
    return CLRS_OK;
  }
  CLRS_TRY(convert(CLRS_F64, &value, dtype, element, error));
  CLRS_TRY(convert(dtype, element, CLRS_F64, &back, error));
  if (!clrs__is_arithmetic(dtype) && back != value) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "no element of type %s is %.17g",
                      clrs__dtype_text(dtype), value);
  }
  clrs__pad_turn(dtype, element);
  return CLRS_OK;
}

/* ---- widths ---- */

clrs_status clrs__pad_spread(const clrs__op *op, uint32_t rank, clrs_dtype dtype,
                             clrs__pad_widths *widths, clrs_error *error) {
  double value;
  const int64_t *given = op->values + CLRS__PAD_WIDTHS;
  const uint32_t count = (op->count - CLRS__PAD_WIDTHS) / 2;
  if (count != 1 && count != rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%u widths, and there are %u dims; a single width is for every dim", count,
                      rank);
  }
  widths->mode = (clrs_pad_mode)op->values[CLRS__PAD_MODE];
  memcpy(&value, &op->values[CLRS__PAD_VALUE], sizeof value);
  for (uint32_t dim = 0; dim < rank; dim++) {
    const int64_t *width = given + (count == 1 ? 0 : 2 * dim);
    widths->before[dim] = width[0];
    widths->behind[dim] = width[1];
  }
  return clrs__pad_element(value, dtype, widths->element, error);
}
