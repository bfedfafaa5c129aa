/* SPDX-License-Identifier: Apache-2.0 */
#include "slot.h"

#include <stdlib.h>

#include "checked.h"
#include "view.h"

/* ---- marks ---- */

static const char marks[CLRS__MOST_SLOTS];

static cl_mem mark_of(uint32_t slot) {
  return (cl_mem)(uintptr_t)&marks[slot];
}

bool clrs__mark_is_slot(cl_mem mark, uint32_t *slot) {
  const uintptr_t at = (uintptr_t)mark - (uintptr_t)marks;
  *slot = (uint32_t)at;
  return at < CLRS__MOST_SLOTS;
}

bool clrs__tensor_is_slot(const clrs_tensor *tensor) {
  uint32_t slot;
  return clrs__mark_is_slot(tensor->common->buffer.root, &slot);
}

uint32_t clrs__tensor_slot(const clrs_tensor *tensor) {
  uint32_t slot;
  (void)clrs__mark_is_slot(tensor->common->buffer.root, &slot);
  return slot;
}

bool clrs__tensor_has_slot(const clrs_tensor *tensor) {
  const clrs__mapping *mapping = tensor->common->mapping;
  return clrs__tensor_is_slot(mapping != NULL ? mapping->source : tensor);
}

/* ---- slot tensors ---- */

/* The buffer of a slot. It reaches as far behind the slot's beginning as each bit can have a
 * number. The real size is known only when a work is enqueued. */
static clrs__buffer buffer_of(uint32_t slot, uint32_t alignment) {
  return (clrs__buffer){.root = mark_of(slot),
                        .end = (uint64_t)1 << 59,
                        .alignment = alignment,
                        .readable = true,
                        .writable = true};
}

clrs_status clrs_tensor_slot(clrs_context *context, uint32_t slot, const clrs_layout *layout,
                             clrs_tensor **tensor, clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(layout, "layout", error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  if (slot >= CLRS__MOST_SLOTS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "slot %u is over the limit of %d slots", slot,
                      CLRS__MOST_SLOTS);
  }
  CLRS_TRY(clrs_view_from_layout(layout, &view, error));
  if (view.dtype == CLRS_STRING) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the elements of slot %u are strings, whose characters a slot does not know",
                      slot);
  }
  const clrs__buffer buffer = buffer_of(slot, CLRS__WIDEST_PHASE);
  return clrs__tensor_of_buffer(context, &buffer, &view, tensor, error);
}

/* ---- other phases ---- */

/* The check of a slot tensor has left room behind every view. */
void clrs__phase_shift(clrs__phase phase, clrs_view *view) {
  if (view->depth > 0) {
    view->levels[0].offset = clrs__exact_multiply_add(view->levels[0].offset, 1, phase.element);
  }
}

static clrs_status stored_at_phase(const clrs_tensor *tensor, clrs__phase phase,
                                   clrs_tensor **result, clrs_error *error) {
  const clrs__buffer buffer = buffer_of(clrs__tensor_slot(tensor), phase.alignment);
  clrs_view view;
  clrs__view_copy(&view, &tensor->view);
  clrs__phase_shift(phase, &view);
  return clrs__tensor_of_buffer(tensor->common->context, &buffer, &view, result, error);
}

/* Moves the parameters that are elements of the source, as in colours, to the source at the phase.
 * No other parameter may be a slot. */
static void move_shared_views(clrs__mapping *moved, clrs__phase phase, clrs_tensor *source) {
  clrs_map_views *views = &moved->mapped.views;
  uint32_t shared = 0; /* a bit for each view */
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    if (moved->tensors[i] == moved->source) {
      moved->tensors[i] = source;
      shared |= 1u << views->of_step[i];
    }
  }
  for (uint32_t i = 0; i < views->count; i++) {
    if ((shared >> i & 1) != 0) {
      clrs__phase_shift(phase, &views->views[i]);
    }
  }
}

/* A resized picture's elements are numbers, and only the picture moves. */
static void move_source(clrs__mapping *moved, clrs__phase phase) {
  clrs_resample *picture = &moved->mapped.views.resample;
  if (picture->by == CLRS_RESAMPLE_NONE) {
    clrs__phase_shift(phase, &moved->mapped.views.source);
  } else {
    picture->offset = clrs__exact_multiply_add(picture->offset, 1, phase.element);
  }
}

static clrs_status mapped_at_phase(const clrs_tensor *tensor, clrs__phase phase,
                                   clrs_tensor **result, clrs_error *error) {
  clrs__mapping *moved = malloc(sizeof *moved);
  CLRS_TRY_MEMORY(moved, error, "no memory for a map");
  *moved = *tensor->common->mapping;
  clrs_tensor *source = NULL;
  move_source(moved, phase);
  clrs_status status = stored_at_phase(moved->source, phase, &source, error);
  if (status == CLRS_OK) {
    move_shared_views(moved, phase, source);
  }
  moved->source = source;
  if (status == CLRS_OK) {
    status = clrs__tensor_of_mapping(moved, &tensor->view, result, error);
  }
  if (status != CLRS_OK) {
    free(moved);
  }
  clrs_tensor_release(source); /* the mapped tensor has its own reference */
  return status;
}

clrs_status clrs__tensor_at_phases(const clrs_tensor *tensor, const clrs__phase *phases,
                                   clrs_tensor **result, clrs_error *error) {
  const clrs__mapping *mapping = tensor != NULL ? tensor->common->mapping : NULL;
  const clrs_tensor *stored = mapping != NULL ? mapping->source : tensor;
  if (stored == NULL || !clrs__tensor_is_slot(stored)) {
    *result = (clrs_tensor *)(uintptr_t)tensor;
    clrs_tensor_retain(*result);
    return CLRS_OK;
  }
  const clrs__phase phase = phases[clrs__tensor_slot(stored)];
  return (mapping != NULL ? mapped_at_phase : stored_at_phase)(tensor, phase, result, error);
}
