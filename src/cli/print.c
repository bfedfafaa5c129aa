/*
 * JSON strings and lists.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "print.h"

#include <inttypes.h>

void cli_print_string(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != '\0'; text++) {
    unsigned char byte = (unsigned char)*text;
    if (byte == '"' || byte == '\\') {
      fprintf(file, "\\%c", byte);
    } else if (byte < 0x20 || byte >= 0x7f) {
      fprintf(file, "\\u%04x", byte);
    } else {
      fputc(byte, file);
    }
  }
  fputc('"', file);
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
