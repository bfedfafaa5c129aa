/*
 * Operations as text, and their effect on a view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ops.h"

#include <string.h>

#include "fail.h"
#include "integers.h"

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
    CLI_TRY(cli_integer_parse(*next, length, value, error));
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
  CLI_TRY(parse_bound(next, 0, &slice->start, error));
  if (**next != ':') {
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "'%.*s' is not a slice start:end:step",
                    length < 80 ? (int)length : 80, text);
  }
  ++*next;
  has_end = strcspn(*next, ":,") > 0;
  CLI_TRY(parse_bound(next, 0, &slice->end, error));
  if (**next == ':') {
    ++*next;
    CLI_TRY(parse_bound(next, 1, &slice->step, error));
  }
  if (**next == ':') {
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "'%.*s' has more than start:end:step",
                    length < 80 ? (int)length : 80, text);
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
      return cli_fail(error, CLRS_LIMIT_EXCEEDED, "more than %d slices", CLRS_MAX_RANK);
    }
    clrs_slice *slice = &op->u.slices[op->count];
    slice->axis = (int64_t)op->count++;
    CLI_TRY(parse_slice(&next, slice, error));
    if (*next == '\0') {
      break;
    }
  }
  return CLRS_OK;
}

static clrs_status parse_values(const char *equals, const op_form *form, cli_op *op,
                                clrs_error *error) {
  if (equals == NULL) {
    return form->bare ? CLRS_OK
                      : cli_fail(error, CLRS_INVALID_ARGUMENT, "%s needs '=' and values, as in %s",
                                 form->name, form->example);
  }
  CLI_TRY(form->kind == CLI_OP_SLICE
              ? parse_slices(equals + 1, op, error)
              : cli_integers_parse(equals + 1, &op->count, op->u.values, error));
  if (op->count < form->fewest || op->count > form->most) {
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "%s does not take %zu values; write %s",
                    form->name, op->count, form->example);
  }
  return CLRS_OK;
}

clrs_status cli_op_parse(const char *text, cli_op *op, clrs_error *error) {
  clrs_error inner;
  const char *equals = strchr(text, '=');
  const op_form *form = find_form(text, equals ? (size_t)(equals - text) : strlen(text));
  if (form == NULL) {
    return cli_fail(error, CLRS_INVALID_ARGUMENT,
                    "unknown operation '%.80s'; known are reshape, permute, squeeze, unsqueeze, "
                    "flatten, expand, slice, flip and split",
                    text);
  }
  cli_op parsed = {.kind = form->kind, .text = text};
  clrs_status status = parse_values(equals, form, &parsed, &inner);
  if (status != CLRS_OK) {
    return cli_fail(error, status, "operation '%.80s': %s", text, inner.message);
  }
  *op = parsed;
  return CLRS_OK;
}

static clrs_status apply_reshape(const cli_op *op, const cli_rules *rules, clrs_view *view,
                                 clrs_error *error) {
  clrs_pattern pattern;
  CLI_TRY(clrs_pattern_init(rules->dialect, rules->zero_mode, op->count, op->u.values, &pattern,
                            error));
  return clrs_view_reshape_pattern(view, &pattern, error);
}

static clrs_status apply_expand(const cli_op *op, clrs_view *view, clrs_error *error) {
  clrs_shape shape;
  CLI_TRY(clrs_shape_init(op->count, op->u.values, &shape, error));
  return clrs_view_expand(view, &shape, error);
}

clrs_status cli_op_apply(const cli_op *op, const cli_rules *rules, clrs_view *view,
                         clrs_error *error) {
  const int64_t *values = op->u.values;
  switch (op->kind) {
  case CLI_OP_RESHAPE:
    return apply_reshape(op, rules, view, error);
  case CLI_OP_PERMUTE:
    return clrs_view_permute(view, op->count, values, error);
  case CLI_OP_SQUEEZE:
    return clrs_view_squeeze(view, op->count, values, error);
  case CLI_OP_UNSQUEEZE:
    return clrs_view_unsqueeze(view, op->count, values, error);
  case CLI_OP_FLATTEN:
    return clrs_view_flatten(view, values[0], error);
  case CLI_OP_EXPAND:
    return apply_expand(op, view, error);
  case CLI_OP_SLICE:
    return clrs_view_slice(view, op->count, op->u.slices, error);
  case CLI_OP_FLIP:
    return clrs_view_flip(view, op->count, values, error);
  case CLI_OP_SPLIT:
    return clrs_view_split(view, values[0], values[1], values[2], error);
  }
  return cli_fail(error, CLRS_INVALID_ARGUMENT, "operation kind %d is unknown", (int)op->kind);
}

static clrs_status describe_step(const clrs_view *view, cli_step *step, clrs_error *error) {
  clrs_layout layout;
  clrs_status status = clrs_view_layout(view, &layout, error);
  if (status != CLRS_OK && status != CLRS_WOULD_COPY) {
    return status;
  }
  step->shape = view->shape;
  step->is_view = status == CLRS_OK;
  return CLRS_OK;
}

clrs_status cli_ops_apply(size_t count, const cli_op *ops, const cli_rules *rules, clrs_view *view,
                          cli_step *steps, clrs_error *error) {
  clrs_error inner;
  for (size_t i = 0; i < count; i++) {
    clrs_status status = cli_op_apply(&ops[i], rules, view, &inner);
    if (status == CLRS_OK) {
      status = describe_step(view, &steps[i], &inner);
    }
    if (status != CLRS_OK) {
      return cli_fail(error, status, "operation %zu (%.80s): %s", i + 1, ops[i].text,
                      inner.message);
    }
  }
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
  return cli_fail(error, CLRS_INVALID_ARGUMENT,
                  "unknown dialect '%.80s'; known are onnx, openvino, onednn and numpy", name);
}
