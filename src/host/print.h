/*
 * Prints foreign text for people, and JSON for machines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include <clreshape/plan.h>

/* Prints a text of any length, each character as clrs__escape shows the character. */
void cli_print_escaped(FILE *file, const char *text);

/* Prints a JSON string in quotes, valid for any bytes. UTF-8 is unchanged. A control character
 * becomes \u001b. A byte that is not UTF-8 becomes the four characters \xff, written "\\xff". */
void cli_print_string(FILE *file, const char *text);
/* Prints "key":"value", with a comma behind. */
void cli_print_field(FILE *file, const char *key, const char *value);
/* Prints "[2,3,4]". cli_print_values prints no brackets. */
void cli_print_list(FILE *file, size_t count, const int64_t *values);
void cli_print_values(FILE *file, size_t count, const int64_t *values);
