/*
 * Kernel classes by number, as the library has them inside.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_CLASSES_H
#define CLRS_TEST_CLASSES_H

#include <string.h>

#include "class/class_number.h"
#include "clreshape/plan.h"

/* CLRS__CLASS_COUNT for what is no name. */
static inline clrs__class_number class_named(const char *name) {
  size_t number = 0;
  while (number < CLRS__CLASS_COUNT && strcmp(name, clrs_class_name(number)) != 0)
    number++;
  return (clrs__class_number)number;
}

#endif
