/*
 * Operations as text: what each one parses to, which texts are refused and how, and that each
 * reaches the view function of its name with its values in the right places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/ops.h"
#include "harness/check.h"
#include "host/integers.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- integers ---- */

typedef struct integer_row {
  const char *text;
  int64_t value;
} integer_row;

static void integers_are_read_to_the_ends_of_64_bits(void **state) {
  static const integer_row rows[] = {{"0", 0},
                                     {"-0", 0},
                                     {"+7", 7},
                                     {"007", 7},
                                     {"-1", -1},
                                     {"2147483648", 2147483648},
                                     {"9223372036854775807", INT64_MAX},
                                     {"-9223372036854775808", INT64_MIN}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_error error;
    int64_t value = 99;
    CHECK_OK(cli_integer_parse(rows[i].text, strlen(rows[i].text), &value, &error), error);
    assert_int_equal(value, rows[i].value);
  }
}

static void integers_beyond_64_bits_are_overflow(void **state) {
  static const char *const rows[] = {"9223372036854775808", "-9223372036854775809",
                                     "18446744073709551617", "99999999999999999999999999999"};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_error error;
    int64_t value = 99;
    CHECK_FAILS(cli_integer_parse(rows[i], strlen(rows[i]), &value, &error), CLRS_OVERFLOW, error);
    CHECK_SAYS(error, rows[i]);
    assert_int_equal(value, 99);
  }
}

static void anything_but_digits_is_no_integer(void **state) {
  static const char *const rows[] = {"",  "-",   "+",   "--1", "+-1",   "1 ", " 1",
                                     "x", "0x1", "1e3", "1.0", "1\xe2", "1-", "1_0"};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_error error;
    int64_t value = 99;
    CHECK_FAILS(cli_integer_parse(rows[i], strlen(rows[i]), &value, &error), CLRS_INVALID_ARGUMENT,
                error);
    const bool is_text = strcmp(rows[i], "1\xe2") != 0; /* the other is no UTF-8 */
    CHECK_SAYS(error, is_text ? rows[i] : "1\\xe2");
    assert_int_equal(value, 99);
  }
}

static void only_the_given_length_is_read(void **state) {
  clrs_error error;
  int64_t value = 0;
  (void)state;
  CHECK_OK(cli_integer_parse("1234", 2, &value, &error), error);
  assert_int_equal(value, 12);
}

static void lists_hold_as_many_values_as_a_shape(void **state) {
  int64_t values[CLRS_MAX_RANK];
  size_t count = 99;
  clrs_error error;
  char text[2 * CLRS_MAX_RANK + 2];
  (void)state;
  for (size_t i = 0; i <= CLRS_MAX_RANK; i++) {
    memcpy(text + 2 * i, "1,", 2);
  }
  text[2 * CLRS_MAX_RANK - 1] = '\0';
  CHECK_OK(cli_integers_parse(text, &count, values, &error), error);
  assert_int_equal(count, CLRS_MAX_RANK);
  text[2 * CLRS_MAX_RANK - 1] = ',';
  text[2 * CLRS_MAX_RANK + 1] = '\0';
  CHECK_FAILS(cli_integers_parse(text, &count, values, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "32");
}

static void lists_have_no_empty_entries(void **state) {
  static const char *const rows[] = {",", "1,", ",1", "1,,2", " ", "1, 2"};
  int64_t values[CLRS_MAX_RANK];
  size_t count;
  clrs_error error;
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    CHECK_FAILS(cli_integers_parse(rows[i], &count, values, &error), CLRS_INVALID_ARGUMENT, error);
  }
  CHECK_OK(cli_integers_parse("", &count, values, &error), error);
  assert_int_equal(count, 0);
}

/* ---- operations ---- */

typedef struct op_row {
  const char *text;
  cli_op_kind kind;
  size_t count;
  int64_t values[5];
} op_row;

static void every_operation_parses_to_its_values(void **state) {
  static const op_row rows[] = {
      {"reshape=0,-1", CLI_OP_RESHAPE, 2, {0, -1}},
      {"reshape=", CLI_OP_RESHAPE, 0, {0}},
      {"reshape=-9223372036854775808", CLI_OP_RESHAPE, 1, {INT64_MIN}},
      {"permute=0,2,1,3", CLI_OP_PERMUTE, 4, {0, 2, 1, 3}},
      {"permute=", CLI_OP_PERMUTE, 0, {0}},
      {"squeeze", CLI_OP_SQUEEZE, 0, {0}},
      {"squeeze=0,-2", CLI_OP_SQUEEZE, 2, {0, -2}},
      {"unsqueeze=0", CLI_OP_UNSQUEEZE, 1, {0}},
      {"flatten=1", CLI_OP_FLATTEN, 1, {1}},
      {"expand=8,3,4", CLI_OP_EXPAND, 3, {8, 3, 4}},
      {"flip=0", CLI_OP_FLIP, 1, {0}},
      {"split=1,3,0", CLI_OP_SPLIT, 3, {1, 3, 0}},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    cli_op op;
    clrs_error error;
    CHECK_OK(cli_op_parse(rows[i].text, &op, &error), error);
    assert_int_equal(op.kind, rows[i].kind);
    assert_int_equal(op.count, rows[i].count);
    assert_memory_equal(op.u.values, rows[i].values, rows[i].count * sizeof(int64_t));
    assert_string_equal(op.text, rows[i].text);
  }
}

typedef struct slice_row {
  const char *text;
  clrs_slice slice; /* of axis 0 */
} slice_row;

/* The missing bounds are what Python's are; ONNX clamps the extremes to the ends of the axis. */
static void slices_are_read_as_python_reads_them(void **state) {
  static const slice_row rows[] = {
      {"slice=1:", {0, 1, INT64_MAX, 1}},     {"slice=:3", {0, 0, 3, 1}},
      {"slice=:", {0, 0, INT64_MAX, 1}},      {"slice=::", {0, 0, INT64_MAX, 1}},
      {"slice=::2", {0, 0, INT64_MAX, 2}},    {"slice=0:4:2", {0, 0, 4, 2}},
      {"slice=-3:-1", {0, -3, -1, 1}},        {"slice=::-1", {0, INT64_MAX, INT64_MIN, -1}},
      {"slice=5::-2", {0, 5, INT64_MIN, -2}}, {"slice=:0:-1", {0, INT64_MAX, 0, -1}},
      {"slice=1:2:", {0, 1, 2, 1}},           {"slice=::0", {0, 0, INT64_MAX, 0}},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    cli_op op;
    clrs_error error;
    print_message("  %s\n", rows[i].text);
    CHECK_OK(cli_op_parse(rows[i].text, &op, &error), error);
    assert_int_equal(op.kind, CLI_OP_SLICE);
    assert_int_equal(op.count, 1);
    assert_memory_equal(&op.u.slices[0], &rows[i].slice, sizeof(clrs_slice));
  }
}

static void slices_of_several_axes_are_numbered(void **state) {
  static const clrs_slice expected[] = {
      {0, 1, INT64_MAX, 1}, {1, INT64_MAX, INT64_MIN, -1}, {2, 0, 4, 2}};
  cli_op op;
  clrs_error error;
  (void)state;
  CHECK_OK(cli_op_parse("slice=1:,::-1,0:4:2", &op, &error), error);
  assert_int_equal(op.count, 3);
  assert_memory_equal(op.u.slices, expected, sizeof expected);
}

typedef struct refused_row {
  const char *text;
  clrs_status status;
  const char *says;
} refused_row;

static void every_bad_text_is_refused_with_its_rule(void **state) {
  static const refused_row rows[] = {
      {"", CLRS_INVALID_ARGUMENT, "unknown operation ''"},
      {"=1", CLRS_INVALID_ARGUMENT, "unknown operation '=1'"},
      {"transpose=0,1", CLRS_INVALID_ARGUMENT, "unknown operation 'transpose=0,1'"},
      {"Reshape=1", CLRS_INVALID_ARGUMENT, "unknown operation"},
      {"reshap=1", CLRS_INVALID_ARGUMENT, "unknown operation"},
      {"reshapes=1", CLRS_INVALID_ARGUMENT, "unknown operation"},
      {" reshape=1", CLRS_INVALID_ARGUMENT, "unknown operation"},
      {"reshape", CLRS_INVALID_ARGUMENT, "needs '='"},
      {"permute", CLRS_INVALID_ARGUMENT, "needs '='"},
      {"reshape=2,x", CLRS_INVALID_ARGUMENT, "'x'"},
      {"reshape=2,", CLRS_INVALID_ARGUMENT, "''"},
      {"reshape= 2", CLRS_INVALID_ARGUMENT, "' 2'"},
      {"reshape==2", CLRS_INVALID_ARGUMENT, "'=2'"},
      {"reshape=9223372036854775808", CLRS_OVERFLOW, "64 bits"},
      {"squeeze=", CLRS_INVALID_ARGUMENT, "0 values"},
      {"unsqueeze=", CLRS_INVALID_ARGUMENT, "0 values"},
      {"flip=", CLRS_INVALID_ARGUMENT, "0 values"},
      {"flatten=", CLRS_INVALID_ARGUMENT, "0 values"},
      {"flatten=1,2", CLRS_INVALID_ARGUMENT, "2 values"},
      {"split=1,3", CLRS_INVALID_ARGUMENT, "2 values"},
      {"split=1,3,0,0", CLRS_INVALID_ARGUMENT, "4 values"},
      {"slice=", CLRS_INVALID_ARGUMENT, "0 values"},
      {"slice=1", CLRS_INVALID_ARGUMENT, "'1' is not a slice"},
      {"slice=1:,", CLRS_INVALID_ARGUMENT, "'' is not a slice"},
      {"slice=,1:", CLRS_INVALID_ARGUMENT, "'' is not a slice"},
      {"slice=1:2:3:4", CLRS_INVALID_ARGUMENT, "more than start:end:step"},
      {"slice=a:", CLRS_INVALID_ARGUMENT, "'a'"},
      {"slice=1:b", CLRS_INVALID_ARGUMENT, "'b'"},
      {"slice=::c", CLRS_INVALID_ARGUMENT, "'c'"},
      {"slice=:9223372036854775808", CLRS_OVERFLOW, "64 bits"},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    cli_op op;
    clrs_error error;
    print_message("  '%s'\n", rows[i].text);
    CHECK_FAILS(cli_op_parse(rows[i].text, &op, &error), rows[i].status, error);
    CHECK_SAYS(error, rows[i].says);
    CHECK_SAYS(error, rows[i].text);
  }
}

static void more_slices_than_dims_can_be_are_refused(void **state) {
  char text[6 + 2 * (CLRS_MAX_RANK + 1)] = "slice=";
  cli_op op;
  clrs_error error;
  (void)state;
  for (size_t i = 0; i <= CLRS_MAX_RANK; i++) {
    memcpy(text + 6 + 2 * i, ":,", 2);
  }
  text[sizeof text - 1] = '\0';
  CHECK_FAILS(cli_op_parse(text, &op, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "32");
}

/* ---- chains ---- */

enum { MOST_OPS = 4 };

typedef struct chain_row {
  const char *texts[MOST_OPS]; /* applied to a dense [2,3,4] */
  bool literal_zero;
  int64_t first; /* where in the input the first element of the result is */
  clrs_shape shape;
} chain_row;

static void parse_all(const chain_row *row, cli_op ops[MOST_OPS], size_t *count) {
  clrs_error error;
  for (*count = 0; *count < MOST_OPS && row->texts[*count] != NULL; ++*count) {
    CHECK_OK(cli_op_parse(row->texts[*count], &ops[*count], &error), error);
  }
}

static void input_view(clrs_view *view) {
  const clrs_shape shape = {3, {2, 3, 4}};
  clrs_error error;
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, view, &error), error);
}

static void every_operation_does_what_its_name_says(void **state) {
  static const chain_row rows[] = {
      {{"reshape=0,-1"}, false, 0, {2, {2, 12}}},
      {{"permute=2,0,1"}, false, 0, {3, {4, 2, 3}}},
      {{"unsqueeze=0,-1"}, false, 0, {5, {1, 2, 3, 4, 1}}},
      {{"unsqueeze=1", "squeeze"}, false, 0, {3, {2, 3, 4}}},
      {{"unsqueeze=0,2", "squeeze=2"}, false, 0, {4, {1, 2, 3, 4}}},
      {{"flatten=2"}, false, 0, {2, {6, 4}}},
      {{"flatten=-1"}, false, 0, {2, {6, 4}}},
      {{"expand=5,1,3,4"}, false, 0, {4, {5, 2, 3, 4}}},
      {{"slice=1:,::-1,0:4:2"}, false, 20, {3, {1, 3, 2}}},
      {{"slice=1:"}, false, 12, {3, {1, 3, 4}}},
      {{"flip=0,2"}, false, 15, {3, {2, 3, 4}}},
      {{"split=1,3,2"}, false, 8, {3, {2, 1, 4}}},
      {{"split=2,3,1"}, false, 2, {3, {2, 3, 2}}},
      {{"slice=:0", "reshape=0,5"}, true, 0, {2, {0, 5}}},
      {{"slice=:1,:1,:1", "reshape="}, false, 0, {0, {0}}},
      {{NULL}, false, 0, {3, {2, 3, 4}}},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const cli_rules rules = {CLRS_ONNX,
                             rows[i].literal_zero ? CLRS_ZERO_IS_LITERAL : CLRS_ZERO_COPIES};
    cli_op ops[MOST_OPS];
    cli_step steps[MOST_OPS];
    size_t count;
    clrs_view view;
    clrs_layout layout;
    clrs_error error;
    print_message("  row %zu: %s\n", i, rows[i].texts[0] ? rows[i].texts[0] : "nothing");
    parse_all(&rows[i], ops, &count);
    input_view(&view);
    CHECK_OK(cli_ops_apply(count, ops, &rules, &view, steps, &error), error);
    assert_true(clrs_shape_equal(&view.shape, &rows[i].shape));
    CHECK_OK(clrs_view_layout(&view, &layout, &error), error);
    assert_int_equal(layout.offset, rows[i].first);
  }
}

static void steps_say_where_the_chain_stops_being_a_view(void **state) {
  static const chain_row row = {
      {"permute=1,0,2", "reshape=3,8", "reshape=3,2,4", "flip=0"}, false, 0, {0, {0}}};
  static const clrs_shape shapes[] = {{3, {3, 2, 4}}, {2, {3, 8}}, {3, {3, 2, 4}}, {3, {3, 2, 4}}};
  static const bool are_views[] = {true, false, true, true};
  const cli_rules rules = {CLRS_ONNX, CLRS_ZERO_COPIES};
  cli_op ops[MOST_OPS];
  cli_step steps[MOST_OPS];
  size_t count;
  clrs_view view;
  clrs_error error;
  (void)state;
  parse_all(&row, ops, &count);
  input_view(&view);
  CHECK_OK(cli_ops_apply(count, ops, &rules, &view, steps, &error), error);
  for (size_t i = 0; i < count; i++) {
    assert_true(clrs_shape_equal(&steps[i].shape, &shapes[i]));
    assert_int_equal(steps[i].is_view, are_views[i]);
  }
}

static void chain_errors_name_the_operation(void **state) {
  static const struct {
    chain_row chain;
    clrs_status status;
    const char *says;
  } rows[] = {
      {{{"flip=0", "reshape=5,5"}, false, 0, {0, {0}}},
       CLRS_COUNT_MISMATCH,
       "operation 2 (reshape=5,5): "},
      {{{"reshape=-1,-1"}, false, 0, {0, {0}}},
       CLRS_INVALID_PATTERN,
       "operation 1 (reshape=-1,-1): "},
      {{{"permute=0,0,1"}, false, 0, {0, {0}}}, CLRS_INVALID_ARGUMENT, "operation 1 (permute"},
      {{{"slice=::0"}, false, 0, {0, {0}}}, CLRS_INVALID_ARGUMENT, "operation 1 (slice=::0): "},
      {{{"flip=3"}, false, 0, {0, {0}}}, CLRS_INVALID_ARGUMENT, "operation 1 (flip=3): "},
      {{{"squeeze=0"}, false, 0, {0, {0}}}, CLRS_INVALID_ARGUMENT, "operation 1 (squeeze=0): "},
      {{{"split=0,2,2"}, false, 0, {0, {0}}}, CLRS_INVALID_ARGUMENT, "operation 1 (split"},
      {{{"flatten=4"}, false, 0, {0, {0}}}, CLRS_INVALID_ARGUMENT, "operation 1 (flatten=4): "},
      {{{"expand=5"}, false, 0, {0, {0}}}, CLRS_INVALID_ARGUMENT, "operation 1 (expand=5): "},
  };
  const cli_rules rules = {CLRS_ONNX, CLRS_ZERO_COPIES};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    cli_op ops[MOST_OPS];
    cli_step steps[MOST_OPS];
    size_t count;
    clrs_view view;
    clrs_error error;
    parse_all(&rows[i].chain, ops, &count);
    input_view(&view);
    CHECK_FAILS(cli_ops_apply(count, ops, &rules, &view, steps, &error), rows[i].status, error);
    CHECK_SAYS(error, rows[i].says);
  }
}

static void dialects_go_by_their_names(void **state) {
  clrs_dialect dialect;
  clrs_error error;
  (void)state;
  CHECK_OK(cli_dialect_parse("onnx", &dialect, &error), error);
  assert_int_equal(dialect, CLRS_ONNX);
  CHECK_OK(cli_dialect_parse("openvino", &dialect, &error), error);
  assert_int_equal(dialect, CLRS_OPENVINO);
  CHECK_OK(cli_dialect_parse("onednn", &dialect, &error), error);
  assert_int_equal(dialect, CLRS_ONEDNN);
  CHECK_OK(cli_dialect_parse("numpy", &dialect, &error), error);
  assert_int_equal(dialect, CLRS_NUMPY);
  CHECK_FAILS(cli_dialect_parse("ONNX", &dialect, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "'ONNX'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_are_read_to_the_ends_of_64_bits),
      cmocka_unit_test(integers_beyond_64_bits_are_overflow),
      cmocka_unit_test(anything_but_digits_is_no_integer),
      cmocka_unit_test(only_the_given_length_is_read),
      cmocka_unit_test(lists_hold_as_many_values_as_a_shape),
      cmocka_unit_test(lists_have_no_empty_entries),
      cmocka_unit_test(every_operation_parses_to_its_values),
      cmocka_unit_test(slices_are_read_as_python_reads_them),
      cmocka_unit_test(slices_of_several_axes_are_numbered),
      cmocka_unit_test(every_bad_text_is_refused_with_its_rule),
      cmocka_unit_test(more_slices_than_dims_can_be_are_refused),
      cmocka_unit_test(every_operation_does_what_its_name_says),
      cmocka_unit_test(steps_say_where_the_chain_stops_being_a_view),
      cmocka_unit_test(chain_errors_name_the_operation),
      cmocka_unit_test(dialects_go_by_their_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
