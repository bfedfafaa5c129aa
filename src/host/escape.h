/*
 * Text of others (names in a model, paths, arguments, what drivers say) made fit to be shown: no
 * byte of it reaches a terminal that would do there anything but appear as a character.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_ESCAPE_H
#define CLRESHAPE_CLI_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One character of UTF-8, or one byte that begins none. */
typedef struct cli_character {
  size_t size;    /* bytes, at least 1 */
  uint32_t point; /* the code point, or the byte */
  bool is_valid;  /* is it UTF-8? */
  bool is_plain;  /* valid, and it neither controls a terminal nor reorders the text around it */
} cli_character;

/* The character that the first of `size` bytes (at least 1) begins. */
cli_character cli_character_read(const char *text, size_t size);

/* Prints a text of any length. What is not plain appears as \n, \r, \t, \x1b (a control character
 * of ASCII, or a byte that is no UTF-8) or \u202e. */
void cli_print_escaped(FILE *file, const char *text);

/* The same for a name within a message, which has limited room. */
enum { CLI_MOST_SHOWN = 100 };

typedef struct cli_shown {
  char text[CLI_MOST_SHOWN + sizeof "..."];
} cli_shown;

/* At most CLI_MOST_SHOWN bytes, of whole characters and escapes; "..." tells that more followed.
 * NULL shows nothing. Written where it is used: cli_fail(error, status, "\"%s\"",
 * cli_show(name).text), as the result lives until the end of the expression. */
cli_shown cli_show(const char *text);
cli_shown cli_show_part(const char *text, size_t size); /* of a text without an end */

/* Takes away the bytes at the end of a cut text that begin a character and do not complete it. */
void cli_drop_cut_character(char *text);

#endif /* CLRESHAPE_CLI_ESCAPE_H */
