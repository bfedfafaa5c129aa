/*
 * From a nest of elements to the cut that carries it out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PLAN_CHOOSE_H
#define CLRS_PLAN_CHOOSE_H

#include "class.h"

/* A pass, of which one nest is to be cut. */
typedef struct clrs__pass {
  const clrs_move *move;
  const clrs_device_limits *limits;
  uint32_t from;    /* where its units come from */
  clrs_view *stack; /* CLRS__FROM_STACK: it is put into units with the first nest */
  uint32_t
      position; /* of the nest among those of the pass; a stack of several has no wider units */
  uint32_t count;
  /* CLRS__BY_INDEX: the move goes from the named side to the listed one, be it a scatter. */
  const clrs__address *address;
} clrs__pass;

/* Completes *cut. Fails with CLRS_OVERFLOW, or CLRS_UNSUPPORTED if the required class cannot do it
 * or the words of no kernel have room for so many axes. */
clrs_status clrs__choose_cut(const clrs__pass *pass, const clrs__nest *elements, clrs__cut *cut,
                             clrs_error *error);

#endif
