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
  const char *unit; /* what is repeated; as a C string of hexadecimal digits */
  clrs_status (*parse)(clrs_error *error);
  bool is_good; /* must be accepted; otherwise it must be refused */
} bounds_case;

typedef struct bounds_list {
  size_t count;
  const bounds_case *cases;
} bounds_list;

extern const bounds_list parser_cases, graph_cases, line_cases;

/* Makes the case's input, the one that `parse` then takes. */
void input_make(const bounds_case *c);
size_t input_size(void);
/* The file that holds it. */
const char *input_path(void);
/* A copy of it, to be freed, as a program has it that read the file. */
uint8_t *input_bytes(void);

#endif
