/*
 * The negative matrix must detect the faults it is for. Each function here has a fault, and the row
 * of the function has to fail. A function without a fault must pass.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "matrix.h"

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

int main(void) {
  const matrix_world world = {.size = sizeof(arguments), .reset = reset, .harm = harm};
  arguments a, before;
  int wrong = 0;
  for (size_t i = 0; i < matrix_function_count; i++) {
    matrix m = {.world = &world, .a = &a, .before = &before};
    harmed = false;
    matrix_functions[i](&m);
    wrong += (m.failures == 0) != (strcmp(m.function, "is_right") == 0);
  }
  printf("%d of %zu functions were judged wrongly\n", wrong, matrix_function_count);
  return matrix_function_count == 10 && wrong == 0 ? 0 : 1;
}
