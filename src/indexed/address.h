/*
 * The address of a gather or a scatter: the positions of elements on the named side, at places that
 * indices name. The address is a value without pointers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>

#include "clreshape/core.h"
#include "shared.h"
#include "walk.h"

/* The build parameters of a program, which contain no shape and no rule of the indices. All fields
 * are bytes, so that two keys are equal if their bytes are equal. All 0: nothing is indexed. */
typedef struct clrs__index_key {
  uint8_t is_indexed;
  uint8_t scatters; /* the indices name places of the destination */
} clrs__index_key;

typedef struct clrs__address {
  clrs__index_key key;
  uint32_t rules;       /* sum of CLRS_INDEX_... */
  uint64_t index_start; /* bytes from the start of the buffer to the first index */
  int64_t extent;       /* places of the axis */
  uint32_t digit_count;
  clrs_axis digits[CLRS_INDEX_DIGITS]; /* axes of the named dim, the fastest first */
} clrs__address;

/* Bytes of an index. */
static inline uint32_t clrs__index_bytes(uint32_t rules) {
  return (rules & CLRS_INDEX_IS_LONG) != 0 ? 8 : 4;
}

static inline bool clrs__is_indexed(const clrs__address *address) {
  return address->key.is_indexed;
}
