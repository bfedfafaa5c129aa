/*
 * Lists of cases for `bench`, and command lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <getopt.h>

#include "bench/case_list.h"
#include "cli/explain_plan.h"
#include "harness/check.h"
#include "host/fail.h"
#include "inputs.h"
#include "put.h"

/* ---- cases of a benchmark ---- */

static clrs_status bench_parse(clrs_error *error) {
  bench_list list;
  const clrs_status status = bench_list_read(input_path(), &list, error);
  if (status == CLRS_OK)
    bench_list_free(&list);
  return status;
}

/* The unit again and again, behind a number that makes each line another. */
static void numbered_make(const bounds_case *c) {
  for (unsigned i = 0; INPUT_BYTES - size > strlen(c->unit) + 12; i++) {
    char number[12];
    put(number, (size_t)snprintf(number, sizeof number, "%x", i));
    put(c->unit, strlen(c->unit));
  }
}

/* The unit as often as is allowed. A comment fills the rest. */
static void allowed_make(const bounds_case *c) {
  for (unsigned i = 0; i < 2000; i++) {
    char number[12];
    put(number, (size_t)snprintf(number, sizeof number, "%x", i));
    put(c->unit, strlen(c->unit));
  }
  put("#", 1);
  while (INPUT_BYTES - size > 20)
    put_byte('-');
}

/* The unit, and its last character as often as fits. */
static void endless_make(const bounds_case *c) {
  put(c->unit, strlen(c->unit));
  while (INPUT_BYTES - size > 20)
    put_byte((unsigned char)c->unit[strlen(c->unit) - 1]);
}

/* ---- command lines ---- */

/* Words that end in a zero byte, as the system passes words to a program. The unit again and
 * again. */
static void words_make(const bounds_case *c) {
  while (INPUT_BYTES - size > strlen(c->unit) + 1)
    put(c->unit, strlen(c->unit) + 1);
}

/* As many options as are applied, and the rest in one last option. */
static void applied_make(const bounds_case *c) {
  for (int i = 0; i < CLRS_MAX_OPS; i++)
    put(c->unit, strlen(c->unit) + 1);
  put("--device=0:0", 12);
  while (INPUT_BYTES - size > 20)
    put_byte('0');
  put_byte('\0');
}

static clrs_status explain(const cli_request *request, clrs_error *error) {
  const cli_npy_header header = {
      .type = {"<f4", false, CLRS_F32, 1, 4}, .shape = {3, {6, 8, 10}}, .data_bytes = 1920};
  cli_work work;
  FILE *nowhere = fopen("/dev/null", "w");
  assert_non_null(nowhere);
  clrs_status status = cli_work_init(request, &header, &work, error);
  if (status == CLRS_OK) {
    status = cli_work_print(nowhere, request, &work, error);
    if (status == CLRS_OK)
      status = cli_work_print_json(nowhere, request, &work, error);
  }
  assert_int_equal(fclose(nowhere), 0);
  return status;
}

static char **arguments;
static int argument_count;

/* Before the heap is watched: the system makes the list. */
static void list_words(void) {
  static char *const first[] = {"explain", "in.npy"};
  free(arguments);
  arguments = calloc(INPUT_BYTES + 3, sizeof *arguments);
  assert_non_null(arguments);
  memcpy(arguments, first, sizeof first);
  argument_count = 2;
  for (size_t at = 0; at < size; at += strlen((char *)input + at) + 1)
    arguments[argument_count++] = (char *)input + at;
}

static void listed_words_make(const bounds_case *c) {
  words_make(c);
  list_words();
}

static void listed_applied_make(const bounds_case *c) {
  applied_make(c);
  list_words();
}

static clrs_status words_parse(clrs_error *error) {
  optind = 0;
  const int code = cli_request_do(argument_count, arguments, "", "", explain);
  (void)snprintf(error->message, sizeof error->message, "exit code %d", code);
  return code == CLI_EXIT_DONE ? CLRS_OK : CLRS_INVALID_ARGUMENT;
}

/* clang-format off */
static const bounds_case cases[] = {
    {"bench", "cases", numbered_make, "\ts\tu8\t1\tC\t0\tC\n", bench_parse, false},
    {"bench", "as many as are allowed", allowed_make, "\ts\tu8\t2x3x4x5\tC\t3,2,1,0/24x5/1,0/60x2/0,1\tC\n", bench_parse, true},
    {"bench", "as many small ones", allowed_make, "\ts\tu8\t1\tC\t0\tC\n", bench_parse, true},
    {"bench", "tabs", endless_make, "a\t", bench_parse, false},
    {"bench", "empty lines", endless_make, "\n", bench_parse, false},
    {"bench", "dims", endless_make, "a\tb\tu8\t1x1", bench_parse, false},
    {"bench", "one number", endless_make, "a\tb\tu8\t1\tC\t0\tC\t1", bench_parse, true},
    {"bench", "one note", endless_make, "a\tb\tu8\t1\tC\t0\tC\t1\tn", bench_parse, true},
    {"line", "operations", listed_words_make, "flip=0", words_parse, false},
    {"line", "as many as are applied", listed_applied_make, "flip=0", words_parse, true},
    {"line", "swaps", listed_applied_make, "swap_axes=0,2", words_parse, true},
    {"line", "windows", listed_applied_make, "window=0,1,1", words_parse, false},
    {"line", "no operations", listed_words_make, "", words_parse, false},
    {"line", "options", listed_words_make, "--json", words_parse, true},
    {"line", "long values", listed_words_make, "reshape=111111111111111111111111111111111111111", words_parse, false},
};
/* clang-format on */
const bounds_list line_cases = {sizeof cases / sizeof cases[0], cases};
