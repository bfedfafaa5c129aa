/*
 * rearrange and repeat against einops: what it refuses is refused, and elsewhere every element of
 * the result is the element of the input that it takes. The argument is answers.txt, which
 * generate.py wrote and describes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/check.h"

enum { MOST_ELEMENTS = 1 << 20, LINE = 1000 };

/* A line of the answers. */
typedef struct question {
  clrs_shape input, result;
  const char *operation;
  bool is_refused;
  uint64_t hash;
} question;

static clrs_shape read_shape(const char *text) {
  clrs_shape shape = {0};
  for (char *end; *text != '\0' && *text != ' '; text = end + (*end == ',')) {
    assert_true(shape.rank < CLRS_MAX_RANK);
    shape.dims[shape.rank++] = strtoll(text, &end, 10);
    assert_ptr_not_equal(text, end);
  }
  return shape;
}

/* Cuts the line at its tabs. */
static question read_question(char *line) {
  question asked = {.is_refused = true};
  char *operation = strchr(line, '\t');
  assert_non_null(operation);
  *operation++ = '\0';
  char *answer = strchr(operation, '\t');
  assert_non_null(answer);
  *answer++ = '\0';
  asked.input = read_shape(line);
  asked.operation = operation;
  if (strcmp(answer, "-\n") != 0) {
    asked.is_refused = false;
    asked.result = read_shape(answer);
    asked.hash = strtoull(strchr(answer, ' '), NULL, 16);
  }
  return asked;
}

/* FNV-1a over the positions in the input, row-major. */
static uint64_t hash_of(const clrs_view *view) {
  static int64_t positions[MOST_ELEMENTS], shown[MOST_ELEMENTS];
  uint64_t hash = 0xcbf29ce484222325u;
  clrs_error error;
  int64_t count;
  for (int64_t i = 0; i < MOST_ELEMENTS && positions[MOST_ELEMENTS - 1] == 0; i++)
    positions[i] = i;
  CHECK_OK(clrs_shape_count(&view->shape, &count, &error), error);
  CHECK_OK(clrs_view_copy_host(view, positions, sizeof positions, shown, sizeof shown, &error),
           error);
  for (int64_t i = 0; i < count; i++)
    hash = (hash ^ (uint64_t)shown[i]) * 0x100000001b3u;
  return hash;
}

static void check_answer(const question *asked, int number) {
  clrs_view view;
  clrs_error error = {0};
  CHECK_OK(clrs_view_dense(CLRS_I64, &asked->input, &view, &error), error);
  const clrs_status status = clrs_view_apply(&view, asked->operation, &error);
  if ((status != CLRS_OK) != asked->is_refused)
    fail_msg("line %d: einops %s %s, clreshape says %s", number,
             asked->is_refused ? "refuses" : "takes", asked->operation,
             status == CLRS_OK ? "yes" : error.message);
  if (status == CLRS_OK && !clrs_shape_equal(&view.shape, &asked->result))
    fail_msg("line %d: %s gives another shape", number, asked->operation);
  if (status == CLRS_OK && hash_of(&view) != asked->hash)
    fail_msg("line %d: %s gives other elements", number, asked->operation);
  if (status != CLRS_OK && (status == CLRS_LIMIT_EXCEEDED || error.message[0] == '\0'))
    fail_msg("line %d: %s is refused for another reason: %s", number, asked->operation,
             error.message);
}

static void every_pattern_means_what_einops_says(void **state) {
  char line[LINE];
  int number = 1, refused = 0;
  FILE *file = fopen(((char **)*state)[1], "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file)); /* the versions */
  while (fgets(line, sizeof line, file) != NULL) {
    const question asked = read_question(line);
    check_answer(&asked, ++number);
    refused += asked.is_refused;
  }
  (void)fclose(file);
  print_message("%d patterns, %d of them refused\n", number - 1, refused);
  assert_true(number > 5000 && refused > 500 && number - refused > 3000);
}

int main(int count, char **words) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(every_pattern_means_what_einops_says, words),
  };
  return count == 2 ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
