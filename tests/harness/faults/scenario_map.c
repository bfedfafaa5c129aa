/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario_map.h"

/* Element offset of the parameter in the source's buffer, behind all elements. */
enum { PARAMETER_AT = API_BYTES / 2, MOST_NUMBERS = 32 };

static int64_t last_dim(const clrs_shape *shape) {
  return shape->dims[shape->rank - 1];
}

/* The number of the map's own for the last index. */
static int number_at(int64_t index) {
  return (int)index + 1;
}

/* The subtracted values come from a tensor if no numbers are given. */
static clrs_status make_map(attempt *try, size_t count, const double *subtracted, clrs_map *map) {
  const clrs_spread along = {.kind = CLRS_SPREAD_AXIS, .axis = -1};
  const size_t subtracted_count = subtracted != NULL ? count : 0;
  double values[MOST_NUMBERS];
  assert_in_range(count, 1, MOST_NUMBERS);
  for (size_t i = 0; i < count; i++)
    values[i] = number_at((int64_t)i);
  clrs_status status = clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_U8, map, &try->error);
  if (status == CLRS_OK)
    status = clrs_map_step(map, CLRS_STEP_ADD, CLRS_F32, &(clrs_numbers){count, values, along},
                           &try->error);
  if (status == CLRS_OK)
    status = clrs_map_step(map, CLRS_STEP_SUBTRACT, CLRS_F32,
                           &(clrs_numbers){subtracted_count, subtracted, along}, &try->error);
  if (status == CLRS_OK)
    status = clrs_map_round(map, CLRS_U8, CLRS_ROUND_ZERO, CLRS_OVERFLOW_SATURATE, &try->error);
  return status;
}

clrs_status scenario_mapped_view(attempt *try, const clrs_view *view, clrs_mapped *mapped) {
  const int64_t count = last_dim(&view->shape);
  double subtracted[MOST_NUMBERS];
  clrs_map map;
  assert_in_range(count, 1, MOST_NUMBERS);
  for (int64_t i = 0; i < count; i++)
    subtracted[i] = try->a->bytes[PARAMETER_AT + i];
  clrs_status status = make_map(try, (size_t)count, subtracted, &map);
  status = status ? status : clrs_mapped_init(view, mapped, &try->error);
  return status ? status : clrs_mapped_then(mapped, &map, NULL, &try->error);
}

clrs_status scenario_map(attempt *try, clrs_tensor **tensor) {
  const int64_t count = last_dim(&clrs_tensor_view(*tensor)->shape);
  const clrs_layout layout = api_layout(CLRS_U8, 1, &count, NULL);
  const clrs_storage storage = {try->a->source, PARAMETER_AT};
  clrs_parameter_tensors tensors = {.steps = {NULL}};
  clrs_tensor *mapped = NULL;
  clrs_map map;
  clrs_status status = make_map(try, (size_t)count, NULL, &map);
  if (status == CLRS_OK)
    status = clrs_tensor_wrap(try->library, &storage, &layout, &tensors.steps[1], &try->error);
  if (status == CLRS_OK)
    status = clrs_tensor_with_map(*tensor, &map, &tensors, &mapped, &try->error);
  clrs_tensor_release(tensors.steps[1]);
  if (status == CLRS_OK) {
    clrs_tensor_release(*tensor);
    *tensor = mapped;
  }
  return status;
}

void scenario_bytes(const scenario *s, const api *a, const oracle *source, unsigned char *bytes) {
  memcpy(bytes, a->bytes, API_BYTES);
  for (int64_t k = 0; s->is_mapped && k < source->count; k++) {
    const int64_t index = k % last_dim(&source->shape);
    const int sum = a->bytes[source->positions[k]] + number_at(index);
    const int number = sum - a->bytes[PARAMETER_AT + index];
    bytes[source->positions[k]] = (unsigned char)(number < 0 ? 0 : number > 255 ? 255 : number);
  }
}
