/* SPDX-License-Identifier: Apache-2.0 */
#include "box_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "checked.h"
#include "fail.h"
#include "picture.h"

enum {
  RUN_COST = 16384, /* bytes read in the time of one more call */
  GAP_BYTES = 4096 /* longest gap between two runs that is read, because a disk reads whole pages */
};

/* ---- the shape that is cut ---- */

enum { MOST_BOUNDS = CLRS_MAX_RANK };

/* The element counts, in row-major order, at which some axis takes a step. Example: axes of 3, 4
 * and 5 give 5, 20 and 60. */
typedef struct bounds {
  uint32_t count;
  int64_t elements[MOST_BOUNDS];
} bounds;

static bool add_bound(bounds *all, int64_t elements) {
  uint32_t at = 0;
  while (at < all->count && all->elements[at] < elements) {
    at++;
  }
  if (at < all->count && all->elements[at] == elements) {
    return true;
  }
  if (all->count == MOST_BOUNDS) {
    return false;
  }
  for (uint32_t i = all->count++; i > at; i--) {
    all->elements[i] = all->elements[i - 1];
  }
  all->elements[at] = elements;
  return true;
}

static bool add_bounds(bounds *all, const clrs_view *view) {
  int64_t elements = 1;
  if (view->depth != 1) {
    return false;
  }
  for (uint32_t i = view->levels[0].axis_count; i-- > 0;) {
    elements = clrs__exact_multiply(elements, view->axes[i].extent); /* never overflows */
    if (!add_bound(all, elements)) {
      return false;
    }
  }
  return true;
}

/* Finds the dims whose bounds are `all`. Each bound must divide the next. Example: bounds 5, 20 and
 * 60 give [3,4,5]. [3,4] and [4,3] have the bounds 3, 4 and 12, and no dims in common. */
static bool find_shape(const bounds *all, clrs_shape *shape) {
  int64_t before = 1;
  shape->rank = all->count;
  for (uint32_t i = 0; i < all->count; i++) {
    if (all->elements[i] % before != 0) {
      return false;
    }
    shape->dims[all->count - 1 - i] = all->elements[i] / before;
    before = all->elements[i];
  }
  return true;
}

/* Reshapes all views to the common shape. Returns false if there is no common shape. */
static bool split_dims(cli_boxes *boxes) {
  clrs_map_views *views = &boxes->mapped.views;
  bounds all = {.count = 0};
  clrs_shape shape;
  bool is_split = add_bounds(&all, &views->source) && add_bounds(&all, &boxes->place);
  for (uint32_t i = 0; is_split && i < views->count; i++) {
    is_split = add_bounds(&all, &views->views[i]);
  }
  is_split = is_split && find_shape(&all, &shape) &&
             clrs_view_reshape(&views->source, &shape, NULL) == CLRS_OK &&
             clrs_view_reshape(&boxes->place, &shape, NULL) == CLRS_OK;
  for (uint32_t i = 0; is_split && i < views->count; i++) {
    is_split = clrs_view_reshape(&views->views[i], &shape, NULL) == CLRS_OK;
  }
  return is_split;
}

/* ---- a box ---- */

/* The views of parameters that are elements of the source, as bits. Colours have such views. */
static uint32_t views_of_source(const clrs_mapped *mapped) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < mapped->map.step_count && !mapped->map.reinterprets; i++) {
    found |= mapped->map.steps[i].parameter.is_of_source ? 1u << mapped->views.of_step[i] : 0;
  }
  return found;
}

static clrs_status widen(const clrs_view *view, clrs_bounds *all, clrs_error *error) {
  clrs_bounds own;
  CLRS_TRY(clrs_view_bounds(view, &own, error));
  all->lowest = own.lowest < all->lowest ? own.lowest : all->lowest;
  all->highest = own.highest > all->highest ? own.highest : all->highest;
  return CLRS_OK;
}

/* Finds one run, from the lowest element that any view of the source shows to the highest.
 * `views` is not 0, and the box has elements. */
static clrs_status find_shared_run(uint32_t views, const clrs_view *part, cli_box *box,
                                   clrs_error *error) {
  clrs_map_views *of = &box->source.views;
  clrs_bounds all;
  CLRS_TRY(clrs_view_bounds(part, &all, error));
  for (uint32_t i = 0; i < of->count; i++) {
    if ((views >> i & 1) != 0) {
      CLRS_TRY(widen(&of->views[i], &all, error));
    }
  }
  box->read = (cli_runs){.element_bytes = clrs_dtype_bits(part->dtype) / 8,
                         .first = all.lowest,
                         .length = all.highest - all.lowest + 1,
                         .count = 1};
  of->source = *part;
  of->source.levels[0].offset -= all.lowest;
  for (uint32_t i = 0; i < of->count; i++) {
    of->views[i].levels[0].offset -= (views >> i & 1) != 0 ? all.lowest : 0;
  }
  return CLRS_OK;
}

static clrs_status find_sides(const cli_boxes *boxes, const clrs_slice *slices, cli_box *box,
                              clrs_error *error) {
  clrs_view part = boxes->mapped.views.source, place = boxes->place;
  const int64_t most_gap = GAP_BYTES * 8 / clrs_dtype_bits(part.dtype);
  CLRS_TRY(clrs_view_slice(&part, part.shape.rank, slices, error));
  CLRS_TRY(clrs_view_slice(&place, place.shape.rank, slices, error));
  const uint32_t shared = part.depth > 0 ? views_of_source(&box->source) : 0;
  CLRS_TRY(box->source.views.resample.by != CLRS_RESAMPLE_NONE
               ? cli_find_picture(&part, &box->read, &box->source, error)
           : shared != 0
               ? find_shared_run(shared, &part, box, error)
               : cli_runs_of(&part, most_gap, &box->read, &box->source.views.source, error));
  return cli_runs_of(&place, 0, &box->written, &box->destination, error);
}

void cli_box_slices(const cli_boxes *boxes, int64_t index, clrs_slice *slices) {
  const clrs_shape *shape = &boxes->mapped.views.source.shape;
  for (uint32_t dim = shape->rank; dim-- > 0;) {
    const int64_t extent = boxes->extents[dim], whole = shape->dims[dim];
    const int64_t begin = clrs__exact_multiply(index % boxes->counts[dim], extent);
    slices[dim] = (clrs_slice){dim, begin, extent < whole - begin ? begin + extent : whole, 1};
    index /= boxes->counts[dim];
  }
}

clrs_status cli_box_of(const cli_boxes *boxes, const clrs_slice *slices, cli_box *box,
                       clrs_error *error) {
  box->source = boxes->mapped;
  for (uint32_t i = 0; i < box->source.views.count; i++) {
    clrs_view *view = &box->source.views.views[i];
    CLRS_TRY(clrs_view_slice(view, view->shape.rank, slices, error));
  }
  return find_sides(boxes, slices, box, error);
}

clrs_status cli_box_find(const cli_boxes *boxes, int64_t index, cli_box *box, clrs_error *error) {
  clrs_slice slices[CLRS_MAX_RANK];
  cli_box_slices(boxes, index, slices);
  return cli_box_of(boxes, slices, box, error);
}

/* ---- which boxes ---- */

typedef struct cutting {
  const cli_boxes_wish *wish;
  cli_boxes *boxes;
  cli_box *first;
} cutting;

static double cost_of(const cli_runs *runs) {
  return (double)cli_runs_bytes(runs) + (double)runs->count * (double)RUN_COST;
}

static clrs_status weigh(cutting *cut, clrs_error *error) {
  cli_boxes *boxes = cut->boxes;
  clrs_slice slices[CLRS_MAX_RANK];
  for (uint32_t dim = 0; dim < boxes->mapped.views.source.shape.rank; dim++) {
    slices[dim] = (clrs_slice){dim, 0, boxes->extents[dim], 1};
  }
  CLRS_TRY(cli_box_of(boxes, slices, cut->first, error));
  const cli_runs *read = &cut->first->read, *written = &cut->first->written;
  boxes->source_bytes = cli_runs_bytes(read);
  boxes->destination_bytes = cli_runs_bytes(written);
  const double elements = (double)written->count * (double)written->length;
  boxes->cost = elements > 0 ? (cost_of(read) + cost_of(written)) / elements : 0;
  return CLRS_OK;
}

/* Halves the dim that makes the box cheapest, or the outermost dim if the result is written in
 * order. *is_halved is false if no dim can be halved. */
static clrs_status halve(cutting *cut, bool *is_halved, clrs_error *error) {
  int64_t *extents = cut->boxes->extents;
  uint32_t best = 0;
  double least = 0;
  *is_halved = false;
  for (uint32_t dim = 0; dim < cut->boxes->mapped.views.source.shape.rank; dim++) {
    const int64_t whole = extents[dim];
    if (whole < 2 || (*is_halved && cut->wish->in_order)) {
      continue;
    }
    extents[dim] = (whole + 1) / 2;
    const clrs_status status = weigh(cut, error);
    extents[dim] = whole;
    CLRS_TRY(status);
    if (!*is_halved || cut->boxes->cost < least) {
      *is_halved = true;
      best = dim;
      least = cut->boxes->cost;
    }
  }
  if (*is_halved) {
    extents[best] = (extents[best] + 1) / 2;
  }
  return weigh(cut, error);
}

static bool fits(const cli_boxes *boxes, uint64_t most_bytes) {
  return boxes->source_bytes <= most_bytes && boxes->destination_bytes <= most_bytes;
}

static clrs_status cut_until_it_fits(cutting *cut, bool may_cut, clrs_error *error) {
  const uint64_t most_bytes = cut->wish->most_bytes;
  bool is_halved = may_cut;
  CLRS_TRY(weigh(cut, error));
  while (is_halved && !fits(cut->boxes, most_bytes)) {
    CLRS_TRY(halve(cut, &is_halved, error));
  }
  return fits(cut->boxes, most_bytes)
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "a part that cannot be cut reads %" PRIu64 " and writes %" PRIu64
                          " bytes, and there is memory for %" PRIu64 " on either side (--memory)",
                          cut->boxes->source_bytes, cut->boxes->destination_bytes, most_bytes);
}

static void count_boxes(cli_boxes *boxes) {
  const clrs_shape *shape = &boxes->mapped.views.source.shape;
  boxes->count = 1;
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    const int64_t whole = shape->dims[dim];
    boxes->counts[dim] = whole > 0 ? clrs__divide_up(whole, boxes->extents[dim]) : 0;
    boxes->count = clrs__exact_multiply(boxes->count, boxes->counts[dim]);
  }
}

/* Cuts the result's dims if no common shape exists: the outermost dims are halved until a box
 * writes no more than fits. The bytes that a box reads are checked later, box by box. */
static void cut_dims(const cutting *cut) {
  cli_boxes *boxes = cut->boxes;
  const clrs_shape *shape = &boxes->place.shape;
  const uint64_t bytes = clrs_dtype_bits(boxes->place.dtype) / 8;
  uint64_t inner = 1; /* elements of a box behind the dim, which fit in 64 bits */
  for (uint32_t dim = shape->rank; dim-- > 0;) {
    const uint64_t most = cut->wish->most_bytes / bytes / inner;
    while (boxes->extents[dim] > 1 && (uint64_t)boxes->extents[dim] > most) {
      boxes->extents[dim] = (boxes->extents[dim] + 1) / 2;
    }
    inner *= (uint64_t)boxes->extents[dim];
  }
  boxes->is_refined = true;
  boxes->source_bytes = boxes->destination_bytes = cut->wish->most_bytes;
}

/* Limit of parts per box. Two seams in a box of 2^24 elements make 12 times 12 parts. If neighbours
 * are far apart everywhere, as in a transpose that is reshaped to other rows, the parts would be
 * single elements. */
enum { MOST_PARTS = 256 };

static clrs_status count_part(void *user_data, const cli_box *box, clrs_error *error) {
  int64_t *left = user_data;
  (void)box;
  return (*left)-- > 0 ? CLRS_OK : clrs__fail(error, CLRS_LIMIT_EXCEEDED, "too many parts");
}

/* Checks the first, the middle and the last box for too many parts. */
static bool has_few_parts(const cutting *cut) {
  const int64_t count = cut->boxes->count, boxes[] = {0, count / 2, count - 1};
  bool are_few = true;
  for (size_t i = 0; i < 3 && are_few; i++) {
    int64_t left = MOST_PARTS;
    const cli_box_visitor visitor = {cut->first, count_part, &left};
    are_few = cli_boxes_each(cut->boxes, boxes[i], &visitor, NULL) == CLRS_OK;
  }
  return are_few;
}

/* Cuts boxes that take too many bytes. On failure, *error of the caller already has the reason. */
static clrs_status refine(const cutting *cut) {
  if (cut->wish->in_order || cut->wish->most_bytes < clrs_dtype_bits(cut->boxes->place.dtype) / 8) {
    return CLRS_LIMIT_EXCEEDED;
  }
  cut_dims(cut);
  count_boxes(cut->boxes);
  return has_few_parts(cut) ? CLRS_OK : CLRS_LIMIT_EXCEEDED;
}

/* Cuts a place that is several walks. Elements of other parts lie between the elements of such a
 * place, so each box is cut until the place of each part is one walk. */
static clrs_status refine_place(const cutting *cut, clrs_error *error) {
  return refine(cut) == CLRS_OK
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "a part goes to more than %d places that are no neighbours; pipe the "
                          "parts together into another clreshape run -",
                          MOST_PARTS);
}

clrs_status cli_boxes_choose(const clrs_mapped *mapped, const clrs_view *place,
                             const cli_boxes_wish *wish, cli_boxes *boxes, clrs_error *error) {
  boxes->mapped = *mapped;
  boxes->place = *place;
  boxes->is_refined = false;
  const bool may_cut = split_dims(boxes);
  if (!may_cut) {
    boxes->mapped = *mapped;
    boxes->place = *place;
  }
  const clrs_shape *shape = &boxes->mapped.views.source.shape;
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    boxes->extents[dim] = shape->dims[dim];
  }
  cutting cut = {wish, boxes, malloc(sizeof(cli_box))};
  if (cut.first == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  clrs_status status;
  if (boxes->place.depth > 1) {
    status = refine_place(&cut, error);
  } else {
    status = cut_until_it_fits(&cut, may_cut, error);
    count_boxes(boxes);
    if (status == CLRS_LIMIT_EXCEEDED && !may_cut) {
      status = refine(&cut);
    }
  }
  free(cut.first);
  return status;
}

/* ---- streams ---- */

/* Does box `index` read in ascending order, and does the next box begin behind the end? */
static clrs_status follow(const cli_boxes *boxes, int64_t index, cli_box *box, bool *is_so,
                          clrs_error *error) {
  int64_t end = 0;
  CLRS_TRY(cli_box_find(boxes, index, box, error));
  *is_so = cli_runs_ascend(&box->read, &end);
  if (*is_so && index + 1 < boxes->count) {
    CLRS_TRY(cli_box_find(boxes, index + 1, box, error));
    *is_so = box->read.first >= end;
  }
  return CLRS_OK;
}

/* Do all boxes read in ascending order? A pipe may claim any size, so there may be too many boxes
 * to check each. From a box to the next, one dim takes a step, and the dims behind go back to 0.
 * The distance is the same for each step of the same dim, so one step of each dim is checked.
 * Example: of 2 x 3 boxes, boxes 0 and 1 show a step of the last dim, boxes 2 and 3 a step of the
 * first. */
static clrs_status read_on(const cli_boxes *boxes, cli_box *box, bool *is_so, clrs_error *error) {
  int64_t inner = 1; /* number of boxes along the dims behind */
  *is_so = true;
  for (uint32_t dim = boxes->mapped.views.source.shape.rank; dim-- > 0 && *is_so;) {
    if (boxes->counts[dim] > 1) {
      CLRS_TRY(follow(boxes, inner - 1, box, is_so, error));
    }
    inner = clrs__exact_multiply(inner, boxes->counts[dim]);
  }
  return boxes->count == 1 ? follow(boxes, 0, box, is_so, error) : CLRS_OK;
}

clrs_status cli_boxes_read_on(const cli_boxes *boxes, bool *is_so, clrs_error *error) {
  cli_box *box = malloc(sizeof *box);
  if (box == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  const clrs_status status = read_on(boxes, box, is_so, error);
  free(box);
  return status;
}
