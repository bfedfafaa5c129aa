/*
 * What the operations of the command line do to a view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fail.h"
#include "ops.h"
#include "text.h"

static clrs_status apply_reshape(const cli_op *op, const cli_rules *rules, clrs_view *view,
                                 clrs_error *error) {
  clrs_pattern pattern;
  CLRS_TRY(clrs_pattern_init(rules->dialect, rules->zero_mode, op->count, op->u.values, &pattern,
                             error));
  return clrs_view_reshape_pattern(view, &pattern, error);
}

static clrs_status apply_expand(const cli_op *op, clrs_view *view, clrs_error *error) {
  clrs_shape shape;
  CLRS_TRY(clrs_shape_init(op->count, op->u.values, &shape, error));
  return clrs_view_expand(view, &shape, error);
}

/* The operations that show elements more than once, or move whole axes. */
static clrs_status apply_repeating(const cli_op *op, clrs_view *view, clrs_error *error) {
  const int64_t *values = op->u.values;
  switch (op->kind) {
  case CLI_OP_TILE:
    return clrs_view_tile(view, op->count, values, error);
  case CLI_OP_REPEAT:
    return clrs_view_repeat(view, values[0], values[1], error);
  case CLI_OP_WINDOW:
    return clrs_view_window(view, &(clrs_window){values[0], values[1], values[2]}, error);
  case CLI_OP_DIAGONAL:
    return clrs_view_diagonal(view, values[0], values[1], values[2], error);
  case CLI_OP_MOVE_AXIS:
    return clrs_view_move_axis(view, values[0], values[1], error);
  case CLI_OP_SWAP_AXES:
    return clrs_view_swap_axes(view, values[0], values[1], error);
  default:
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "operation kind %d is unknown", (int)op->kind);
  }
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
  case CLI_OP_DEPTH_TO_SPACE:
    return clrs_view_depth_to_space(view, values[0], op->order, error);
  case CLI_OP_SPACE_TO_DEPTH:
    return clrs_view_space_to_depth(view, values[0], op->order, error);
  case CLI_OP_CHANNEL_SHUFFLE:
    return clrs_view_channel_shuffle(view, op->count > 1 ? values[1] : 1, values[0], error);
  case CLI_OP_BATCH_TO_SPACE:
    return clrs_view_batch_to_space(view, op->count, values, NULL, NULL, error);
  case CLI_OP_SPACE_TO_BATCH:
    return clrs_view_space_to_batch(view, op->count, values, error);
  default:
    return apply_repeating(op, view, error);
  }
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
      return clrs__fail(error, status, "operation %zu (%s): %s", i + 1,
                        clrs__show(ops[i].text).text, inner.message);
    }
  }
  return CLRS_OK;
}
