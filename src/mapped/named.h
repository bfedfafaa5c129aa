/*
 * A gather or scatter of mapped elements as loops over all operands and the indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pass.h"

/* Finds the loops, and the digits of a place, of views of the operands in the kernel's order; the
 * indices are one operand more. A listed view has the dims of a named one, but those of the indices
 * in place of the axis. */
clrs_status clrs__mapped_find_named(const clrs__mapped_move *move, const clrs_view *views,
                                    uint32_t count, clrs__mapped_pass *pass, clrs_error *error);
