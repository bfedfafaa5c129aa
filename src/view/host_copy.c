/*
 * Copies the elements of a view on the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "cursor.h"

static void copy(const clrs_view *view, int64_t count, size_t bytes, const uint8_t *source,
                 uint8_t *destination) {
  clrs__cursor cursor;
  for (clrs__cursor_start(&cursor, view); count-- > 0; destination += bytes) {
    const size_t from = (size_t)clrs__cursor_next(&cursor);
    memcpy(destination, source + from * bytes, bytes);
  }
}

/* Returns CLRS_OK if that many elements fit. */
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
