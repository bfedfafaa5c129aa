/*
 * Inputs of 1 MiB that are hard on a parser, and the parsers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_INPUTS_H
#define CLRS_TEST_INPUTS_H

#include <clreshape/plan.h>

enum { INPUT_BYTES = 1 << 20 };

typedef struct bounds_case {
  const char *parser, *name;
  void (*make)(const struct bounds_case *c);
  const char *unit; /* the repeated part, as a string of hexadecimal digits */
  clrs_status (*parse)(clrs_error *error);
  bool is_good; /* true: must be accepted, false: must be refused */
} bounds_case;

typedef struct bounds_list {
  size_t count;
  const bounds_case *cases;
} bounds_list;

extern const bounds_list parser_cases, graph_cases, line_cases;

/* Makes the input of the case for the next `parse`. */
void input_make(const bounds_case *c);
size_t input_size(void);
/* The path of the file with the input. */
const char *input_path(void);
/* Returns a copy of the input, to be freed by the caller, like a program that has read the file. */
uint8_t *input_bytes(void);

#endif
