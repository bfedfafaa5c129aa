/*
 * All sides of all moves are sorted by buffer and first byte. Of those only the pairs are compared
 * whose bytes [begin, end) meet. Destinations may interleave, as the columns of a matrix do, and
 * then very many pairs meet. Two checks tell such a pair apart. The first takes positions modulo a
 * common stride: columns of one matrix have different residues. The second, for what is left,
 * solves the equation of a common byte. Each check has a budget, and so have the steps of solving;
 * over it the batch is refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "batch_overlap.h"

#include <stdlib.h>

#include "array.h"
#include "checked.h"
#include "overlap.h"
#include "parts.h"

enum { MOST_PAIRS = 4000000, MOST_SOLVED = 20000 };

#define MOST_STEPS (CLRS__MEETING_STEPS << 5)

#define NONE SIZE_MAX

/* One side of one move. */
struct side {
  clrs_operand operand;
  const void *buffer;
  size_t move;
  clrs__touch touch;
  clrs_footprint bytes;
  /* Every bit of it leaves a rest in [residue, residue + length) when divided by modulus; unknown
   * if that is 0. */
  uint64_t modulus, residue, length;
  size_t next; /* in its list of those that may still meet others, or NONE */
};

struct sweep {
  size_t count, capacity;
  struct side *sides;
  size_t first_read, first_written; /* of the lists */
  uint64_t pairs, solved;
  int64_t budget; /* of steps that telling pairs apart may still take, together */
};

/* ---- what a side is like ---- */

/* How far the axes with smaller strides than this reach; false if they reach a next step of it, or
 * if a larger stride is no multiple. */
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

/* The stride that leaves most room between what repeats along it. */
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
  /* In bits from the start of the buffer, and then whole bytes: a byte is written whole. */
  const uint64_t first = side->operand.byte_offset * 8 + (uint64_t)lowest * width;
  const uint64_t begin = first / 8 * 8;
  side->residue = begin % side->modulus;
  side->length = (first + length - begin + 7) / 8 * 8;
}

static clrs_status add_side(struct sweep *sweep, const clrs__touch *touch, size_t move,
                            clrs_error *error) {
  struct side *grown =
      clrs__array_grow(sweep->sides, sweep->count, &sweep->capacity, sizeof *sweep->sides);
  CLRS_TRY_MEMORY(grown, error, "no memory to compare the moves");
  sweep->sides = grown;
  struct side *side = &grown[sweep->count];
  *side = (struct side){.operand = clrs__tensor_operand(touch->tensor),
                        .buffer = clrs__tensor_buffer(touch->tensor)->root,
                        .move = move,
                        .touch = *touch};
  const clrs_view *view = side->operand.view;
  if (clrs__view_is_empty(view)) {
    return CLRS_OK;
  }
  const clrs__part all = clrs__part_whole(view);
  clrs__walk walk;
  (void)clrs__part_walk(view, &all, &walk); /* all of it, and of a stack perhaps more */
  const clrs_bounds bounds = clrs__walk_bounds(&walk);
  CLRS_TRY(clrs__bounds_footprint(&side->operand, &bounds, touch->name, &side->bytes, error));
  find_residue(side, &walk, bounds.lowest);
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

static clrs_status fail_pair(const struct side *a, const struct side *b, bool is_certain,
                             clrs_error *error) {
  return clrs__fail(error, CLRS_OVERLAP,
                    "the %s of move %zu and the %s of move %zu %s bytes of one buffer; the moves "
                    "of a batch run in any order%s",
                    a->touch.name, a->move, b->touch.name, b->move,
                    is_certain ? "share" : "may share",
                    is_certain ? "" : ", and too many of these meet to compare them all");
}

static clrs_status check_pair(struct sweep *sweep, const struct side *a, const struct side *b,
                              clrs_error *error) {
  if (a->move == b->move || (a->touch.is_flag && b->touch.is_flag)) {
    return CLRS_OK;
  }
  if (++sweep->pairs > MOST_PAIRS) {
    return fail_pair(a, b, false, error);
  }
  if (residues_apart(a, b)) {
    return CLRS_OK;
  }
  if (++sweep->solved > MOST_SOLVED) {
    return fail_pair(a, b, false, error);
  }
  int64_t budget = sweep->budget < CLRS__MEETING_STEPS ? sweep->budget : CLRS__MEETING_STEPS;
  sweep->budget -= budget;
  const clrs__meeting meeting = clrs__operands_meet(&a->operand, &b->operand, &budget);
  sweep->budget += budget;
  return meeting == CLRS__APART ? CLRS_OK : fail_pair(a, b, meeting == CLRS__MEET, error);
}

/* Compares with those of a list that reach this far, and forgets the others. */
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

/* Is it the flag that was added last? A flag of many moves is in the list once. */
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

static clrs_status add_all(struct sweep *sweep, clrs_context *context,
                           const clrs_batch_moves *moves, clrs_error *error) {
  for (size_t i = 0; i < moves->count; i++) {
    const clrs__tensor_move move = clrs__tensor_move_of(context, moves, i);
    const clrs__touches all = clrs__tensor_move_touches(&move);
    for (size_t k = 0; k < all.count; k++) {
      CLRS_TRY(add_side(sweep, &all.list[k], i, error));
    }
  }
  return CLRS_OK;
}

clrs_status clrs__moves_check_apart(clrs_context *context, const clrs_batch_moves *moves,
                                    clrs_error *error) {
  struct sweep sweep = {.budget = MOST_STEPS};
  if (moves->count < 2) {
    return CLRS_OK;
  }
  clrs_status status = add_all(&sweep, context, moves, error);
  if (status == CLRS_OK && sweep.count > 0) {
    qsort(sweep.sides, sweep.count, sizeof *sweep.sides, compare_sides);
    status = check_all(&sweep, error);
  }
  free(sweep.sides);
  return status;
}
