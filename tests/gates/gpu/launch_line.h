/*
 * A case of cases.txt, and a launch as a line of JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "plan.h"
#include "variant.h"

typedef struct test_case {
  const char *name, *dims, *from, *at, *shape, *to, *index, *fill, *items, *chain, *blocks, *scales,
      *indices, *axis, *suite, *groups; /* NULL: not given */
  clrs_dtype dtype;
  bool has_data; /* the buffers of a map are printed too */
} test_case;

_Noreturn void fail(const char *name, const char *why);
void require(const char *name, clrs_status status, const clrs_error *error);

/* The named view's dims, with the dims of the indices in place of the axis. */
clrs_shape listed_shape(const clrs_shape *named, const clrs_shape *indices, uint32_t axis);

/* Reads numbers with commas between, and returns the count. */
uint32_t read_numbers(const char *text, int64_t *numbers);

typedef struct launch_facts {
  const char *name, *suite;
  clrs__variant variant;
  uint32_t unit_bits, bits; /* bits of a kernel unit, and of a destination element */
  uint64_t read, written;   /* bytes of the whole case */
  uint64_t items[2], group[2];
  int64_t extent; /* extent of the axis that the indices address */
} launch_facts;

/* Prints a line up to the arguments, which follow in the kernel's order. An argument is the name of
 * a buffer or of a value that traffic.py chooses, a number of 64 bits, or the digits of other
 * bytes. */
void begin_line(const launch_facts *of);
void print_buffer(const char *name, uint64_t start);
void print_bytes(const void *data, size_t count);
