/*
 * Lists of cases: the lines of a file, of the built-in text, or drawn.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "case.h"
#include "families.h"

typedef struct bench_list {
  size_t count; /* at least 1 */
  bench_case *cases;
  char *text, *lines; /* what the strings of the cases point into */
} bench_list;

/* An error names the line, the column and the rule. `path` NULL: one case for each class. */
clrs_status bench_list_read(const char *path, bench_list *list, clrs_error *error);
/* Cases of families instead of a file. */
clrs_status bench_list_draw(const bench_draw *draw, bench_list *list, clrs_error *error);
void bench_list_free(bench_list *list);
