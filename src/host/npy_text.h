/*
 * Reads Python's literals from the front of a text, for headers of .npy files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* The unread rest of the header's text. */
typedef struct cli_npy_text {
  const char *next, *end;
} cli_npy_text;

/* Fails with "malformed .npy header: " and the rule. */
clrs_status cli_npy_malformed(clrs_error *error, const char *rule);

void cli_npy_skip_space(cli_npy_text *text);

/* Skips space, then takes `token` if `token` is next. Returns whether `token` was taken. */
bool cli_npy_take(cli_npy_text *text, const char *token);

/* Reads a quoted string without escapes, shorter than `size`. */
clrs_status cli_npy_read_string(cli_npy_text *text, char *string, size_t size, clrs_error *error);

/* Skips a quoted string of any length and content. */
clrs_status cli_npy_skip_string(cli_npy_text *text, clrs_error *error);

/* Reads a tuple of integers >= 0. `what` names the tuple in messages. */
clrs_status cli_npy_read_dims(cli_npy_text *text, const char *what, clrs_shape *shape,
                              clrs_error *error);
