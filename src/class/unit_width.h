/*
 * Units: the portions in which a kernel moves elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_UNIT_WIDTH_H
#define CLRS_CLASS_UNIT_WIDTH_H

#include "class.h"

/* Converts elements to the largest units that both sides are aligned to. Converts the nest, which
 * then counts from the start of the buffers, and the stack. `stack` is NULL if there is no stack,
 * or if another job of the plan converted the stack before. */
clrs_status clrs__job_choose_unit(const clrs_move *move, clrs__job *job, clrs_view *stack,
                                  clrs_error *error);
/* Joins as many units as move together into one unit. */
void clrs__job_widen_unit(clrs__job *job, clrs_view *stack);

#endif
