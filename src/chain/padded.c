/* SPDX-License-Identifier: Apache-2.0 */
#include "padded.h"

#include <inttypes.h>

#include "checked.h"
#include "dtype.h"
#include "pad.h"
#include "view.h"

enum {
  MOST_PIECES = 8192,
  MOST_RANGES = 32 * MOST_PIECES /* ranges that are looked at, also if no element lies in them */
};

bool clrs__chain_find_pad(const clrs_chain *chain, uint32_t *at) {
  const clrs__chain_data *data = clrs__chain_data_in(chain);
  for (*at = 0; *at < chain->op_count; ++*at) {
    if (clrs__op_form_at(data->ops[*at].form)->apply == clrs__pad_apply) {
      return true;
    }
  }
  return false;
}

static clrs_status fail_op(const clrs_chain *chain, uint32_t at, clrs_status status,
                           const char *why, clrs_error *error) {
  return clrs__fail(error, status, "operation %" PRIu32 " (%s) at column %u: %s", at + 1,
                    clrs__show(clrs_chain_op_text(chain, at)).text,
                    clrs__chain_data_in(chain)->ops[at].column, why);
}

/* ---- the padded tensor ---- */

/* Strides of a tensor that is not there: the stride of a dim is over twice the span of the dims
 * behind. A walk over this tensor says how each axis moves along each dim, because the digits of a
 * sum of strides do not run into each other. Example: whole dims [3,5] have the strides 11 and 1. A
 * stride of 10 is one step along dim 0 and one step back along dim 1, 11 - 1. */
static bool find_strides(const clrs_shape *whole, int64_t *strides) {
  int64_t stride = 1;
  for (uint32_t end = whole->rank; end > 0; end--) {
    int64_t span = whole->dims[end - 1];
    strides[end - 1] = stride;
    if (span > 1 &&
        (!clrs__multiply(span, 2, &span) || !clrs__multiply(stride, span + 1, &stride))) {
      return false;
    }
  }
  return true;
}

/* Finds the steps along the dims that a stride stands for, as find_strides describes. */
static void find_steps(const clrs_shape *whole, int64_t stride, int64_t *steps) {
  for (uint32_t end = whole->rank; end > 0; end--) {
    const int64_t extent = whole->dims[end - 1],
                  span = extent > 1 ? clrs__exact_multiply_add(1, extent, 2) : 1;
    int64_t step = stride % span;
    step += step > extent ? -span : step < -extent ? span : 0;
    steps[end - 1] = step;
    stride = (stride - step) / span;
  }
}

static clrs__pad_edges edges_of(const clrs__padded *of, uint32_t dim) {
  return (clrs__pad_edges){of->shape.dims[dim], of->pad.before[dim], of->pad.behind[dim]};
}

static clrs_status find_whole(const clrs__padded *padded, clrs_shape *whole, clrs_error *error) {
  *whole = padded->shape;
  for (uint32_t dim = 0; dim < whole->rank; dim++) {
    const clrs__pad_edges at = edges_of(padded, dim);
    CLRS_TRY(clrs__pad_widen(padded->pad.mode, &at, dim, &whole->dims[dim], error));
  }
  return clrs__shape_check(whole, error);
}

static clrs_status start_whole(clrs__padded *padded, clrs_shape *whole, clrs_error *error) {
  int64_t strides[CLRS_MAX_RANK];
  clrs_layout layout;
  clrs_view view;
  CLRS_TRY(find_whole(padded, whole, error));
  if (!find_strides(whole, strides)) {
    return clrs__fail(error, CLRS_OVERFLOW, "the padded tensor has too many elements");
  }
  CLRS_TRY(clrs_layout_init(padded->dtype, whole, strides, 0, &layout, error));
  CLRS_TRY(clrs_view_from_layout(&layout, &view, error));
  return clrs_mapped_init(&view, &padded->after, error);
}

/* ---- the operations behind ---- */

static clrs_status apply_behind(const clrs__padded_ask *ask, clrs__padded *padded,
                                clrs_error *error) {
  const clrs__chain_data *data = clrs__chain_data_in(ask->chain);
  const clrs_chain none = {0};
  CLRS_TRY(clrs_chain_map(&none, ask->rules, &padded->after, error)); /* checks the rules */
  for (uint32_t i = ask->first; i < ask->chain->op_count; i++) {
    const clrs__op_form *form = clrs__op_form_at(data->ops[i].form);
    if (form->mix != NULL || form->apply == clrs__pad_apply) {
      return fail_op(ask->chain, i, CLRS_UNSUPPORTED,
                     form->mix != NULL ? "it has to stand in front of the pad"
                                       : "a chain pads once; use a second chain",
                     error);
    }
    CLRS_TRY(clrs_chain_map_one(ask->chain, i, ask->rules, &padded->after, error));
    if (padded->after.views.source.depth > 1) {
      return fail_op(ask->chain, i, CLRS_UNSUPPORTED,
                     "behind a pad, elements may be moved along whole dims, and dims be split or "
                     "joined as they follow each other; use a second chain",
                     error);
    }
  }
  return CLRS_OK;
}

static clrs_status find_axes(const clrs_shape *whole, clrs__padded *padded, clrs_error *error) {
  const clrs_view *view = &padded->after.views.source;
  const clrs_level *walk = &view->levels[0];
  padded->axes = (clrs_shape){1, {0}};
  if (view->depth == 0) {
    return CLRS_OK;
  }
  if (walk->axis_count > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "the result has %u axes; a shape has at most %d",
                      walk->axis_count, CLRS_MAX_RANK);
  }
  padded->axes.rank = walk->axis_count;
  find_steps(whole, walk->offset, padded->starts);
  for (uint32_t axis = 0; axis < walk->axis_count; axis++) {
    padded->axes.dims[axis] = view->axes[axis].extent;
    find_steps(whole, view->axes[axis].stride, padded->steps[axis]);
  }
  return CLRS_OK;
}

clrs_status clrs__chain_pad(const clrs_chain *chain, uint32_t at, const clrs_view *front,
                            clrs__pad_widths *pad, clrs_error *error) {
  const clrs__chain_data *data = clrs__chain_data_in(chain);
  const clrs__chain_op *of = &data->ops[at];
  const clrs__op op = {.values = data->values + of->first_value, .count = of->value_count};
  clrs_error inner;
  const clrs_status status = clrs__pad_spread(&op, front->shape.rank, front->dtype, pad, &inner);
  return status == CLRS_OK ? CLRS_OK : fail_op(chain, at, status, inner.message, error);
}

clrs_status clrs__padded_init(const clrs__padded_ask *ask, const clrs_view *front,
                              clrs__padded *padded, clrs_error *error) {
  clrs_shape whole;
  clrs_error inner;
  padded->pad = *ask->pad;
  padded->shape = front->shape;
  padded->dtype = front->dtype;
  const clrs_status status = start_whole(padded, &whole, &inner);
  if (status != CLRS_OK) {
    return ask->first > 0 ? fail_op(ask->chain, ask->first - 1, status, inner.message, error)
                          : clrs__fail(error, status, "%s", inner.message);
  }
  CLRS_TRY(apply_behind(ask, padded, error));
  return find_axes(&whole, padded, error);
}

/* ---- boxes of the result ---- */

/* Part of the result, seen as the axes. */
typedef struct box {
  int64_t start[CLRS_MAX_RANK], extent[CLRS_MAX_RANK];
} box;

/* A range of one dim of the padded tensor, and the source index that the range shows: `first` at
 * `begin`, then one `step`, 1, -1 or 0, for each element. */
typedef struct range {
  int64_t begin, end;
  int64_t first, step;
  bool is_border;
} range;

typedef struct cutter {
  const clrs__padded *of;
  clrs__take_piece *take;
  void *context;
  size_t *count;
  size_t range_count;      /* ranges that were looked at */
  range at[CLRS_MAX_RANK]; /* the range of each dim that was cut */
} cutter;

/* The lowest and highest index of a dim within a box, without the share of one axis. */
typedef struct span {
  int64_t low, high;
} span;

static span span_without(const clrs__padded *of, const box *part, uint32_t dim, uint32_t axis) {
  span reached = {of->starts[dim], of->starts[dim]};
  for (uint32_t k = 0; k < of->axes.rank; k++) {
    const int64_t step = k != axis ? of->steps[k][dim] : 0;
    if (step != 0) {
      const int64_t first = clrs__exact_multiply(step, part->start[k]);
      const int64_t last = clrs__exact_multiply_add(first, step, part->extent[k] - 1);
      reached.low += first < last ? first : last;
      reached.high += first < last ? last : first;
    }
  }
  return reached;
}

/* The axis with the longest steps along the dim, among the axes along which the box moves. */
static uint32_t longest_axis(const clrs__padded *of, const box *part, uint32_t dim) {
  uint32_t longest = 0;
  int64_t most = 0;
  for (uint32_t k = 0; k < of->axes.rank; k++) {
    const int64_t step = of->steps[k][dim] < 0 ? -of->steps[k][dim] : of->steps[k][dim];
    if (part->extent[k] > 1 && step > most) {
      most = step;
      longest = k;
    }
  }
  return longest;
}

/* Adds up the source's strides: a step along an axis is `steps` along each dim of the padded
 * tensor, which the range of the dim shows forward, backward or at rest. */
static clrs_status show_source(const cutter *c, const box *part, const clrs_shape *shape,
                               clrs_view *seen, clrs_error *error) {
  const clrs__padded *of = c->of;
  int64_t strides[CLRS_MAX_RANK] = {0}, dense[CLRS_MAX_RANK], offset = 0;
  clrs_layout layout;
  clrs__dense_strides(&of->shape, dense);
  for (uint32_t dim = 0; dim < of->shape.rank; dim++) {
    const range *at = &c->at[dim];
    int64_t index = of->starts[dim] - at->begin;
    for (uint32_t k = 0; k < shape->rank; k++) {
      index = clrs__exact_multiply_add(index, of->steps[k][dim], part->start[k]);
      strides[k] = clrs__exact_multiply_add(strides[k], dense[dim],
                                            clrs__exact_multiply(at->step, of->steps[k][dim]));
    }
    offset = clrs__exact_multiply_add(offset, dense[dim],
                                      clrs__exact_multiply_add(at->first, at->step, index));
  }
  CLRS_TRY(clrs_layout_init(of->dtype, shape, strides, offset, &layout, error));
  return clrs_view_from_layout(&layout, seen, error);
}

static clrs_status fail_many(clrs_error *error) {
  return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                    "the pad and the operations behind it make over %d pieces; use two chains",
                    MOST_PIECES);
}

static clrs_status take_piece(const cutter *c, const box *part, bool is_border, clrs_error *error) {
  const clrs__padded *of = c->of;
  const uint32_t rank = of->axes.rank;
  clrs__padded_piece piece = {.is_border = is_border};
  if (++*c->count > MOST_PIECES) {
    return fail_many(error);
  }
  if (c->take == NULL) {
    return CLRS_OK;
  }
  clrs_shape shape = {rank, {0}};
  for (uint32_t k = 0; k < rank; k++) {
    shape.dims[k] = part->extent[k];
    piece.slices[k] = (clrs_slice){k, part->start[k], part->start[k] + part->extent[k], 1};
  }
  CLRS_TRY(is_border ? CLRS_OK : show_source(c, part, &shape, &piece.seen, error));
  return c->take(c->context, &piece, error);
}

/* ---- cutting ---- */

static clrs_status cut_dim(cutter *c, uint32_t dim, const box *part, clrs_error *error);

static int64_t floor_of(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

/* The indices of an axis whose elements lie, for some or for all places along the other axes, in a
 * range of the padded dim. */
typedef struct indices {
  int64_t begin, end;
} indices;

/* Finds the indices v with low <= step * v <= high, within the box. Example: step 2, low 1 and high
 * 7 give the indices 1 to 3. With step -2 they are -3 to -1. */
static indices between(int64_t step, int64_t low, int64_t high, const box *part, uint32_t axis) {
  const int64_t first = part->start[axis], end = first + part->extent[axis];
  const int64_t from = step > 0 ? low : -high, to = step > 0 ? high : -low;
  const int64_t length = step > 0 ? step : -step;
  indices found = {-floor_of(-from, length), floor_of(to, length) + 1};
  found.begin = found.begin < first ? first : found.begin;
  found.end = found.end > end ? end : found.end;
  return found;
}

static clrs_status take_inside(cutter *c, uint32_t dim, const box *part, clrs_error *error) {
  return c->at[dim].is_border ? take_piece(c, part, true, error) : cut_dim(c, dim + 1, part, error);
}

/* Takes the parts of the box that lie in the range c->at[dim], which the box reaches. Along the
 * axis with the longest steps, the indices whose elements all lie in the range are one part.
 * Indices with elements on both sides are cut further, each alone.
 *
 * Example: windows of 3, one every 2, of a dim with the range 1 to 9. The axis of windows has
 * step 2. The elements of window v are 2 * v to 2 * v + 2. All lie in the range for v from 1 to 3.
 * Windows 0 and 4 are cut along the elements of a window. */
static clrs_status take_range(cutter *c, uint32_t dim, const box *part, clrs_error *error) {
  const range at = c->at[dim];
  const span all = span_without(c->of, part, dim, CLRS_MAX_RANK);
  if (++c->range_count > MOST_RANGES) {
    return fail_many(error);
  }
  if (all.low >= at.begin && all.high < at.end) {
    return take_inside(c, dim, part, error);
  }
  const uint32_t axis = longest_axis(c->of, part, dim);
  const int64_t step = c->of->steps[axis][dim];
  const span rest = span_without(c->of, part, dim, axis);
  const indices touching = between(step, at.begin - rest.high, at.end - 1 - rest.low, part, axis);
  const indices inside = between(step, at.begin - rest.low, at.end - 1 - rest.high, part, axis);
  box next = *part;
  for (int64_t v = touching.begin; v < touching.end; v += next.extent[axis]) {
    const bool is_inside = v >= inside.begin && v < inside.end;
    next.start[axis] = v;
    next.extent[axis] = is_inside ? inside.end - v : 1;
    CLRS_TRY(is_inside ? take_inside(c, dim, &next, error) : take_range(c, dim, &next, error));
  }
  return CLRS_OK;
}

/* The runs of a dim. A constant border lies where mode edge repeats an element. */
static bool find_runs(const clrs__padded *of, uint32_t dim, clrs__pad_runs *runs) {
  const clrs__pad_edges edges = edges_of(of, dim);
  const bool is_constant = of->pad.mode == CLRS_PAD_CONSTANT;
  return clrs__pad_find_runs(is_constant ? CLRS_PAD_EDGE : of->pad.mode, &edges, runs);
}

/* Takes the pieces of a run that the box reaches, and then the dims behind. Example: pieces of
 * length 4, one every 6 from 0 on, and a box that reaches from 9 to 14. Piece 1 is 6 to 9, and
 * piece 2 is 12 to 15. */
static clrs_status cut_run(cutter *c, uint32_t dim, const clrs__pad_run *run, const box *part,
                           clrs_error *error) {
  const bool is_border = c->of->pad.mode == CLRS_PAD_CONSTANT && run->step == 0;
  const span all = span_without(c->of, part, dim, CLRS_MAX_RANK);
  const int64_t first = -floor_of(run->start + run->length - 1 - all.low, run->period);
  const int64_t last = floor_of(all.high - run->start, run->period);
  for (int64_t k = first < 0 ? 0 : first; k < run->count && k <= last; k++) {
    const int64_t begin = clrs__exact_multiply_add(run->start, k, run->period);
    c->at[dim] = (range){begin, begin + run->length, run->first, run->step, is_border};
    CLRS_TRY(take_range(c, dim, part, error));
  }
  return CLRS_OK;
}

/* Takes the parts of the box in each run of the dim, and then of the dims behind. A dim without
 * elements has a run without elements. */
static clrs_status cut_dim(cutter *c, uint32_t dim, const box *part, clrs_error *error) {
  clrs__pad_runs runs;
  if (dim == c->of->shape.rank) {
    return take_piece(c, part, false, error);
  }
  if (!find_runs(c->of, dim, &runs)) {
    return clrs__fail(error, CLRS_OVERFLOW, "twice dimension %u does not fit in 64 bits", dim);
  }
  for (uint32_t i = 0; i < runs.count; i++) {
    const clrs__pad_run *run = &runs.list[i];
    CLRS_TRY(run->length > 0 ? cut_run(c, dim, run, part, error) : CLRS_OK);
  }
  return CLRS_OK;
}

clrs_status clrs__padded_each(const clrs__padded *padded, clrs__take_piece *take, void *context,
                              size_t *count, clrs_error *error) {
  cutter c = {.of = padded, .take = take, .context = context, .count = count};
  box whole = {{0}, {0}};
  *count = 0;
  if (padded->after.views.source.depth == 0) {
    return CLRS_OK;
  }
  clrs__dims_copy(whole.extent, padded->axes.dims, padded->axes.rank);
  return cut_dim(&c, 0, &whole, error);
}

/* ---- maps ---- */

clrs_status clrs__padded_maps(const clrs__padded *padded, const clrs_slice *slices,
                              clrs_mapped *part, clrs_error *error) {
  const clrs_map_views *views = &padded->after.views;
  *part = padded->after;
  for (uint32_t i = 0; i < views->count; i++) {
    CLRS_TRY(clrs_view_reshape(&part->views.views[i], &padded->axes, error));
    CLRS_TRY(clrs_view_slice(&part->views.views[i], padded->axes.rank, slices, error));
  }
  clrs_shape shape = {padded->axes.rank, {0}};
  for (uint32_t k = 0; k < shape.rank; k++) {
    shape.dims[k] = slices[k].end - slices[k].start;
  }
  clrs__view_make_dense(part->map.from, &shape, &part->views.source);
  return CLRS_OK;
}
