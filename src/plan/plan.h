/*
 * Planning: which outcome, and for a pass the cuts that carry it out. A pass goes
 * move -> nests of elements -> jobs in units -> the best cut of each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PLAN_PLAN_H
#define CLRS_PLAN_PLAN_H

#include "class.h"

/* What a plan keeps for the library. */
typedef struct clrs__plan_data {
  bool in_order;   /* packed elements: the launches share bytes, so one follows the other */
  clrs__nest nest; /* CLRS_OUTCOME_AFFINE: of the first launch, in elements from byte_offset */
  clrs_view stack; /* CLRS_OUTCOME_COMPOSED: the source's levels, in units of the launches */
  clrs__cut cuts[CLRS_MAX_LAUNCHES]; /* one for each launch */
} clrs__plan_data;
_Static_assert(sizeof(clrs__plan_data) <= CLRS_PLAN_PRIVATE_BYTES, "a plan has room for it");

static inline clrs__plan_data *clrs__plan_data_of(clrs_plan *plan) {
  return (clrs__plan_data *)(void *)plan->private_.bytes;
}

static inline const clrs__plan_data *clrs__plan_data_in(const clrs_plan *plan) {
  return (const clrs__plan_data *)(const void *)plan->private_.bytes;
}

/* Of a plan that was made: copies what has a value. */
void clrs__plan_copy(clrs_plan *to, const clrs_plan *from);

/* CLRS_INVALID_ARGUMENT naming the first field that no device can have. */
clrs_status clrs__limits_check(const clrs_device_limits *limits, clrs_error *error);

#endif
