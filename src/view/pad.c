/*
 * Padding with elements of the tensor, as boxes that are views of the tensor.
 *
 * Along one dim the result is a few runs. A run has one or more pieces of one length at even
 * distances. All pieces of a run show the same elements of the source: in order, backward, or one
 * element repeated. Example: [a b c d] with 6 before and 3 behind, reflected, has the period 6: a b
 * c d forward and then c b backward. The result is
 *
 *     a b c d | c b | a b c d | c b | a          two pieces forward, 6 apart, and a cut piece,
 *                                                two pieces backward, 6 apart
 *
 * Each kind of piece makes at most one run of whole pieces. A cut piece at either end of the result
 * is a run of its own.
 * A box is a run in each dim.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pad.h"

#include <inttypes.h>

#include "checked.h"
#include "repeats.h"

enum { MOST_BOXES = 8192 }; /* more than the 3^8 boxes of eight dims padded on both sides */

typedef clrs__pad_run run;
typedef clrs__pad_runs runs;
typedef clrs__pad_edges edges;

static void add_run(runs *all, const run *one) {
  if (one->count > 0 && one->length > 0) {
    all->list[all->count++] = *one;
  }
}

/* ---- runs ---- */

static void find_edge_runs(const edges *dim, runs *all) {
  const int64_t before = dim->before, n = dim->extent;
  add_run(all, &(run){0, before, 1, before, 0, 0});
  add_run(all, &(run){before, n, 1, n, 0, 1});
  add_run(all, &(run){before + n, dim->behind, 1, dim->behind, n - 1, 0});
}

/* Finds the pieces that repeat every `period` elements. One piece begins at position `at`.
 * Positions count from the source's first element, so positions in the border before the source are
 * negative.
 *
 * Example: the forward pieces in the figure above have a period of 6, a length of 4, `at` 0, and
 * positions -6 to 6. Position -6 is 0 elements into a piece, so `start` is -6 and no piece is cut
 * there. The last piece begins at position 6 with only 1 element left, and is the cut piece at the
 * end. Between them are (7 - -6 - 4) / 6 + 1 = 2 whole pieces. */
static void find_pieces(const edges *dim, int64_t at, const run *piece, runs *all) {
  const int64_t period = piece->period, length = piece->length;
  const int64_t low = -dim->before, high = dim->extent + dim->behind;
  const int64_t into = (low - at) % period, begun = into < 0 ? into + period : into;
  const int64_t rest = (high - at) % period;
  const int64_t start = begun == 0 ? low : low + (period - begun); /* the first whole piece's */
  run cut = *piece, whole = *piece;
  cut.count = 1;
  if (begun > 0 && begun < length) {
    cut.start = 0;
    cut.length = length - begun;
    cut.first = clrs__exact_multiply_add(piece->first, piece->step, begun);
    add_run(all, &cut);
  }
  whole.start = start - low;
  whole.count = high - start < length ? 0 : (high - start - length) / period + 1;
  add_run(all, &whole);
  if (rest > 0 && rest < length) {
    cut.start = high - low - rest;
    cut.length = rest;
    cut.first = piece->first;
    add_run(all, &cut);
  }
}

bool clrs__pad_find_runs(clrs_pad_mode mode, const edges *dim, runs *all) {
  const bool is_reflect = mode == CLRS_PAD_REFLECT;
  const int64_t n = dim->extent;
  int64_t period = n;
  all->count = 0;
  if (dim->before == 0 && dim->behind == 0) {
    all->list[all->count++] = (run){0, n, 1, n, 0, 1}; /* also if n is 0 */
    return true;
  }
  if (mode == CLRS_PAD_EDGE || (is_reflect && n == 1)) {
    find_edge_runs(dim, all);
    return true;
  }
  if (mode != CLRS_PAD_WRAP && !clrs__multiply(n, 2, &period)) {
    return false;
  }
  period -= is_reflect ? 2 : 0;
  find_pieces(dim, 0, &(run){.period = period, .length = n, .first = 0, .step = 1}, all);
  find_pieces(
      dim, n,
      &(run){
          .period = period, .length = period - n, .first = is_reflect ? n - 2 : n - 1, .step = -1},
      all);
  return true;
}

/* ---- modes ---- */

clrs_status clrs__pad_mode_check(clrs_pad_mode mode, clrs_error *error) {
  return (unsigned)mode <= (unsigned)CLRS_PAD_WRAP
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "pad mode %d is unknown; clrs_pad_mode has 0 to %d", (int)mode,
                          CLRS_PAD_WRAP);
}

/* The name of a mode that was checked. */
static const char *text_of(clrs_pad_mode mode) {
  static const char *const names[] = {"constant", "edge", "reflect", "symmetric", "wrap"};
  return names[mode];
}

/* ---- pads ---- */

static edges edges_of(const clrs_pad *pad, uint32_t dim) {
  return (edges){pad->shape.dims[dim], pad->begins[dim], pad->ends[dim]};
}

static clrs_status check_mode(clrs_pad_mode mode, clrs_error *error) {
  CLRS_TRY(clrs__pad_mode_check(mode, error));
  return mode != CLRS_PAD_CONSTANT
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "mode is constant; its border is of one value, which no view of the "
                          "source shows");
}

clrs_status clrs__pad_widen(clrs_pad_mode mode, const clrs__pad_edges *at, uint32_t dim,
                            int64_t *widened, clrs_error *error) {
  if (at->before < 0 || at->behind < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s[%u] is %" PRId64 "; to take elements away slice the source",
                      at->before < 0 ? "begins" : "ends", dim,
                      at->before < 0 ? at->before : at->behind);
  }
  if (mode != CLRS_PAD_CONSTANT && at->extent == 0 && (at->before > 0 || at->behind > 0)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dimension %u has no elements, and %s padding repeats those that are there; "
                      "only mode constant pads it",
                      dim, text_of(mode));
  }
  return clrs__add(at->extent, at->before, widened) && clrs__add(*widened, at->behind, widened)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OVERFLOW, "padded dimension %u does not fit in 64 bits", dim);
}

static clrs_status find_dim_runs(const clrs_pad *pad, uint32_t dim, runs *all, clrs_error *error) {
  const edges at = edges_of(pad, dim);
  return clrs__pad_find_runs(pad->mode, &at, all)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OVERFLOW,
                          "twice dimension %u of %" PRId64 ", after which what %s padding shows "
                          "begins again, does not fit in 64 bits",
                          dim, at.extent, text_of(pad->mode));
}

/* Computes the other fields of `pad` from mode, shape, begins and ends, and the runs of each
 * dim. */
static clrs_status measure(clrs_pad *pad, runs *dims, clrs_error *error) {
  CLRS_TRY(check_mode(pad->mode, error));
  CLRS_TRY(clrs__shape_check(&pad->shape, error));
  pad->whole = pad->shape;
  pad->box_count = 1;
  for (uint32_t dim = 0; dim < pad->shape.rank; dim++) {
    const edges at = edges_of(pad, dim);
    CLRS_TRY(clrs__pad_widen(pad->mode, &at, dim, &pad->whole.dims[dim], error));
    CLRS_TRY(find_dim_runs(pad, dim, &dims[dim], error));
    pad->box_count *= dims[dim].count;
    if (pad->box_count > MOST_BOXES) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                        "%s padding of %u dims or more puts together over %d boxes; pad some of "
                        "the dims first",
                        text_of(pad->mode), dim + 1, MOST_BOXES);
    }
  }
  return clrs__shape_check(&pad->whole, error);
}

clrs_status clrs_pad_init(clrs_pad_mode mode, const clrs_shape *shape, const int64_t *begins,
                          const int64_t *ends, clrs_pad *pad, clrs_error *error) {
  runs dims[CLRS_MAX_RANK];
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__require(pad, "pad", error));
  CLRS_TRY(clrs__shape_check(shape, error));
  clrs_pad made = {.mode = mode, .shape = *shape};
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    made.begins[dim] = begins != NULL ? begins[dim] : 0;
    made.ends[dim] = ends != NULL ? ends[dim] : 0;
  }
  CLRS_TRY(measure(&made, dims, error));
  *pad = made;
  return CLRS_OK;
}

clrs_status clrs__pad_between(clrs_pad_mode mode, const clrs_shape *inner, const clrs_shape *outer,
                              const int64_t *begins, clrs_pad *pad, clrs_error *error) {
  int64_t ends[CLRS_MAX_RANK];
  for (uint32_t dim = 0; dim < inner->rank; dim++) {
    ends[dim] = outer->dims[dim] - begins[dim] - inner->dims[dim];
  }
  return clrs_pad_init(mode, inner, begins, ends, pad, error);
}

/* ---- boxes ---- */

/* The runs that make a box, one in each dim. The last dim counts fastest. */
typedef struct box {
  clrs_pad pad; /* measured anew, because the caller's may be anything */
  run runs[CLRS_MAX_RANK];
} box;

static clrs_status find_box(const clrs_pad *pad, size_t index, box *found, clrs_error *error) {
  runs dims[CLRS_MAX_RANK];
  CLRS_TRY(clrs__require(pad, "pad", error));
  found->pad = *pad;
  CLRS_TRY(measure(&found->pad, dims, error));
  if (index >= found->pad.box_count) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "box %zu is not there; the pad has %zu", index,
                      found->pad.box_count);
  }
  for (uint32_t dim = found->pad.shape.rank; dim > 0; dim--) {
    const runs *along = &dims[dim - 1];
    found->runs[dim - 1] = along->list[index % along->count];
    index /= along->count;
  }
  return CLRS_OK;
}

static clrs_status check_shape(const clrs_view *view, const clrs_shape *wanted, const char *what,
                               clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  return clrs_shape_equal(&view->shape, wanted)
             ? CLRS_OK
             : clrs__fail(error, CLRS_COUNT_MISMATCH, "the view is %s; the pad's %s is %s",
                          clrs__dims_text(view->shape.rank, view->shape.dims).text, what,
                          clrs__dims_text(wanted->rank, wanted->dims).text);
}

/* Slices, then flips backward runs, then repeats. */
clrs_status clrs_pad_source(const clrs_pad *pad, size_t index, clrs_view *view, clrs_error *error) {
  box at;
  clrs_slice slices[CLRS_MAX_RANK];
  int64_t backwards[CLRS_MAX_RANK], repeats[CLRS_MAX_RANK];
  size_t backward_count = 0;
  clrs_view seen;
  CLRS_TRY(find_box(pad, index, &at, error));
  CLRS_TRY(check_shape(view, &at.pad.shape, "source", error));
  for (uint32_t dim = 0; dim < at.pad.shape.rank; dim++) {
    const run *one = &at.runs[dim];
    const int64_t length = one->step == 0 ? 1 : one->length;
    const int64_t start = one->step < 0 ? one->first - (length - 1) : one->first;
    slices[dim] = (clrs_slice){dim, start, start + length, 1};
    repeats[dim] = one->step == 0 ? one->length : one->count;
    if (one->step < 0) {
      backwards[backward_count++] = dim;
    }
  }
  clrs__view_copy(&seen, view);
  CLRS_TRY(clrs_view_slice(&seen, at.pad.shape.rank, slices, error));
  CLRS_TRY(clrs_view_flip(&seen, backward_count, backwards, error));
  CLRS_TRY(clrs__view_tile(&seen, at.pad.shape.rank, repeats, error));
  clrs__view_copy(view, &seen);
  return CLRS_OK;
}

/* Makes one dim of several pieces of a dim. */
static clrs_status gather_pieces(const run *one, uint32_t dim, clrs_view *view, clrs_error *error) {
  const clrs__window window = {dim, one->length, one->period};
  clrs_shape shape = view->shape;
  if (one->count == 1 || one->period == one->length) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs__view_window(view, &window, error));
  CLRS_TRY(clrs__view_move_axis(view, -1, (int64_t)dim + 1, error));
  shape.dims[dim] = clrs__exact_multiply(one->count, one->length); /* less than the dim had */
  return clrs_view_reshape(view, &shape, error);
}

clrs_status clrs_pad_place(const clrs_pad *pad, size_t index, clrs_view *view, clrs_error *error) {
  box at;
  clrs_slice slices[CLRS_MAX_RANK];
  clrs_view place;
  CLRS_TRY(find_box(pad, index, &at, error));
  CLRS_TRY(check_shape(view, &at.pad.whole, "result", error));
  for (uint32_t dim = 0; dim < at.pad.shape.rank; dim++) {
    const run *one = &at.runs[dim];
    const int64_t last = clrs__exact_multiply_add(one->start, one->count - 1, one->period);
    slices[dim] = (clrs_slice){dim, one->start, last + one->length, 1};
  }
  clrs__view_copy(&place, view);
  CLRS_TRY(clrs_view_slice(&place, at.pad.shape.rank, slices, error));
  for (uint32_t dim = 0; dim < at.pad.shape.rank; dim++) {
    CLRS_TRY(gather_pieces(&at.runs[dim], dim, &place, error));
  }
  clrs__view_copy(view, &place);
  return CLRS_OK;
}
