/*
 * A task of a sequence, and what it does with slots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/sequence.h"
#include "command.h"

/* A gather or a scatter, beside the views of the task. */
typedef struct clrs__task_indices {
  clrs_indices given; /* with the element below, and without tensors */
  uint8_t element[16];
  bool scatters, raises;
  uint32_t index_slot, flag_slot;
  clrs_view index, flag;
} clrs__task_indices;

/* A fill, or the move of what `from` shows, or of what `mapped` makes of that, by indices or not.
 */
typedef struct clrs__task {
  size_t number; /* of the caller's task, of which this is all or a part */
  size_t stage;
  uint32_t source, destination; /* slots; of a fill the same */
  bool fills;
  clrs__fill_value value;
  clrs_view from, to;
  const clrs_mapped *mapped;         /* the list's, or NULL; its views.source is not read */
  const clrs__task_indices *indices; /* the list's, or NULL */
} clrs__task;

/* What a task does with a slot. A flag is written by raising its bit, in any order. */
typedef struct clrs__task_touch {
  uint32_t slot;
  const clrs_view *view;
  const char *name;
  bool is_written, is_flag;
} clrs__task_touch;

enum { CLRS__TASK_TOUCHES = 4 };

/* How many there are. */
size_t clrs__task_touches(const clrs__task *task, clrs__task_touch touches[CLRS__TASK_TOUCHES]);

/* Do both touch an element, where one of them must come first? */
bool clrs__touches_meet(const clrs__task_touch *a, const clrs__task_touch *b);
bool clrs__tasks_meet(const clrs__task *a, const clrs__task *b);
