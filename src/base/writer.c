/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include <stdio.h>

void clrs__write(clrs__writer *writer, const char *format, ...) {
  const bool has_room = writer->length < writer->size;
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(has_room ? writer->text + writer->length : NULL,
                               has_room ? writer->size - writer->length : 0, format, arguments);
  va_end(arguments);
  writer->length += length > 0 ? (size_t)length : 0;
}
