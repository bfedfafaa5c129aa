/*
 * Lists of cases: lines of a file, lines of the built-in text, or drawn cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "case.h"
#include "families.h"

typedef struct bench_list {
  size_t count; /* at least 1 */
  bench_case *cases;
  char *text, *lines; /* the strings of the cases point into this memory */
} bench_list;

/* Reads a file. An error names the line, the column and the rule. If `path` is NULL, the list has
 * one case for each class. */
clrs_status bench_list_read(const char *path, bench_list *list, clrs_error *error);
/* Draws cases of families instead of reading a file. */
clrs_status bench_list_draw(const bench_draw *draw, bench_list *list, clrs_error *error);
void bench_list_free(bench_list *list);
