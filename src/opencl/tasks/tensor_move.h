/*
 * One pass between tensors of the caller's: a move, a gather or a scatter, of a mapped source or
 * not. All that enqueue such a pass, keep it or warm it up ask here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "command.h"
#include "tensor.h"

typedef struct clrs__tensor_move {
  clrs_context *context;
  const clrs_tensor *source, *destination;
  const clrs_indices *gather, *scatter; /* at most one of them; else a move */
  bool takes_slots;                     /* of a work, or a plan */
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
