/* SPDX-License-Identifier: Apache-2.0 */
#include "slot_overlap.h"

#include <inttypes.h>
#include <stdio.h>

#include "overlap.h"
#include "view.h"

/* Most steps for telling slots apart in one enqueue. A batch has the same limit. */
#define MOST_STEPS (CLRS__MEETING_STEPS << 5)

typedef struct slots {
  const clrs__task_list *list;
  const clrs__aim *aims;
  uint32_t *order; /* indices of `aims`, by root and first byte */
  uint32_t count;  /* number of slots and other buffers */
  int64_t budget;  /* steps left */
} slots;

/* ---- by elements ---- */

/* The view at the place of its slot, in bytes from `origin`. */
static clrs_operand place(const clrs_tensor *tensor, const clrs__aim *aim, int64_t origin,
                          clrs_view *placed) {
  const clrs_operand operand = clrs__tensor_operand(tensor);
  clrs__view_copy(placed, operand.view);
  clrs__phase_shift(aim->phase, placed);
  return (clrs_operand){placed, operand.byte_offset + (uint64_t)(aim->base - origin), 1};
}

/* Only the distance of the two aims matters. An aim's base may lie before the root. */
static bool views_meet(slots *at, const clrs_tensor *one, const clrs_tensor *other) {
  const clrs__aim *first = &at->aims[clrs__task_list_place(at->list, one)];
  const clrs__aim *second = &at->aims[clrs__task_list_place(at->list, other)];
  const int64_t origin = first->base < second->base ? first->base : second->base;
  clrs_view placed_first, placed_second;
  clrs_footprint a_bytes, b_bytes;
  const clrs_operand a = place(one, first, origin < 0 ? origin : 0, &placed_first);
  const clrs_operand b = place(other, second, origin < 0 ? origin : 0, &placed_second);
  if (at->budget < 0 || clrs__operand_footprint(&a, "slot", &a_bytes, NULL) != CLRS_OK ||
      clrs__operand_footprint(&b, "slot", &b_bytes, NULL) != CLRS_OK) {
    return true;
  }
  const int64_t given = at->budget < CLRS__MEETING_STEPS ? at->budget : CLRS__MEETING_STEPS;
  int64_t left = given;
  const clrs__meeting meeting = clrs__operands_meet(&a, &b, &left);
  at->budget -= given - left;
  return meeting != CLRS__APART;
}

/* Returns true if the touch has elements and belongs to the slot or buffer with that number. */
static bool is_in(const slots *at, const clrs__touch *touch, size_t place_number) {
  return !clrs__view_is_empty(&touch->tensor->view) &&
         clrs__task_list_place(at->list, touch->tensor) == place_number;
}

static bool meets_slot(slots *at, const clrs__touch *touch, uint32_t slot) {
  for (size_t i = 0; i < at->list->count; i++) {
    const clrs__touches all = clrs__tensor_move_touches(&at->list->tasks[i].move);
    for (size_t k = 0; k < all.count; k++) {
      const clrs__touch *other = &all.list[k];
      if (is_in(at, other, slot) && (other->is_written || touch->is_written) &&
          views_meet(at, touch->tensor, other->tensor)) {
        return true;
      }
    }
  }
  return false;
}

static bool slots_meet(slots *at, uint32_t slot, uint32_t other) {
  for (size_t i = 0; i < at->list->count; i++) {
    const clrs__touches all = clrs__tensor_move_touches(&at->list->tasks[i].move);
    for (size_t k = 0; k < all.count; k++) {
      if (is_in(at, &all.list[k], slot) && meets_slot(at, &all.list[k], other)) {
        return true;
      }
    }
  }
  return false;
}

/* ---- by first and last bytes ---- */

static bool is_before(const clrs__aim *a, const clrs__aim *b) {
  return a->root != b->root ? (uintptr_t)a->root < (uintptr_t)b->root : a->begin < b->begin;
}

/* Insertion sort, because the order nearly always stays the same from call to call. */
static void sort_slots(const slots *at) {
  uint32_t *order = at->order;
  for (uint32_t i = 1; i < at->count; i++) {
    const uint32_t slot = order[i];
    uint32_t to = i;
    for (; to > 0 && is_before(&at->aims[slot], &at->aims[order[to - 1]]); to--) {
      order[to] = order[to - 1];
    }
    order[to] = slot;
  }
}

/* The slots so far with the greatest end: among all slots, and among written slots. */
typedef struct reach {
  const clrs__aim *all, *written;
} reach;

static bool reaches(const clrs__aim *from, const clrs__aim *to) {
  return from != NULL && from->root == to->root && from->end > to->begin;
}

static void extend(const clrs__aim **furthest, const clrs__aim *aim) {
  if (*furthest == NULL || (*furthest)->root != aim->root || (*furthest)->end < aim->end) {
    *furthest = aim;
  }
}

static bool is_written(const slots *at, uint32_t number) {
  const clrs__task_list *list = at->list;
  return number < list->slot_count ? list->slots[number].is_written
                                   : list->buffers[number - list->slot_count].is_written;
}

static clrs_status fail_pair(const slots *at, uint32_t slot, uint32_t other, clrs_error *error) {
  const uint32_t first = other < slot ? other : slot, second = other < slot ? slot : other;
  char who[64];
  snprintf(who, sizeof who,
           second < at->list->slot_count ? "slots %u and %u" : "slot %u and a tensor of the work",
           first, second);
  return clrs__fail(error, CLRS_OVERLAP,
                    "%s share a byte of one buffer, at or behind byte %" PRIu64
                    ", and one of them is written; what meets is one slot",
                    who, at->aims[slot].begin);
}

/* Checks the slot at that place of the order against all earlier slots that reach the slot's first
 * byte. Two buffers that are no slots have been checked before. */
static clrs_status check_before(slots *at, uint32_t place_in_order, clrs_error *error) {
  const uint32_t slot = at->order[place_in_order], slot_count = at->list->slot_count;
  for (uint32_t i = 0; i < place_in_order; i++) {
    const uint32_t other = at->order[i];
    if ((slot < slot_count || other < slot_count) &&
        (is_written(at, slot) || is_written(at, other)) &&
        reaches(&at->aims[other], &at->aims[slot]) && slots_meet(at, slot, other)) {
      return fail_pair(at, slot, other, error);
    }
  }
  return CLRS_OK;
}

clrs_status clrs__slots_check_apart(const clrs__task_list *list, const clrs__aim *aims,
                                    uint32_t *order, clrs_error *error) {
  slots at = {list, aims, order, list->slot_count + (uint32_t)list->buffer_count, MOST_STEPS};
  reach so_far = {NULL, NULL};
  sort_slots(&at);
  for (uint32_t i = 0; i < at.count; i++) {
    const clrs__aim *aim = &aims[order[i]];
    if (aim->root == NULL) {
      continue;
    }
    const bool writes = is_written(&at, order[i]);
    if (reaches(writes ? so_far.all : so_far.written, aim)) {
      CLRS_TRY(check_before(&at, i, error));
    }
    extend(&so_far.all, aim);
    if (writes) {
      extend(&so_far.written, aim);
    }
  }
  return CLRS_OK;
}
