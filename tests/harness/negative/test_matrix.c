/*
 * The negative matrix must see what it stands for: each function here has one fault, and its row
 * has to fail; a function without a fault must not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>

struct arguments {
  struct said say;
  int value;
  int *result_out;
  int one_result;
};

static bool harmed;

static clrs_status refuse(clrs_error *error, clrs_status status, const char *message) {
  if (error) {
    error->status = status;
    strcpy(error->message, message);
  }
  return status;
}

/* Takes 1 and refuses all else. */
static clrs_status is_right(int value, int *result, clrs_error *error) {
  if (value != 1)
    return refuse(error, CLRS_INVALID_ARGUMENT, "the value is not 1");
  *result = 1;
  return CLRS_OK;
}

static clrs_status takes_all(int value, int *result, clrs_error *error) {
  (void)value;
  return is_right(1, result, error);
}

static clrs_status gives_another_status(int value, int *result, clrs_error *error) {
  return value == 1 ? is_right(1, result, error) : refuse(error, CLRS_OVERFLOW, "not 1");
}

static clrs_status says_nothing(int value, int *result, clrs_error *error) {
  return value == 1 ? is_right(1, result, error) : refuse(error, CLRS_INVALID_ARGUMENT, "");
}

static clrs_status has_another_status_in_the_error(int value, int *result, clrs_error *error) {
  const clrs_status status = is_right(value, result, error);
  if (error && status != CLRS_OK)
    error->status = CLRS_OVERLAP;
  return status;
}

static clrs_status writes_its_output(int value, int *result, clrs_error *error) {
  *result = 7;
  return is_right(value, result, error);
}

static clrs_status needs_an_error(int value, int *result, clrs_error *error) {
  return error ? is_right(value, result, error) : CLRS_OVERFLOW;
}

static clrs_status breaks_for_good(int value, int *result, clrs_error *error) {
  static bool broken;
  broken = broken || value != 1;
  return broken ? refuse(error, CLRS_INVALID_ARGUMENT, "not 1") : is_right(value, result, error);
}

static clrs_status does_harm(int value, int *result, clrs_error *error) {
  harmed = value != 1;
  return is_right(value, result, error);
}

#define ONE_ROW(name)                                                                              \
  FUNCTION(name, a->value = 1, a->value, a->result_out) {                                          \
    ROW(value, 0, CLRS_INVALID_ARGUMENT, "not 1");                                                 \
  }

ONE_ROW(is_right)
ONE_ROW(takes_all)
ONE_ROW(gives_another_status)
ONE_ROW(says_nothing)
ONE_ROW(has_another_status_in_the_error)
ONE_ROW(writes_its_output)
ONE_ROW(needs_an_error)
ONE_ROW(breaks_for_good)
ONE_ROW(does_harm)

ANSWER(answers_wrong, "%d", a->value) {
  ANSWERS(value, 0, "0");
  ANSWERS(value, 1, "2");
}

static void reset(arguments *a) {
  a->value = 0;
  a->one_result = 5;
  a->result_out = &a->one_result;
}

static const char *harm(arguments *a) {
  (void)a;
  return harmed ? "the world" : NULL;
}

static void settle(arguments *a) {
  (void)a;
}

int main(void) {
  static void (*const faulty[])(matrix *) = {
      rows_takes_all,         rows_gives_another_status,
      rows_says_nothing,      rows_has_another_status_in_the_error,
      rows_writes_its_output, rows_needs_an_error,
      rows_breaks_for_good,   rows_does_harm,
      rows_answers_wrong};
  matrix m = {.a = malloc(sizeof *m.a),
              .before = malloc(sizeof *m.before),
              .size = sizeof *m.a,
              .reset = reset,
              .harm = harm,
              .settle = settle};
  if (!m.a || !m.before)
    return 1;
  rows_is_right(&m);
  int unseen = m.failures;
  for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
    m.failures = 0;
    harmed = false;
    faulty[i](&m);
    unseen += m.failures == 0;
  }
  printf("%d faults went unseen\n", unseen);
  m.failures = unseen;
  return matrix_result(&m);
}
