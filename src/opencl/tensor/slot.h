/*
 * Slots: placeholders for bytes that are known only at an enqueue. A slot tensor has a mark in
 * place of a root buffer. A mark is never passed to OpenCL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "tensor.h"

enum { CLRS__MOST_SLOTS = 1024 };

/* How a slot begins: the index of an element within a byte, and the alignment of that byte. Only
 * packed types have an index over 0. An alignment of less than 16 has CLRS__ROOT_ALIGNED if the
 * root buffer is aligned to 16. */
typedef struct clrs__phase {
  uint8_t element;
  uint32_t alignment;
} clrs__phase;

enum { CLRS__WIDEST_PHASE = CLRS_VECTOR_BYTES }; /* largest alignment that plans use */

bool clrs__mark_is_slot(cl_mem mark, uint32_t *slot);

bool clrs__tensor_is_slot(const clrs_tensor *tensor);
/* The tensor must be a slot tensor. */
uint32_t clrs__tensor_slot(const clrs_tensor *tensor);
/* Returns true if the tensor shows a slot, or if the tensor's map reads a slot. */
bool clrs__tensor_has_slot(const clrs_tensor *tensor);

/* Moves the view to the first element of the slot, from the byte that holds the element. The
 * distance is less than a byte. */
void clrs__phase_shift(clrs__phase phase, clrs_view *view);

/* The tensor for slots with the given phases, one phase per slot. A tensor without slots is
 * returned itself, retained. NULL gives NULL. */
clrs_status clrs__tensor_at_phases(const clrs_tensor *tensor, const clrs__phase *phases,
                                   clrs_tensor **result, clrs_error *error);
