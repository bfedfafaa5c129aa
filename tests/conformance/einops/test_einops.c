/*
 * rearrange and repeat against einops: a pattern that einops refuses is refused, and otherwise
 * every element of the result comes from the same input element as in einops. The arguments are the
 * questions and answers.txt. generate.py makes and describes both.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "harness/check.h"

enum { MOST_ELEMENTS = 1 << 20, LINE = 1000, BLOCK = 80 };

static const uint64_t start = 0xcbf29ce484222325u;

static clrs_shape read_shape(const char *text) {
  clrs_shape shape = {0};
  for (char *end; *text != '\0' && *text != ' '; text = end + (*end == ',')) {
    assert_true(shape.rank < CLRS_MAX_RANK);
    shape.dims[shape.rank++] = strtoll(text, &end, 10);
    assert_ptr_not_equal(text, end);
  }
  return shape;
}

/* FNV-1a over 64-bit words. */
static uint64_t fnv(uint64_t hash, const int64_t *words, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    hash = (hash ^ (uint64_t)words[i]) * 0x100000001b3u;
  return hash;
}

/* Digest of the rank, the dims, and the positions in the input, row-major. */
static uint64_t digest_of(const clrs_view *view) {
  static int64_t positions[MOST_ELEMENTS], shown[MOST_ELEMENTS];
  const int64_t rank = view->shape.rank;
  int64_t count;
  for (int64_t i = 0; i < MOST_ELEMENTS && positions[MOST_ELEMENTS - 1] == 0; i++)
    positions[i] = i;
  CHECK_OK(clrs_shape_count(&view->shape, &count, &error), error);
  CHECK_OK(clrs_view_copy_host(view, positions, sizeof positions, shown, sizeof shown, &error),
           error);
  return fnv(fnv(fnv(start, &rank, 1), view->shape.dims, rank), shown, count);
}

/* The digest of the library's answer, or 0 for a refusal. */
static uint64_t ask_library(char *question, int number, clrs_error *error) {
  char *operation = strchr(question, '\t');
  assert_non_null(operation);
  *operation++ = '\0';
  operation[strcspn(operation, "\n")] = '\0';
  const clrs_shape input = read_shape(question);
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_I64, &input, &view, error), *error);
  const clrs_status status = clrs_view_apply(&view, operation, error);
  if (status == CLRS_LIMIT_EXCEEDED || (status != CLRS_OK && error->message[0] == '\0'))
    fail_msg("question %d: %s is refused for another reason: %s", number, operation,
             error->message);
  return status == CLRS_OK ? digest_of(&view) : 0;
}

/* The number of a question and its letter in the answers. */
static uint64_t check_question(char *question, int number, char expected) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  clrs_error error = {0};
  const uint64_t digest = ask_library(question, number, &error);
  const char letter = digest == 0 ? '-' : letters[digest % 62];
  if (letter != expected)
    fail_msg("question %d, %s of %s: %s, but einops %s (generate.py answer %d)", number,
             question + strlen(question) + 1, question, digest == 0 ? error.message : "is taken",
             expected == '-' ? "refuses"
             : digest == 0   ? "does not"
                             : "has other elements",
             number);
  return digest;
}

/* The questions from `number` on, against a line of the answers: a digest and the letters. */
static int check_block(FILE *questions, const char *line, int number) {
  char *letters, question[LINE];
  const uint64_t expected = strtoull(line, &letters, 16);
  const int count = (int)strcspn(letters, "\n") - 1;
  uint64_t digest = start;
  assert_in_range(count, 1, BLOCK);
  for (int i = 0; i < count; i++) {
    assert_non_null(fgets(question, sizeof question, questions));
    const uint64_t one = check_question(question, number + i, letters[1 + i]);
    digest = fnv(digest, &(const int64_t){(int64_t)one}, 1);
  }
  if (digest != expected)
    fail_msg("one of the questions %d to %d has other elements than in einops", number,
             number + count - 1);
  return count;
}

static void every_pattern_means_what_einops_says(void **state) {
  char **words = *state, line[LINE];
  int number = 1;
  FILE *questions = fopen(words[1], "r"), *answers = fopen(words[2], "r");
  assert_true(questions != NULL && answers != NULL);
  for (int i = 0; i < 2; i++) /* the versions and the checksum of the questions */
    assert_non_null(fgets(line, sizeof line, answers));
  while (fgets(line, sizeof line, answers) != NULL)
    number += check_block(questions, line, number);
  assert_null(fgets(line, sizeof line, questions));
  (void)fclose(questions);
  (void)fclose(answers);
  assert_int_equal(number - 1, 5199);
}

int main(int count, char **words) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(every_pattern_means_what_einops_says, words),
  };
  return count == 3 ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
