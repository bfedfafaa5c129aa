/*
 * Tensors that a map makes from other tensors. A map of a mapped tensor is joined with the tensor's
 * own map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mapping.h"

#include <stdlib.h>

#include "dtype.h"
#include "op.h"
#include "resample.h"
#include "step_kind.h"
#include "tensor_check.h"
#include "view.h"
#include "way.h"

/* ---- what is there before the map ---- */

/* Applies the tensor's view to the views that the mapping reads. */
static clrs_status look_through(const clrs__mapping *mapping, const clrs_view *seen,
                                clrs_mapped *mapped, clrs_error *error) {
  const clrs_map_views *views = &mapping->mapped.views;
  *mapped = mapping->mapped;
  CLRS_TRY(clrs__view_stack(&views->source, seen, &mapped->views.source, error));
  for (uint32_t i = 0; i < views->count; i++) {
    CLRS_TRY(clrs__view_stack(&views->views[i], seen, &mapped->views.views[i], error));
  }
  return CLRS_OK;
}

/* The mapping that describes the tensor now. Retains nothing. */
static clrs_status start_mapping(clrs_tensor *tensor, clrs__mapping *mapping, clrs_error *error) {
  const clrs__mapping *first = tensor->common->mapping;
  if (first != NULL) {
    *mapping = *first;
    return look_through(first, &tensor->view, &mapping->mapped, error);
  }
  *mapping = (clrs__mapping){.source = tensor};
  return clrs_mapped_init(&tensor->view, &mapping->mapped, error);
}

/* ---- the map ---- */

/* Takes the tensors that the map's steps need, which must have bytes, and their views. */
static clrs_status take_parameters(const clrs_map *map, const clrs_parameter_tensors *tensors,
                                   const clrs_context *context,
                                   clrs_tensor *taken[CLRS_MAPPED_STEPS], clrs_map_tensors *views,
                                   clrs_error *error) {
  const uint32_t count = map->reinterprets || tensors == NULL ? 0 : map->step_count;
  for (uint32_t i = 0; i < count; i++) {
    taken[i] = clrs__step_asks_for_tensor(&map->steps[i]) ? tensors->steps[i] : NULL;
    if (taken[i] != NULL) {
      CLRS_TRY(clrs__tensor_check_stored(taken[i], context, "parameter", error));
      views->steps[i] = &taken[i]->view;
    }
  }
  return CLRS_OK;
}

/* Appends the tensors of `steps` that are not NULL, and returns the new count. */
static uint32_t append_steps(clrs_tensor *const *steps, clrs_tensor **list, uint32_t count) {
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    if (steps[i] != NULL) {
      list[count++] = steps[i];
    }
  }
  return count;
}

/* Orders the tensors of a map that was joined from two maps. The steps of `made` are the steps of
 * the first map, then the steps of the second map. */
static void join_parameters(const clrs_map *made, clrs_tensor *const *second,
                            clrs_tensor **tensors) {
  clrs_tensor *list[2 * CLRS_MAPPED_STEPS] = {NULL};
  uint32_t next = 0;
  append_steps(second, list, append_steps(tensors, list, 0));
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    const bool is_tensor = i < made->step_count && clrs__step_asks_for_tensor(&made->steps[i]);
    tensors[i] = is_tensor ? list[next++] : NULL;
  }
}

/* Appends the map to the mapping. */
static clrs_status map_mapping(clrs__mapping *mapping, const clrs_map *map,
                               const clrs_parameter_tensors *tensors, clrs_error *error) {
  clrs_tensor *second[CLRS_MAPPED_STEPS] = {NULL};
  clrs_map_tensors views = {.steps = {NULL}};
  CLRS_TRY(take_parameters(map, tensors, mapping->source->common->context, second, &views, error));
  CLRS_TRY(clrs_mapped_then(&mapping->mapped, map, &views, error));
  join_parameters(&mapping->mapped.map, second, mapping->tensors);
  return CLRS_OK;
}

/* Sets the tensors of parameters that are elements of the source. */
static void take_source(clrs__mapping *mapping) {
  const clrs_map *map = &mapping->mapped.map;
  for (uint32_t i = 0; i < map->step_count && !map->reinterprets; i++) {
    if (clrs__step_asks_for_tensor(&map->steps[i]) && map->steps[i].parameter.is_of_source) {
      mapping->tensors[i] = mapping->source;
    }
  }
}

static clrs_status chain_mapping(clrs__mapping *mapping, const clrs_chain *chain,
                                 const clrs_rules *rules, clrs_error *error) {
  clrs_tensor *const none[CLRS_MAPPED_STEPS] = {NULL}; /* chain text contains no tensors */
  CLRS_TRY(clrs_chain_map(chain, rules, &mapping->mapped, error));
  join_parameters(&mapping->mapped.map, none, mapping->tensors);
  take_source(mapping);
  return CLRS_OK;
}

/* Appends maps without tensors. */
static clrs_status join_mapping(clrs__mapping *mapping, const clrs_mapped *after,
                                clrs_error *error) {
  clrs_tensor *const none[CLRS_MAPPED_STEPS] = {NULL};
  CLRS_TRY(clrs_mapped_join(&mapping->mapped, after, error));
  join_parameters(&mapping->mapped.map, none, mapping->tensors);
  return CLRS_OK;
}

/* ---- the tensor ---- */

static clrs_status publish_mapping(clrs__mapping *mapping, clrs_tensor **result,
                                   clrs_error *error) {
  clrs_view numbers;
  clrs__view_make_dense(mapping->mapped.dtype, &mapping->mapped.views.source.shape, &numbers);
  return clrs__tensor_of_mapping(mapping, &numbers, result, error);
}

/* Returns a view if all elements keep their bits. */
static clrs_status publish_view(const clrs__mapping *mapping, clrs_tensor **result,
                                clrs_error *error) {
  clrs_view view;
  clrs__view_copy(&view, &mapping->mapped.views.source);
  view.dtype = mapping->mapped.dtype;
  return clrs__tensor_with_own_elements(mapping->source, &view, result, error);
}

static clrs_status check_device(const clrs__mapping *mapping, clrs_error *error) {
  clrs__map_key key;
  CLRS_TRY(clrs__map_key_of(&mapping->mapped.map, &mapping->mapped.views, &key, error));
  return clrs__map_key_settle(&mapping->source->common->context->arithmetic, &key, error);
}

/* The change to a tensor: a map, or a chain. */
typedef struct change {
  const clrs_map *map;
  const clrs_parameter_tensors *tensors; /* for the map */
  const clrs_chain *chain;
  const clrs_rules *rules;  /* for the chain */
  const clrs_mapped *after; /* or the maps of another mapped view */
} change;

static clrs_status make_mapping(clrs_tensor *tensor, const change *asked, clrs__mapping *mapping,
                                clrs_error *error) {
  CLRS_TRY(start_mapping(tensor, mapping, error));
  return asked->map != NULL     ? map_mapping(mapping, asked->map, asked->tensors, error)
         : asked->chain != NULL ? chain_mapping(mapping, asked->chain, asked->rules, error)
                                : join_mapping(mapping, asked->after, error);
}

/* Makes the tensor of a mapping that retains nothing yet. Frees the mapping if `status` is an
 * error, or if a view is enough. */
static clrs_status publish(clrs__mapping *mapping, clrs_status status, clrs_tensor **result,
                           clrs_error *error) {
  const bool is_view = status == CLRS_OK && clrs_map_keeps_bits(&mapping->mapped.map);
  if (is_view) {
    status = publish_view(mapping, result, error);
  } else if (status == CLRS_OK) {
    status = check_device(mapping, error);
    status = status == CLRS_OK ? publish_mapping(mapping, result, error) : status;
  }
  if (is_view || status != CLRS_OK) {
    free(mapping);
  }
  return status;
}

static clrs_status change_tensor(clrs_tensor *tensor, const change *asked, clrs_tensor **result,
                                 clrs_error *error) {
  clrs__mapping *mapping = malloc(sizeof *mapping);
  CLRS_TRY_MEMORY(mapping, error, "no memory for a mapped tensor");
  return publish(mapping, make_mapping(tensor, asked, mapping, error), result, error);
}

clrs_status clrs_tensor_with_map(clrs_tensor *tensor, const clrs_map *map,
                                 const clrs_parameter_tensors *tensors, clrs_tensor **result,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs_map_check(map, error));
  if (tensor->view.dtype != map->from) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the tensor is of %s; the map is from %s",
                      clrs__dtype_text(tensor->view.dtype), clrs__dtype_text(map->from));
  }
  return change_tensor(tensor, &(change){.map = map, .tensors = tensors}, result, error);
}

clrs_status clrs__tensor_with_maps_of(clrs_tensor *tensor, const clrs_mapped *after,
                                      clrs_tensor **result, clrs_error *error) {
  return change_tensor(tensor, &(change){.after = after}, result, error);
}

static clrs_status check_numbers(const clrs_map *map, clrs_error *error) {
  for (uint32_t i = 0; i < map->step_count && !map->reinterprets; i++) {
    if (clrs__step_asks_for_tensor(&map->steps[i]) && !map->steps[i].parameter.is_of_source) {
      return clrs__fail(error, CLRS_UNSUPPORTED,
                        "a parameter of the map is a tensor; a mapped view takes numbers");
    }
  }
  return CLRS_OK;
}

static clrs_status take_mapped(clrs_tensor *tensor, const clrs_mapped *mapped,
                               clrs__mapping *mapping, clrs_error *error) {
  clrs_view seen;
  CLRS_TRY(clrs__tensor_check_unmapped(tensor, "given", error));
  CLRS_TRY(clrs_mapped_check(mapped, error));
  CLRS_TRY(check_numbers(&mapped->map, error));
  clrs__view_copy(&seen, &mapped->views.source);
  if (clrs__map_resamples(&mapped->map)) {
    CLRS_TRY(clrs__resample_view(&mapped->views.resample, mapped->map.from, &seen, error));
  }
  CLRS_TRY(clrs_tensor_with_view(tensor, &seen, &mapping->source, error));
  mapping->mapped = *mapped;
  take_source(mapping);
  return CLRS_OK;
}

clrs_status clrs_tensor_with_mapped(clrs_tensor *tensor, const clrs_mapped *mapped,
                                    clrs_tensor **result, clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(mapped, "mapped", error));
  CLRS_TRY(clrs__require(result, "result", error));
  clrs__mapping *mapping = calloc(1, sizeof *mapping);
  CLRS_TRY_MEMORY(mapping, error, "no memory for a mapped tensor");
  clrs_status status = take_mapped(tensor, mapped, mapping, error);
  clrs_tensor *source = mapping->source;
  status = publish(mapping, status, result, error);
  clrs_tensor_release(source); /* the mapped tensor has its own reference */
  return status;
}

/* A chain without maps only changes the view, which costs less. */
clrs_status clrs_tensor_with_chain(clrs_tensor *tensor, const clrs_chain *chain,
                                   const clrs_rules *rules, clrs_tensor **result,
                                   clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(chain, "chain", error));
  CLRS_TRY(clrs__require(result, "result", error));
  if (clrs__chain_has_maps(chain)) {
    return change_tensor(tensor, &(change){.chain = chain, .rules = rules}, result, error);
  }
  clrs__view_copy(&view, &tensor->view);
  CLRS_TRY(clrs_chain_apply(chain, rules, &view, error));
  return clrs__tensor_with_own_elements(tensor, &view, result, error);
}
