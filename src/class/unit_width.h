/*
 * Units: what a kernel moves at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_UNIT_WIDTH_H
#define CLRS_CLASS_UNIT_WIDTH_H

#include "class.h"

/* From elements to units of the largest size that both sides are aligned to: the nest, which then
 * counts from the start of the buffers, and the stack. That is NULL if there is none, or if it has
 * been put into units before, for another job of the plan. */
clrs_status clrs__job_choose_unit(const clrs_move *move, clrs__job *job, clrs_view *stack,
                                  clrs_error *error);
/* Makes units of several, as many as move as one. */
void clrs__job_widen_unit(clrs__job *job, clrs_view *stack);

#endif
