/*
 * Strings as Arrow's 16-byte utf8 views, and the characters that they point into.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/core.h>

/* A view holds up to ONNX_STRING_INLINE characters itself; longer strings are in the one character
 * buffer, number 0. */
enum { ONNX_STRING_BYTES = 16, ONNX_STRING_INLINE = 12 };

/* The characters of all long strings of a run: less than 2 GiB, as offsets have 31 bits. */
typedef struct onnx_strings {
  uint8_t *characters;
  size_t size, capacity;
} onnx_strings;

typedef struct onnx_text {
  const uint8_t *bytes; /* not terminated; may hold any byte */
  size_t size;
} onnx_text;

void onnx_strings_free(onnx_strings *strings); /* an all-zero one is allowed */

/* Appends the text and makes the view of it. */
clrs_status onnx_strings_put(onnx_strings *strings, onnx_text text, uint8_t view[ONNX_STRING_BYTES],
                             clrs_error *error);
/* What the view shows; `text` borrows from both. Fails if it points elsewhere. */
clrs_status onnx_strings_get(const onnx_strings *strings, const uint8_t view[ONNX_STRING_BYTES],
                             onnx_text *text, clrs_error *error);
