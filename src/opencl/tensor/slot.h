/*
 * Slots: what stands for bytes that are not known before an enqueue. A slot tensor has a mark in
 * place of its root buffer. No OpenCL call is given a mark.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "tensor.h"

enum { CLRS__MOST_SLOTS = 1024 };

/* How a slot begins: at an element within a byte, which is not 0 for packed types alone, and at a
 * byte of this alignment. */
typedef struct clrs__phase {
  uint8_t element, alignment;
} clrs__phase;

enum { CLRS__WIDEST_PHASE = CLRS_VECTOR_BYTES }; /* no plan makes more of an alignment */

bool clrs__mark_is_slot(cl_mem mark, uint32_t *slot);

bool clrs__tensor_is_slot(const clrs_tensor *tensor);
/* Of a slot tensor. */
uint32_t clrs__tensor_slot(const clrs_tensor *tensor);
/* Does the tensor show a slot, or is one read through its map? */
bool clrs__tensor_has_slot(const clrs_tensor *tensor);

/* The view from the slot's byte on, by as many elements as the slot begins behind that byte: they
 * are less than a byte. */
void clrs__phase_shift(clrs__phase phase, clrs_view *view);

/* The tensor for slots that begin so, each slot with its own phase: itself, retained, if it shows
 * no slot. NULL stays NULL. */
clrs_status clrs__tensor_at_phases(const clrs_tensor *tensor, const clrs__phase *phases,
                                   clrs_tensor **result, clrs_error *error);
