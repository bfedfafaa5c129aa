/* SPDX-License-Identifier: Apache-2.0 */
#include "mosaic.h"

#include "dtype.h"
#include "frame.h"
#include "tensor_check.h"

/* ---- the site ---- */

clrs_status clrs__site_of_work(clrs_work *work, clrs__site *site, clrs_error *error) {
  *site = (clrs__site){.tail = NULL};
  CLRS_TRY(clrs__work_begin(work, &site->tasks, error));
  site->context = clrs__work_context(work);
  return CLRS_OK;
}

clrs_status clrs__site_check(const clrs__site *site, const clrs_tensor *tensor, const char *what,
                             clrs_error *error) {
  return (site->tasks != NULL ? clrs__tensor_check_context
                              : clrs__tensor_check)(tensor, site->context, what, error);
}

clrs_status clrs__site_check_destination(const clrs__site *site, const clrs_tensor *destination,
                                         clrs_error *error) {
  CLRS_TRY(clrs__site_check(site, destination, "destination", error));
  CLRS_TRY(clrs__tensor_check_unmapped(destination, "destination", error));
  return clrs__tensor_check_written(destination, error);
}

clrs_status clrs__site_check_all(const clrs__site *site, size_t count, clrs_tensor *const *sources,
                                 clrs_error *error) {
  CLRS_TRY(clrs__tensors_check_count(count, "sources", error));
  CLRS_TRY(count > 0 ? clrs__require(sources, "sources", error) : CLRS_OK);
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(clrs__site_check(site, sources[i], "source", error));
  }
  return CLRS_OK;
}

/* ---- the destination ---- */

/* Packed elements of neighbouring parts share bytes, so the parts are written one after the
 * other. */
static clrs__mosaic mosaic_of(const clrs__site *site, clrs_tensor *destination) {
  const bool packed = clrs_dtype_bits(destination->view.dtype) < 8;
  return (clrs__mosaic){.destination = destination,
                        .site = site,
                        .first_task = site->tasks != NULL ? site->tasks->count : 0,
                        .region = destination->view,
                        .commands = {.context = site->context, .in_order = packed}};
}

void clrs__mosaic_share_launches(clrs__mosaic *mosaic, size_t part_count) {
  enum { FEWEST_BATCHED = 8 };
  mosaic->is_batched = part_count >= FEWEST_BATCHED && !mosaic->commands.in_order;
}

void clrs__mosaic_set_value(clrs__mosaic *mosaic, const void *element) {
  const clrs_dtype dtype = mosaic->destination->view.dtype;
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

/* Adds the part as a task of a work. */
static clrs_status add_task(clrs__mosaic *mosaic, const clrs_tensor *source, const clrs_view *part,
                            clrs_error *error) {
  clrs_tensor *place = NULL;
  CLRS_TRY(clrs__tensor_with_own_elements(mosaic->destination, part, &place, error));
  const clrs__tensor_move move = {.context = mosaic->site->context,
                                  .source = source,
                                  .destination = place,
                                  .takes_slots = true};
  const clrs_status status =
      clrs__task_list_add(mosaic->site->tasks, &move, &mosaic->commands.value, error);
  clrs_tensor_release(place);
  return status;
}

/* Writes the value if there is no source. */
static clrs_status add_source(clrs__mosaic *mosaic, const clrs_tensor *source,
                              const clrs_view *part, clrs_error *error) {
  const clrs_plan_buffers buffers = clrs__plan_buffers_of(source, mosaic->destination);
  clrs_plan plan;
  if (mosaic->site->tasks != NULL) {
    return add_task(mosaic, source, part, error);
  }
  if (source != NULL) {
    CLRS_TRY(clrs__tensor_use(source, mosaic->site->tail->queue, error));
  }
  CLRS_TRY(clrs__plan_into(source, mosaic->destination, part, &plan, error));
  return add_plan(mosaic, &plan, &buffers, error);
}

/* Adds a part that shows another view of the source. */
static clrs_status add_seen(clrs__mosaic *mosaic, clrs_tensor *source, const clrs_view *seen,
                            const clrs_view *part, clrs_error *error) {
  clrs_tensor *shown = NULL;
  CLRS_TRY(clrs__tensor_with_own_elements(source, seen, &shown, error));
  const clrs_status status = add_source(mosaic, shown, part, error);
  clrs_tensor_release(shown);
  return status;
}

/* Adds the part with the border's elements at the same place. */
static clrs_status add_background(clrs__mosaic *mosaic, const clrs_slice *slices,
                                  const clrs_view *part, clrs_error *error) {
  clrs_view seen = mosaic->border->view;
  CLRS_TRY(clrs_view_expand(&seen, &mosaic->region.shape, error));
  CLRS_TRY(clrs_view_slice(&seen, seen.shape.rank, slices, error));
  return add_seen(mosaic, mosaic->border, &seen, part, error);
}

clrs_status clrs__mosaic_add(clrs__mosaic *mosaic, const clrs_tensor *source,
                             const clrs_slice *slices, clrs_error *error) {
  clrs_view part = mosaic->region;
  CLRS_TRY(clrs_view_slice(&part, part.shape.rank, slices, error));
  return source == NULL && mosaic->border != NULL ? add_background(mosaic, slices, &part, error)
                                                  : add_source(mosaic, source, &part, error);
}

clrs_status clrs__mosaic_add_framed(clrs__mosaic *mosaic, const clrs_tensor *source,
                                    const int64_t *begins, clrs_error *error) {
  clrs__frame frame = {
      .outer = &mosaic->region.shape, .inner = &source->view.shape, .begins = begins};
  while (clrs__frame_next(&frame)) {
    CLRS_TRY(clrs__mosaic_add(mosaic, NULL, frame.slices, error));
  }
  return clrs__mosaic_add(mosaic, source, frame.slices, error);
}

clrs_status clrs__mosaic_add_padded(clrs__mosaic *mosaic, clrs_tensor *source, const clrs_pad *pad,
                                    clrs_error *error) {
  for (size_t box = 0; box < pad->box_count; box++) {
    clrs_view seen = source->view, part = mosaic->region;
    CLRS_TRY(clrs_pad_source(pad, box, &seen, error));
    CLRS_TRY(clrs_pad_place(pad, box, &part, error));
    CLRS_TRY(add_seen(mosaic, source, &seen, &part, error));
  }
  return CLRS_OK;
}

/* ---- the end ---- */

/* If a task failed, removes all parts of the task. */
static clrs_status end_task(const clrs__mosaic *mosaic, clrs_status status) {
  if (status == CLRS_OK) {
    mosaic->site->tasks->given++;
  } else {
    clrs__task_list_cut(mosaic->site->tasks, mosaic->first_task);
  }
  return status;
}

/* Releases the mosaic. Returns `status` if adding failed. */
static clrs_status end(clrs__mosaic *mosaic, clrs_status status, clrs_error *error) {
  const clrs__tail *tail = mosaic->site->tail;
  if (mosaic->site->tasks != NULL) {
    return end_task(mosaic, status);
  }
  if (status == CLRS_OK) {
    status = clrs__tables_close(&mosaic->tables, &mosaic->commands, error);
  }
  if (status == CLRS_OK) {
    status = clrs__tensor_use(mosaic->destination, tail->queue, error);
  }
  if (status == CLRS_OK) {
    status = clrs__commands_enqueue(&mosaic->commands, tail, error);
  }
  clrs__commands_destroy(&mosaic->commands);
  clrs__tables_destroy(&mosaic->tables);
  return status;
}

clrs_status clrs__mosaic_write(const clrs__site *site, clrs_tensor *destination,
                               clrs__mosaic_parts *add, const void *of, clrs_error *error) {
  uint32_t groups = clrs__context_groups(site->context);
  clrs_status status;
  do {
    clrs__mosaic mosaic = mosaic_of(site, destination);
    status = end(&mosaic, add(&mosaic, of, error), error);
  } while (clrs__context_plans_again(site->context, status, &groups, error));
  return status;
}
