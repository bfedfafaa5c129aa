/*
 * Which sets of numbers a type holds without rounding one of them.
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

/* All that the elements of a type can be. */
clrs__numbers_of clrs__numbers_of_type(const clrs__element *element);

/* Does every one of them, infinity, NaN's sign and zero's included, come back as it was after it
 * was written as such an element, and read? That is so of infinity where floats do not saturate;
 * all else holds whatever the rounding and the overflow are. */
bool clrs__holds(const clrs__element *element, const clrs__numbers_of *numbers);

/* Of a map that was checked, and reinterprets nothing: is its last step a rounding that always
 * gives the number that arrives? */
bool clrs__map_is_exact(const clrs_map *map);
