/*
 * The negative matrix: chains of operations, and copies on the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core.h"

#include <stdlib.h>

/* ---- chains ---- */

static char long_text[CLRS_CHAIN_TEXT + 1];

/* One blank more than fits. */
static const char *too_long(void) {
  memset(long_text, ' ', CLRS_CHAIN_TEXT);
  return long_text;
}

FUNCTION(clrs_chain_parse, a->text__chain = "reshape=8,-1 flip=0", a->text__chain, a->chain_out) {
  ROW(text__chain, NULL, CLRS_INVALID_ARGUMENT, "text is NULL");
  ROW(text__chain, too_long(), CLRS_LIMIT_EXCEEDED, "more than 1023 bytes");
  ROW(text__chain, "flip=0 turn", CLRS_INVALID_ARGUMENT, "operation 2 (turn) at column 8: unknown");
  ROW(text__chain, "flip=\x1b", CLRS_INVALID_ARGUMENT, "is not a decimal integer");
  ROW(text__chain, "flip=\xff", CLRS_INVALID_ARGUMENT, "is not a decimal integer");
  ROW(text__chain, "rearrange=\xc3\xa4 -> \xc3\xa4", CLRS_INVALID_ARGUMENT,
      "is no name of an axis");
  ROW(text__chain, "flip=0 std=0", CLRS_INVALID_ARGUMENT, "operation 2 (std=0) at column 8: step");
  ROW(text__chain, "cast=\x1b", CLRS_INVALID_ARGUMENT, "'\\x1b' is no element type");
  TAKES(text__chain, "");
  ROW(chain_out, NULL, CLRS_INVALID_ARGUMENT, "chain is NULL");
}

static void set_chain(arguments *a) {
  if (clrs_chain_parse("reshape=8,-1 flip=0", &a->one_chain, NULL) != CLRS_OK)
    abort();
  a->chain = &a->one_chain;
  a->rules = &a->one_rules;
  a->one_rules = (clrs_rules){CLRS_ONNX, CLRS_ZERO_COPIES};
}

#define RULES_ROWS                                                                                 \
  ROW(chain, NULL, CLRS_INVALID_ARGUMENT, "chain is NULL")                                         \
  TAKES(rules, NULL)                                                                               \
  PATTERN_MODE_ROWS(rules->dialect, rules->zero_mode)

FUNCTION(clrs_chain_apply, set_chain(a), a->chain, a->rules, a->view) {
  RULES_ROWS;
  VIEW_ROWS(view);
  ROW(view->dtype, -1, CLRS_INVALID_ARGUMENT, UNKNOWN_DTYPE);
}

ROWS_OF(clrs_chain_op_text, set_chain(a),
        matrix_say(&a->say, "'%s'", clrs_chain_op_text(a->chain, a->index))) {
  ANSWERS(chain, NULL, "''");
  ANSWERS(index, 1, "'flip=0'");
  ANSWERS(index, 2, "''");
  ANSWERS(index, SIZE_MAX, "''");
}

FUNCTION(clrs_view_apply, a->text__chain = "reshape=8,-1 flip=0", a->view, a->text__chain) {
  VIEW_ROWS(view);
  ROW(text__chain, NULL, CLRS_INVALID_ARGUMENT, "text is NULL");
  ROW(text__chain, "flip=0 flip=2", CLRS_INVALID_ARGUMENT, "operation 2 (flip=2) at column 8: ax");
  ROW(text__chain, "cast=u8", CLRS_UNSUPPORTED, "elements of f32 would be computed, to u8");
  ROW(text__chain, "reshape=5,5", CLRS_COUNT_MISMATCH, "operation 1 (reshape=5,5) at column 1: ");
}

/* ---- copies ---- */

FUNCTION(clrs_view_copy_host,
         (a->source = a->source_bytes, a->source_size = sizeof a->source_bytes,
          a->destination__host = a->made.bytes, a->destination_size = sizeof a->made.bytes),
         a->view, a->source, a->source_size, a->destination__host, a->destination_size) {
  VIEW_ROWS(view);
  ROW(view->dtype, CLRS_U4, CLRS_UNSUPPORTED, "elements of 4 bits are no whole bytes");
  ROW(view->dtype, CLRS_C128, CLRS_OUT_OF_BOUNDS, "96 bytes; the view needs 24 elements of 16");
  ROW(view->levels[0].offset, -1, CLRS_OUT_OF_BOUNDS, "reads element -1 of the source");
  ROW(view->levels[0].offset, INT64_MAX - 23, CLRS_OUT_OF_BOUNDS, "element 9223372036854775807");
  ROW(source, NULL, CLRS_INVALID_ARGUMENT, "source is NULL");
  ROW(source_size, 95, CLRS_OUT_OF_BOUNDS, "the source has 95 bytes; the view needs 24 elements");
  ROW(source_size, 0, CLRS_OUT_OF_BOUNDS, "the source has 0 bytes");
  ROW(destination__host, NULL, CLRS_INVALID_ARGUMENT, "destination is NULL");
  ROW(destination_size, 95, CLRS_OUT_OF_BOUNDS, "the destination has 95 bytes; the view needs 24");
}
