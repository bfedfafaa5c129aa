/*
 * The character buffers that the elements of a string tensor point into. A string is Arrow's utf8
 * view of 16 bytes. The first field is the length. A string of up to 12 characters follows in
 * place. A longer string has a prefix of 4 characters, the index of a character buffer and an
 * offset. Moving strings moves the views, and the character buffers are shared.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdatomic.h>

#include "device.h"

typedef struct clrs__characters {
  atomic_size_t references;
  size_t count;
  cl_mem buffers[]; /* retained */
} clrs__characters;

clrs_status clrs__characters_create(cl_context context, size_t count, const cl_mem *buffers,
                                    clrs__characters **characters, clrs_error *error);
void clrs__characters_retain(clrs__characters *characters);  /* NULL is allowed */
void clrs__characters_release(clrs__characters *characters); /* NULL is allowed */

/* Strings may only move between tensors whose elements point into the same buffers. */
clrs_status clrs__characters_check_shared(const clrs__characters *source,
                                          const clrs__characters *destination, clrs_error *error);
