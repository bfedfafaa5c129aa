/*
 * Elements of a mapped tensor have numbers; what is moved is a view of these, and each operand's
 * own view says where a number's element is. A piece is a walk over numbers for which every operand
 * is one walk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pass.h"

#include <string.h>

#include "checked.h"
#include "cut_axes.h"
#include "divisor.h"
#include "dtype.h"
#include "overlap.h"
#include "view.h"

/* ---- checks ---- */

static clrs_status check_straddling(clrs_dtype dtype, clrs_error *error) {
  return clrs__dtype_straddles_bytes(dtype)
             ? clrs__fail(error, CLRS_UNSUPPORTED,
                          "%s elements lie across bytes; only views of them are offered",
                          clrs__dtype_text(dtype))
             : CLRS_OK;
}

clrs_status clrs__mapped_move_check(const clrs__mapped_move *move, clrs_error *error) {
  const clrs_view *seen = move->seen, *destination = move->destination.view;
  if (!clrs_shape_equal(&seen->shape, &destination->shape)) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH, "the source is %s and the destination %s",
                      clrs__dims_text(seen->shape.rank, seen->shape.dims).text,
                      clrs__dims_text(destination->shape.rank, destination->shape.dims).text);
  }
  if (seen->dtype != destination->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source is mapped to %s and the destination %s; a move converts only as "
                      "its source is mapped",
                      clrs__dtype_text(seen->dtype), clrs__dtype_text(destination->dtype));
  }
  if (clrs__view_is_empty(seen)) {
    return CLRS_OK;
  }
  CLRS_TRY(check_straddling(move->map->from, error));
  for (uint32_t i = 0; i < move->views->count; i++) {
    const clrs_operand parameter = {&move->views->views[i], 0, 1};
    clrs_footprint bytes;
    CLRS_TRY(check_straddling(parameter.view->dtype, error));
    CLRS_TRY(clrs__operand_footprint(&parameter, "parameter", &bytes, error));
  }
  return check_straddling(move->map->to, error);
}

/* ---- operands ---- */

typedef struct operands {
  uint32_t count;
  clrs_view views[CLRS__MOST_OPERANDS]; /* of the shape that is moved */
} operands;

static clrs_status find_operands(const clrs__mapped_move *move, operands *found,
                                 clrs_error *error) {
  const clrs_map_views *views = move->views;
  found->count = CLRS_FIRST_VIEW + views->count;
  clrs__view_copy(&found->views[CLRS_TO], move->destination.view);
  CLRS_TRY(clrs__view_stack(&views->source, move->seen, &found->views[CLRS_FROM], error));
  for (uint32_t i = 0; i < views->count; i++) {
    CLRS_TRY(
        clrs__view_stack(&views->views[i], move->seen, &found->views[CLRS_FIRST_VIEW + i], error));
  }
  return CLRS_OK;
}

/* ---- pieces ---- */

typedef struct pieces {
  uint32_t count;
  clrs__walk walks[CLRS_MAX_LAUNCHES]; /* over the numbers of the elements that are moved */
} pieces;

static int64_t count_of(const clrs__walk *walk) {
  int64_t count = 1;
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    count = clrs__exact_multiply(count, walk->axes[i].extent);
  }
  return count;
}

/* The walk as a view of its own. */
static clrs_status view_of_walk(const clrs__walk *walk, clrs_view *view, clrs_error *error) {
  view->dtype = CLRS_U8; /* any */
  view->shape.rank = 1;
  view->shape.dims[0] = count_of(walk);
  view->depth = 1;
  return clrs__view_set_top(view, walk, error);
}

/* The operand as a piece shows it, which is one walk. The first piece of all is the whole, whose
 * shape the operand has. */
static bool walk_in_piece(const clrs_view *operand, const clrs__walk *piece, bool is_whole,
                          clrs__walk *walk) {
  clrs_view upper, both;
  if (is_whole) {
    return clrs__view_find_walk(operand, walk);
  }
  if (view_of_walk(piece, &upper, NULL) != CLRS_OK ||
      clrs__view_stack(operand, &upper, &both, NULL) != CLRS_OK || both.depth != 1) {
    return false;
  }
  clrs__view_level(&both, 0, walk);
  return true;
}

static clrs_status fail_stack(const char *why, clrs_error *error) {
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "a mapped tensor cannot be moved so in one pass: %s; move it first, or map the "
                    "result of the move",
                    why);
}

/* Cuts a piece in which the operand is no walk: *found begins with it, and has its parts. */
static clrs_status cut_piece(const clrs_view *operand, const clrs__walk *piece, pieces *found,
                             clrs_error *error) {
  clrs_view upper, both, dense;
  clrs__pieces cuts;
  clrs_reason reason;
  char sentence[200];
  CLRS_TRY(view_of_walk(piece, &upper, error));
  CLRS_TRY(clrs__view_stack(operand, &upper, &both, error));
  CLRS_TRY(clrs_view_dense(CLRS_U8, &both.shape, &dense, error));
  if (!clrs__pieces_find(&both, &dense, &cuts, &reason)) {
    clrs__reason_sentence(&reason, sentence, sizeof sentence);
    return fail_stack(sentence, error);
  }
  for (uint32_t i = 0; i < cuts.count; i++) {
    clrs__walk part, numbers;
    clrs__walk_start(&part, cuts.nests[i].destination_offset);
    for (uint32_t k = 0; k < cuts.nests[i].axis_count; k++) {
      const clrs__nest_axis axis = cuts.nests[i].axes[k];
      clrs__walk_append(&part, (clrs_axis){axis.extent, axis.destination_stride});
    }
    if (found->count == CLRS_MAX_LAUNCHES || !clrs__walk_compose(piece, &part, &numbers)) {
      return fail_stack("it would take too many launches", error);
    }
    found->walks[found->count++] = numbers;
  }
  return CLRS_OK;
}

static clrs_status cut_for(const clrs_view *operand, pieces *all, bool *is_whole,
                           clrs_error *error) {
  pieces next = {.count = 0};
  clrs__walk walk;
  for (uint32_t i = 0; i < all->count; i++) {
    if (walk_in_piece(operand, &all->walks[i], *is_whole, &walk)) {
      if (next.count == CLRS_MAX_LAUNCHES) {
        return fail_stack("it would take too many launches", error);
      }
      next.walks[next.count++] = all->walks[i];
    } else {
      CLRS_TRY(cut_piece(operand, &all->walks[i], &next, error));
      *is_whole = false; /* there was one */
    }
  }
  *all = next;
  return CLRS_OK;
}

static clrs_status refine(const operands *of, const clrs__walk *piece, bool is_whole,
                          clrs__loops *loops, clrs_error *error) {
  clrs__walk walks[CLRS__MOST_OPERANDS];
  clrs__conflict conflict;
  char sentence[200];
  for (uint32_t i = 0; i < of->count; i++) {
    if (!walk_in_piece(&of->views[i], piece, is_whole, &walks[i])) {
      return fail_stack("an operand is a stack of walks", error);
    }
  }
  if (!clrs__loops_refine(walks, of->count, loops, &conflict)) {
    const clrs_reason reason = {CLRS_REASON_AXES_DO_NOT_FACTOR,
                                {conflict.source_extent, conflict.destination_extent}};
    clrs__reason_sentence(&reason, sentence, sizeof sentence);
    return fail_stack(sentence, error);
  }
  return CLRS_OK;
}

/* ---- the pass ---- */

/* The product of the loops before `*at` that go on from `step` without a gap; *at is moved there.
 */
static int64_t merged_extent(const clrs__loops *loops, int64_t step, uint32_t *at) {
  int64_t extent = 1;
  while (*at > 0 && loops->loops[*at - 1].strides[CLRS_TO] == clrs__exact_multiply(step, extent)) {
    extent = clrs__exact_multiply(extent, loops->loops[--*at].extent);
  }
  return extent;
}

/* No two elements share a place of the destination, so that a step leads beyond the run. */
bool clrs__packed_rows_of(const clrs__loops *loops, clrs__packed_rows *found) {
  uint32_t at = loops->loop_count;
  found->run = found->pitch = merged_extent(loops, 1, &at);
  found->rows = 1;
  if (at > 0) {
    found->pitch = loops->loops[at - 1].strides[CLRS_TO];
    found->rows = merged_extent(loops, found->pitch, &at);
  }
  return at == 0;
}

static clrs_status check_packed(const clrs__mapped_pass *pass, clrs_error *error) {
  const clrs_dtype dtype = (clrs_dtype)pass->key.to;
  clrs__packed_rows rows;
  for (uint32_t i = 0; clrs_dtype_bits(dtype) < 8 && i < pass->count; i++) {
    if (!clrs__packed_rows_of(&pass->pieces[i], &rows)) {
      return clrs__fail(error, CLRS_UNSUPPORTED,
                        "a map to %s of which some pieces are no rows of the destination in "
                        "order; packed elements are written in that order, in rows with one pitch",
                        clrs__dtype_text(dtype));
    }
  }
  return CLRS_OK;
}

static bool is_aligned(const clrs_operand *operand, uint8_t dtype) {
  const uint32_t bits = clrs_dtype_bits((clrs_dtype)dtype);
  const uint64_t begins = operand->byte_offset | operand->alignment;
  return bits <= 8 || begins % (bits / 8) == 0;
}

static bool all_aligned(const clrs__mapped_move *move, const clrs__map_key *key) {
  bool all = is_aligned(&move->source, key->from) && is_aligned(&move->destination, key->to);
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    all = all && (key->origins[i] != CLRS_ORIGIN_TENSOR ||
                  is_aligned(&move->parameters[i], key->types[i]));
  }
  return all;
}

static void choose_geometry(const clrs__mapped_move *move, clrs__map_key *key) {
  const bool is_for_cpu = move->limits->execution == CLRS_EXECUTION_CPU;
  const bool is_packed = clrs_dtype_bits((clrs_dtype)key->to) < 8;
  key->geometry = is_for_cpu && !is_packed ? CLRS__MAPPED_ROWS : CLRS__MAPPED_ANY;
  key->is_unaligned = !all_aligned(move, key);
}

clrs_status clrs__mapped_plan(const clrs__mapped_move *move, clrs__mapped_pass *pass,
                              clrs_error *error) {
  operands of;
  pieces all = {.count = 1};
  bool is_whole = true;
  CLRS_TRY(clrs__map_key_of(move->map, move->views, &move->arithmetic, &pass->key, error));
  CLRS_TRY(find_operands(move, &of, error));
  clrs__walk_start(&all.walks[0], 0);
  clrs__walk_append(&all.walks[0], (clrs_axis){clrs__shape_count(&move->seen->shape), 1});
  clrs__walk_normalize(&all.walks[0]);
  for (uint32_t i = 0; i < of.count; i++) {
    CLRS_TRY(cut_for(&of.views[i], &all, &is_whole, error));
  }
  pass->move = move;
  pass->count = all.count;
  for (uint32_t i = 0; i < all.count; i++) {
    CLRS_TRY(refine(&of, &all.walks[i], is_whole, &pass->pieces[i], error));
  }
  choose_geometry(move, &pass->key);
  return check_packed(pass, error);
}
