/*
 * A gather or scatter of mapped elements as loops over all operands and the indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pass.h"

/* Finds the loops and the digits of a place. `views` are in the kernel's order of operands, and the
 * indices are one more operand. A listed view has the dims of a named view, with the dims of the
 * indices in place of the axis. */
clrs_status clrs__mapped_find_named(const clrs__mapped_move *move, const clrs_view *views,
                                    uint32_t count, clrs__mapped_pass *pass, clrs_error *error);
