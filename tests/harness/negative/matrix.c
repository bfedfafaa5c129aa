/*
 * The negative matrix. See matrix.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "matrix.h"

#include <ctype.h>

static struct said *said_by(const matrix *m) {
  return (struct said *)m->a; /* it comes first */
}

static void prepare(matrix *m) {
  m->world->reset(m->a);
  said_by(m)->error = &said_by(m)->said;
  memset(&said_by(m)->said, 0, sizeof said_by(m)->said);
  m->good(m->a);
}

bool matrix_begin(matrix *m, const char *parameter, const char *value) {
  size_t length = 0;
  for (; *parameter && length + 1 < sizeof m->parameter; parameter++)
    if (*parameter != ' ') /* shared rows may have leading blanks */
      m->parameter[length++] = *parameter;
  m->parameter[length] = '\0';
  m->value = value;
  if (m->lists) {
    printf("%s %s\n", m->function, m->parameter);
    return false;
  }
  prepare(m);
  return true;
}

/* Addresses differ from run to run. */
static void print_without_addresses(const char *text) {
  while (*text) {
    (void)putchar(*text);
    if (strncmp(text, "0x", 2) == 0) {
      printf("x...");
      for (text += 2; isxdigit((unsigned char)*text); text++) {
      }
    } else {
      text++;
    }
  }
  (void)putchar('\n');
}

static void fail_row(matrix *m, const char *why, const char *what) {
  print_error("%s %s = %s: %s %s\n", m->function, m->parameter, m->value, why, what);
  m->failures++;
}

static void check_message(matrix *m, clrs_status status, const char *says) {
  const clrs_error *said = &said_by(m)->said;
  if (said->status != status)
    fail_row(m, "the clrs_error has", clrs_status_name(said->status));
  if (!strstr(said->message, says))
    fail_row(m, "the message does not mention", says);
}

/* All arguments, in and out, must hold the same bytes as before the call. */
static void check_unchanged(matrix *m) {
  const size_t behind = sizeof(struct said);
  if (memcmp((const char *)m->a + behind, (const char *)m->before + behind,
             m->world->size - behind) != 0)
    fail_row(m, "an argument was changed", "");
  const char *harm = m->world->harm ? m->world->harm(m->a) : NULL;
  if (harm)
    fail_row(m, "changed:", harm);
}

static void check_without_error(matrix *m, clrs_status status) {
  said_by(m)->error = NULL;
  const clrs_status again = m->call(m->a);
  if (again != status)
    fail_row(m, "without a clrs_error it gives", clrs_status_name(again));
}

static void settle(matrix *m) {
  if (m->world->settle)
    m->world->settle(m->a);
}

static void check_right_call(matrix *m) {
  prepare(m);
  if (m->call(m->a) != CLRS_OK)
    fail_row(m, "the right call then fails:", said_by(m)->said.message);
  settle(m);
}

void matrix_end(matrix *m, clrs_status status, const char *says) {
  memcpy(m->before, m->a, m->world->size);
  const clrs_status got = m->call(m->a);
  printf("%s %s = %s: %s ", m->function, m->parameter, m->value, clrs_status_name(got));
  print_without_addresses(said_by(m)->said.message);
  m->rows++;
  if (got != status)
    fail_row(m, "should give", clrs_status_name(status));
  if (got == CLRS_OK) {
    settle(m);
    return;
  }
  check_message(m, got, says);
  check_unchanged(m);
  check_without_error(m, got);
  check_unchanged(m);
  check_right_call(m);
}

void matrix_answers(matrix *m, const char *answer) {
  memcpy(m->before, m->a, m->world->size);
  (void)m->call(m->a);
  printf("%s %s = %s: %s\n", m->function, m->parameter, m->value, said_by(m)->said.message);
  m->rows++;
  if (strcmp(said_by(m)->said.message, answer) != 0)
    fail_row(m, "should answer", answer);
  check_unchanged(m);
}

clrs_status matrix_say(struct said *to, const char *format, ...) {
  va_list values;
  va_start(values, format);
  (void)vsnprintf(to->said.message, sizeof to->said.message, format, values);
  va_end(values);
  return CLRS_OK;
}

void (*matrix_functions[256])(matrix *m);
size_t matrix_function_count;

static bool is_open(matrix *m) {
  m->a = malloc(m->world->size);
  m->before = malloc(m->world->size);
  if (m->a && m->before && m->world->open && !m->lists)
    m->world->open();
  return m->a && m->before;
}

static void end(matrix *m) {
  if (m->world->close && !m->lists)
    m->world->close();
  if (!m->lists)
    printf("%d rows, %d failures\n", m->rows, m->failures);
  free(m->a);
  free(m->before);
}

int matrix_main(const matrix_world *world, int count, char **words) {
  matrix m = {.world = world, .lists = count > 1 && strcmp(words[1], "list") == 0};
  const int missing = m.lists || !world->missing ? 0 : world->missing();
  if (missing || !is_open(&m))
    return missing ? missing : 1;
  for (size_t i = 0; i < matrix_function_count; i++)
    matrix_functions[i](&m);
  end(&m);
  return m.failures == 0 ? 0 : 1;
}

bool matrix_was_made(const void *object) {
  unsigned char poison[sizeof object];
  memset(poison, MATRIX_POISON, sizeof poison);
  return memcmp(&object, poison, sizeof object) != 0;
}
