/* SPDX-License-Identifier: Apache-2.0 */
#include "batches.h"

#include <stdlib.h>

#include "fail.h"

/* A tensor of each side of every move, each NULL or open. */
typedef struct bench_moves {
  size_t count;
  clrs_tensor **sources, **destinations;
} bench_moves;

clrs_status bench_move_view(const clrs_view *all, int64_t index, clrs_view *view,
                            clrs_error *error) {
  const clrs_slice one = {0, index, index + 1, 1};
  *view = *all;
  return clrs_view_slice(view, 1, &one, error);
}

static clrs_status open_part(clrs_tensor *whole, size_t index, clrs_tensor **part,
                             clrs_error *error) {
  clrs_view view;
  CLRS_TRY(bench_move_view(clrs_tensor_view(whole), (int64_t)index, &view, error));
  return clrs_tensor_with_view(whole, &view, part, error);
}

/* The two tensors are of all moves together. To be closed also after a failure. */
static clrs_status open_moves(clrs_tensor *source, clrs_tensor *destination, bench_moves *moves,
                              clrs_error *error) {
  moves->count = (size_t)clrs_tensor_view(source)->shape.dims[0];
  moves->sources = calloc(moves->count, sizeof *moves->sources);
  moves->destinations = calloc(moves->count, sizeof *moves->destinations);
  if (moves->sources == NULL || moves->destinations == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  for (size_t i = 0; i < moves->count; i++) {
    CLRS_TRY(open_part(source, i, &moves->sources[i], error));
    CLRS_TRY(open_part(destination, i, &moves->destinations[i], error));
  }
  return CLRS_OK;
}

static void close_side(size_t count, clrs_tensor **tensors) {
  for (size_t i = 0; i < count && tensors != NULL; i++) {
    clrs_tensor_release(tensors[i]);
  }
  free(tensors);
}

static void close_moves(bench_moves *moves) {
  close_side(moves->count, moves->sources);
  close_side(moves->count, moves->destinations);
}

clrs_status bench_batch_create(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                               clrs_batch **batch, clrs_error *error) {
  bench_moves moves = {0};
  clrs_status status = open_moves(source, destination, &moves, error);
  if (status == CLRS_OK) {
    const clrs_batch_moves all = {
        .count = moves.count, .sources = moves.sources, .destinations = moves.destinations};
    status = clrs_batch_create(context, &all, batch, error);
  }
  close_moves(&moves);
  return status;
}
