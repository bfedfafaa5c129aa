/*
 * Do the slots of a work keep apart, from each other and from other buffers of the work, where an
 * enqueue aims them? Slots whose bytes interleave are compared element by element, as the two sides
 * of a move are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "recording.h"

/* CLRS_OVERLAP names two slots that share a byte, of which one is written, or that cannot be told
 * apart in bounded work. `order` has each slot, and each buffer behind them, once, as the last call
 * left it. */
clrs_status clrs__slots_check_apart(const clrs__task_list *list, const clrs__aim *aims,
                                    uint32_t *order, clrs_error *error);
