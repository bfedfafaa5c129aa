/*
 * Where an enqueue has a slot: its buffer, which is asked about, and the bytes that tasks touch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "recording.h"

/* The aim of a slot that tasks use so. CLRS_OUT_OF_BOUNDS if they would leave its bytes. */
clrs_status clrs__slot_aim(const clrs_context *context, const clrs__slot_use *use, uint32_t slot,
                           const clrs_slot *given, clrs__aim *aim, clrs_error *error);
