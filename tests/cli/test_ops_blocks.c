/*
 * The command line's operations on blocks, repeats and windows: what they parse to, what is
 * refused, and that each reaches the view function of its name with its values in place.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/ops.h"
#include "harness/check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct op_row {
  const char *text;
  cli_op_kind kind;
  size_t count;
  int64_t values[4];
  clrs_block_order order;
} op_row;

static void every_operation_parses_to_its_values(void **state) {
  static const op_row rows[] = {
      {"depth_to_space=2", CLI_OP_DEPTH_TO_SPACE, 1, {2}, CLRS_BLOCKS_FIRST},
      {"depth_to_space=2,DCR", CLI_OP_DEPTH_TO_SPACE, 1, {2}, CLRS_BLOCKS_FIRST},
      {"depth_to_space=3,CRD", CLI_OP_DEPTH_TO_SPACE, 1, {3}, CLRS_DEPTH_FIRST},
      {"space_to_depth=2", CLI_OP_SPACE_TO_DEPTH, 1, {2}, CLRS_BLOCKS_FIRST},
      {"space_to_depth=4,CRD", CLI_OP_SPACE_TO_DEPTH, 1, {4}, CLRS_DEPTH_FIRST},
      {"channel_shuffle=3", CLI_OP_CHANNEL_SHUFFLE, 1, {3}, 0},
      {"channel_shuffle=3,-1", CLI_OP_CHANNEL_SHUFFLE, 2, {3, -1}, 0},
      {"batch_to_space=1,2,3", CLI_OP_BATCH_TO_SPACE, 3, {1, 2, 3}, 0},
      {"space_to_batch=1,2,3", CLI_OP_SPACE_TO_BATCH, 3, {1, 2, 3}, 0},
      {"tile=2,1,3", CLI_OP_TILE, 3, {2, 1, 3}, 0},
      {"tile=", CLI_OP_TILE, 0, {0}, 0},
      {"repeat=1,4", CLI_OP_REPEAT, 2, {1, 4}, 0},
      {"window=-1,20,10", CLI_OP_WINDOW, 3, {-1, 20, 10}, 0},
      {"diagonal=-1,0,2", CLI_OP_DIAGONAL, 3, {-1, 0, 2}, 0},
      {"move_axis=0,-1", CLI_OP_MOVE_AXIS, 2, {0, -1}, 0},
      {"swap_axes=1,2", CLI_OP_SWAP_AXES, 2, {1, 2}, 0},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    cli_op op;
    clrs_error error;
    print_message("  %s\n", rows[i].text);
    CHECK_OK(cli_op_parse(rows[i].text, &op, &error), error);
    assert_int_equal(op.kind, rows[i].kind);
    assert_int_equal(op.count, rows[i].count);
    assert_memory_equal(op.u.values, rows[i].values, rows[i].count * sizeof(int64_t));
    assert_int_equal(op.order, rows[i].order);
  }
}

typedef struct refused_row {
  const char *text;
  clrs_status status;
  const char *says;
} refused_row;

static void every_bad_text_is_refused_with_its_rule(void **state) {
  static const refused_row rows[] = {
      {"depth_to_space", CLRS_INVALID_ARGUMENT, "needs '='"},
      {"depth_to_space=", CLRS_INVALID_ARGUMENT, "''"},
      {"depth_to_space=DCR", CLRS_INVALID_ARGUMENT, "'DCR'"},
      {"depth_to_space=2,", CLRS_INVALID_ARGUMENT, "DCR or CRD"},
      {"depth_to_space=2,dcr", CLRS_INVALID_ARGUMENT, "'dcr'"},
      {"depth_to_space=2,DCR,1", CLRS_INVALID_ARGUMENT, "'DCR,1'"},
      {"space_to_depth=9223372036854775808", CLRS_OVERFLOW, "64 bits"},
      {"channel_shuffle=", CLRS_INVALID_ARGUMENT, "0 values"},
      {"channel_shuffle=1,2,3", CLRS_INVALID_ARGUMENT, "3 values"},
      {"space_to_batch=", CLRS_INVALID_ARGUMENT, "0 values"},
      {"repeat=1", CLRS_INVALID_ARGUMENT, "1 values; write repeat=1,4"},
      {"window=1,2", CLRS_INVALID_ARGUMENT, "2 values"},
      {"diagonal=0,1", CLRS_INVALID_ARGUMENT, "2 values"},
      {"move_axis=0", CLRS_INVALID_ARGUMENT, "1 values"},
      {"swap_axes=0,1,2", CLRS_INVALID_ARGUMENT, "3 values"},
      {"pixel_shuffle=2", CLRS_INVALID_ARGUMENT, "known are reshape, "},
      {"pixel_shuffle=2", CLRS_INVALID_ARGUMENT, ", swap_axes"},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    cli_op op;
    clrs_error error;
    print_message("  '%s'\n", rows[i].text);
    CHECK_FAILS(cli_op_parse(rows[i].text, &op, &error), rows[i].status, error);
    CHECK_SAYS(error, rows[i].says);
  }
}

/* ---- effects, on the view of a dense [4,12,2,3] ---- */

typedef struct effect_row {
  const char *text;
  clrs_shape shape;
  int64_t second; /* where in the input the result's second element is */
} effect_row;

static clrs_status apply(const char *text, clrs_view *view, clrs_error *error) {
  static const clrs_shape shape = {4, {4, 12, 2, 3}};
  const cli_rules rules = {CLRS_ONNX, CLRS_ZERO_COPIES};
  cli_op op;
  cli_step step;
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, view, error), *error);
  CHECK_OK(cli_op_parse(text, &op, error), *error);
  return cli_ops_apply(1, &op, &rules, view, &step, error);
}

/* Where the view's second element in row-major order is, without its levels: the first element of
 * the view that starts there. */
static int64_t second_element(const clrs_view *view) {
  clrs_view rest = *view;
  clrs_shape flat = {1, {1}};
  clrs_layout layout;
  clrs_error error;
  CHECK_OK(clrs_shape_count(&view->shape, &flat.dims[0], &error), error);
  CHECK_OK(clrs_view_reshape(&rest, &flat, &error), error);
  CHECK_OK(clrs_view_slice(&rest, 1, &(clrs_slice){0, 1, 2, 1}, &error), error);
  CHECK_OK(clrs_view_layout(&rest, &layout, &error), error);
  return layout.offset;
}

static void every_operation_does_what_its_name_says(void **state) {
  static const effect_row rows[] = {
      {"depth_to_space=2", {4, {4, 3, 4, 6}}, 18},
      {"depth_to_space=2,CRD", {4, {4, 3, 4, 6}}, 6},
      {"space_to_depth=1,CRD", {4, {4, 12, 2, 3}}, 1},
      {"channel_shuffle=3", {4, {4, 12, 2, 3}}, 1},
      {"channel_shuffle=2,0", {4, {4, 12, 2, 3}}, 1},
      {"channel_shuffle=3,-1", {4, {4, 12, 2, 3}}, 1},
      {"batch_to_space=1,1,2,2", {4, {1, 12, 4, 6}}, 72},
      {"space_to_batch=1,3,2,1", {4, {24, 4, 1, 3}}, 1},
      {"space_to_batch=1,1,1,3", {4, {12, 12, 2, 1}}, 3},
      {"tile=1,1,1,2", {4, {4, 12, 2, 6}}, 1},
      {"repeat=3,2", {4, {4, 12, 2, 6}}, 0},
      {"window=3,2,1", {5, {4, 12, 2, 2, 2}}, 1},
      {"diagonal=1,2,3", {3, {4, 12, 2}}, 5},
      {"move_axis=0,-1", {4, {12, 2, 3, 4}}, 72},
      {"swap_axes=1,3", {4, {4, 3, 2, 12}}, 6},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_view view;
    clrs_error error;
    print_message("  %s\n", rows[i].text);
    CHECK_OK(apply(rows[i].text, &view, &error), error);
    assert_true(clrs_shape_equal(&view.shape, &rows[i].shape));
    assert_int_equal(second_element(&view), rows[i].second);
  }
}

static void what_the_view_refuses_names_the_operation(void **state) {
  static const char *const rows[] = {
      "depth_to_space=5",  "depth_to_space=0",       "space_to_depth=2",   "channel_shuffle=5",
      "channel_shuffle=0", "batch_to_space=1,1,1,3", "batch_to_space=1,2", "space_to_batch=2,1,1,1",
      "tile=1,2",          "tile=1,1,1,-1",          "repeat=4,1",         "repeat=0,-1",
      "window=3,4,1",      "window=3,1,0",           "diagonal=0,1,1",     "move_axis=4,0",
      "swap_axes=0,-5",
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_view view;
    clrs_error error;
    print_message("  %s\n", rows[i]);
    CHECK_FAILS(apply(rows[i], &view, &error), CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, "operation 1 (");
    CHECK_SAYS(error, rows[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operation_parses_to_its_values),
      cmocka_unit_test(every_bad_text_is_refused_with_its_rule),
      cmocka_unit_test(every_operation_does_what_its_name_says),
      cmocka_unit_test(what_the_view_refuses_names_the_operation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
