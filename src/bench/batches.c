/* SPDX-License-Identifier: Apache-2.0 */
#include "batches.h"

#include <stdlib.h>

#include "fail.h"

clrs_status bench_move_view(const clrs_view *all, int64_t index, clrs_view *view,
                            clrs_error *error) {
  const clrs_slice one = {0, index, index + 1, 1};
  *view = *all;
  return clrs_view_slice(view, 1, &one, error);
}

/* The tensors of every move, each NULL or open. */
typedef struct parts {
  size_t count;
  clrs_tensor **sources, **destinations;
} parts;

static void close_parts(parts *all) {
  for (size_t i = 0; i < all->count && all->sources != NULL && all->destinations != NULL; i++) {
    clrs_tensor_release(all->sources[i]);
    clrs_tensor_release(all->destinations[i]);
  }
  free(all->sources);
  free(all->destinations);
}

static clrs_status open_part(clrs_tensor *whole, size_t index, clrs_tensor **part,
                             clrs_error *error) {
  clrs_view view;
  CLRS_TRY(bench_move_view(clrs_tensor_view(whole), (int64_t)index, &view, error));
  return clrs_tensor_with_view(whole, &view, part, error);
}

/* To be closed also after a failure. */
static clrs_status open_parts(clrs_tensor *source, clrs_tensor *destination, parts *all,
                              clrs_error *error) {
  all->sources = calloc(all->count, sizeof *all->sources);
  all->destinations = calloc(all->count, sizeof *all->destinations);
  if (all->sources == NULL || all->destinations == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  for (size_t i = 0; i < all->count; i++) {
    CLRS_TRY(open_part(source, i, &all->sources[i], error));
    CLRS_TRY(open_part(destination, i, &all->destinations[i], error));
  }
  return CLRS_OK;
}

clrs_status bench_batch_create(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                               clrs_batch **batch, clrs_error *error) {
  parts all = {.count = (size_t)clrs_tensor_view(source)->shape.dims[0]};
  clrs_status status = open_parts(source, destination, &all, error);
  if (status == CLRS_OK) {
    const clrs_batch_moves moves = {all.count, all.sources, all.destinations};
    status = clrs_batch_create(context, &moves, batch, error);
  }
  close_parts(&all);
  return status;
}
