/*
 * Strings as Arrow's 16-byte utf8 views, and the characters that they point into.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_STRINGS_H
#define CLRESHAPE_CLI_STRINGS_H

#include <clreshape/core.h>

/* A view holds up to CLI_STRING_INLINE characters itself; longer strings are in the one character
 * buffer, number 0. */
enum { CLI_STRING_BYTES = 16, CLI_STRING_INLINE = 12 };

/* The characters of all long strings of a run: less than 2 GiB, as offsets have 31 bits. */
typedef struct cli_strings {
  uint8_t *characters;
  size_t size, capacity;
} cli_strings;

typedef struct cli_text {
  const uint8_t *bytes; /* not terminated; may hold any byte */
  size_t size;
} cli_text;

void cli_strings_free(cli_strings *strings); /* an all-zero one is allowed */

/* Appends the text and makes the view of it. */
clrs_status cli_strings_put(cli_strings *strings, cli_text text, uint8_t view[CLI_STRING_BYTES],
                            clrs_error *error);
/* What the view shows; `text` borrows from both. Fails if it points elsewhere. */
clrs_status cli_strings_get(const cli_strings *strings, const uint8_t view[CLI_STRING_BYTES],
                            cli_text *text, clrs_error *error);

#endif /* CLRESHAPE_CLI_STRINGS_H */
