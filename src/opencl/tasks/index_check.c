/* SPDX-License-Identifier: Apache-2.0 */
#include "index_check.h"

#include <inttypes.h>

#include "checked.h"
#include "dtype.h"
#include "parts.h"
#include "shape.h"
#include "written.h"

static const clrs_view *view_of(const clrs__indexed_move *move, uint32_t operand) {
  return move->operands[operand].view;
}

static clrs_status check_types(const clrs__indexed_move *move, clrs_error *error) {
  const clrs_dtype listed = view_of(move, CLRS_LISTED)->dtype;
  const clrs_dtype named = view_of(move, CLRS_NAMED)->dtype;
  const clrs_dtype index = view_of(move, CLRS_INDEX)->dtype;
  if (listed != named) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source is %s and the destination %s; indices move elements of one type",
                      clrs__dtype_text(move->scatters ? listed : named),
                      clrs__dtype_text(move->scatters ? named : listed));
  }
  if (clrs_dtype_bits(listed) % 8 != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "%s elements share bytes, and indices move whole bytes; cast them before",
                      clrs__dtype_text(listed));
  }
  return index == CLRS_I32 || index == CLRS_I64
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the indices are %s; they must be i32 or i64", clrs__dtype_text(index));
}

static clrs_status check_flag(const clrs_operand *flag, clrs_error *error) {
  const clrs_view *view = flag->view;
  clrs_footprint bytes;
  if (view->dtype != CLRS_U32 || clrs__shape_count(&view->shape) != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the flag is %s %s; it must be one u32",
                      clrs__dtype_text(view->dtype),
                      clrs__dims_text(view->shape.rank, view->shape.dims).text);
  }
  CLRS_TRY(clrs__operand_footprint(flag, "flag", &bytes, error));
  return (bytes.begin | flag->alignment) % sizeof(uint32_t) == 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the flag lies %" PRIu64
                          " bytes behind a byte that is aligned to %u; it must be at a multiple of "
                          "%zu bytes",
                          bytes.begin, (unsigned)clrs__lowest_bit(flag->alignment),
                          sizeof(uint32_t));
}

/* The named dims of the source, with the dims of the indices in place of the axis. */
static clrs_status find_listed_dims(const clrs__indexed_move *move, clrs_shape *dims,
                                    clrs_error *error) {
  const clrs_shape *named = &view_of(move, CLRS_NAMED)->shape;
  const clrs_shape *indices = &view_of(move, CLRS_INDEX)->shape;
  dims->rank = 0;
  if (named->rank - 1 + indices->rank > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "indices of rank %u along one of %u dims lead to rank %u; the limit is %d",
                      indices->rank, named->rank, named->rank - 1 + indices->rank, CLRS_MAX_RANK);
  }
  for (uint32_t dim = 0; dim < named->rank; dim++) {
    if (dim != move->axis) {
      dims->dims[dims->rank++] = named->dims[dim];
      continue;
    }
    for (uint32_t i = 0; i < indices->rank; i++) {
      dims->dims[dims->rank++] = indices->dims[i];
    }
  }
  return CLRS_OK;
}

static clrs_status check_dims(const clrs__indexed_move *move, clrs_error *error) {
  const clrs_shape *given = &view_of(move, CLRS_LISTED)->shape;
  const clrs_shape *named = &view_of(move, CLRS_NAMED)->shape;
  const clrs_shape *indices = &view_of(move, CLRS_INDEX)->shape;
  clrs_shape dims;
  CLRS_TRY(find_listed_dims(move, &dims, error));
  return clrs_shape_equal(given, &dims)
             ? CLRS_OK
             : clrs__fail(error, CLRS_COUNT_MISMATCH,
                          "indices %s along dimension %u of the %s %s take a %s %s; it is %s",
                          clrs__dims_text(indices->rank, indices->dims).text, move->axis,
                          move->scatters ? "destination" : "source",
                          clrs__dims_text(named->rank, named->dims).text,
                          move->scatters ? "source" : "destination",
                          clrs__dims_text(dims.rank, dims.dims).text,
                          clrs__dims_text(given->rank, given->dims).text);
}

clrs_status clrs__indexed_complete(clrs__indexed_move *move, const clrs_indices *indices,
                                   clrs_error *error) {
  const bool has_flag = move->flag.view != NULL;
  move->rules = (indices->from_end ? CLRS_INDEX_FROM_END : 0) |
                (indices->outside == CLRS_OUTSIDE_CLAMPED ? CLRS_INDEX_CLAMPS : 0) |
                (has_flag ? CLRS_INDEX_HAS_FLAG : 0);
  move->element = indices->element;
  CLRS_TRY(
      clrs__view_check_written(view_of(move, move->scatters ? CLRS_NAMED : CLRS_LISTED), error));
  CLRS_TRY(check_types(move, error));
  if (indices->outside != CLRS_OUTSIDE_SKIPPED && indices->outside != CLRS_OUTSIDE_CLAMPED) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%d is no clrs_outside", (int)indices->outside);
  }
  if (has_flag) {
    CLRS_TRY(check_flag(&move->flag, error));
  }
  CLRS_TRY(clrs__axis_normalize(indices->axis, view_of(move, CLRS_NAMED)->shape.rank,
                                "indices->axis", &move->axis, error));
  return check_dims(move, error);
}
