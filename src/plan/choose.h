/*
 * Chooses the cut that carries out a nest of elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PLAN_CHOOSE_H
#define CLRS_PLAN_CHOOSE_H

#include "class.h"

/* A pass with one nest to be cut. */
typedef struct clrs__pass {
  const clrs_move *move;
  const clrs_device_limits *limits;
  uint32_t from;    /* origin of the units, CLRS__FROM_SOURCE and so on */
  clrs_view *stack; /* CLRS__FROM_STACK: converted to units with the first nest */
  uint32_t
      position; /* number of the nest in the pass. A stack of several nests keeps its unit width */
  uint32_t count;
  /* CLRS__BY_INDEX: the move goes from the named side to the listed side, also for a scatter. */
  const clrs__address *address;
} clrs__pass;

/* Completes *cut. Returns CLRS_OVERFLOW, or CLRS_UNSUPPORTED if the required class cannot carry out
 * the nest or no kernel's words have room for so many axes. */
clrs_status clrs__choose_cut(const clrs__pass *pass, const clrs__nest *elements, clrs__cut *cut,
                             clrs_error *error);

#endif
