/*
 * Passes of mapped moves. The elements of a mapped tensor have numbers. The moved tensor is a view
 * of these numbers, and the view of each operand gives the position of an element by its number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pass.h"

#include <string.h>

#include "checked.h"
#include "cut_axes.h"
#include "divisor.h"
#include "dtype.h"
#include "named.h"
#include "overlap.h"
#include "shared.h"
#include "view.h"

/* ---- checks ---- */

clrs_status clrs__mapped_move_check(const clrs__mapped_move *move, clrs_error *error) {
  const clrs_view *seen = move->seen, *destination = move->destination.view;
  if (move->indices == NULL && !clrs_shape_equal(&seen->shape, &destination->shape)) {
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
  if (move->indices != NULL && clrs__map_resamples(move->map)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "a gather or scatter of a resized picture; copy the picture first");
  }
  CLRS_TRY(clrs__dtype_check_whole(move->map->from, error));
  for (uint32_t i = 0; i < move->views->count; i++) {
    const clrs_operand parameter = {&move->views->views[i], 0, 1};
    clrs_footprint bytes;
    CLRS_TRY(clrs__dtype_check_whole(parameter.view->dtype, error));
    CLRS_TRY(clrs__operand_footprint(&parameter, "parameter", &bytes, error));
  }
  return clrs__dtype_check_whole(move->map->to, error);
}

/* ---- operands ---- */

typedef struct operands {
  uint32_t count;
  clrs_view views[CLRS__MOST_OPERANDS]; /* views of the moved shape */
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

static clrs_status find_pieces(const operands *of, clrs__pieces *pieces, clrs_error *error) {
  const clrs_view *views[CLRS__MOST_OPERANDS];
  clrs__reason reason;
  for (uint32_t i = 0; i < of->count; i++) {
    views[i] = &of->views[i];
  }
  if (clrs__pieces_find(views, of->count, pieces, &reason)) {
    return CLRS_OK;
  }
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "a mapped tensor cannot be moved so in one pass: %s; move it first, or map the "
                    "result of the move",
                    clrs__reason_sentence(&reason).text);
}

/* ---- the pass ---- */

/* Returns the product of the loops before *at that continue from `step` without a gap, and moves
 * *at before these loops. */
static int64_t merged_extent(const clrs__nest *nest, int64_t step, uint32_t *at) {
  int64_t extent = 1;
  while (*at > 0 && nest->axes[*at - 1].strides[CLRS_TO] == clrs__exact_multiply(step, extent)) {
    extent = clrs__exact_multiply(extent, nest->axes[--*at].extent);
  }
  return extent;
}

/* No two elements share a place of the destination, so a step leads beyond the run. */
bool clrs__packed_rows_of(const clrs__nest *nest, clrs__packed_rows *found) {
  uint32_t at = nest->axis_count;
  found->run = found->pitch = merged_extent(nest, 1, &at);
  found->rows = 1;
  if (at > 0) {
    found->pitch = nest->axes[at - 1].strides[CLRS_TO];
    found->rows = merged_extent(nest, found->pitch, &at);
  }
  return at == 0;
}

static clrs_status check_packed(const clrs__mapped_pass *pass, clrs_error *error) {
  const clrs_dtype dtype = (clrs_dtype)pass->key.to;
  clrs__packed_rows rows;
  for (uint32_t i = 0; clrs_dtype_bits(dtype) < 8 && i < pass->pieces.count; i++) {
    if (!clrs__packed_rows_of(&pass->pieces.nests[i], &rows)) {
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

static bool all_aligned(const clrs__mapped_pass *pass) {
  const clrs__map_key *key = &pass->key;
  bool all = is_aligned(&pass->source, (uint8_t)clrs__map_key_stored(key)) &&
             is_aligned(&pass->destination, key->to);
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    all = all && (key->origins[i] != CLRS_ORIGIN_TENSOR ||
                  is_aligned(&pass->parameters[i], key->types[i]));
  }
  return all;
}

/* Returns true if the elements of a row share an index. */
static bool has_named_rows(const clrs__mapped_pass *pass) {
  const clrs__nest *nest = &pass->pieces.nests[0];
  return !pass->key.is_indexed || nest->axis_count == 0 ||
         nest->axes[nest->axis_count - 1].strides[nest->operand_count - 1] == 0;
}

/* Returns true if all rows of packed elements begin at a byte and have at least a vector of
 * elements. No two rows then share a byte. Rows of 32 elements of 4 bits, 34 elements apart, are 17
 * bytes apart. */
static bool has_rows_of_bytes(const clrs__nest *nest, int64_t per_byte) {
  if (nest->axis_count == 0) {
    return false; /* one element */
  }
  const clrs__nest_axis *last = &nest->axes[nest->axis_count - 1];
  bool all = last->strides[CLRS_TO] == 1 && last->extent >= CLRS_MAPPED_SHORTEST_RUN &&
             nest->offsets[CLRS_TO] % per_byte == 0;
  for (uint32_t i = 0; all && i + 1 < nest->axis_count; i++) {
    all = nest->axes[i].strides[CLRS_TO] % per_byte == 0;
  }
  return all;
}

static bool all_have_rows(const clrs__mapped_pass *pass) {
  const int64_t bits = clrs_dtype_bits((clrs_dtype)pass->key.to);
  bool all = has_named_rows(pass) && (bits >= 8 || !pass->key.is_indexed);
  for (uint32_t i = 0; i < pass->pieces.count && bits < 8; i++) {
    all = all && has_rows_of_bytes(&pass->pieces.nests[i], 8 / bits);
  }
  return all;
}

static void choose_geometry(clrs__mapped_pass *pass) {
  const bool has_rows = pass->limits.execution == CLRS_EXECUTION_CPU && all_have_rows(pass);
  pass->key.geometry = has_rows ? CLRS__MAPPED_ROWS : CLRS__MAPPED_ANY;
  pass->key.is_unaligned = !all_aligned(pass);
}

static clrs_operand without_view(clrs_operand operand) {
  operand.view = NULL;
  return operand;
}

/* Takes the operands, and finds the bytes that the move reads of the parameters. */
static clrs_status take_operands(const clrs__mapped_move *move, const operands *of,
                                 clrs__mapped_pass *pass, clrs_error *error) {
  pass->source = without_view(move->source);
  pass->destination = without_view(move->destination);
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    clrs_operand parameter = move->parameters[i];
    pass->parameters[i] = without_view(parameter);
    pass->read[i] = (clrs_footprint){0, 0, 1};
    if (pass->key.origins[i] == CLRS_ORIGIN_TENSOR) {
      parameter.view = &of->views[pass->key.views[i]];
      CLRS_TRY(clrs__operand_footprint(&parameter, "parameter", &pass->read[i], error));
    }
  }
  return CLRS_OK;
}

clrs_status clrs__mapped_plan(const clrs__mapped_move *move, clrs__mapped_pass *pass,
                              clrs_error *error) {
  operands of;
  CLRS_TRY(clrs__map_key_of(move->map, move->views, &pass->key, error));
  CLRS_TRY(find_operands(move, &of, error));
  CLRS_TRY(move->indices != NULL ? clrs__mapped_find_named(move, of.views, of.count, pass, error)
                                 : find_pieces(&of, &pass->pieces, error));
  CLRS_TRY(take_operands(move, &of, pass, error));
  pass->map = *move->map;
  pass->picture = move->views->resample;
  pass->limits = *move->limits;
  choose_geometry(pass);
  return check_packed(pass, error);
}
