/*
 * Every pattern of up to 4 values from -2 to 4, over every input of up to 3 dims from 0 to 3, in
 * both zero modes. The 476,170 answers for each system must equal the answers of the real packages.
 *
 * If the library and a system differ on purpose, `differences` below lists the questions, the
 * reason, and the exact count. Nothing else may differ.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "answers.h"

enum { POISON = 0x5a };

typedef struct question {
  clrs_pattern pattern;
  clrs_shape input;
} question;

typedef struct reply {
  clrs_status status;
  clrs_shape shape; /* if the status is CLRS_OK */
} reply;

typedef struct system_under_test {
  answer_system system;
  clrs_dialect dialect;
  const char *difference; /* NULL: no difference is allowed */
  bool (*differs)(const question *asked, const reply *theirs, const reply *ours);
  long differing; /* number of questions with this difference */
  long accepted;  /* number that the system accepts, so that an empty table cannot pass */
} system_under_test;

/* ---- facts about a question, straight from the definitions */

static int64_t product(const clrs_shape *shape) {
  int64_t count = 1;
  for (uint32_t i = 0; i < shape->rank; i++) {
    count *= shape->dims[i];
  }
  return count;
}

static uint32_t values_between(const clrs_pattern *pattern, int64_t low, int64_t high) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pattern->length; i++) {
    count += pattern->values[i] >= low && pattern->values[i] <= high;
  }
  return count;
}

static bool copies_past_the_rank(const question *asked) {
  const clrs_pattern *pattern = &asked->pattern;
  for (uint32_t i = asked->input.rank; i < pattern->length; i++) {
    if (pattern->values[i] == 0) {
      return pattern->dialect != CLRS_NUMPY && pattern->zero_mode == CLRS_ZERO_COPIES;
    }
  }
  return false;
}

/* The library distinguishes a pattern that breaks a rule from a pattern with another element count.
 * */
static clrs_status refusal(const question *asked) {
  const bool infers = values_between(&asked->pattern, -1, -1) > 0;
  const bool below = values_between(&asked->pattern, INT64_MIN, -2) > 0;
  return infers || below || copies_past_the_rank(asked) ? CLRS_INVALID_PATTERN
                                                        : CLRS_COUNT_MISMATCH;
}

/* ---- the differences that are meant */

static bool value_below_minus_one(const question *asked, const reply *theirs, const reply *ours) {
  return values_between(&asked->pattern, INT64_MIN, -2) == 1 &&
         values_between(&asked->pattern, -1, -1) == 0 && theirs->status == CLRS_OK &&
         ours->status == CLRS_INVALID_PATTERN;
}

static bool literal_zero_with_minus_one(const question *asked, const reply *theirs,
                                        const reply *ours) {
  return asked->pattern.zero_mode == CLRS_ZERO_IS_LITERAL && product(&asked->input) == 0 &&
         values_between(&asked->pattern, -1, -1) == 1 &&
         values_between(&asked->pattern, 0, 0) > 0 && theirs->status == CLRS_OK &&
         ours->status == CLRS_INVALID_PATTERN;
}

static bool other_count(const question *asked, const reply *theirs, const reply *ours) {
  return theirs->status == CLRS_OK && product(&theirs->shape) != product(&asked->input) &&
         ours->status == CLRS_COUNT_MISMATCH;
}

static const system_under_test systems[] = {
    [ANSWERS_ONNX] = {ANSWERS_ONNX, CLRS_ONNX,
                      "the reference hands a value below -1 to NumPy, which takes it for -1; "
                      "ONNX's shape inference and ONNX Runtime refuse it",
                      value_below_minus_one, 39205, 107104},
    [ANSWERS_ONNXRUNTIME] = {ANSWERS_ONNXRUNTIME, CLRS_ONNX,
                             "with allowzero = 1 ONNX Runtime infers -1 beside a literal 0 for an "
                             "empty input; ONNX's text, inference and reference refuse it",
                             literal_zero_with_minus_one, 3777, 71676},
    [ANSWERS_OPENVINO] = {ANSWERS_OPENVINO, CLRS_OPENVINO,
                          "OpenVINO accepts other element counts where special_zero meets a 0; "
                          "such a result cannot be moved",
                          other_count, 15846, 98399},
    [ANSWERS_ONEDNN] = {ANSWERS_ONEDNN, CLRS_ONEDNN, NULL, NULL, 0, 67899},
    [ANSWERS_NUMPY] = {ANSWERS_NUMPY, CLRS_NUMPY, NULL, NULL, 0, 106820},
};

/* ---- comparing */

static void print_dims(const char *what, uint32_t rank, const int64_t *dims) {
  print_error(" %s [", what);
  for (uint32_t i = 0; i < rank; i++) {
    print_error("%s%lld", i > 0 ? "," : "", (long long)dims[i]);
  }
  print_error("]");
}

static void print_case(const question *asked, const reply *theirs, const reply *ours) {
  print_dims("input", asked->input.rank, asked->input.dims);
  print_dims("pattern", asked->pattern.length, asked->pattern.values);
  print_error(asked->pattern.zero_mode == CLRS_ZERO_COPIES ? " zeros copy;" : " literal zeros;");
  print_error(" theirs %s", clrs_status_name(theirs->status));
  print_dims("", theirs->shape.rank, theirs->shape.dims);
  print_error(", ours %s", clrs_status_name(ours->status));
  print_dims("", ours->shape.rank, ours->shape.dims);
  print_error("\n");
}

static void check_failure_leaves_no_trace(const question *asked, const reply *ours,
                                          const clrs_error *error) {
  clrs_shape untouched;
  memset(&untouched, POISON, sizeof untouched);
  if (memcmp(&ours->shape, &untouched, sizeof untouched) != 0) {
    fail_msg("a refused pattern of %u values changed the shape", asked->pattern.length);
  }
  if (error->status != ours->status || error->message[0] == '\0') {
    fail_msg("a refused pattern of %u values has no message", asked->pattern.length);
  }
}

static reply ask_library(const question *asked) {
  reply ours;
  clrs_error error = {CLRS_OK, 0, ""};
  memset(&ours.shape, POISON, sizeof ours.shape);
  ours.status = clrs_pattern_resolve(&asked->pattern, &asked->input, &ours.shape, &error);
  if (ours.status != CLRS_OK) {
    check_failure_leaves_no_trace(asked, &ours, &error);
    ours.shape.rank = 0;
  }
  return ours;
}

static bool replies_agree(const reply *theirs, const reply *ours) {
  if (theirs->status != CLRS_OK) {
    return ours->status == theirs->status;
  }
  return ours->status == CLRS_OK && ours->shape.rank == theirs->shape.rank &&
         memcmp(ours->shape.dims, theirs->shape.dims,
                theirs->shape.rank * sizeof theirs->shape.dims[0]) == 0;
}

typedef struct tally {
  long asked, accepted, differing, wrong;
} tally;

static void compare_one(const system_under_test *under_test, const question *asked,
                        const reply *theirs, tally *counts) {
  const reply ours = ask_library(asked);
  counts->asked++;
  counts->accepted += theirs->status == CLRS_OK;
  if (replies_agree(theirs, &ours)) {
    return;
  }
  if (under_test->differs != NULL && under_test->differs(asked, theirs, &ours)) {
    counts->differing++;
    return;
  }
  if (counts->wrong++ < 10) {
    print_case(asked, theirs, &ours);
  }
}

static void compare_mode(const answer_table *table, const system_under_test *under_test,
                         clrs_zero_mode mode, tally *counts) {
  for (uint32_t p = 0; p < ANSWER_PATTERNS; p++) {
    int64_t values[4];
    const uint32_t length = answers_pattern(p, values);
    question asked;
    CHECK_OK(clrs_pattern_init(under_test->dialect, mode, length, values, &asked.pattern, &error),
             error);
    for (uint32_t i = 0; i < ANSWER_INPUTS; i++) {
      asked.input = answers_input(i);
      reply theirs = {CLRS_OK, {0}};
      if (!answers_find(table, under_test->system, mode, p, i, &theirs.shape)) {
        theirs.status = refusal(&asked);
      }
      compare_one(under_test, &asked, &theirs, counts);
    }
  }
}

static void compare_system(const answer_table *table, answer_system system) {
  const system_under_test *under_test = &systems[system];
  tally counts = {0, 0, 0, 0};
  compare_mode(table, under_test, CLRS_ZERO_COPIES, &counts);
  compare_mode(table, under_test, CLRS_ZERO_IS_LITERAL, &counts);
  if (counts.differing > 0) {
    print_message("%ld of %ld differ on purpose: %s\n", counts.differing, counts.asked,
                  under_test->difference);
  }
  assert_int_equal(counts.wrong, 0);
  assert_int_equal(counts.asked, 476170);
  assert_int_equal(counts.accepted, under_test->accepted);
  assert_int_equal(counts.differing, under_test->differing);
}

static void onnx_reference_agrees(void **state) {
  compare_system(*state, ANSWERS_ONNX);
}

static void onnxruntime_agrees(void **state) {
  compare_system(*state, ANSWERS_ONNXRUNTIME);
}

static void openvino_agrees(void **state) {
  compare_system(*state, ANSWERS_OPENVINO);
}

static void onednn_agrees(void **state) {
  compare_system(*state, ANSWERS_ONEDNN);
}

static void numpy_agrees(void **state) {
  compare_system(*state, ANSWERS_NUMPY);
}

int main(int argc, char **argv) {
  answer_table *table = argc == 2 ? answers_read(argv[1]) : NULL;
  if (table == NULL) {
    fprintf(stderr, "usage: %s ANSWERS.txt, the table written by generate.py\n", argv[0]);
    return 1;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(onnx_reference_agrees, table),
      cmocka_unit_test_prestate(onnxruntime_agrees, table),
      cmocka_unit_test_prestate(openvino_agrees, table),
      cmocka_unit_test_prestate(onednn_agrees, table),
      cmocka_unit_test_prestate(numpy_agrees, table),
  };
  const int failures = cmocka_run_group_tests(tests, NULL, NULL);
  answers_free(table);
  return failures;
}
