/*
 * Checks that the slots of a work do not overlap each other or other buffers of the work, at the
 * places of an enqueue. Slots whose bytes interleave are compared element by element, like the two
 * sides of a move.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "recording.h"

/* CLRS_OVERLAP if two slots share a byte and one of the two is written, or if the check exceeds its
 * limit of steps. The message names both slots. `order` holds the index of each slot and each other
 * buffer once, in the order that the last call left. */
clrs_status clrs__slots_check_apart(const clrs__task_list *list, const clrs__aim *aims,
                                    uint32_t *order, clrs_error *error);
