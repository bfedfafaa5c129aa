/*
 * What the program prints: text of others, for people, and JSON, for machines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include <clreshape/plan.h>

/* A text of any length, each character as clrs__escape shows it. */
void cli_print_escaped(FILE *file, const char *text);

/* In quotes; always valid JSON, whatever the bytes are. UTF-8 stays what it is, a control character
 * becomes \u001b, and a byte that is no UTF-8 the four characters of \xff (of "\\xff", that is). */
void cli_print_string(FILE *file, const char *text);
/* "key":"value", with the comma behind it. */
void cli_print_field(FILE *file, const char *key, const char *value);
/* "[2,3,4]", or without the brackets. */
void cli_print_list(FILE *file, size_t count, const int64_t *values);
void cli_print_values(FILE *file, size_t count, const int64_t *values);
