/* SPDX-License-Identifier: Apache-2.0 */
#include "mosaic.h"

#include "dtype.h"
#include "enqueue.h"
#include "frame.h"
#include "mapped_move.h"

/* Parts of packed elements share bytes, so one follows the other. */
clrs__mosaic clrs__mosaic_of(clrs_context *context, const clrs_tensor *destination,
                             const clrs__tail *tail) {
  const bool packed = clrs_dtype_bits(clrs_tensor_view(destination)->dtype) < 8;
  return (clrs__mosaic){.destination = destination,
                        .tail = tail,
                        .region = *clrs_tensor_view(destination),
                        .commands = {.context = context, .in_order = packed}};
}

void clrs__mosaic_set_value(clrs__mosaic *mosaic, const void *element) {
  const clrs_dtype dtype = clrs_tensor_view(mosaic->destination)->dtype;
  mosaic->commands.value = clrs__fill_value_of(dtype, element);
}

void clrs__mosaic_slices(const clrs__mosaic *mosaic, clrs_slice *slices) {
  const clrs_shape *shape = &mosaic->region.shape;
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    slices[dim] = (clrs_slice){dim, 0, shape->dims[dim], 1};
  }
}

/* ---- parts ---- */

static clrs_status add_plan(clrs__mosaic *mosaic, const clrs_plan *plan,
                            const clrs_plan_buffers *buffers, clrs_error *error) {
  return mosaic->is_batched
             ? clrs__tables_add(&mosaic->tables, &mosaic->commands, plan, buffers, error)
             : clrs__commands_add(&mosaic->commands, plan, buffers, error);
}

static clrs_status add_value(clrs__mosaic *mosaic, const clrs_view *part, clrs_error *error) {
  const clrs_plan_buffers buffers = {.destination =
                                         clrs_tensor_storage(mosaic->destination).buffer};
  clrs_plan plan;
  CLRS_TRY(clrs__plan_filling(mosaic->destination, part, &plan, error));
  return add_plan(mosaic, &plan, &buffers, error);
}

static clrs_status add_source(clrs__mosaic *mosaic, const clrs_tensor *source,
                              const clrs_view *part, clrs_error *error) {
  const clrs_plan_buffers buffers = clrs__plan_buffers_of(source, mosaic->destination);
  clrs_plan plan;
  CLRS_TRY(clrs__tensor_use(source, mosaic->tail->queue, error));
  CLRS_TRY(clrs__plan_into(source, mosaic->destination, part, &plan, error));
  return add_plan(mosaic, &plan, &buffers, error);
}

/* Another view of a source. */
static clrs_status add_seen(clrs__mosaic *mosaic, clrs_tensor *source, const clrs_view *seen,
                            const clrs_view *part, clrs_error *error) {
  clrs_tensor *shown = NULL;
  CLRS_TRY(clrs__tensor_with_own_elements(source, seen, &shown, error));
  const clrs_status status = add_source(mosaic, shown, part, error);
  clrs_tensor_release(shown);
  return status;
}

/* What the border shows where the part is. */
static clrs_status add_background(clrs__mosaic *mosaic, const clrs_slice *slices,
                                  const clrs_view *part, clrs_error *error) {
  clrs_view seen = *clrs_tensor_view(mosaic->border);
  CLRS_TRY(clrs_view_expand(&seen, &mosaic->region.shape, error));
  CLRS_TRY(clrs_view_slice(&seen, seen.shape.rank, slices, error));
  return add_seen(mosaic, mosaic->border, &seen, part, error);
}

clrs_status clrs__mosaic_add(clrs__mosaic *mosaic, const clrs_tensor *source,
                             const clrs_slice *slices, clrs_error *error) {
  clrs_view part = mosaic->region;
  CLRS_TRY(clrs_view_slice(&part, part.shape.rank, slices, error));
  return source != NULL           ? add_source(mosaic, source, &part, error)
         : mosaic->border != NULL ? add_background(mosaic, slices, &part, error)
                                  : add_value(mosaic, &part, error);
}

clrs_status clrs__mosaic_add_framed(clrs__mosaic *mosaic, const clrs_tensor *source,
                                    const int64_t *begins, clrs_error *error) {
  clrs__frame frame = {
      .outer = &mosaic->region.shape, .inner = &clrs_tensor_view(source)->shape, .begins = begins};
  while (clrs__frame_next(&frame)) {
    CLRS_TRY(clrs__mosaic_add(mosaic, NULL, frame.slices, error));
  }
  return clrs__mosaic_add(mosaic, source, frame.slices, error);
}

clrs_status clrs__mosaic_add_padded(clrs__mosaic *mosaic, clrs_tensor *source, const clrs_pad *pad,
                                    clrs_error *error) {
  for (size_t box = 0; box < pad->box_count; box++) {
    clrs_view seen = *clrs_tensor_view(source), part = mosaic->region;
    CLRS_TRY(clrs_pad_source(pad, box, &seen, error));
    CLRS_TRY(clrs_pad_place(pad, box, &part, error));
    CLRS_TRY(add_seen(mosaic, source, &seen, &part, error));
  }
  return CLRS_OK;
}

/* ---- the end ---- */

clrs_status clrs__mosaic_end(clrs__mosaic *mosaic, clrs_status status, clrs_error *error) {
  if (status == CLRS_OK) {
    status = clrs__tables_close(&mosaic->tables, &mosaic->commands, error);
  }
  if (status == CLRS_OK) {
    status = clrs__tensor_use(mosaic->destination, mosaic->tail->queue, error);
  }
  if (status == CLRS_OK) {
    status = clrs__commands_enqueue(&mosaic->commands, mosaic->tail, error);
  }
  clrs__commands_destroy(&mosaic->commands);
  clrs__tables_destroy(&mosaic->tables);
  return status;
}
