/*
 * Tensors that are made of a map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mapping.h"

#include <inttypes.h>
#include <stdlib.h>

#include "check.h"
#include "tensor.h"
#include "view.h"

void clrs__mapping_release(clrs__mapping *mapping) {
  if (mapping != NULL) {
    clrs_tensor_release(mapping->source);
    for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
      clrs_tensor_release(mapping->tensors[i]);
    }
    free(mapping);
  }
}

clrs_status clrs__mapping_check_view(const clrs__mapping *mapping, const clrs_view *view,
                                     clrs_error *error) {
  const clrs_bounds bounds = clrs__view_bounds(view);
  const int64_t count = clrs__shape_count(&mapping->views.source.shape);
  if (view->dtype != mapping->map.to) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a view of %s of a tensor that is mapped to %s; its type is the map's",
                      clrs_dtype_name(view->dtype, CLRS_TYPES_CLRESHAPE),
                      clrs_dtype_name(mapping->map.to, CLRS_TYPES_CLRESHAPE));
  }
  if (!bounds.empty && (bounds.lowest < 0 || bounds.highest >= count)) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the view reads elements %" PRId64 " to %" PRId64
                      " of a mapped tensor that has %" PRId64,
                      bounds.lowest, bounds.highest, count);
  }
  return CLRS_OK;
}

/* The parameter number `at` as the caller gave it; NULL if the map asks for none. */
static clrs_tensor *parameter_of(const clrs_map *map, const clrs_parameter_tensors *tensors,
                                 uint32_t at) {
  const bool is_zero = at == CLRS_MAPPED_ZERO;
  const bool is_there = is_zero ? map->zero_place != CLRS_ZERO_NONE && map->zero.count == 0
                                : at < map->step_count && map->steps[at].parameter.count == 0;
  return !is_there || tensors == NULL ? NULL : is_zero ? tensors->zero : tensors->steps[at];
}

static clrs_status check_parameter(const clrs_tensor *tensor, const clrs_context *context,
                                   clrs_error *error) {
  return tensor != NULL ? clrs__tensor_check_stored(tensor, context, "parameter", error) : CLRS_OK;
}

/* Fills in a mapping that retains nothing yet. */
static clrs_status bind_mapping(clrs_tensor *source, const clrs_map *map,
                                const clrs_parameter_tensors *tensors, clrs__mapping *mapping,
                                clrs_error *error) {
  const clrs_context *context = clrs__tensor_context(source);
  clrs_map_tensors views = {.zero = NULL};
  clrs__map_key key;
  mapping->map = *map;
  mapping->source = source;
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    mapping->tensors[i] = parameter_of(map, tensors, i);
    CLRS_TRY(check_parameter(mapping->tensors[i], context, error));
    *(i == CLRS_MAPPED_ZERO ? &views.zero : &views.steps[i]) =
        clrs_tensor_view(mapping->tensors[i]);
  }
  CLRS_TRY(clrs_map_bind(map, clrs_tensor_view(source), &views, &mapping->views, error));
  CLRS_TRY(clrs__device_arithmetic(context->device, &mapping->arithmetic, error));
  return clrs__map_key_of(map, &mapping->views, &mapping->arithmetic, &key, error);
}

static clrs_status publish_mapping(clrs__mapping *mapping, clrs_tensor **result,
                                   clrs_error *error) {
  clrs_view numbers;
  CLRS_TRY(clrs_view_dense(mapping->map.to, &mapping->views.source.shape, &numbers, error));
  CLRS_TRY(clrs__tensor_of_mapping(mapping, &numbers, result, error));
  clrs_tensor_retain(mapping->source);
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    clrs_tensor_retain(mapping->tensors[i]);
  }
  return CLRS_OK;
}

static clrs_status check_mappable(const clrs_tensor *tensor, const clrs_map *map,
                                  clrs_error *error) {
  if (clrs__tensor_mapping(tensor) != NULL) {
    return clrs__fail(
        error, CLRS_UNSUPPORTED,
        "the tensor is mapped already, from %s; a map of a map is not offered: move "
        "it first",
        clrs_dtype_name(clrs__tensor_mapping(tensor)->map.from, CLRS_TYPES_CLRESHAPE));
  }
  if (clrs_tensor_view(tensor)->dtype != map->from) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the tensor is of %s; the map is from %s",
                      clrs_dtype_name(clrs_tensor_view(tensor)->dtype, CLRS_TYPES_CLRESHAPE),
                      clrs_dtype_name(map->from, CLRS_TYPES_CLRESHAPE));
  }
  return CLRS_OK;
}

/* The same bits, as another type. */
static clrs_status rename_elements(clrs_tensor *tensor, clrs_dtype dtype, clrs_tensor **result,
                                   clrs_error *error) {
  clrs_view view;
  clrs__view_copy(&view, clrs_tensor_view(tensor));
  view.dtype = dtype;
  return clrs__tensor_with_own_elements(tensor, &view, result, error);
}

clrs_status clrs_tensor_with_map(clrs_tensor *tensor, const clrs_map *map,
                                 const clrs_parameter_tensors *tensors, clrs_tensor **result,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs_map_check(map, error));
  CLRS_TRY(check_mappable(tensor, map, error));
  if (clrs_map_keeps_bits(map)) {
    return rename_elements(tensor, map->to, result, error);
  }
  if (clrs__map_is_copy(map)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the bits of %s and %s lie the other way round in a byte; a bitcast between "
                      "them is not offered",
                      clrs_dtype_name(map->from, CLRS_TYPES_CLRESHAPE),
                      clrs_dtype_name(map->to, CLRS_TYPES_CLRESHAPE));
  }
  clrs__mapping *mapping = malloc(sizeof *mapping);
  if (mapping == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a mapped tensor");
  }
  clrs_status status = bind_mapping(tensor, map, tensors, mapping, error);
  if (status == CLRS_OK) {
    status = publish_mapping(mapping, result, error);
  }
  if (status != CLRS_OK) {
    free(mapping);
  }
  return status;
}

static clrs_status check_stored(const clrs_tensor *tensor, const char *what, clrs_error *error) {
  return clrs__tensor_mapping(tensor) == NULL
             ? CLRS_OK
             : clrs__fail(
                   error, CLRS_UNSUPPORTED,
                   "the %s tensor is mapped, from %s to %s: it has no bytes of its own "
                   "until it is moved",
                   what,
                   clrs_dtype_name(clrs__tensor_mapping(tensor)->map.from, CLRS_TYPES_CLRESHAPE),
                   clrs_dtype_name(clrs_tensor_view(tensor)->dtype, CLRS_TYPES_CLRESHAPE));
}

clrs_status clrs__tensor_check_stored(const clrs_tensor *tensor, const clrs_context *context,
                                      const char *what, clrs_error *error) {
  CLRS_TRY(clrs__tensor_check(tensor, context, what, error));
  return check_stored(tensor, what, error);
}
