/*
 * The negative matrix: a row for each wrong value of each parameter of each public function. A row
 * is a line in a C file. Parameters have the names in the headers. Around each wrong call the
 * matrix checks the common rules: the status, the message, unchanged arguments, the same status
 * without a clrs_error, and success of the right call afterwards. The program prints a line per
 * row, the same on every device:
 *
 *   function parameter value: status message
 *
 *   FUNCTION(clrs_view_expand, a->shape = &a->other_shape, a->view, a->shape) {
 *     ROW(shape->dims[0], 3, CLRS_INVALID_ARGUMENT, "cannot be 4 and 3");
 *   }
 *
 * A name ends in _out for an output. A name ends in __ and a word if a parameter with the same name
 * in another function has another type. `program list` only prints the names, for
 * tests/gates/lint/negative.py.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MATRIX_H
#define CLRS_TEST_MATRIX_H

#include "harness/check.h"

/* SIZE_MAX as messages write it, and a size that 32 bits would cut to 0, where there is one. */
#if SIZE_MAX == UINT64_MAX
#define MOST "18446744073709551615"
#define BEYOND "4294967296"
#define BEYOND_32 ((size_t)1 << 32)
#else
#define MOST "4294967295"
#define BEYOND "2147483648"
#define BEYOND_32 ((size_t)1 << 31)
#endif

/* Each program defines the struct, with the parameters, the objects behind pointers, and the
 * outputs. */
typedef struct arguments arguments;

/* The callbacks and values that a program gives to the rows. All but `reset` may be NULL. */
typedef struct matrix_world {
  size_t size; /* of arguments */
  /* Fills the arguments with values that suit every function without special values, and with
   * poison. */
  void (*reset)(arguments *a);
  /* Checks a further condition after a failed call. Returns the name of the violated condition, or
   * NULL. */
  const char *(*harm)(arguments *a);
  void (*settle)(arguments *a); /* releases the results of a call */
  int (*missing)(void);         /* the return value of main if the rows cannot run, else 0 */
  void (*open)(void), (*close)(void);
} matrix_world;

typedef struct matrix {
  const matrix_world *world;
  const char *function, *value;
  char parameter[80];
  arguments *a, *before;      /* the arguments of the row, and a copy from before the call */
  void (*good)(arguments *a); /* sets the arguments that this function needs */
  clrs_status (*call)(arguments *a);
  bool lists;
  int rows, failures;
} matrix;

/* The function's error, which every struct arguments begins with. */
struct said {
  clrs_error *error;
  clrs_error said;
};

/* Prepares a row. Returns false if the row is not to run. */
bool matrix_begin(matrix *m, const char *parameter, const char *value);
/* Calls, checks and prints. Expecting CLRS_OK: the value is right, whatever `says` is. */
void matrix_end(matrix *m, clrs_status status, const char *says);
/* The same for a function without a status: the whole answer. */
void matrix_answers(matrix *m, const char *answer);
/* The rows of each function, which add themselves before main. */
extern void (*matrix_functions[256])(matrix *m);
extern size_t matrix_function_count;
/* Runs all rows and returns the exit status of main. */
int matrix_main(const matrix_world *world, int count, char **words);
/* Value of every unset byte. In a pointer, poison shows whether a call has written the pointer. */
enum { MATRIX_POISON = 0xa5 };
bool matrix_was_made(const void *object);

/* Makes the answer of a function without a status a message. */
clrs_status matrix_say(struct said *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define CAST(parameter, value) ((__typeof__(m->a->parameter))(value))

/* With `parameter` set to `value` the call fails with `status` and a message that has `says`. */
#define ROW(parameter_, value_, status_, says_)                                                    \
  if (matrix_begin(m, #parameter_, #value_)) {                                                     \
    m->a->parameter_ = CAST(parameter_, value_);                                                   \
    matrix_end(m, status_, says_);                                                                 \
  }
/* The value is right. */
#define TAKES(parameter_, value_)                                                                  \
  if (matrix_begin(m, #parameter_, #value_)) {                                                     \
    m->a->parameter_ = CAST(parameter_, value_);                                                   \
    matrix_end(m, CLRS_OK, "");                                                                    \
  }
/* `change` happens too. */
#define ROW_IF(change, parameter_, value_, status_, says_)                                         \
  if (matrix_begin(m, #parameter_, #value_ " with " #change)) {                                    \
    arguments *a = m->a;                                                                           \
    change;                                                                                        \
    m->a->parameter_ = CAST(parameter_, value_);                                                   \
    matrix_end(m, status_, says_);                                                                 \
  }
#define ANSWERS(parameter_, value_, answer_)                                                       \
  if (matrix_begin(m, #parameter_, #value_)) {                                                     \
    m->a->parameter_ = CAST(parameter_, value_);                                                   \
    matrix_answers(m, answer_);                                                                    \
  }

#define ROWS_OF(name, preparation, expression)                                                     \
  static void good_##name(arguments *a) {                                                          \
    (void)a;                                                                                       \
    preparation;                                                                                   \
  }                                                                                                \
  static clrs_status call_##name(arguments *a) {                                                   \
    return expression;                                                                             \
  }                                                                                                \
  static void body_##name(matrix *m);                                                              \
  static void rows_##name(matrix *m) {                                                             \
    m->function = #name;                                                                           \
    m->good = good_##name;                                                                         \
    m->call = call_##name;                                                                         \
    body_##name(m);                                                                                \
  }                                                                                                \
  __attribute__((constructor)) static void add_##name(void) {                                      \
    matrix_functions[matrix_function_count++] = rows_##name;                                       \
  }                                                                                                \
  static void body_##name(matrix *m)

/* The macro is followed by the body with the rows of a function. `good` sets arguments for
 * success. */
#define FUNCTION(name, good, ...) ROWS_OF(name, good, name(__VA_ARGS__, a->say.error))
/* A function without a status, with the answer written in `format`. */
#define ANSWER(name, format, ...) ROWS_OF(name, (void)0, matrix_say(&a->say, format, __VA_ARGS__))
/* A function that returns nothing: the return itself is the answer. */
#define RETURNS(name, ...)                                                                         \
  ROWS_OF(name, (void)0, (name(__VA_ARGS__), matrix_say(&a->say, "returns")))

#endif
