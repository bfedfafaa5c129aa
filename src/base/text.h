/*
 * Text of others (names in a model, paths, arguments, what drivers say) made fit to be shown: no
 * byte of it reaches a terminal that would do there anything but appear as a character.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One character of UTF-8, or one byte that begins none. */
typedef struct clrs__character {
  size_t size;    /* bytes, at least 1 */
  uint32_t point; /* the code point, or the byte */
  bool is_valid;  /* is it UTF-8? */
  bool is_plain;  /* valid, and it neither controls a terminal nor reorders the text around it */
} clrs__character;

/* The character that the first of `size` bytes (at least 1) begins. */
clrs__character clrs__character_read(const char *text, size_t size);

/* A character as it is shown, terminated. What is not plain appears as \n, \r, \t, \x1b (a control
 * character of ASCII, or a byte that is no UTF-8) or \u202e. Returns the length. */
enum { CLRS__ESCAPE_BYTES = sizeof "\\u0000" };
size_t clrs__escape(const char *text, clrs__character character, char escaped[CLRS__ESCAPE_BYTES]);

/* A name within a message, which has limited room. */
enum { CLRS__MOST_SHOWN = 100 };

typedef struct clrs__shown {
  char text[CLRS__MOST_SHOWN + sizeof "..."];
} clrs__shown;

/* At most CLRS__MOST_SHOWN bytes, of whole characters and escapes; "..." tells that more followed.
 * NULL shows nothing. Written where it is used: clrs__fail(error, status, "\"%s\"",
 * clrs__show(name).text), as the result lives until the end of the expression. */
clrs__shown clrs__show(const char *text);
clrs__shown clrs__show_part(const char *text, size_t size); /* of a text without an end */

/* Takes away the bytes at the end of a cut text that begin a character and do not complete it. */
void clrs__drop_cut_character(char *text);
