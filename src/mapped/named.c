/* SPDX-License-Identifier: Apache-2.0 */
#include "named.h"

#include "dtype.h"
#include "indexed_pass.h"
#include "view.h"

/* The walks of the operands and of the indices. A named operand has a second walk along the axis.
 * The first of these second walks counts the places. */
typedef struct walks {
  clrs__walk of[CLRS__MOST_OPERANDS];
  uint32_t place_count, named[CLRS__MOST_OPERANDS];
  clrs__walk places[CLRS__MOST_OPERANDS];
} walks;

/* Returns true if the indices name places of this operand. Indices of a scatter name places of the
 * destination. Indices of a gather name places of the source and of the parameters, which are
 * spread over the source. */
static bool is_named(const clrs__indexed_move *indices, uint32_t operand) {
  return (operand == CLRS_TO) == indices->scatters;
}

static bool find_walk(const clrs__mapped_pass *pass, const clrs_view *view, uint32_t axis,
                      const clrs__indexed_parts *parts, clrs__walk *walk, clrs__walk *places) {
  if (pass->extent > 0) {
    return clrs__indexed_named_walk(view, axis, parts->middle, walk, places);
  }
  clrs__indexed_empty_walk(parts, walk, places);
  return true;
}

static bool find_walks(const clrs__mapped_move *move, const clrs__mapped_pass *pass,
                       const clrs_view *views, uint32_t count, walks *found) {
  const clrs__indexed_move *indices = move->indices;
  const clrs_view *named = &views[indices->scatters ? CLRS_TO : CLRS_FROM];
  const clrs__indexed_parts parts =
      clrs__indexed_parts_of(named, indices->operands[CLRS_INDEX].view, indices->axis);
  bool all =
      clrs__indexed_index_walk(indices->operands[CLRS_INDEX].view, &parts, &found->of[count]);
  clrs__walk_start(&found->places[0], 0);
  clrs__walk_append(&found->places[0], (clrs_axis){pass->extent, 1});
  found->place_count = 1;
  for (uint32_t i = 0; all && i < count; i++) {
    if (is_named(indices, i)) {
      const uint32_t at = found->place_count++;
      found->named[at] = i;
      all = find_walk(pass, &views[i], indices->axis, &parts, &found->of[i], &found->places[at]);
    } else {
      all = clrs__view_find_walk(&views[i], &found->of[i]);
      clrs__walk_normalize(&found->of[i]);
    }
  }
  return all;
}

/* Finds the loops. A nest is sorted by the strides of the first operand. For a scatter the first
 * operand is the source, because the destination stays at place 0 along the loops of the
 * indices. */
static bool find_loops(walks *found, uint32_t count, bool scatters, clrs__nest *nest) {
  clrs__conflict conflict;
  if (!scatters) {
    return clrs__nest_refine(found->of, count, nest, &conflict);
  }
  const clrs__walk destination = found->of[CLRS_TO];
  found->of[CLRS_TO] = found->of[CLRS_FROM];
  found->of[CLRS_FROM] = destination;
  const bool has_loops = clrs__nest_refine(found->of, count, nest, &conflict);
  if (has_loops) {
    clrs__nest_swap_sides(nest);
  }
  return has_loops;
}

/* Splits the axis into loops over all named operands, in the order of the places. The extents of
 * the loops split a place into digits. If every 32 of 64 rows share a scale, the digits are 32 and
 * 2. */
static bool find_digits(const walks *found, clrs__mapped_pass *pass) {
  clrs__conflict conflict;
  clrs__nest nest;
  pass->digit_count = 0;
  if (pass->extent == 0) {
    return true;
  }
  if (!clrs__nest_refine(found->places, found->place_count, &nest, &conflict) ||
      nest.axis_count > CLRS_INDEX_DIGITS) {
    return false;
  }
  pass->digit_count = nest.axis_count;
  for (uint32_t k = 0; k < nest.axis_count; k++) {
    const clrs__nest_axis *from = &nest.axes[nest.axis_count - 1 - k];
    pass->digits[k] = (clrs__nest_axis){.extent = from->extent};
    for (uint32_t i = 1; i < found->place_count; i++) {
      pass->digits[k].strides[found->named[i]] = from->strides[i];
    }
  }
  return true;
}

clrs_status clrs__mapped_find_named(const clrs__mapped_move *move, const clrs_view *views,
                                    uint32_t count, clrs__mapped_pass *pass, clrs_error *error) {
  const clrs__indexed_move *indices = move->indices;
  walks found;
  if (count == CLRS__MOST_OPERANDS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the map's parameters are spread in %d ways; a gather or scatter takes %d",
                      CLRS__MOST_OPERANDS - CLRS_FIRST_VIEW,
                      CLRS__MOST_OPERANDS - CLRS_FIRST_VIEW - 1);
  }
  pass->extent = views[indices->scatters ? CLRS_TO : CLRS_FROM].shape.dims[indices->axis];
  pass->rules = clrs__indexed_rules(indices);
  pass->indices = indices->operands[CLRS_INDEX];
  pass->indices.view = NULL;
  pass->key.is_indexed = true;
  pass->key.scatters = indices->scatters;
  pass->pieces.count = 1;
  return find_walks(move, pass, views, count, &found) &&
                 find_loops(&found, count + 1, indices->scatters, &pass->pieces.nests[0]) &&
                 find_digits(&found, pass)
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "indices cannot name elements of these views of a mapped tensor in one "
                          "pass: the views have no common loops; move the tensor first, or map "
                          "the result");
}
