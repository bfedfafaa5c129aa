/*
 * Cuts boxes further.
 *
 * A view that is a stack of walks has seams. At a seam, neighbours in the result are far apart in
 * the file. A box across a seam would read all elements between the two neighbours. The box is cut
 * at the seam. Example: roll=0,1 of [1000,64], in boxes of 16 rows, gives a first box with row 999
 * and rows 0 to 14, which is cut into 1 row and 15 rows. The written elements must form one walk,
 * so a box is cut until the place is one walk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "box_parts.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"

static bool is_exact(const cli_boxes *boxes, const cli_box *box) {
  return box->destination.depth <= 1 && cli_runs_bytes(&box->read) <= boxes->source_bytes &&
         cli_runs_bytes(&box->written) <= boxes->destination_bytes;
}

static int64_t extent_of(const clrs_slice *slice) {
  return slice->end - slice->start;
}

/* Keeps the first `front` indices of the slice, or the rest. */
static void take_side(clrs_slice *slice, int64_t front, bool is_front) {
  *(is_front ? &slice->end : &slice->start) = slice->start + front;
}

/* Sums the bytes that both halves read. */
static clrs_status weigh_halves(const cli_boxes *boxes, clrs_slice *slices, uint32_t dim,
                                cli_box *box, double *bytes, clrs_error *error) {
  const clrs_slice whole = slices[dim];
  clrs_status status = CLRS_OK;
  *bytes = 0;
  for (int half = 0; half < 2 && status == CLRS_OK; half++) {
    slices[dim] = whole;
    take_side(&slices[dim], (extent_of(&whole) + 1) / 2, half == 0);
    status = cli_box_of(boxes, slices, box, error);
    *bytes += status == CLRS_OK ? (double)cli_runs_bytes(&box->read) : 0;
  }
  slices[dim] = whole;
  return status;
}

/* A dim along which to cut. `depth` is the depth of the place of the dim's first index alone. */
typedef struct choice {
  uint32_t dim, depth;
  double bytes; /* bytes that both halves read */
} choice;

static clrs_status weigh_dim(const cli_boxes *boxes, clrs_slice *slices, cli_box *box,
                             choice *weighed, clrs_error *error) {
  const clrs_slice whole = slices[weighed->dim];
  take_side(&slices[weighed->dim], 1, true);
  const clrs_status status = cli_box_of(boxes, slices, box, error);
  slices[weighed->dim] = whole;
  weighed->depth = box->destination.depth;
  return status == CLRS_OK ? weigh_halves(boxes, slices, weighed->dim, box, &weighed->bytes, error)
                           : status;
}

/* Finds the dim along which a place becomes one walk soonest. Among several, the dim whose halves
 * read least is taken, then the outermost. For a single element, best->dim is CLRS_MAX_RANK.
 * Example: a place rolled along dims 1 and 2 is three walks. One index of dim 2 is two walks, and
 * one index of dim 1 is three, so the box is cut along dim 2. */
static clrs_status find_dim(const cli_boxes *boxes, clrs_slice *slices, cli_box *box, choice *best,
                            clrs_error *error) {
  *best = (choice){.dim = CLRS_MAX_RANK};
  for (uint32_t dim = 0; dim < boxes->place.shape.rank; dim++) {
    choice weighed = {.dim = dim};
    if (extent_of(&slices[dim]) < 2) {
      continue;
    }
    CLRS_TRY(weigh_dim(boxes, slices, box, &weighed, error));
    if (best->dim == CLRS_MAX_RANK || weighed.depth < best->depth ||
        (weighed.depth == best->depth && weighed.bytes < best->bytes)) {
      *best = weighed;
    }
  }
  return CLRS_OK;
}

/* Most waiting parts. A front that is one part is visited next. Only halved fronts wait, so at most
 * as many parts wait as a count in 64 bits can be halved. */
enum { MOST_PENDING = 64 * 2 };

/* Parts still to be visited, the next part last. */
typedef struct pending {
  uint32_t count;
  clrs_slice parts[MOST_PENDING][CLRS_MAX_RANK];
} pending;

/* Is a front better than a whole whose place has `depth` walks? */
static bool is_better(const cli_boxes *boxes, const cli_box *front, uint32_t depth) {
  return front->destination.depth < depth || is_exact(boxes, front);
}

/* Finds the longest front of the slice along `dim` that is better than the whole, by bisection. If
 * the first index alone is no better, the front is half of the slice. */
static clrs_status find_front(const cli_boxes *boxes, clrs_slice *slices, uint32_t dim,
                              cli_box *box, int64_t *front, clrs_error *error) {
  const clrs_slice whole = slices[dim];
  const uint32_t depth = box->destination.depth;
  int64_t exact = 0, more = extent_of(&whole); /* known to be too many */
  clrs_status status = CLRS_OK;
  while (more - exact > 1 && status == CLRS_OK) {
    const int64_t middle = exact + (more - exact) / 2;
    slices[dim] = whole;
    take_side(&slices[dim], middle, true);
    status = cli_box_of(boxes, slices, box, error);
    *(status == CLRS_OK && is_better(boxes, box, depth) ? &exact : &more) = middle;
  }
  slices[dim] = whole;
  *front = exact > 0 ? exact : (extent_of(&whole) + 1) / 2;
  return status;
}

static clrs_status cut_last(const cli_boxes *boxes, pending *left, cli_box *box,
                            clrs_error *error) {
  choice best;
  int64_t front = 0;
  clrs_slice *last = left->parts[left->count - 1];
  CLRS_TRY(find_dim(boxes, last, box, &best, error));
  if (best.dim == CLRS_MAX_RANK || left->count == MOST_PENDING) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "an element takes more bytes than --memory has");
  }
  CLRS_TRY(cli_box_of(boxes, last, box, error));
  CLRS_TRY(find_front(boxes, last, best.dim, box, &front, error));
  memcpy(left->parts[left->count], last, sizeof left->parts[0]);
  take_side(&last[best.dim], front, false);
  take_side(&left->parts[left->count++][best.dim], front, true);
  return CLRS_OK;
}

static clrs_status visit(const cli_boxes *boxes, pending *left, const cli_box_visitor *visitor,
                         clrs_error *error) {
  while (left->count > 0) {
    CLRS_TRY(cli_box_of(boxes, left->parts[left->count - 1], visitor->box, error));
    if (is_exact(boxes, visitor->box)) {
      left->count--;
      CLRS_TRY(visitor->move(visitor->user_data, visitor->box, error));
    } else {
      CLRS_TRY(cut_last(boxes, left, visitor->box, error));
    }
  }
  return CLRS_OK;
}

clrs_status cli_boxes_each(const cli_boxes *boxes, int64_t index, const cli_box_visitor *visitor,
                           clrs_error *error) {
  if (!boxes->is_refined) {
    CLRS_TRY(cli_box_find(boxes, index, visitor->box, error));
    return visitor->move(visitor->user_data, visitor->box, error);
  }
  pending *left = malloc(sizeof *left);
  if (left == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  left->count = 1;
  cli_box_slices(boxes, index, left->parts[0]);
  const clrs_status status = visit(boxes, left, visitor, error);
  free(left);
  return status;
}
