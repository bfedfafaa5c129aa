/*
 * Strings as Arrow's 16-byte utf8 views, and the characters that they point into.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/onnx.h>

/* A view holds up to so many characters itself; longer strings are in the one character buffer,
 * number 0. */
enum { ONNX_STRING_INLINE = 12 };

/* The characters of all long strings of a run: less than 2 GiB, as offsets have 31 bits. */
typedef struct onnx_strings {
  uint8_t *characters;
  size_t size, capacity;
} onnx_strings;

/* As callers see them. */
static inline clrs_onnx_strings onnx_strings_shown(const onnx_strings *strings) {
  return (clrs_onnx_strings){strings->characters, strings->size};
}

void onnx_strings_free(onnx_strings *strings); /* an all-zero one is allowed */

/* Appends the text and makes the view of it. */
clrs_status onnx_strings_put(onnx_strings *strings, clrs_onnx_text text,
                             uint8_t view[CLRS_ONNX_STRING_BYTES], clrs_error *error);
