/*
 * Finds where an enqueue places a slot. Queries the slot's buffer, and computes the bytes that
 * tasks touch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "recording.h"

/* Computes the aim of a slot from the tasks' use of the slot. CLRS_OUT_OF_BOUNDS if the tasks would
 * leave the slot's bytes. */
clrs_status clrs__slot_aim(const clrs_context *context, const clrs__slot_use *use, uint32_t slot,
                           const clrs_slot *given, clrs__aim *aim, clrs_error *error);
