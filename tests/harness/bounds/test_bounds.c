/*
 * The most that 1 MiB of input may cost: the input and 16 MiB of memory, no allocation above 64
 * MiB, and a bounded amount of work. Each parser reads the worst inputs for this parser: as many
 * small parts as fit, as deep nesting, as long fields. The work is time of this thread on the
 * processor. The goal is 100 ms. A test fails if an input takes many times the work of an ordinary
 * model with as many bytes in the same run. The comparison does not depend on the speed or load of
 * the machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <time.h>

#include "harness/check.h"
#include "heap.h"
#include "inputs.h"

enum { ALLOWANCE = 16 << 20, LARGEST = 64 << 20, GOAL_MS = 100, ORDINARY_LIMIT = 50 };

static double now_ms(void) {
  struct timespec time;
  assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time), 0);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static const bounds_case *find_case(const bounds_list *list, const char *name) {
  size_t i = 0;
  while (i < list->count && strcmp(list->cases[i].name, name) != 0)
    i++;
  assert_in_range(i, 0, list->count - 1);
  return &list->cases[i];
}

/* The least of a few. */
static double ordinary_ms(void) {
  const bounds_case *ordinary = find_case(&parser_cases, "a real one");
  double least = 0;
  input_make(ordinary);
  for (int i = 0; i < 5; i++) {
    const double before = now_ms();
    assert_int_equal(ordinary->parse(&error), CLRS_OK);
    const double took = now_ms() - before;
    least = i == 0 || took < least ? took : least;
  }
  return least;
}

/* Prints the cost of the case. Returns true if the cost is within bounds. */
static bool measure(const bounds_case *c, double limit_ms, unsigned *above_goal) {
  input_make(c);
  const size_t size = input_size();
  assert_in_range(size, INPUT_BYTES - INPUT_BYTES / 8, INPUT_BYTES);
  clrs_error error = {.message = "accepted"};
  heap_watch();
  const double before = now_ms();
  const clrs_status status = c->parse(&error);
  const double took = now_ms() - before;
  const size_t peak = heap_peak();
  *above_goal += took > GOAL_MS;
  print_message("%-8s %-28s %6.1f ms %6.2f MiB  %.60s\n", c->parser, c->name, took,
                (double)peak / (1 << 20), error.message);
  const bool good = peak <= size + ALLOWANCE && heap_largest() <= LARGEST && took <= limit_ms &&
                    (status == CLRS_OK) == c->is_good;
  if (!good)
    print_error("%s, %s: %zu bytes for %zu of input, %.0f ms of %.0f, %s\n", c->parser, c->name,
                peak, size, took, limit_ms, error.message);
  return good;
}

static void none_costs_more_than_its_bound(const bounds_list *list) {
  const double ordinary = ordinary_ms();
  unsigned above_goal = 0, bad = 0;
  for (size_t i = 0; i < list->count; i++)
    bad += !measure(&list->cases[i], ORDINARY_LIMIT * ordinary, &above_goal);
  print_message("%zu inputs of 1 MiB, %u of them above %d ms; an ordinary model takes %.1f ms\n",
                list->count, above_goal, GOAL_MS, ordinary);
  assert_int_equal(bad, 0);
}

TEST(no_file_costs_more_than_its_bound) {
  none_costs_more_than_its_bound(&parser_cases);
}

TEST(no_graph_costs_more_than_its_bound) {
  none_costs_more_than_its_bound(&graph_cases);
}

TEST(no_line_costs_more_than_its_bound) {
  none_costs_more_than_its_bound(&line_cases);
}

/* Otherwise the silence of the other test would mean nothing. */
TEST(what_is_spent_is_seen) {
  heap_watch();
  char *block = malloc(ALLOWANCE), *small = calloc(1000, 7);
  assert_non_null(block);
  assert_non_null(small);
  block = realloc(block, 2 * ALLOWANCE);
  assert_non_null(block);
  free(block);
  free(small);
  assert_in_range(heap_peak(), 2 * ALLOWANCE + 7000, 2 * ALLOWANCE + 2 * 7000 + 8192);
  assert_int_equal(heap_largest(), 2 * ALLOWANCE);
  heap_watch();
  assert_int_equal(heap_peak(), 0);
  const double before = now_ms();
  volatile unsigned sink = 0;
  const clock_t began = clock();
  while (clock() - began < CLOCKS_PER_SEC / 50)
    sink++;
  assert_true(now_ms() - before > 10);
}

TESTS(NULL, NULL)
