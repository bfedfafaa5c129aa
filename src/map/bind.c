/*
 * Binds a map to a source's view: one view for each way of spreading its parameters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bind.h"

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "dtype.h"
#include "elements.h"
#include "resample.h"
#include "shape.h"
#include "spread.h"
#include "step_kind.h"
#include "view.h"

clrs_status clrs__map_views_keep(clrs_map_views *views, const clrs_view *view, uint32_t *which,
                                 clrs_error *error) {
  for (*which = 0; *which < views->count; ++*which) {
    if (clrs__view_equal(&views->views[*which], view)) {
      return CLRS_OK;
    }
  }
  if (views->count == CLRS_MAP_VIEWS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the parameters are spread in more than %d different ways", CLRS_MAP_VIEWS);
  }
  clrs__view_copy(&views->views[views->count++], view);
  return CLRS_OK;
}

/* The view of the map's own numbers, a list that begins at position 0. */
static void view_list(const clrs_parameter *parameter, clrs_view *view) {
  const clrs_shape shape = {.rank = 1, .dims = {(int64_t)parameter->count}};
  clrs__view_make_dense(CLRS_F64, &shape, view);
}

static clrs_status check_tensor_type(clrs_dtype dtype, const clrs_step *step, clrs_error *error) {
  const clrs__element element = clrs__element_of(dtype);
  const char *name = clrs__dtype_text(dtype);
  if (clrs__step_needs_integers(step) && (element.kind != CLRS__INTEGER || element.bits > 32)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s of %s; they must be integers of up to 32 bits",
                      step->dtype == CLRS_I32 && step->kind != CLRS_STEP_ROUND_AND_ADD
                          ? "parameters of steps in i32"
                          : "zero points",
                      name);
  }
  return element.kind != CLRS__NO_VALUE && element.kind != CLRS__BOOL
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "a parameter of %s; it must be of integers or floats", name);
}

static clrs_status check_tensor(const clrs_view *tensor, const clrs_step *step, clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "the view of a parameter that is a tensor", error));
  CLRS_TRY(clrs__view_check(tensor, error));
  return check_tensor_type(tensor->dtype, step, error);
}

/* A step, the view of its tensor (if the parameter is a tensor), and the place for the number of
 * the parameter's view. */
typedef struct request {
  const clrs_step *step;
  const clrs_view *tensor;
  uint32_t *which;
} request;

static clrs_status bind_parameter(const request *asked, clrs_map_views *views, clrs_error *error) {
  const clrs_parameter *parameter = &asked->step->parameter;
  if (!clrs__step_has_parameter(asked->step->kind) || parameter->count == 1) {
    return CLRS_OK;
  }
  clrs_view view;
  if (parameter->count > 1) {
    view_list(parameter, &view);
  } else {
    CLRS_TRY(check_tensor(asked->tensor, asked->step, error));
    clrs__view_copy(&view, asked->tensor);
  }
  CLRS_TRY(clrs__spread_view(&parameter->spread, &views->source.shape, &view, error));
  return clrs__map_views_keep(views, &view, asked->which, error);
}

static clrs_status bind_all(const clrs_map *map, const clrs_map_tensors *tensors,
                            clrs_map_views *views, clrs_error *error) {
  for (uint32_t i = 0; i < map->step_count; i++) {
    const request asked = {&map->steps[i], tensors == NULL ? NULL : tensors->steps[i],
                           &views->of_step[i]};
    CLRS_TRY(bind_parameter(&asked, views, error));
  }
  return CLRS_OK;
}

clrs_status clrs_map_bind(const clrs_map *map, const clrs_view *source,
                          const clrs_map_tensors *tensors, clrs_map_views *views,
                          clrs_error *error) {
  CLRS_TRY(clrs_map_check(map, error));
  CLRS_TRY(clrs__view_check(source, error));
  CLRS_TRY(clrs__require(views, "views", error));
  if (source->dtype != map->from) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the source is of %s; the map is from %s",
                      clrs__dtype_text(source->dtype), clrs__dtype_text(map->from));
  }
  if (clrs__map_resamples(map)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the map resamples a picture, which a view does not name; a chain with "
                      "resize= makes such mapped views");
  }
  clrs_map_views made = {.count = 0};
  memset(made.of_step, 0xff, sizeof made.of_step); /* CLRS_MAP_SCALAR */
  clrs__view_copy(&made.source, source);
  if (!map->reinterprets) {
    CLRS_TRY(bind_all(map, tensors, &made, error));
  }
  *views = made;
  return CLRS_OK;
}

/* ---- what was bound, and perhaps edited since ---- */

static clrs_status check_list(const clrs_parameter *parameter, const clrs_view *view,
                              clrs_error *error) {
  const clrs_bounds bounds = clrs__view_bounds(view);
  if (view->dtype != CLRS_F64) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a parameter's view is of %s; that of a map's own numbers is of f64",
                      clrs__dtype_text(view->dtype));
  }
  return bounds.empty || (bounds.lowest >= 0 && bounds.highest < parameter->count)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                          "a parameter's view reads its numbers %" PRId64 " to %" PRId64
                          "; it has %u, counted from 0",
                          bounds.lowest, bounds.highest, parameter->count);
}

/* A parameter of one number needs no view. Any other parameter has view number `which`, which reads
 * the parameter's own numbers, or a tensor of an allowed type. */
static clrs_status check_operand(const clrs_step *step, const clrs_map_views *views, uint32_t which,
                                 clrs_error *error) {
  const clrs_parameter *parameter = &step->parameter;
  if (which == CLRS_MAP_SCALAR && parameter->count != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a parameter of %u numbers has CLRS_MAP_SCALAR in place of a view; that is "
                      "for one number, and of 0, which is a tensor, there is a view",
                      parameter->count);
  }
  if (which == CLRS_MAP_SCALAR) {
    return CLRS_OK;
  }
  if (which >= views->count) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a parameter of %u numbers has view %u; clrs_map_bind made %u",
                      parameter->count, which, views->count);
  }
  return parameter->count > 0 ? check_list(parameter, &views->views[which], error)
                              : check_tensor_type(views->views[which].dtype, step, error);
}

static clrs_status check_operands(const clrs_map *map, const clrs_map_views *views,
                                  clrs_error *error) {
  for (uint32_t i = 0; i < map->step_count; i++) {
    const clrs_step *step = &map->steps[i];
    if (clrs__step_has_parameter(step->kind)) {
      CLRS_TRY(check_operand(step, views, views->of_step[i], error));
    }
  }
  return CLRS_OK;
}

static clrs_status check_resample(const clrs_map *map, const clrs_map_views *views,
                                  clrs_error *error) {
  const bool resamples = clrs__map_resamples(map);
  if (resamples != (views->resample.by != CLRS_RESAMPLE_NONE)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "views with %s picture of another size, and a map that resamples %s",
                      resamples ? "no" : "a", resamples ? "one" : "nothing");
  }
  return resamples
             ? clrs__resample_check(&views->resample, &views->source, map->steps[0].dtype, error)
             : CLRS_OK;
}

static clrs_status check_views(const clrs_map *map, const clrs_map_views *views,
                               clrs_error *error) {
  CLRS_TRY(clrs__view_check(&views->source, error));
  if (views->source.dtype != map->from || views->count > CLRS_MAP_VIEWS) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "views of %u parameters and a source of type %d; clrs_map_bind makes at most "
                      "%d, and of this map one of type %d",
                      views->count, (int)views->source.dtype, CLRS_MAP_VIEWS, (int)map->from);
  }
  for (uint32_t i = 0; i < views->count; i++) {
    CLRS_TRY(clrs__view_check(&views->views[i], error));
    if (!clrs_shape_equal(&views->views[i].shape, &views->source.shape)) {
      return clrs__fail(
          error, CLRS_COUNT_MISMATCH,
          "the view of parameter %u is %s and the source %s; a movement operation is "
          "applied to all of them",
          i, clrs__dims_text(views->views[i].shape.rank, views->views[i].shape.dims).text,
          clrs__dims_text(views->source.shape.rank, views->source.shape.dims).text);
    }
  }
  return CLRS_OK;
}

clrs_status clrs__map_views_check(const clrs_map *map, const clrs_map_views *views,
                                  clrs_error *error) {
  CLRS_TRY(clrs__require(views, "views", error));
  CLRS_TRY(check_views(map, views, error));
  CLRS_TRY(check_resample(map, views, error));
  return map->reinterprets ? CLRS_OK : check_operands(map, views, error);
}
