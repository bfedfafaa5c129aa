/*
 * What reading the header of a .npy file takes: Python's literals, from the front of a text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* What is left of the header's text. */
typedef struct cli_npy_text {
  const char *next, *end;
} cli_npy_text;

/* "malformed .npy header: " and the rule. */
clrs_status cli_npy_malformed(clrs_error *error, const char *rule);

void cli_npy_skip_space(cli_npy_text *text);

/* Skips space, then takes `token` if it is there. */
bool cli_npy_take(cli_npy_text *text, const char *token);

/* A quoted string without escapes, shorter than `size`. */
clrs_status cli_npy_read_string(cli_npy_text *text, char *string, size_t size, clrs_error *error);

/* A quoted string of any length, whatever it says. */
clrs_status cli_npy_skip_string(cli_npy_text *text, clrs_error *error);

/* A tuple of integers >= 0. `what` names it in messages. */
clrs_status cli_npy_read_dims(cli_npy_text *text, const char *what, clrs_shape *shape,
                              clrs_error *error);
