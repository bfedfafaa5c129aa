/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CHARACTER = 4 };

/* ---- UTF-8 ---- */

/* The bytes of a character that begins with `first`, or 0 if no character begins with that byte. */
static size_t length_by_first(unsigned char first) {
  if (first < 0x80) {
    return 1;
  }
  if (first < 0xc2 || first > 0xf4) {
    return 0; /* inside a character, longer than needed, or over U+10FFFF */
  }
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static bool is_allowed(uint32_t point, size_t length) {
  static const uint32_t least[MOST_CHARACTER + 1] = {0, 0, 0x80, 0x800, 0x10000};
  return point >= least[length] && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
}

/* The control characters of ASCII and Latin-1, line and paragraph separators, and characters that
 * change the direction of the text around them. */
static bool is_control(uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || point == 0x200e ||
         point == 0x200f || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069) || point == 0xfeff;
}

clrs__character clrs__character_read(const char *text, size_t size) {
  const unsigned char *bytes = (const unsigned char *)text;
  const size_t length = length_by_first(bytes[0]);
  const clrs__character invalid = {1, bytes[0], false, false};
  if (length == 0 || length > size) {
    return invalid;
  }
  uint32_t point = length == 1 ? bytes[0] : bytes[0] & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if ((bytes[i] & 0xc0) != 0x80) {
      return invalid;
    }
    point = point << 6 | (bytes[i] & 0x3f);
  }
  return is_allowed(point, length) ? (clrs__character){length, point, true, !is_control(point)}
                                   : invalid;
}

void clrs__drop_cut_character(char *text) {
  const size_t size = strlen(text);
  for (size_t back = 1; back <= size && back < MOST_CHARACTER; back++) {
    const size_t length = length_by_first((unsigned char)text[size - back]);
    if (length > back) {
      text[size - back] = '\0';
    }
    if (length > 0) {
      return;
    }
  }
}

/* ---- escapes ---- */

size_t clrs__escape(const char *text, clrs__character character, char escaped[CLRS__ESCAPE_BYTES]) {
  static const char named[] = "\nn\rr\tt";
  if (character.is_plain) {
    memcpy(escaped, text, character.size);
    escaped[character.size] = '\0';
    return character.size;
  }
  for (size_t i = 0; i + 1 < sizeof named; i += 2) {
    if (character.point == (unsigned char)named[i]) {
      return (size_t)snprintf(escaped, CLRS__ESCAPE_BYTES, "\\%c", named[i + 1]);
    }
  }
  const char *format = character.is_valid && character.point > 0x7f ? "\\u%04x" : "\\x%02x";
  return (size_t)snprintf(escaped, CLRS__ESCAPE_BYTES, format,
                          (unsigned)(character.point & 0xffff));
}

clrs__shown clrs__show_part(const char *text, size_t size) {
  clrs__shown shown = {""};
  char escaped[CLRS__ESCAPE_BYTES];
  for (size_t used = 0; size > 0;) {
    const clrs__character next = clrs__character_read(text, size);
    const size_t length = clrs__escape(text, next, escaped);
    if (used + length > CLRS__MOST_SHOWN) {
      memcpy(shown.text + used, "...", sizeof "...");
      break;
    }
    memcpy(shown.text + used, escaped, length + 1);
    used += length;
    text += next.size;
    size -= next.size;
  }
  return shown;
}

clrs__shown clrs__show(const char *text) {
  return clrs__show_part(text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}
