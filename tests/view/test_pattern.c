/*
 * Reshape patterns: the rules of each dialect, the worked differences between dialects, and
 * messages. The exhaustive comparison with the real packages is in tests/conformance/resolver.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <inttypes.h>

enum { POISON = 0x5a, DIALECTS = 4 };

static const char *const dialect_names[DIALECTS] = {"ONNX", "OpenVINO", "oneDNN", "NumPy"};

/* "2,-1" to a list. "" is the empty list. */
static uint32_t parse(const char *text, int64_t *values) {
  uint32_t count = 0;
  for (char *end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
    values[count++] = strtoll(text, &end, 10);
  }
  return count;
}

static const char *spell(const clrs_shape *shape, char *text) {
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < shape->rank; i++) {
    used += (size_t)sprintf(text + used, "%s%" PRId64, i > 0 ? "," : "", shape->dims[i]);
  }
  return text;
}

/* The dims, or the status' name. */
static const char *answer(clrs_dialect dialect, clrs_zero_mode mode, const char *input,
                          const char *pattern_text, char *text) {
  clrs_shape source, shape, untouched;
  clrs_pattern pattern;
  int64_t values[CLRS_MAX_RANK];
  memset(&shape, POISON, sizeof shape);
  untouched = shape;
  source.rank = parse(input, source.dims);
  const uint32_t length = parse(pattern_text, values);
  CHECK_OK(clrs_pattern_init(dialect, mode, length, values, &pattern, &error), error);
  const clrs_status status = clrs_pattern_resolve(&pattern, &source, &shape, &error);
  if (status == CLRS_OK) {
    return spell(&shape, text);
  }
  assert_memory_equal(&shape, &untouched, sizeof shape);
  assert_int_equal(error.status, status);
  assert_true(error.message[0] != '\0');
  return clrs_status_name(status);
}

/* ---- the worked differences: one row for each, in the words of the table of the README */

#define INVALID "CLRS_INVALID_PATTERN"
#define MISMATCH "CLRS_COUNT_MISMATCH"
#define OVERFLOWS "CLRS_OVERFLOW"

enum { CZ = 1, LZ = 2, ANY = CZ | LZ };

typedef struct worked_row {
  const char *name, *input, *pattern;
  int modes;
  /* ONNX, OpenVINO, oneDNN, NumPy. NULL: the dialect has no such mode */
  const char *expected[DIALECTS];
} worked_row;

#define ALL(result)                                                                                \
  { (result), (result), (result), (result) }
#define COPYING(result)                                                                            \
  { (result), (result), (result), NULL }

static const worked_row worked_rows[] = {
    {"plain_dims_are_taken", "2,3,4", "4,2,3", ANY, ALL("4,2,3")},
    {"zero_copies_and_minus_one_infers_from_the_rest", "2,3,4", "2,0,1,-1", CZ, COPYING("2,3,1,4")},
    {"copied_zero_beside_minus_one", "0,4", "0,-1", CZ, {INVALID, "0,4", INVALID, NULL}},
    {"copied_zero_a_one_and_minus_one", "0,10", "0,1,-1", CZ, {INVALID, "0,1,10", INVALID, NULL}},
    {"minus_one_before_a_copied_zero", "1,0", "-1,0", CZ, {INVALID, "1,0", INVALID, NULL}},
    {"minus_one_before_a_copied_zero_beside_more",
     "4,0",
     "-1,0",
     CZ,
     {INVALID, "4,0", INVALID, NULL}},
    {"literal_zero_beside_minus_one", "0,4", "0,-1", LZ, {INVALID, "0,1", INVALID, INVALID}},
    {"empty_input_infers_zero", "0,4", "-1,4", ANY, ALL("0,4")},
    {"empty_input_infers_zero_at_the_end", "0,4", "2,-1", ANY, ALL("2,0")},
    {"literal_zero_moves_to_another_place", "0,3,4", "3,4,0", LZ, ALL("3,4,0")},
    {"copied_dim_at_another_place_changes_the_count", "0,3,4", "3,4,0", CZ, COPYING(MISMATCH)},
    {"copied_dim_then_inferred_then_plain", "2,5,5,24", "0,-1,4", CZ, COPYING("2,150,4")},
    {"literal_zero_of_an_empty_input", "2,5,5,0", "0,4", LZ, ALL("0,4")},
    {"copied_zero_index_still_in_range", "3,1,1", "-1,0", CZ, COPYING("3,1")},
    {"copied_zero_past_the_rank", "2,3", "3,2,0", CZ, COPYING(INVALID)},
    {"product_over_64_bits", "4294967296,4294967296", "-1", ANY, ALL(OVERFLOWS)},
    {"empty_pattern_makes_a_scalar", "1,1,1", "", ANY, ALL("")},
    /* Beyond the table: a row per rule of the section. */
    {"second_minus_one", "2,3", "-1,-1", ANY, ALL(INVALID)},
    {"second_minus_one_before_every_other_rule", "2", "-2,-1,0,-1", ANY, ALL(INVALID)},
    {"value_below_minus_one", "2,3", "-2,3", ANY, {INVALID, INVALID, INVALID, "2,3"}},
    {"minus_one_and_another_negative", "2,3", "-1,-2", ANY, ALL(INVALID)},
    {"minus_one_that_does_not_divide", "2,3", "4,-1", ANY, ALL(INVALID)},
    {"literal_zero_and_minus_one_of_a_full_input", "2,3", "0,-1", LZ, ALL(INVALID)},
    {"counts_differ", "2,3,4", "5,5", ANY, ALL(MISMATCH)},
    {"counts_differ_where_openvino_looks_away", "2,3", "0,5", CZ, COPYING(MISMATCH)},
    {"empty_pattern_of_more_than_one", "2", "", ANY, ALL(MISMATCH)},
    {"empty_pattern_of_nothing", "0", "", ANY, ALL(MISMATCH)},
    {"scalar_to_minus_one", "", "-1", ANY, ALL("1")},
    {"scalar_to_ones", "", "1,1,1", ANY, ALL("1,1,1")},
    {"zero_copies_nothing_of_a_scalar", "", "0", CZ, COPYING(INVALID)},
    {"literal_zero_of_a_scalar", "", "0", LZ, ALL(MISMATCH)},
    {"openvino_infers_one_for_an_empty_input",
     "3,0",
     "7,0,-1",
     LZ,
     {INVALID, "7,0,1", INVALID, INVALID}},
    {"zero_hides_no_overflow", "0", "0,4294967296,4294967296", LZ, ALL(OVERFLOWS)},
    {"copies_big_dims_exactly", "4611686018427387904,1", "0,-1", CZ,
     COPYING("4611686018427387904,1")},
    {"infers_big_dims_exactly_beside_a_copy", "1,4611686018427387904", "0,-1", CZ,
     COPYING("1,4611686018427387904")},
};

static void check_worked(const worked_row *row, clrs_zero_mode mode) {
  char text[800];
  for (int d = 0; d < DIALECTS; d++) {
    if (row->expected[d] == NULL) {
      continue;
    }
    const char *got = answer((clrs_dialect)d, mode, row->input, row->pattern, text);
    if (strcmp(got, row->expected[d]) != 0) {
      fail_msg("%s: %s answers \"%s\", expected \"%s\"", row->name, dialect_names[d], got,
               row->expected[d]);
    }
  }
}

TEST(worked_differences_are_as_tabulated) {
  for (size_t i = 0; i < sizeof worked_rows / sizeof worked_rows[0]; i++) {
    if (worked_rows[i].modes & CZ) {
      check_worked(&worked_rows[i], CLRS_ZERO_COPIES);
    }
    if (worked_rows[i].modes & LZ) {
      check_worked(&worked_rows[i], CLRS_ZERO_IS_LITERAL);
    }
  }
}

TEST(numpy_ignores_the_zero_mode) {
  char text[800];
  for (int mode = CLRS_ZERO_COPIES; mode <= CLRS_ZERO_IS_LITERAL; mode++) {
    const clrs_zero_mode zero_mode = (clrs_zero_mode)mode;
    assert_string_equal(answer(CLRS_NUMPY, zero_mode, "0,4", "9,0", text), "9,0");
    assert_string_equal(answer(CLRS_NUMPY, zero_mode, "2,3", "0,3", text), MISMATCH);
    assert_string_equal(answer(CLRS_NUMPY, zero_mode, "0,4", "0,-1", text), INVALID);
  }
}

TEST(numpy_infers_any_single_negative) {
  char text[800];
  const clrs_zero_mode mode = CLRS_ZERO_IS_LITERAL;
  assert_string_equal(answer(CLRS_NUMPY, mode, "2,3", "-9223372036854775808,3", text), "2,3");
  assert_string_equal(answer(CLRS_NUMPY, mode, "2,3", "-2,-2", text), INVALID);
  assert_string_equal(answer(CLRS_NUMPY, mode, "0,4", "0,-2", text), INVALID);
}

/* ---- messages name the value and the rule */

TEST(messages_name_the_value_and_the_rule) {
  static const struct {
    const char *input, *pattern;
    clrs_status status;
    const char *words[3];
  } rows[] = {
      {"2,3", "3,-7", CLRS_INVALID_PATTERN, {"dimension 1", "-7", "-1"}},
      {"2,3", "-1,3,-1", CLRS_INVALID_PATTERN, {"dimensions 0 and 2", "-1", "only one"}},
      {"2,3", "3,2,0", CLRS_INVALID_PATTERN, {"dimension 2", "is 0", "[2,3]"}},
      {"0,4", "0,-1", CLRS_INVALID_PATTERN, {"dimension 1", "-1", "multiply to 0"}},
      {"5,7", "4,-1", CLRS_INVALID_PATTERN, {"-1", "4", "35"}},
      {"2,3,4", "5,5", CLRS_COUNT_MISMATCH, {"24", "25", "[5,5]"}},
      {"4294967296,4294967296", "-1", CLRS_OVERFLOW, {"4294967296", "64 bits", "dim"}},
      {"6", "2147483648,8589934592", CLRS_OVERFLOW, {"8589934592", "64 bits", "dim"}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs_shape input, shape;
    clrs_pattern pattern;
    int64_t values[CLRS_MAX_RANK];
    input.rank = parse(rows[i].input, input.dims);
    const uint32_t length = parse(rows[i].pattern, values);
    CHECK_OK(clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, length, values, &pattern, &error),
             error);
    CHECK_FAILS(clrs_pattern_resolve(&pattern, &input, &shape, &error), rows[i].status, error);
    for (size_t w = 0; w < 3; w++) {
      CHECK_SAYS(error, rows[i].words[w]);
    }
  }
}

/* ---- arguments */

TEST(rank_32_is_the_limit_of_a_pattern) {
  clrs_pattern pattern;
  clrs_shape shape;
  const clrs_shape input = {1, {6}};
  int64_t values[32];
  for (int i = 0; i < 32; i++) {
    values[i] = i == 31 ? -1 : 1;
  }
  CHECK_OK(clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, 32, values, &pattern, &error), error);
  CHECK_OK(clrs_pattern_resolve(&pattern, &input, &shape, &error), error);
  assert_int_equal(shape.rank, 32);
  assert_int_equal(shape.dims[31], 6);
}

/* OpenVINO's way looks at each dim that was copied, up to the last that there is. */
TEST(all_32_dims_are_copied_but_one) {
  for (int d = 0; d < DIALECTS - 1; d++) {
    clrs_shape input = {.rank = CLRS_MAX_RANK}, shape;
    clrs_pattern pattern;
    int64_t values[CLRS_MAX_RANK] = {0};
    for (uint32_t i = 0; i < CLRS_MAX_RANK; i++)
      input.dims[i] = i % 8 == 5 ? 3 : 1;
    input.dims[0] = 2;
    values[13] = -1;
    CHECK_OK(clrs_pattern_init((clrs_dialect)d, CLRS_ZERO_COPIES, CLRS_MAX_RANK, values, &pattern,
                               &error),
             error);
    CHECK_OK(clrs_pattern_resolve(&pattern, &input, &shape, &error), error);
    assert_true(clrs_shape_equal(&shape, &input));
  }
}

TEST(the_result_may_overwrite_the_input) {
  const clrs_pattern pattern = {CLRS_ONNX, CLRS_ZERO_COPIES, 3, {0, 1, -1}};
  clrs_shape shape = {2, {4, 6}};
  CHECK_OK(clrs_pattern_resolve(&pattern, &shape, &shape, &error), error);
  assert_int_equal(shape.rank, 3);
  assert_memory_equal(shape.dims, ((const int64_t[]){4, 1, 6}), 3 * sizeof(int64_t));
}

TESTS(NULL, NULL)
