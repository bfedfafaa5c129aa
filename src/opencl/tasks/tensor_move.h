/*
 * One pass between tensors: a move, a gather or a scatter, of a mapped source or not, or a fill.
 * All that plan such a pass, enqueue it, keep it or warm it up ask here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"
#include "indexed_pass.h"
#include "tensor.h"

typedef struct clrs__tensor_move {
  clrs_context *context;
  const clrs_tensor *source, *destination; /* no source: the destination is filled */
  const clrs_indices *indices;             /* of a gather or scatter; else NULL */
  bool scatters;
  bool takes_slots; /* of a work, or a plan */
} clrs__tensor_move;

/* The tensors are there, of the context, and those with bytes that must have some. */
clrs_status clrs__tensor_move_check(const clrs__tensor_move *of, clrs_error *error);

/* What a pass does with a tensor with bytes. */
typedef struct clrs__touch {
  const clrs_tensor *tensor;
  const char *name;
  bool is_written;
  bool is_flag; /* written by raising a bit, which other moves may raise at once */
} clrs__touch;

enum { CLRS__MOST_TOUCHES = 4 + CLRS_MAPPED_STEPS };

typedef struct clrs__touches {
  size_t count;
  clrs__touch list[CLRS__MOST_TOUCHES];
} clrs__touches;

/* Of a move that was checked. Without a source the destination is filled. */
clrs__touches clrs__tensor_move_touches(const clrs__tensor_move *of);

/* Checks the move, too. */
clrs_status clrs__tensor_move_plan(const clrs__tensor_move *of, clrs_plan *plan, clrs_error *error);
clrs_plan_buffers clrs__tensor_move_buffers(const clrs__tensor_move *of);
clrs_status clrs__tensor_move_enqueue(const clrs__tensor_move *of, const clrs__tail *tail,
                                      clrs_error *error);

/* ---- any part, without the checks of tensors ---- */

/* Plans the move of a tensor's elements as move->source.view shows them, by indices if these are
 * not NULL, into the destination of the move or, if that has no view, into a new dense buffer. Of a
 * mapped tensor the view numbers the elements, and the rest is not read. */
clrs_status clrs__plan_pass(const clrs_tensor *source, const clrs_move *move,
                            const clrs__indexed_move *indices, clrs_plan *plan, clrs_error *error);

/* The buffers of a plan from one tensor, or none, to another. A mapped source has the buffers that
 * the map reads. */
clrs_plan_buffers clrs__plan_buffers_of(const clrs_tensor *source, const clrs_tensor *destination);

/* Plans the move of a source into a part of a destination, or the fill of the part without a
 * source. They are the context's tensors and share no byte; the part lies inside the destination.
 */
clrs_status clrs__plan_into(const clrs_tensor *source, const clrs_tensor *destination,
                            const clrs_view *part, clrs_plan *plan, clrs_error *error);
