/*
 * Strings as Arrow's 16-byte utf8 views, and the characters of long strings.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/onnx.h>

/* A view itself holds up to 12 characters. Longer strings lie in the only character buffer, number
 * 0. */
enum { ONNX_STRING_INLINE = 12 };

/* The characters of all long strings of a run: less than 2 GiB, because offsets have 31 bits. */
typedef struct onnx_strings {
  uint8_t *characters;
  size_t size, capacity;
} onnx_strings;

/* Returns the characters in the public form. */
static inline clrs_onnx_strings onnx_strings_shown(const onnx_strings *strings) {
  return (clrs_onnx_strings){strings->characters, strings->size};
}

void onnx_strings_free(onnx_strings *strings); /* an all-zero object is allowed */

/* Appends the text and makes a view of the text. */
clrs_status onnx_strings_put(onnx_strings *strings, clrs_onnx_text text,
                             uint8_t view[CLRS_ONNX_STRING_BYTES], clrs_error *error);
