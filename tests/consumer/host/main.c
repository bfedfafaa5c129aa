/*
 * A program that uses the host's own library and clreshape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <clreshape/clreshape.h>

int host_answer(void);

/* clamp=-1,1 of a NaN, of 3 and of -infinity, compared as bits: how this file is compiled must not
 * matter. */
static bool maps_are_exact(void) {
  static const uint32_t codes[] = {0x7fc00000u, 0x40400000u, 0xff800000u};
  static const uint32_t expected[] = {0x7fc00000u, 0x3f800000u, 0xbf800000u};
  const int64_t dims[] = {3};
  uint32_t results[3] = {0};
  clrs_error error;
  clrs_layout layout;
  clrs_shape shape;
  clrs_view view;
  clrs_map map;
  clrs_mapped mapped;
  const double ends[] = {-1, 1};
  const clrs_numbers lowest = {1, &ends[0], {0}}, highest = {1, &ends[1], {0}};
  const clrs_map_data data = {.source = {codes, sizeof codes}};
  return clrs_shape_init(1, dims, &shape, &error) == CLRS_OK &&
         clrs_layout_init(CLRS_F32, &shape, NULL, 0, &layout, &error) == CLRS_OK &&
         clrs_view_from_layout(&layout, &view, &error) == CLRS_OK &&
         clrs_mapped_init(&view, &mapped, &error) == CLRS_OK &&
         clrs_map_cast(CLRS_ONNX, CLRS_F32, CLRS_F32, &map, &error) == CLRS_OK &&
         clrs_map_step(&map, CLRS_STEP_AT_LEAST, CLRS_F32, &lowest, &error) == CLRS_OK &&
         clrs_map_step(&map, CLRS_STEP_AT_MOST, CLRS_F32, &highest, &error) == CLRS_OK &&
         clrs_mapped_then(&mapped, &map, NULL, &error) == CLRS_OK &&
         clrs_map_apply(&mapped.map, &mapped.views, &data, results, sizeof results, &error) ==
             CLRS_OK &&
         memcmp(results, expected, sizeof expected) == 0;
}

int main(void) {
  const int64_t dims[] = {6, 7};
  clrs_error error;
  clrs_shape shape;
  int64_t count = 0;
  const bool ok = clrs_shape_init(2, dims, &shape, &error) == CLRS_OK &&
                  clrs_shape_count(&shape, &count, &error) == CLRS_OK;
  return ok && count == host_answer() && maps_are_exact() ? 0 : 1;
}
