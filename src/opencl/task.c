/* SPDX-License-Identifier: Apache-2.0 */
#include "task.h"

#include "overlap.h"
#include "parts.h"
#include "view.h"

/* Of packed elements whole bytes are written, and where a byte begins depends on the advance: they
 * keep apart if no byte can hold elements of both. */
static bool packed_meet(const clrs_view *a, const clrs_view *b) {
  const clrs_bounds first = clrs__touched_bounds(a), second = clrs__touched_bounds(b);
  const int64_t per_byte = 8 / clrs_dtype_bits(a->dtype);
  return first.highest >= second.lowest - per_byte && second.highest >= first.lowest - per_byte;
}

static bool views_meet(const clrs_view *a, const clrs_view *b) {
  const clrs_operand first = {a, 0, 1}, second = {b, 0, 1};
  if (clrs__view_is_empty(a) || clrs__view_is_empty(b)) {
    return false;
  }
  return clrs_dtype_bits(a->dtype) < 8 ? packed_meet(a, b) : clrs_operands_overlap(&first, &second);
}

size_t clrs__task_touches(const clrs__task *task, clrs__task_touch touches[CLRS__TASK_TOUCHES]) {
  const clrs__task_indices *indices = task->indices;
  size_t count = 0;
  if (!task->fills) {
    touches[count++] = (clrs__task_touch){task->source, &task->from, "source", false, false};
  }
  if (indices != NULL) {
    touches[count++] =
        (clrs__task_touch){indices->index_slot, &indices->index, "indices", false, false};
  }
  touches[count++] = (clrs__task_touch){task->destination, &task->to, "destination", true, false};
  if (indices != NULL && indices->raises) {
    touches[count++] = (clrs__task_touch){indices->flag_slot, &indices->flag, "flag", true, true};
  }
  return count;
}

bool clrs__touches_meet(const clrs__task_touch *a, const clrs__task_touch *b) {
  return a->slot == b->slot && (a->is_written || b->is_written) && !(a->is_flag && b->is_flag) &&
         views_meet(a->view, b->view);
}

bool clrs__tasks_meet(const clrs__task *a, const clrs__task *b) {
  clrs__task_touch first[CLRS__TASK_TOUCHES], second[CLRS__TASK_TOUCHES];
  const size_t count = clrs__task_touches(a, first), other_count = clrs__task_touches(b, second);
  bool meet = false;
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < other_count && !meet; k++) {
      meet = clrs__touches_meet(&first[i], &second[k]);
    }
  }
  return meet;
}
