/*
 * One pass between tensors: a move, a gather, a scatter or a fill. The source may be a mapped
 * tensor. All calls that plan, enqueue, keep or warm up such a pass use these functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"
#include "indexed_pass.h"
#include "tensor.h"

typedef struct clrs__tensor_move {
  clrs_context *context;
  const clrs_tensor *source, *destination; /* without a source the destination is filled */
  const clrs_indices *indices;             /* set for a gather or scatter, or NULL */
  bool scatters;
  bool takes_slots; /* true for a work or a plan */
} clrs__tensor_move;

/* Checks that the tensors exist and belong to the context. Tensors that must have bytes are checked
 * for bytes. */
clrs_status clrs__tensor_move_check(const clrs__tensor_move *of, clrs_error *error);

/* The use of a tensor with bytes by a pass. */
typedef struct clrs__touch {
  const clrs_tensor *tensor;
  const char *name;
  bool is_written;
  bool is_flag; /* written by setting a bit, which other moves may set at the same time */
} clrs__touch;

enum { CLRS__MOST_TOUCHES = 4 + CLRS_MAPPED_STEPS };

typedef struct clrs__touches {
  size_t count;
  clrs__touch list[CLRS__MOST_TOUCHES];
} clrs__touches;

/* Lists the tensors that a checked move touches. Without a source the destination is filled. */
clrs__touches clrs__tensor_move_touches(const clrs__tensor_move *of);

/* Checks and plans the move. */
clrs_status clrs__tensor_move_plan(const clrs__tensor_move *of, clrs_plan *plan, clrs_error *error);
clrs_plan_buffers clrs__tensor_move_buffers(const clrs__tensor_move *of);
clrs_status clrs__tensor_move_enqueue(const clrs__tensor_move *of, const clrs__tail *tail,
                                      clrs_error *error);

/* ---- any part, without the checks of tensors ---- */

/* Plans the move of the tensor's elements, in the view move->source.view. If `indices` is not NULL
 * the move is a gather or a scatter. The destination is the move's, or a new dense buffer if the
 * move has no destination view. For a mapped tensor the view numbers the elements, and the other
 * fields of move->source are not read. */
clrs_status clrs__plan_pass(const clrs_tensor *source, const clrs_move *move,
                            const clrs__indexed_move *indices, clrs_plan *plan, clrs_error *error);

/* The buffers of a plan from `source`, which may be NULL, to `destination`. For a mapped source the
 * buffers are the buffers that the map reads. */
clrs_plan_buffers clrs__plan_buffers_of(const clrs_tensor *source, const clrs_tensor *destination);

/* Plans the move of a source into a part of a destination. Without a source the part is filled. The
 * tensors must belong to the context and share no byte, and the part must lie inside the
 * destination. */
clrs_status clrs__plan_into(const clrs_tensor *source, const clrs_tensor *destination,
                            const clrs_view *part, clrs_plan *plan, clrs_error *error);
