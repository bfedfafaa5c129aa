/*
 * A random map's tensors on the device, and the mapped elements on the host. See mapped_tensors.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mapped_tensors.h"

#include "harness/tensors.h"

/* ---- what the host says ---- */

static clrs_view view_of_layout(const clrs_layout *layout) {
  clrs_view view;
  CHECK_OK(clrs_view_from_layout(layout, &view, &error), error);
  return view;
}

unsigned char *map_case_apply(const map_fixture *f, const map_case *c) {
  clrs_view views[CASE_TENSORS];
  clrs_map_tensors tensors = {.steps = {NULL}};
  clrs_map_views bound;
  clrs_map_data data = {.source = {f->bytes + c->source_offset, CASE_BYTES - c->source_offset}};
  for (uint32_t i = 0; i < CASE_TENSORS; i++) {
    if (c->is_tensor[i]) {
      views[i] = view_of_layout(&c->tensors[i]);
      tensors.steps[i] = &views[i];
      data.steps[i] =
          (clrs_bytes){f->numbers + c->tensor_offsets[i], CASE_BYTES - c->tensor_offsets[i]};
    }
  }
  unsigned char *mapped = calloc(1, CASE_BYTES);
  assert_non_null(mapped);
  CHECK_OK(clrs_map_bind(&c->map, &c->seen, &tensors, &bound, &error), error);
  CHECK_OK(clrs_map_apply(&c->map, &bound, &data, mapped, CASE_BYTES, &error), error);
  return mapped;
}

/* ---- the tensors ---- */

clrs_tensor *map_wrap(clrs_context *library, cl_mem buffer, uint64_t offset,
                      const clrs_layout *layout) {
  clrs_tensor *tensor = NULL;
  const clrs_storage storage = {buffer, offset};
  CHECK_OK(clrs_tensor_wrap(library, &storage, layout, &tensor, &error), error);
  return tensor;
}

static bool computes_in_doubles(const clrs_map *map) {
  bool found = false;
  for (uint32_t i = 0; i < map->step_count; i++) {
    found = found || (map->steps[i].kind < CLRS_STEP_ROUND && map->steps[i].dtype == CLRS_F64);
  }
  return found;
}

clrs_tensor *map_case_tensor(const map_fixture *f, const map_case *c, clrs_context *library,
                             clrs_tensor *source) {
  clrs_parameter_tensors tensors = {.steps = {NULL}};
  clrs_tensor *mapped = NULL;
  for (uint32_t i = 0; i < CASE_TENSORS; i++) {
    if (c->is_tensor[i]) {
      tensors.steps[i] = map_wrap(library, f->parameters, c->tensor_offsets[i], &c->tensors[i]);
    }
  }
  const clrs_status status = clrs_tensor_with_map(source, &c->map, &tensors, &mapped, &error);
  const bool is_refused = computes_in_doubles(&c->map) && !device_has_doubles(f->device.device);
  CHECK_SEEDED(status == (is_refused ? CLRS_UNSUPPORTED : CLRS_OK), c->seed, "%s", error.message);
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    clrs_tensor_release(tensors.steps[i]);
  }
  return mapped;
}
