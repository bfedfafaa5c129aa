/*
 * Finds the tasks of a work that must wait for other tasks. All sides of all tasks are sorted by
 * buffer and first byte. Only pairs of sides whose ranges [begin, end) overlap are compared.
 * Destinations may interleave, as the columns of a matrix do, and then very many ranges overlap.
 * Two checks can tell such a pair apart. The first check takes positions modulo a common stride:
 * columns of one matrix have different residues. The second check solves the equation of a common
 * byte. The number of pairs, the number of equations and the steps of solving are limited. Beyond a
 * limit the later task waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "task_order.h"

#include <stdlib.h>

#include "array.h"
#include "checked.h"
#include "overlap.h"
#include "parts.h"
#include "slot.h"
#include "view.h"

enum { MOST_PAIRS = 4000000, MOST_SOLVED = 20000 };

#define MOST_STEPS (CLRS__MEETING_STEPS << 5)

#define NONE SIZE_MAX

/* One side of one task. */
struct side {
  clrs_operand operand;
  const void *buffer;
  size_t task;
  bool is_packed_slot; /* first byte depends on the advance */
  clrs__touch touch;
  clrs_footprint bytes;
  /* Each bit of the side has a remainder in [residue, residue + length) when divided by `modulus`.
   * A modulus of 0 means that no residue is known. */
  uint64_t modulus, residue, length;
  size_t next; /* next side in the list of sides that may still meet others, or NONE */
};

/* The later task waits for the earlier task. */
struct edge {
  size_t earlier, later;
};

struct sweep {
  size_t count, capacity;
  struct side *sides;
  size_t first_read, first_written; /* heads of the two lists */
  uint64_t pairs, solved;
  size_t edge_count, edge_capacity;
  struct edge *edges;
  int64_t budget; /* steps left for telling pairs apart, over all pairs */
};

/* ---- what a side is like ---- */

/* Computes how far the axes with smaller strides reach. Returns false if the reach is at least
 * `stride`, or if a larger stride is no multiple of `stride`. */
static bool reach_within(const clrs__walk *walk, uint64_t stride, uint64_t *reach) {
  *reach = 0;
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    const clrs_axis axis = walk->axes[i];
    const uint64_t step = clrs__magnitude(axis.stride);
    uint64_t span;
    if (step >= stride ? step % stride != 0
                       : __builtin_mul_overflow((uint64_t)axis.extent - 1, step, &span) ||
                             __builtin_add_overflow(*reach, span, reach)) {
      return false;
    }
  }
  return *reach < stride;
}

/* Returns the stride that leaves the largest gap, as a share of the stride, between repetitions. */
static uint64_t sparsest_stride(const clrs__walk *walk, uint64_t *reach) {
  uint64_t best = 0;
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    const uint64_t stride = clrs__magnitude(walk->axes[i].stride);
    uint64_t within;
    if (stride > 0 && reach_within(walk, stride, &within) &&
        (best == 0 ||
         (double)(within + 1) / (double)stride < (double)(*reach + 1) / (double)best)) {
      best = stride;
      *reach = within;
    }
  }
  return best;
}

static void find_residue(struct side *side, const clrs__walk *walk, int64_t lowest) {
  const uint64_t width = clrs_dtype_bits(side->operand.view->dtype);
  uint64_t reach = 0, length;
  const uint64_t stride = sparsest_stride(walk, &reach);
  side->modulus = 0;
  if (stride == 0 || __builtin_mul_overflow(stride, width, &side->modulus) ||
      __builtin_mul_overflow(reach + 1, width, &length) || side->modulus % 8 != 0) {
    side->modulus = 0;
    return;
  }
  /* Bit positions from the start of the buffer, rounded to whole bytes because a byte is written
   * whole. */
  const uint64_t first = side->operand.byte_offset * 8 + (uint64_t)lowest * width;
  const uint64_t begin = first / 8 * 8;
  side->residue = begin % side->modulus;
  side->length = (first + length - begin + 7) / 8 * 8;
}

/* Packed elements of a slot may share a byte with elements of the neighbouring byte. */
static void loosen(struct side *side) {
  side->is_packed_slot =
      clrs__tensor_is_slot(side->touch.tensor) && clrs_dtype_bits(side->operand.view->dtype) < 8;
  if (side->is_packed_slot) {
    side->modulus = 0;
    side->bytes.begin -= side->bytes.begin > 0;
    side->bytes.end++;
  }
}

static clrs_status add_side(struct sweep *sweep, const clrs__touch *touch, size_t task,
                            clrs_error *error) {
  struct side *grown =
      clrs__array_grow(sweep->sides, sweep->count, &sweep->capacity, sizeof *sweep->sides);
  CLRS_TRY_MEMORY(grown, error, "no memory to order the tasks");
  sweep->sides = grown;
  struct side *side = &grown[sweep->count];
  *side = (struct side){.operand = clrs__tensor_operand(touch->tensor),
                        .buffer = touch->tensor->common->buffer.root,
                        .task = task,
                        .touch = *touch};
  const clrs_view *view = side->operand.view;
  if (clrs__view_is_empty(view)) {
    return CLRS_OK;
  }
  const clrs__part all = clrs__part_whole(view);
  clrs__walk walk;
  (void)clrs__part_walk(view, &all, &walk); /* the whole view, for a stack perhaps more */
  const clrs_bounds bounds = clrs__walk_bounds(&walk);
  CLRS_TRY(clrs__bounds_footprint(&side->operand, &bounds, touch->name, &side->bytes, error));
  find_residue(side, &walk, bounds.lowest);
  loosen(side);
  sweep->count++;
  return CLRS_OK;
}

static int compare_sides(const void *one, const void *other) {
  const struct side *a = one, *b = other;
  if (a->buffer != b->buffer) {
    return (uintptr_t)a->buffer < (uintptr_t)b->buffer ? -1 : 1;
  }
  return (a->bytes.begin > b->bytes.begin) - (a->bytes.begin < b->bytes.begin);
}

/* ---- pairs ---- */

static bool residues_apart(const struct side *a, const struct side *b) {
  if (a->modulus == 0 || a->modulus != b->modulus) {
    return false;
  }
  const uint64_t distance = (b->residue + a->modulus - a->residue) % a->modulus;
  return distance >= a->length && a->modulus - distance >= b->length;
}

/* Drops edges beyond the limit. set_stages() then makes each task wait for the task before. */
static clrs_status add_edge(struct sweep *sweep, size_t one, size_t other, clrs_error *error) {
  if (sweep->edge_count == MOST_PAIRS) {
    return CLRS_OK;
  }
  struct edge *grown =
      clrs__array_grow(sweep->edges, sweep->edge_count, &sweep->edge_capacity, sizeof *grown);
  CLRS_TRY_MEMORY(grown, error, "no memory to order the tasks");
  sweep->edges = grown;
  grown[sweep->edge_count++] = one < other ? (struct edge){one, other} : (struct edge){other, one};
  return CLRS_OK;
}

/* Checks within the limits. Beyond a limit the pair counts as overlapping. */
static bool are_apart(struct sweep *sweep, const struct side *a, const struct side *b) {
  if (++sweep->pairs > MOST_PAIRS || a->is_packed_slot) {
    return false;
  }
  if (residues_apart(a, b)) {
    return true;
  }
  if (++sweep->solved > MOST_SOLVED) {
    return false;
  }
  int64_t budget = sweep->budget < CLRS__MEETING_STEPS ? sweep->budget : CLRS__MEETING_STEPS;
  sweep->budget -= budget;
  const clrs__meeting meeting = clrs__operands_meet(&a->operand, &b->operand, &budget);
  sweep->budget += budget;
  return meeting == CLRS__APART;
}

static clrs_status check_pair(struct sweep *sweep, const struct side *a, const struct side *b,
                              clrs_error *error) {
  if (a->task == b->task || (a->touch.is_flag && b->touch.is_flag) || are_apart(sweep, a, b)) {
    return CLRS_OK;
  }
  return add_edge(sweep, a->task, b->task, error);
}

/* Compares the side with the listed sides that reach its first byte. Removes the other sides from
 * the list. */
static clrs_status check_list(struct sweep *sweep, size_t *list, const struct side *next,
                              clrs_error *error) {
  while (*list != NONE) {
    struct side *earlier = &sweep->sides[*list];
    if (earlier->bytes.end <= next->bytes.begin) {
      *list = earlier->next;
      continue;
    }
    CLRS_TRY(check_pair(sweep, earlier, next, error));
    list = &earlier->next;
  }
  return CLRS_OK;
}

/* Returns true if the side is the flag that was added last. A flag that many moves share is listed
 * once. */
static bool is_shared_flag(const struct sweep *sweep, size_t last, const struct side *next) {
  return last != NONE && next->touch.is_flag && sweep->sides[last].touch.is_flag &&
         sweep->sides[last].bytes.begin == next->bytes.begin;
}

static clrs_status check_all(struct sweep *sweep, clrs_error *error) {
  sweep->first_read = sweep->first_written = NONE;
  for (size_t i = 0; i < sweep->count; i++) {
    struct side *next = &sweep->sides[i];
    if (i > 0 && next->buffer != next[-1].buffer) {
      sweep->first_read = sweep->first_written = NONE;
    }
    CLRS_TRY(check_list(sweep, &sweep->first_written, next, error));
    if (next->touch.is_written) {
      CLRS_TRY(check_list(sweep, &sweep->first_read, next, error));
    }
    size_t *list = next->touch.is_written ? &sweep->first_written : &sweep->first_read;
    if (!is_shared_flag(sweep, *list, next)) {
      next->next = *list;
      *list = i;
    }
  }
  return CLRS_OK;
}

static clrs_status add_all(struct sweep *sweep, const clrs__task_list *list, clrs_error *error) {
  for (size_t i = 0; i < list->count; i++) {
    const clrs__touches all = clrs__tensor_move_touches(&list->tasks[i].move);
    for (size_t k = 0; k < all.count; k++) {
      CLRS_TRY(add_side(sweep, &all.list[k], i, error));
    }
  }
  return CLRS_OK;
}

/* ---- stages ---- */

static int compare_edges(const void *one, const void *other) {
  const struct edge *a = one, *b = other;
  return (a->later > b->later) - (a->later < b->later);
}

static int compare_tasks(const void *one, const void *other) {
  const clrs__task *a = one, *b = other;
  return a->stage != b->stage ? (a->stage > b->stage) - (a->stage < b->stage)
                              : (a->number > b->number) - (a->number < b->number);
}

/* The stage of a task is one more than the last stage that the task waits for. Edges are sorted by
 * the later task, so an edge comes after all edges that lead to its earlier task. */
static void set_stages(struct sweep *sweep, clrs__task_list *list) {
  const bool gave_up = sweep->edge_count == MOST_PAIRS;
  for (size_t i = 0; i < list->count; i++) {
    list->tasks[i].stage = gave_up ? i : 0;
  }
  if (gave_up) {
    return;
  }
  if (sweep->edge_count > 0) {
    qsort(sweep->edges, sweep->edge_count, sizeof *sweep->edges, compare_edges);
  }
  for (size_t i = 0; i < sweep->edge_count; i++) {
    const size_t after = list->tasks[sweep->edges[i].earlier].stage + 1;
    size_t *stage = &list->tasks[sweep->edges[i].later].stage;
    *stage = after > *stage ? after : *stage;
  }
  if (sweep->edge_count > 0) {
    qsort(list->tasks, list->count, sizeof *list->tasks, compare_tasks);
  }
}

clrs_status clrs__task_list_order(clrs__task_list *list, clrs_error *error) {
  struct sweep sweep = {.budget = MOST_STEPS};
  clrs_status status = list->count > 1 ? add_all(&sweep, list, error) : CLRS_OK;
  if (status == CLRS_OK && sweep.count > 0) {
    qsort(sweep.sides, sweep.count, sizeof *sweep.sides, compare_sides);
    status = check_all(&sweep, error);
  }
  if (status == CLRS_OK) {
    set_stages(&sweep, list);
  }
  free(sweep.sides);
  free(sweep.edges);
  return status;
}
