/*
 * The operations of `run` and `explain`: `name=values` texts and what they do to a view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_OPS_H
#define CLRESHAPE_CLI_OPS_H

#include <clreshape/core.h>

typedef enum cli_op_kind {
  CLI_OP_RESHAPE,
  CLI_OP_PERMUTE,
  CLI_OP_SQUEEZE,
  CLI_OP_UNSQUEEZE,
  CLI_OP_FLATTEN,
  CLI_OP_EXPAND,
  CLI_OP_SLICE,
  CLI_OP_FLIP,
  CLI_OP_SPLIT,
  CLI_OP_DEPTH_TO_SPACE,
  CLI_OP_SPACE_TO_DEPTH,
  CLI_OP_CHANNEL_SHUFFLE,
  CLI_OP_BATCH_TO_SPACE,
  CLI_OP_SPACE_TO_BATCH,
  CLI_OP_TILE,
  CLI_OP_REPEAT,
  CLI_OP_WINDOW,
  CLI_OP_DIAGONAL,
  CLI_OP_MOVE_AXIS,
  CLI_OP_SWAP_AXES
} cli_op_kind;

typedef struct cli_op {
  cli_op_kind kind;
  const char *text; /* as the user wrote it; borrowed */
  size_t count;     /* of values, or of slices if kind is CLI_OP_SLICE */
  union {
    int64_t values[CLRS_MAX_RANK];
    clrs_slice slices[CLRS_MAX_RANK];
  } u;
  clrs_block_order order; /* of depth_to_space and space_to_depth */
} cli_op;

/* Fails, as a mistake in the command line, on an unknown name, values that are not integers or do
 * not fit, and a wrong number of them. What the values mean for a shape is not looked at. */
clrs_status cli_op_parse(const char *text, cli_op *op, clrs_error *error);

/* How every reshape of a chain reads its values. */
typedef struct cli_rules {
  clrs_dialect dialect;
  clrs_zero_mode zero_mode;
} cli_rules;

clrs_status cli_op_apply(const cli_op *op, const cli_rules *rules, clrs_view *view,
                         clrs_error *error);

/* The state after one operation of a chain. */
typedef struct cli_step {
  clrs_shape shape;
  bool is_view; /* one strided layout over that shape exists */
} cli_step;

/* Applies all of them, left to right; steps has room for `count`. A failure names the operation's
 * position and text. */
clrs_status cli_ops_apply(size_t count, const cli_op *ops, const cli_rules *rules, clrs_view *view,
                          cli_step *steps, clrs_error *error);

clrs_status cli_dialect_parse(const char *name, clrs_dialect *dialect, clrs_error *error);

#endif /* CLRESHAPE_CLI_OPS_H */
