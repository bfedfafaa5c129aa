/*
 * Writes text piece by piece into memory that may be too small. The length is still counted, as by
 * snprintf.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

typedef struct clrs__writer {
  char *text; /* NULL if size is 0 */
  size_t size, length;
} clrs__writer;

void clrs__write(clrs__writer *writer, const char *format, ...) CLRS_PRINTF_LIKE(2, 3);
