/*
 * pad as an operation of chains: numpy.pad. No view shows a border, so only calls that write a
 * destination carry out a pad: padded.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

/* Widths with ',' between them, then mode=... and value=... in any order. A width is `both`, or
 * `before:behind`. A single width is for every dim. The values are the mode, the bits of the value
 * as a double, and two numbers for each width. */
enum { CLRS__PAD_MODE, CLRS__PAD_VALUE, CLRS__PAD_WIDTHS };
clrs_status clrs__pad_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error);

/* Always returns CLRS_UNSUPPORTED. */
clrs_status clrs__pad_apply(const clrs__op *op, clrs_view *view, clrs_error *error);

/* The pad of a tensor. */
enum { CLRS__PAD_ELEMENT = 16 }; /* bytes of the widest element */
typedef struct clrs__pad_widths {
  clrs_pad_mode mode;
  uint8_t element[CLRS__PAD_ELEMENT]; /* the border in mode constant, in the low bits */
  int64_t before[CLRS_MAX_RANK], behind[CLRS_MAX_RANK];
} clrs__pad_widths;

/* Gives each dim of a tensor of that rank and type its widths. Returns CLRS_INVALID_ARGUMENT if the
 * number of widths is neither 1 nor the rank, or as clrs__pad_element does. */
clrs_status clrs__pad_spread(const clrs__op *op, uint32_t rank, clrs_dtype dtype,
                             clrs__pad_widths *widths, clrs_error *error);

/* Writes the value as an element, in the low bits. The value 0 is an element of any type. Returns
 * CLRS_INVALID_ARGUMENT if the type has no such number. Floats are rounded. */
clrs_status clrs__pad_element(double value, clrs_dtype dtype, uint8_t element[CLRS__PAD_ELEMENT],
                              clrs_error *error);

/* Moves an element from the low bits to the place of the first element in memory, or back, which is
 * another place for CLRS_U1 alone. */
void clrs__pad_turn(clrs_dtype dtype, uint8_t element[CLRS__PAD_ELEMENT]);
