/*
 * The tasks of a sequence, checked, and in stages: a task comes after those in front of it that
 * write what it reads or writes, or read what it writes; those of one stage keep apart.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "task.h"

/* What tasks do with a slot. */
typedef struct clrs__slot_use {
  uint32_t bits; /* of an element; 0 if no task uses it */
  bool is_read, is_written;
  clrs_bounds bounds; /* of all the elements that tasks touch */
} clrs__slot_use;

typedef struct clrs__task_list {
  uint32_t slot_count;
  clrs__slot_use *slots;
  size_t given; /* tasks of the caller's */
  size_t count, capacity;
  clrs__task *tasks; /* by stages */
  size_t kept_count, kept_capacity;
  void **kept; /* what tasks point to */
} clrs__task_list;

/* Of zeros at first; to be destroyed after a failure, too. */
clrs_status clrs__task_list_make(const clrs_tasks *tasks, clrs__task_list *list, clrs_error *error);
void clrs__task_list_destroy(clrs__task_list *list);
