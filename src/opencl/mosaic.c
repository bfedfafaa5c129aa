/* SPDX-License-Identifier: Apache-2.0 */
#include "mosaic.h"

#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "dtype.h"
#include "enqueue.h"
#include "mapped_move.h"

/* Parts of packed elements share bytes, so one follows the other. */
clrs__mosaic clrs__mosaic_of(clrs_context *context, const clrs_tensor *destination) {
  const bool packed = clrs_dtype_bits(clrs_tensor_view(destination)->dtype) < 8;
  return (clrs__mosaic){.destination = destination,
                        .region = *clrs_tensor_view(destination),
                        .commands = {.context = context, .in_order = packed}};
}

/* The element is repeated to the widest unit; a packed one first within its byte. */
void clrs__mosaic_set_value(clrs__mosaic *mosaic, const void *element) {
  clrs__fill_value *value = &mosaic->commands.value;
  const uint32_t bits = clrs_dtype_bits(clrs_tensor_view(mosaic->destination)->dtype);
  const size_t bytes = bits < 8 ? 1 : bits / 8;
  uint8_t packed = 0;
  memcpy(&packed, element, 1);
  packed = (uint8_t)(packed & ((1u << (bits < 8 ? bits : 8)) - 1));
  for (uint32_t filled = bits; filled < 8; filled += bits) {
    packed = (uint8_t)(packed | packed << bits);
  }
  for (size_t i = 0; i < sizeof value->bytes; i++) {
    value->bytes[i] = bits < 8 ? packed : ((const uint8_t *)element)[i % bytes];
  }
}

void clrs__mosaic_slices(const clrs__mosaic *mosaic, clrs_slice *slices) {
  const clrs_shape *shape = &mosaic->region.shape;
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    slices[dim] = (clrs_slice){dim, 0, shape->dims[dim], 1};
  }
}

/* ---- parts ---- */

static clrs_status add_plan(clrs__mosaic *mosaic, const clrs_plan *plan, cl_mem source,
                            clrs_error *error) {
  const cl_mem destination = clrs_tensor_storage(mosaic->destination).buffer;
  return mosaic->is_batched
             ? clrs__tables_add(&mosaic->tables, &mosaic->commands, plan, source, destination,
                                error)
             : clrs__commands_add(&mosaic->commands, plan, source, destination, error);
}

static clrs_status add_mapped(clrs__mosaic *mosaic, const clrs_tensor *source,
                              const clrs_view *part, clrs_error *error) {
  const clrs__mapped_part moved = {source, clrs_tensor_view(source), mosaic->destination, part};
  return clrs__commands_add_mapped(&mosaic->commands, mosaic->is_batched ? &mosaic->tables : NULL,
                                   &moved, error);
}

static clrs_status add_value(clrs__mosaic *mosaic, const clrs_view *part, clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs__plan_filling(mosaic->destination, part, &plan, error));
  return add_plan(mosaic, &plan, NULL, error);
}

static clrs_status add_source(clrs__mosaic *mosaic, const clrs_tensor *source,
                              const clrs_view *part, clrs_error *error) {
  clrs_plan plan;
  if (clrs__tensor_mapping(source) != NULL) {
    return add_mapped(mosaic, source, part, error);
  }
  CLRS_TRY(clrs__plan_into(source, mosaic->destination, part, &plan, error));
  return add_plan(mosaic, &plan, clrs_tensor_storage(source).buffer, error);
}

/* What the border shows where the part is. */
static clrs_status add_background(clrs__mosaic *mosaic, const clrs_slice *slices,
                                  const clrs_view *part, clrs_error *error) {
  clrs_view seen = *clrs_tensor_view(mosaic->border);
  clrs_tensor *behind = NULL;
  CLRS_TRY(clrs_view_expand(&seen, &mosaic->region.shape, error));
  CLRS_TRY(clrs_view_slice(&seen, seen.shape.rank, slices, error));
  CLRS_TRY(clrs__tensor_with_own_elements(mosaic->border, &seen, &behind, error));
  const clrs_status status = add_source(mosaic, behind, part, error);
  clrs_tensor_release(behind);
  return status;
}

clrs_status clrs__mosaic_add(clrs__mosaic *mosaic, const clrs_tensor *source,
                             const clrs_slice *slices, clrs_error *error) {
  clrs_view part = mosaic->region;
  CLRS_TRY(clrs_view_slice(&part, part.shape.rank, slices, error));
  return source != NULL           ? add_source(mosaic, source, &part, error)
         : mosaic->border != NULL ? add_background(mosaic, slices, &part, error)
                                  : add_value(mosaic, &part, error);
}

/* ---- borders ---- */

clrs_status clrs__mosaic_check_fits(const clrs__mosaic *mosaic, const clrs_tensor *source,
                                    const int64_t *begins, clrs_error *error) {
  const clrs_shape *inner = &clrs_tensor_view(source)->shape, *outer = &mosaic->region.shape;
  for (uint32_t dim = 0; dim < inner->rank; dim++) {
    int64_t end = 0;
    if (begins[dim] < 0 || !clrs__add(begins[dim], inner->dims[dim], &end) ||
        end > outer->dims[dim]) {
      return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                        "dimension %u of extent %" PRId64 " does not fit at %" PRId64
                        " in a destination of extent %" PRId64,
                        dim, inner->dims[dim], begins[dim], outer->dims[dim]);
    }
  }
  return CLRS_OK;
}

/* The border of one dim: all before and all after the source, within what the dims in front of it
 * have left. Then the dim itself is narrowed to the source. */
static clrs_status add_border(clrs__mosaic *mosaic, uint32_t dim, const clrs_slice *inner,
                              clrs_slice *slices, clrs_error *error) {
  const clrs_slice whole = slices[dim];
  if (inner->start > 0) {
    slices[dim].end = inner->start;
    CLRS_TRY(clrs__mosaic_add(mosaic, NULL, slices, error));
    slices[dim] = whole;
  }
  if (inner->end < whole.end) {
    slices[dim].start = inner->end;
    CLRS_TRY(clrs__mosaic_add(mosaic, NULL, slices, error));
  }
  slices[dim] = *inner;
  return CLRS_OK;
}

clrs_status clrs__mosaic_add_framed(clrs__mosaic *mosaic, const clrs_tensor *source,
                                    const int64_t *begins, clrs_error *error) {
  const clrs_shape *shape = &clrs_tensor_view(source)->shape;
  clrs_slice slices[CLRS_MAX_RANK];
  clrs__mosaic_slices(mosaic, slices);
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    const clrs_slice inner = {dim, begins[dim], begins[dim] + shape->dims[dim], 1};
    CLRS_TRY(add_border(mosaic, dim, &inner, slices, error));
  }
  return clrs__mosaic_add(mosaic, source, slices, error);
}

/* ---- the end ---- */

clrs_status clrs__mosaic_end(clrs__mosaic *mosaic, clrs_status status, const clrs__tail *tail,
                             clrs_error *error) {
  if (status == CLRS_OK) {
    status = clrs__tables_close(&mosaic->tables, &mosaic->commands, error);
  }
  if (status == CLRS_OK) {
    status = clrs__commands_enqueue(&mosaic->commands, tail, error);
  }
  clrs__commands_destroy(&mosaic->commands);
  clrs__tables_destroy(&mosaic->tables);
  return status;
}
