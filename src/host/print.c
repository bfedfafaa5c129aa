/* SPDX-License-Identifier: Apache-2.0 */
#include "print.h"

#include <inttypes.h>
#include <string.h>

#include "text.h"

void cli_print_escaped(FILE *file, const char *text) {
  char escaped[CLRS__ESCAPE_BYTES];
  for (size_t left = strlen(text); left > 0;) {
    const clrs__character next = clrs__character_read(text, left);
    clrs__escape(text, next, escaped);
    fputs(escaped, file);
    text += next.size;
    left -= next.size;
  }
}

static void print_character(FILE *file, const char *text, clrs__character next) {
  if (!next.is_valid) {
    fprintf(file, "\\\\x%02x", (unsigned)next.point); /* as in messages: JSON has no such escape */
  } else if (!next.is_plain) {
    fprintf(file, "\\u%04x", (unsigned)next.point);
  } else if (next.point == '"' || next.point == '\\') {
    fprintf(file, "\\%c", (int)next.point);
  } else {
    (void)fwrite(text, 1, next.size, file); /* main checks for write errors */
  }
}

void cli_print_string(FILE *file, const char *text) {
  fputc('"', file);
  for (size_t left = strlen(text); left > 0;) {
    const clrs__character next = clrs__character_read(text, left);
    print_character(file, text, next);
    text += next.size;
    left -= next.size;
  }
  fputc('"', file);
}

void cli_print_field(FILE *file, const char *key, const char *value) {
  fprintf(file, "\"%s\":", key);
  cli_print_string(file, value);
  fputc(',', file);
}

void cli_print_values(FILE *file, size_t count, const int64_t *values) {
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "%s%" PRId64, i > 0 ? "," : "", values[i]);
  }
}

void cli_print_list(FILE *file, size_t count, const int64_t *values) {
  fputc('[', file);
  cli_print_values(file, count, values);
  fputc(']', file);
}
