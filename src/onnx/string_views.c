/*
 * Arrow's utf8 view: a length of 32 bits, and then up to 12 characters. A longer string has the
 * first 4 characters, the number of a character buffer, and an offset into that buffer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "string_views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

enum { PREFIX = 4 };

/* The fields of a view whose characters are in the buffer. */
typedef struct outside {
  int32_t size;
  uint8_t prefix[PREFIX];
  int32_t buffer, offset;
} outside;

_Static_assert(sizeof(outside) == CLRS_ONNX_STRING_BYTES, "no padding");

void onnx_strings_free(onnx_strings *strings) {
  free(strings->characters);
  memset(strings, 0, sizeof *strings);
}

static clrs_status reserve(onnx_strings *strings, size_t more, clrs_error *error) {
  if (more > INT32_MAX - strings->size) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the strings have more than %d characters altogether", INT32_MAX);
  }
  if (strings->size + more <= strings->capacity) {
    return CLRS_OK;
  }
  size_t capacity = 2 * (strings->size + more);
  uint8_t *grown = realloc(strings->characters, capacity);
  if (grown == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu characters", capacity);
  }
  strings->characters = grown;
  strings->capacity = capacity;
  return CLRS_OK;
}

clrs_status onnx_strings_put(onnx_strings *strings, clrs_onnx_text text,
                             uint8_t view[CLRS_ONNX_STRING_BYTES], clrs_error *error) {
  outside fields = {.offset = (int32_t)strings->size};
  memset(view, 0, CLRS_ONNX_STRING_BYTES);
  if (text.size > ONNX_STRING_INLINE) {
    CLRS_TRY(reserve(strings, text.size, error));
    memcpy(strings->characters + strings->size, text.bytes, text.size);
    memcpy(fields.prefix, text.bytes, PREFIX);
    strings->size += text.size;
    memcpy(view, &fields, sizeof fields);
  } else if (text.size > 0) {
    memcpy(view + sizeof fields.size, text.bytes, text.size);
  }
  fields.size = (int32_t)text.size;
  memcpy(view, &fields.size, sizeof fields.size);
  return CLRS_OK;
}

clrs_status clrs_onnx_strings_get(const clrs_onnx_strings *strings,
                                  const uint8_t view[CLRS_ONNX_STRING_BYTES], clrs_onnx_text *text,
                                  clrs_error *error) {
  outside fields;
  CLRS_TRY(clrs__require(strings, "strings", error));
  CLRS_TRY(clrs__require(view, "view", error));
  CLRS_TRY(clrs__require(text, "text", error));
  memcpy(&fields, view, sizeof fields);
  if (fields.size >= 0 && fields.size <= ONNX_STRING_INLINE) {
    *text = (clrs_onnx_text){view + sizeof fields.size, (size_t)fields.size};
    return CLRS_OK;
  }
  if (fields.size < 0 || fields.buffer != 0 || fields.offset < 0 ||
      (size_t)fields.offset > strings->size ||
      (size_t)fields.size > strings->size - (size_t)fields.offset) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "a string of %" PRId32 " characters at %" PRId32
                      " of character buffer %" PRId32 " is not in it",
                      fields.size, fields.offset, fields.buffer);
  }
  CLRS_TRY(clrs__require(strings->characters, "strings->characters", error));
  *text = (clrs_onnx_text){strings->characters + fields.offset, (size_t)fields.size};
  return CLRS_OK;
}
