/*
 * Makes foreign text (names in a model, paths, arguments, messages of drivers) safe to show. Every
 * byte reaches a terminal only as part of a visible character.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One character of UTF-8, or one byte that does not begin a character. */
typedef struct clrs__character {
  size_t size;    /* bytes, at least 1 */
  uint32_t point; /* the code point, or the byte */
  bool is_valid;  /* valid UTF-8 */
  bool is_plain;  /* valid, and neither controls a terminal nor reorders text */
} clrs__character;

/* The character at the beginning of `size` bytes (at least 1). */
clrs__character clrs__character_read(const char *text, size_t size);

/* Writes a character as visible text, terminated. A character that is not plain becomes \n, \r, \t,
 * \x1b (an ASCII control character, or an invalid byte) or \u202e. Returns the length. */
enum { CLRS__ESCAPE_BYTES = sizeof "\\u0000" };
size_t clrs__escape(const char *text, clrs__character character, char escaped[CLRS__ESCAPE_BYTES]);

/* A name within a message of limited room. */
enum { CLRS__MOST_SHOWN = 100 };

typedef struct clrs__shown {
  char text[CLRS__MOST_SHOWN + sizeof "..."];
} clrs__shown;

/* At most CLRS__MOST_SHOWN bytes of whole characters and escapes, with "..." if more followed. NULL
 * shows nothing. The result lives until the end of the expression, so it is used in place:
 * clrs__fail(error, status, "\"%s\"", clrs__show(name).text). */
clrs__shown clrs__show(const char *text);
clrs__shown clrs__show_part(const char *text, size_t size); /* for a text without a terminator */

/* Removes an incomplete character at the end of a cut text. */
void clrs__drop_cut_character(char *text);
