/* SPDX-License-Identifier: Apache-2.0 */
#include "index_check.h"

#include <inttypes.h>

#include "dtype.h"
#include "parts.h"
#include "shape.h"

typedef clrs__index_request request;

static const clrs_operand *named_of(const request *of) {
  return of->scatters ? &of->destination : &of->source;
}

static const clrs_operand *listed_of(const request *of) {
  return of->scatters ? &of->source : &of->destination;
}

static clrs_status check_types(const request *of, clrs_error *error) {
  const clrs_dtype from = of->source.view->dtype, to = of->destination.view->dtype;
  const clrs_dtype index = of->index.view->dtype;
  if (from != to) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source is %s and the destination %s; indices move elements of one type",
                      clrs__dtype_text(from), clrs__dtype_text(to));
  }
  if (clrs_dtype_bits(from) % 8 != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "%s elements share bytes, and indices move whole bytes; cast them before",
                      clrs__dtype_text(from));
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
                          "the flag lies at byte %" PRIu64
                          " of a buffer that is aligned to %u; it must be at a multiple of %zu "
                          "bytes",
                          bytes.begin, flag->alignment, sizeof(uint32_t));
}

/* The named dims, but those of the indices in place of the axis. */
static clrs_status find_listed_dims(const request *of, uint32_t axis, clrs_shape *dims,
                                    clrs_error *error) {
  const clrs_shape *named = &named_of(of)->view->shape, *indices = &of->index.view->shape;
  dims->rank = 0;
  if (named->rank - 1 + indices->rank > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "indices of rank %u along one of %u dims lead to rank %u; the limit is %d",
                      indices->rank, named->rank, named->rank - 1 + indices->rank, CLRS_MAX_RANK);
  }
  for (uint32_t dim = 0; dim < named->rank; dim++) {
    if (dim != axis) {
      dims->dims[dims->rank++] = named->dims[dim];
      continue;
    }
    for (uint32_t i = 0; i < indices->rank; i++) {
      dims->dims[dims->rank++] = indices->dims[i];
    }
  }
  return CLRS_OK;
}

static clrs_status check_dims(const request *of, uint32_t axis, clrs_error *error) {
  const clrs_shape *given = &listed_of(of)->view->shape, *named = &named_of(of)->view->shape;
  const clrs_shape *indices = &of->index.view->shape;
  clrs_shape dims;
  CLRS_TRY(find_listed_dims(of, axis, &dims, error));
  return clrs_shape_equal(given, &dims)
             ? CLRS_OK
             : clrs__fail(error, CLRS_COUNT_MISMATCH,
                          "indices %s along dimension %u of the %s %s take a %s %s; it is %s",
                          clrs__dims_text(indices->rank, indices->dims).text, axis,
                          of->scatters ? "destination" : "source",
                          clrs__dims_text(named->rank, named->dims).text,
                          of->scatters ? "source" : "destination",
                          clrs__dims_text(dims.rank, dims.dims).text,
                          clrs__dims_text(given->rank, given->dims).text);
}

static uint32_t rules_of(const request *of) {
  return (of->indices->from_end ? CLRS_INDEX_FROM_END : 0) |
         (of->indices->outside == CLRS_OUTSIDE_CLAMPED ? CLRS_INDEX_CLAMPS : 0) |
         (of->flag.view != NULL ? CLRS_INDEX_HAS_FLAG : 0);
}

clrs_status clrs__index_request_check(const request *of, clrs__indexed_move *move,
                                      clrs_error *error) {
  const clrs_indices *indices = of->indices;
  *move = (clrs__indexed_move){
      .operands =
          {[CLRS_LISTED] = *listed_of(of), [CLRS_NAMED] = *named_of(of), [CLRS_INDEX] = of->index},
      .scatters = of->scatters,
      .rules = rules_of(of),
      .flag = of->flag,
      .element = indices->element,
      .limits = of->limits};
  CLRS_TRY(check_types(of, error));
  if (indices->outside != CLRS_OUTSIDE_SKIPPED && indices->outside != CLRS_OUTSIDE_CLAMPED) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%d is no clrs_outside", (int)indices->outside);
  }
  if (of->flag.view != NULL) {
    CLRS_TRY(check_flag(&of->flag, error));
  }
  CLRS_TRY(clrs__axis_normalize(indices->axis, named_of(of)->view->shape.rank, "indices->axis",
                                &move->axis, error));
  return check_dims(of, move->axis, error);
}
