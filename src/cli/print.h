/*
 * What the program prints for machines: JSON strings and lists.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_PRINT_H
#define CLRESHAPE_CLI_PRINT_H

#include <stdio.h>

#include <clreshape/core.h>

/* In quotes; always valid JSON in ASCII, whatever the bytes are. */
void cli_print_string(FILE *file, const char *text);
/* "[2,3,4]", or without the brackets. */
void cli_print_list(FILE *file, size_t count, const int64_t *values);
void cli_print_values(FILE *file, size_t count, const int64_t *values);

#endif /* CLRESHAPE_CLI_PRINT_H */
