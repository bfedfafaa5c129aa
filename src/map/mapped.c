/*
 * A view and the map of its elements, after any number of movements and maps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "bind.h"
#include "check.h"
#include "dtype.h"
#include "step_kind.h"
#include "then.h"
#include "view.h"

/* ---- views ---- */

static void start_views(const clrs_view *source, clrs_map_views *views) {
  memset(views, 0, sizeof *views);
  memset(views->of_step, 0xff, sizeof views->of_step);
  clrs__view_copy(&views->source, source);
}

/* Takes a parameter's view in `from` over into `views`. `taken` has no view before. */
static clrs_status take_view(const clrs_map_views *from, uint32_t which, clrs_map_views *views,
                             uint32_t *taken, clrs_error *error) {
  return which == CLRS_MAP_SCALAR ? CLRS_OK
                                  : clrs__map_views_keep(views, &from->views[which], taken, error);
}

/* Joins the views of two maps. The first `kept` steps belong to the first map. */
static clrs_status join_views(const clrs_map *joined, uint32_t kept, const clrs_map_views *first,
                              const clrs_map_views *second, clrs_map_views *views,
                              clrs_error *error) {
  start_views(&first->source, views);
  views->resample = first->resample;
  for (uint32_t i = 0; i < joined->step_count; i++) {
    const clrs_map_views *from = i < kept ? first : second;
    if (clrs__step_has_parameter(joined->steps[i].kind)) {
      CLRS_TRY(take_view(from, from->of_step[i < kept ? i : i - kept], views, &views->of_step[i],
                         error));
    }
  }
  return CLRS_OK;
}

/* ---- bitcasts ---- */

/* Returns true if the elements of both types are at the same bits of a byte. */
static bool keeps_places(const clrs_map *map) {
  return map->reinterprets && clrs_map_keeps_bits(map);
}

/* Copied elements are read as the other type. Computed elements are written as the other type. */
static void reinterpret(clrs_mapped *mapped, clrs_dtype to) {
  if (clrs__map_is_copy(&mapped->map) && mapped->map.from == mapped->map.to) {
    mapped->map.from = mapped->map.to = mapped->views.source.dtype = to;
  }
  mapped->dtype = to;
}

/* ---- mapped views ---- */

/* Checks the result type: the map's own type, or a type that the elements can be bitcast to in
 * place. */
static clrs_status check_result(const clrs_mapped *mapped, clrs_error *error) {
  clrs_map renamed;
  CLRS_TRY(clrs__dtype_check(mapped->dtype, error));
  if (mapped->dtype == mapped->map.to) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs_map_bitcast(mapped->map.to, mapped->dtype, &renamed, error));
  return keeps_places(&renamed)
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "a mapped view of %s, whose map is to %s; the bits of the two lie the "
                          "other way round in a byte",
                          clrs__dtype_text(mapped->dtype), clrs__dtype_text(mapped->map.to));
}

clrs_status clrs_mapped_check(const clrs_mapped *mapped, clrs_error *error) {
  CLRS_TRY(clrs__require(mapped, "mapped", error));
  CLRS_TRY(clrs_map_check(&mapped->map, error));
  CLRS_TRY(clrs__map_views_check(&mapped->map, &mapped->views, error));
  return check_result(mapped, error);
}

clrs_status clrs_mapped_init(const clrs_view *view, clrs_mapped *mapped, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  CLRS_TRY(clrs__require(mapped, "mapped", error));
  memset(mapped, 0, sizeof *mapped);
  mapped->dtype = mapped->map.from = mapped->map.to = view->dtype;
  start_views(view, &mapped->views);
  return CLRS_OK;
}

/* Joins the map of *mapped and `map`, which is bound to the same shape. */
static clrs_status join_bound(clrs_mapped *mapped, const clrs_map *map, const clrs_map_views *views,
                              clrs_error *error) {
  clrs_mapped joined;
  uint32_t kept;
  if (mapped->dtype != mapped->map.to) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "a map from %s, which is bitcast from the %s of another map; that takes a "
                      "second pass",
                      clrs__dtype_text(mapped->dtype), clrs__dtype_text(mapped->map.to));
  }
  CLRS_TRY(clrs__map_join(&mapped->map, map, &joined.map, &kept, error));
  CLRS_TRY(join_views(&joined.map, kept, &mapped->views, views, &joined.views, error));
  joined.dtype = joined.map.to;
  *mapped = joined;
  return CLRS_OK;
}

/* Binds the map to the present view of the source, and joins the two maps. */
static clrs_status join(clrs_mapped *mapped, const clrs_map *map, const clrs_map_tensors *tensors,
                        clrs_error *error) {
  clrs_map_views views;
  clrs_view seen;
  clrs__view_copy(&seen, &mapped->views.source);
  seen.dtype = map->from;
  CLRS_TRY(clrs_map_bind(map, &seen, tensors, &views, error));
  return join_bound(mapped, map, &views, error);
}

clrs_status clrs_mapped_then(clrs_mapped *mapped, const clrs_map *map,
                             const clrs_map_tensors *tensors, clrs_error *error) {
  CLRS_TRY(clrs_mapped_check(mapped, error));
  CLRS_TRY(clrs_map_check(map, error));
  if (map->from != mapped->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a map from %s of what is %s; they must be the same",
                      clrs__dtype_text(map->from), clrs__dtype_text(mapped->dtype));
  }
  if (keeps_places(map)) {
    reinterpret(mapped, map->to);
    return CLRS_OK;
  }
  return join(mapped, map, tensors, error);
}

/* If `after` only copies and reinterprets, only its last type counts. */
static clrs_status join_checked(clrs_mapped *joined, const clrs_mapped *after, clrs_error *error) {
  clrs_map cast;
  const bool is_copy = clrs__map_is_copy(&after->map) && after->map.from == after->map.to;
  const clrs_dtype wanted = is_copy ? after->dtype : after->map.from;
  if (wanted != joined->dtype) {
    CLRS_TRY(clrs_map_bitcast(joined->dtype, wanted, &cast, error));
    CLRS_TRY(clrs_mapped_then(joined, &cast, NULL, error));
  }
  if (is_copy) {
    return CLRS_OK;
  }
  CLRS_TRY(join_bound(joined, &after->map, &after->views, error));
  if (after->dtype != after->map.to) {
    reinterpret(joined, after->dtype);
  }
  return CLRS_OK;
}

clrs_status clrs_mapped_join(clrs_mapped *mapped, const clrs_mapped *after, clrs_error *error) {
  CLRS_TRY(clrs_mapped_check(mapped, error));
  CLRS_TRY(clrs_mapped_check(after, error));
  const clrs_shape *shape = &mapped->views.source.shape, *seen = &after->views.source.shape;
  if (!clrs_shape_equal(shape, seen)) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "the mapped view is %s, and what is to follow it is of %s",
                      clrs__dims_text(shape->rank, shape->dims).text,
                      clrs__dims_text(seen->rank, seen->dims).text);
  }
  clrs_mapped joined = *mapped;
  CLRS_TRY(join_checked(&joined, after, error));
  *mapped = joined;
  return CLRS_OK;
}
