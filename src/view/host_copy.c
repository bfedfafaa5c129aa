/*
 * Copying on the host what a view shows. The positions of the top level are counted through, and
 * each is followed down the levels below: there, a position is an index into the enumeration of the
 * level, whose digits are the indices along its axes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "view.h"

/* The position in the storage of element `index` of the level below `level`, whose axes end where
 * those of `level` begin. No sum leaves 64 bits: the view was checked. */
static int64_t descend(const clrs_view *view, uint32_t level, uint32_t end, int64_t index) {
  while (level-- > 0) {
    const uint32_t begin = end - view->levels[level].axis_count;
    int64_t position = view->levels[level].offset;
    for (uint32_t axis = end; axis-- > begin; index /= view->axes[axis].extent) {
      const clrs_axis of = view->axes[axis];
      position += index % of.extent * of.stride;
    }
    index = position;
    end = begin;
  }
  return index;
}

/* The top level's axes, and where along them the next element is. */
typedef struct cursor {
  const clrs_axis *axes;
  uint32_t axis_count;
  int64_t at, indices[CLRS_MAX_AXES];
} cursor;

static void advance(cursor *next) {
  for (uint32_t i = next->axis_count; i-- > 0;) {
    const clrs_axis axis = next->axes[i];
    if (++next->indices[i] < axis.extent) {
      next->at += axis.stride;
      return;
    }
    next->at -= (axis.extent - 1) * axis.stride;
    next->indices[i] = 0;
  }
}

static void copy(const clrs_view *view, int64_t count, size_t bytes, const uint8_t *source,
                 uint8_t *destination) {
  const uint32_t top = view->depth - 1;
  uint32_t begin = 0;
  for (uint32_t level = 0; level < top; level++) {
    begin += view->levels[level].axis_count;
  }
  cursor next = {view->axes + begin, view->levels[top].axis_count, view->levels[top].offset, {0}};
  for (; count-- > 0; destination += bytes) {
    const size_t from = (size_t)descend(view, top, begin, next.at);
    memcpy(destination, source + from * bytes, bytes);
    advance(&next);
  }
}

/* Do that many elements fit? */
static clrs_status check_size(const char *what, int64_t elements, size_t bytes, size_t size,
                              clrs_error *error) {
  return (uint64_t)elements <= size / bytes
             ? CLRS_OK
             : clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                          "the %s has %zu bytes; the view needs %" PRId64 " elements of %zu", what,
                          size, elements, bytes);
}

clrs_status clrs_view_copy_host(const clrs_view *view, const void *source, size_t source_size,
                                void *destination, size_t destination_size, clrs_error *error) {
  int64_t count;
  CLRS_TRY(clrs__view_measure(view, &count, error));
  const size_t bytes = clrs_dtype_bits(view->dtype) / 8;
  if (clrs_dtype_bits(view->dtype) % 8 != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "elements of %u bits are no whole bytes; those are not copied on the host",
                      clrs_dtype_bits(view->dtype));
  }
  if (count == 0) {
    return CLRS_OK;
  }
  const clrs_bounds bounds = clrs__view_bounds(view);
  CLRS_TRY(clrs__require(source, "source", error));
  CLRS_TRY(clrs__require(destination, "destination", error));
  if (bounds.lowest < 0 || bounds.highest == INT64_MAX) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS, "the view reads element %" PRId64 " of the source",
                      bounds.lowest < 0 ? bounds.lowest : bounds.highest);
  }
  CLRS_TRY(check_size("source", bounds.highest + 1, bytes, source_size, error));
  CLRS_TRY(check_size("destination", count, bytes, destination_size, error));
  copy(view, count, bytes, source, destination);
  return CLRS_OK;
}
