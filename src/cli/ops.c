/*
 * Operations as text. What they do to a view is in ops_apply.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ops.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "integers.h"
#include "text.h"

typedef struct op_form {
  const char *name;
  cli_op_kind kind;
  size_t fewest, most; /* values after the '=' */
  bool bare;           /* may stand without '=' */
  const char *example;
} op_form;

static const op_form forms[] = {
    {"reshape", CLI_OP_RESHAPE, 0, CLRS_MAX_RANK, false, "reshape=0,-1, or reshape= for a scalar"},
    {"permute", CLI_OP_PERMUTE, 0, CLRS_MAX_RANK, false, "permute=0,2,1,3"},
    {"squeeze", CLI_OP_SQUEEZE, 1, CLRS_MAX_RANK, true, "squeeze=0,2, or squeeze"},
    {"unsqueeze", CLI_OP_UNSQUEEZE, 1, CLRS_MAX_RANK, false, "unsqueeze=0"},
    {"flatten", CLI_OP_FLATTEN, 1, 1, false, "flatten=1"},
    {"expand", CLI_OP_EXPAND, 0, CLRS_MAX_RANK, false, "expand=8,3,4"},
    {"slice", CLI_OP_SLICE, 1, CLRS_MAX_RANK, false, "slice=1:,::-1,0:4:2"},
    {"flip", CLI_OP_FLIP, 1, CLRS_MAX_RANK, false, "flip=0"},
    {"split", CLI_OP_SPLIT, 3, 3, false, "split=1,3,0 (axis, parts, which)"},
    {"depth_to_space", CLI_OP_DEPTH_TO_SPACE, 1, 1, false, "depth_to_space=2,DCR (or CRD)"},
    {"space_to_depth", CLI_OP_SPACE_TO_DEPTH, 1, 1, false, "space_to_depth=2"},
    {"channel_shuffle", CLI_OP_CHANNEL_SHUFFLE, 1, 2, false, "channel_shuffle=3 (groups), or 3,1"},
    {"batch_to_space", CLI_OP_BATCH_TO_SPACE, 1, CLRS_MAX_RANK, false, "batch_to_space=1,2,2"},
    {"space_to_batch", CLI_OP_SPACE_TO_BATCH, 1, CLRS_MAX_RANK, false, "space_to_batch=1,2,2"},
    {"tile", CLI_OP_TILE, 0, CLRS_MAX_RANK, false, "tile=2,1,3"},
    {"repeat", CLI_OP_REPEAT, 2, 2, false, "repeat=1,4 (axis, count)"},
    {"window", CLI_OP_WINDOW, 3, 3, false, "window=1,20,10 (axis, size, step)"},
    {"diagonal", CLI_OP_DIAGONAL, 3, 3, false, "diagonal=0,1,2 (offset, two axes)"},
    {"move_axis", CLI_OP_MOVE_AXIS, 2, 2, false, "move_axis=0,-1 (from, to)"},
    {"swap_axes", CLI_OP_SWAP_AXES, 2, 2, false, "swap_axes=1,2"},
};

static const op_form *find_form(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    if (strlen(forms[i].name) == length && memcmp(forms[i].name, text, length) == 0) {
      return &forms[i];
    }
  }
  return NULL;
}

/* One number of a slice, up to the next ':' or ','; `missing` if there is nothing. */
static clrs_status parse_bound(const char **next, int64_t missing, int64_t *value,
                               clrs_error *error) {
  size_t length = strcspn(*next, ":,");
  *value = missing;
  if (length > 0) {
    CLRS_TRY(cli_integer_parse(*next, length, value, error));
  }
  *next += length;
  return CLRS_OK;
}

/* start:end:step as in Python. A missing bound is one that ONNX clamps to the end of the axis;
 * which end that is depends on the sign of the step, which is read last. */
static clrs_status parse_slice(const char **next, clrs_slice *slice, clrs_error *error) {
  const char *text = *next;
  size_t length = strcspn(text, ",");
  bool has_start = *text != ':', has_end = false;
  slice->step = 1;
  slice->end = 0;
  CLRS_TRY(parse_bound(next, 0, &slice->start, error));
  if (**next != ':') {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is not a slice start:end:step",
                      clrs__show_part(text, length).text);
  }
  ++*next;
  has_end = strcspn(*next, ":,") > 0;
  CLRS_TRY(parse_bound(next, 0, &slice->end, error));
  if (**next == ':') {
    ++*next;
    CLRS_TRY(parse_bound(next, 1, &slice->step, error));
  }
  if (**next == ':') {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' has more than start:end:step",
                      clrs__show_part(text, length).text);
  }
  if (!has_start) {
    slice->start = slice->step < 0 ? INT64_MAX : 0;
  }
  if (!has_end) {
    slice->end = slice->step < 0 ? INT64_MIN : INT64_MAX;
  }
  return CLRS_OK;
}

static clrs_status parse_slices(const char *text, cli_op *op, clrs_error *error) {
  for (const char *next = text; text[0] != '\0'; next++) {
    if (op->count == CLRS_MAX_RANK) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "more than %d slices", CLRS_MAX_RANK);
    }
    clrs_slice *slice = &op->u.slices[op->count];
    slice->axis = (int64_t)op->count++;
    CLRS_TRY(parse_slice(&next, slice, error));
    if (*next == '\0') {
      break;
    }
  }
  return CLRS_OK;
}

/* block[,DCR|CRD]; without the word the order is ONNX's default. */
static clrs_status parse_block(const char *text, cli_op *op, clrs_error *error) {
  const size_t length = strcspn(text, ",");
  const char *word = text[length] == ',' ? text + length + 1 : "DCR";
  CLRS_TRY(cli_integer_parse(text, length, &op->u.values[0], error));
  op->count = 1;
  if (strcmp(word, "DCR") != 0 && strcmp(word, "CRD") != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is no order of blocks; it is DCR or CRD",
                      clrs__show(word).text);
  }
  op->order = word[0] == 'D' ? CLRS_BLOCKS_FIRST : CLRS_DEPTH_FIRST;
  return CLRS_OK;
}

static clrs_status parse_text(const char *text, cli_op *op, clrs_error *error) {
  switch (op->kind) {
  case CLI_OP_SLICE:
    return parse_slices(text, op, error);
  case CLI_OP_DEPTH_TO_SPACE:
  case CLI_OP_SPACE_TO_DEPTH:
    return parse_block(text, op, error);
  default:
    return cli_integers_parse(text, &op->count, op->u.values, error);
  }
}

static clrs_status parse_values(const char *equals, const op_form *form, cli_op *op,
                                clrs_error *error) {
  if (equals == NULL) {
    return form->bare ? CLRS_OK
                      : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                   "%s needs '=' and values, as in %s", form->name, form->example);
  }
  CLRS_TRY(parse_text(equals + 1, op, error));
  if (op->count < form->fewest || op->count > form->most) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s does not take %zu values; write %s",
                      form->name, op->count, form->example);
  }
  return CLRS_OK;
}

static clrs_status fail_unknown(const char *text, clrs_error *error) {
  char known[512] = "";
  size_t used = 0;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0] && used < sizeof known; i++) {
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ",
                             forms[i].name);
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "unknown operation '%s'; known are %s",
                    clrs__show(text).text, known);
}

clrs_status cli_op_parse(const char *text, cli_op *op, clrs_error *error) {
  clrs_error inner;
  const char *equals = strchr(text, '=');
  const op_form *form = find_form(text, equals ? (size_t)(equals - text) : strlen(text));
  if (form == NULL) {
    return fail_unknown(text, error);
  }
  cli_op parsed = {.kind = form->kind, .text = text};
  clrs_status status = parse_values(equals, form, &parsed, &inner);
  if (status != CLRS_OK) {
    return clrs__fail(error, status, "operation '%s': %s", clrs__show(text).text, inner.message);
  }
  *op = parsed;
  return CLRS_OK;
}

clrs_status cli_dialect_parse(const char *name, clrs_dialect *dialect, clrs_error *error) {
  static const char *const names[] = {"onnx", "openvino", "onednn", "numpy"};
  static const clrs_dialect values[] = {CLRS_ONNX, CLRS_OPENVINO, CLRS_ONEDNN, CLRS_NUMPY};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]) == 0) {
      *dialect = values[i];
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "unknown dialect '%s'; known are onnx, openvino, onednn and numpy",
                    clrs__show(name).text);
}
