/*
 * Sets of numbers that a type holds without rounding.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "elements.h"

/* All floats of a format, or all integers from -below to above. */
typedef struct clrs__numbers_of {
  bool are_floats;
  clrs__format format;
  uint64_t below, above;
} clrs__numbers_of;

/* All values of the elements of a type. */
clrs__numbers_of clrs__numbers_of_type(const clrs__element *element);

/* Returns true if every number is unchanged after being written as such an element and read.
 * Infinity and the signs of NaN and zero are included. Infinity is unchanged only if floats do not
 * saturate. All other numbers are unchanged for any rounding and overflow. */
bool clrs__holds(const clrs__element *element, const clrs__numbers_of *numbers);

/* Returns true if the last step is a rounding that always gives the arriving number. The map was
 * checked, and does not reinterpret. */
bool clrs__map_is_exact(const clrs_map *map);
