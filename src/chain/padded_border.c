/* SPDX-License-Identifier: Apache-2.0 */
#include "padded_border.h"

#include <string.h>

enum { MOST_VALUES = 8192 };

typedef struct border {
  const clrs__padded *of;
  clrs__take_value *take;
  void *context;
  clrs_mapped maps; /* with views of the piece, shaped as the axes */
  uint8_t element[CLRS__PAD_ELEMENT];
  size_t count; /* values so far */
} border;

/* Do the maps have different numbers along the axis? */
static bool changes_along(const border *b, uint32_t axis) {
  for (uint32_t i = 0; i < b->maps.views.count; i++) {
    clrs_layout layout;
    if (clrs_view_layout(&b->maps.views.views[i], &layout, NULL) != CLRS_OK ||
        layout.strides[axis] != 0) {
      return true;
    }
  }
  return false;
}

/* Maps the border's element at the first index of each slice. */
static clrs_status take_value(border *b, const clrs_slice *slices, clrs_error *error) {
  clrs_slice first[CLRS_MAX_RANK];
  uint8_t mapped[CLRS__PAD_ELEMENT] = {0};
  clrs_mapped one;
  const clrs_map_data data = {.source = {b->element, sizeof b->element}};
  if (++b->count > MOST_VALUES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the border has over %d values after the operations behind the pad; use two "
                      "chains",
                      MOST_VALUES);
  }
  for (uint32_t k = 0; k < b->of->axes.rank; k++) {
    first[k] = (clrs_slice){k, slices[k].start, slices[k].start + 1, 1};
  }
  CLRS_TRY(clrs__padded_maps(b->of, first, &one, error));
  CLRS_TRY(clrs_map_apply(&one.map, &one.views, &data, mapped, sizeof mapped, error));
  clrs__pad_turn(one.dtype, mapped);
  return b->take(b->context, slices, mapped, error);
}

static clrs_status split(border *b, uint32_t axis, clrs_slice *slices, clrs_error *error) {
  if (axis == b->of->axes.rank) {
    return take_value(b, slices, error);
  }
  if (!changes_along(b, axis)) {
    return split(b, axis + 1, slices, error);
  }
  const clrs_slice whole = slices[axis];
  for (int64_t at = whole.start; at < whole.end; at++) {
    slices[axis] = (clrs_slice){axis, at, at + 1, 1};
    CLRS_TRY(split(b, axis + 1, slices, error));
  }
  slices[axis] = whole;
  return CLRS_OK;
}

clrs_status clrs__padded_border(const clrs__padded *padded, const clrs_slice *slices,
                                clrs__take_value *take, void *context, clrs_error *error) {
  clrs_slice part[CLRS_MAX_RANK];
  border b = {.of = padded, .take = take, .context = context};
  memcpy(part, slices, padded->axes.rank * sizeof *part);
  memcpy(b.element, padded->pad.element, sizeof b.element);
  clrs__pad_turn(padded->dtype, b.element); /* into memory */
  CLRS_TRY(clrs__padded_maps(padded, slices, &b.maps, error));
  return split(&b, 0, part, error);
}
