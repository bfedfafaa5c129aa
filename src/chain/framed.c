/*
 * The view of plane 0 gives the place of a pixel's first element. The frame's dims lie within one
 * another, so that a place has one row and one column. Example: Y of NV12 [6,4] with the rows 4
 * apart. The view of a slice begins at place 5, which is pixel [1,1], and has the strides 8 and 1:
 * every second row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "framed.h"

#include "checked.h"
#include "dtype.h"
#include "resample.h"
#include "step_kind.h"
#include "view.h"

uint32_t clrs__merge_dims(const clrs_layout *layout, uint32_t begin, uint32_t end, uint32_t room,
                          clrs_axis *axes) {
  uint32_t count = 0;
  for (; end > begin; end--) {
    const clrs_axis dim = {layout->dims[end - 1], layout->strides[end - 1]};
    clrs_axis *inner = &axes[count == 0 ? 0 : count - 1];
    if (dim.extent == 1) {
      continue;
    }
    if (count > 0 && dim.stride == clrs__exact_multiply(inner->stride, inner->extent)) {
      inner->extent = clrs__exact_multiply(inner->extent, dim.extent);
    } else if (count == room) {
      return room + 1;
    } else {
      axes[count++] = dim;
    }
  }
  return count;
}

/* ---- the frame ---- */

/* Takes a dim around dims that span `*span` elements. Returns false if a step of the dim leads to
 * one of these elements. */
static bool takes(clrs_axis dim, int64_t *span, clrs_axis *taken) {
  *taken = (clrs_axis){dim.extent, dim.extent == 1 ? *span : dim.stride};
  return taken->stride >= *span && clrs__multiply_add(*span, dim.extent - 1, taken->stride, span);
}

/* Takes the dims before the rows, the farther one in front. */
static bool take_frames(const clrs_layout *layout, uint32_t row, int64_t span, clrs_axis *axes) {
  clrs_axis before[2] = {{1, 0}, {1, 0}};
  if (clrs__merge_dims(layout, 0, row, 2, before) > 2) {
    return false;
  }
  const int far = before[1].extent == 1 || before[1].stride >= before[0].stride;
  return takes(before[1 - far], &span, &axes[1]) && takes(before[far], &span, &axes[0]);
}

void clrs__framed_note(const int64_t *words, const clrs_view *view, uint32_t row,
                       clrs_resample *noted) {
  const clrs__camera_format *of = clrs__camera_format_at(words[0]);
  const bool is_packed = of->kind == CLRS__PIXELS;
  clrs_layout layout;
  clrs__reason reason;
  clrs_resample made = {.frame = {.format = 1 + (uint32_t)words[0],
                                  .result = (uint32_t)words[1],
                                  .by = (uint32_t)words[2]}};
  int64_t span = 1;
  noted->frame = made.frame;
  if (clrs__view_is_empty(view) || !clrs__view_find_layout(view, &layout, &reason)) {
    return;
  }
  const clrs_axis rows = {layout.dims[row], layout.strides[row]};
  const clrs_axis columns = {layout.dims[row + 1], layout.strides[row + 1]};
  const clrs_axis channels = {of->channels, is_packed ? layout.strides[row + 2] : 1};
  made.offset = layout.offset;
  if (takes(channels, &span, &made.frame.axes[2]) && takes(columns, &span, &made.frame.axes[1]) &&
      takes(rows, &span, &made.frame.axes[0]) && take_frames(&layout, row, span, made.axes)) {
    *noted = made;
  }
}

/* ---- pixels ---- */

/* A distance between two elements of plane 0: whole frames, rows and columns. */
typedef struct distance {
  int64_t frames, row, column;
} distance;

/* Returns false if no pixel of a frame is so far from the first. */
static bool measure(const clrs_resample *noted, uint64_t elements, distance *found) {
  const clrs_axis *rows = &noted->frame.axes[0], *columns = &noted->frame.axes[1];
  const uint64_t near =
      elements % (uint64_t)noted->axes[0].stride % (uint64_t)noted->axes[1].stride;
  const uint64_t row = near / (uint64_t)rows->stride, in_row = near % (uint64_t)rows->stride;
  const uint64_t column = in_row / (uint64_t)columns->stride;
  *found = (distance){(int64_t)(elements - near), (int64_t)row, (int64_t)column};
  return row < (uint64_t)rows->extent && column < (uint64_t)columns->extent &&
         in_row % (uint64_t)columns->stride == 0;
}

/* Returns false also for a note that was spoilt by hand. */
static bool is_noted(const clrs_resample *noted) {
  const clrs_axis *axes = noted->frame.axes;
  return clrs__camera_check(&noted->frame, NULL) == CLRS_OK && noted->offset >= 0 &&
         noted->offset < (int64_t)1 << 62 && axes[0].stride >= 1 && axes[1].stride >= 1 &&
         axes[2].stride >= 1 && noted->axes[0].stride >= 1 && noted->axes[1].stride >= 1;
}

static clrs_status fail_part(clrs_error *error) {
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "the pixels are no rows and columns of a frame, with the colours behind; slices "
      "and flips may stand between color and resize");
}

/* Takes a dim of the picture's rows or columns. */
static bool take_axis(const clrs_resample *noted, clrs_axis dim, clrs_axis *axis) {
  distance of;
  const bool is_one = dim.extent == 1;
  if (!measure(noted, is_one ? 0 : clrs__magnitude(dim.stride), &of)) {
    return false;
  }
  const int64_t pixels = clrs__exact_multiply_add(of.column, of.row, noted->frame.axes[1].extent);
  *axis = (clrs_axis){dim.extent, is_one ? 0 : dim.stride < 0 ? -pixels : pixels};
  return of.frames == 0 && (of.row == 0 || of.column == 0);
}

static bool is_of_frames(const clrs_resample *noted, const clrs_axis *axis) {
  distance of;
  return measure(noted, axis->extent == 1 ? 0 : clrs__magnitude(axis->stride), &of) &&
         of.row == 0 && of.column == 0;
}

/* Takes the place of the picture's first pixel, and the dims before the colours. */
static bool take_pixels(const clrs_layout *layout, uint32_t row, clrs_resample *made) {
  const clrs_resample noted = *made;
  const int channel = clrs__camera_format_at(noted.frame.format - 1)->channel_of[0];
  const int64_t begin = clrs__exact_multiply_add(noted.offset, channel, noted.frame.axes[2].stride);
  clrs_axis before[2] = {{1, 0}, {1, 0}};
  distance first;
  bool are_taken = layout->offset >= begin &&
                   measure(&noted, (uint64_t)layout->offset - (uint64_t)begin, &first) &&
                   clrs__merge_dims(layout, 0, row, 2, before) <= 2;
  for (uint32_t i = 0; i < 2 && are_taken; i++) {
    const clrs_axis dim = {layout->dims[row + i], layout->strides[row + i]};
    are_taken = is_of_frames(&noted, &before[i]) &&
                take_axis(&noted, dim, &made->axes[CLRS__PICTURE_ROWS + i]);
    made->axes[1 - i] = before[i];
  }
  if (are_taken) {
    made->offset = noted.offset + first.frames;
    made->frame.pixel =
        clrs__exact_multiply_add(first.column, first.row, noted.frame.axes[1].extent);
  }
  return are_taken;
}

/* ---- colours ---- */

/* The view of the numbers along the colours, or NULL for grey. */
static const clrs_view *view_of_colors(const clrs_mapped *mapped) {
  for (uint32_t i = 0; i < mapped->map.step_count; i++) {
    if (clrs__step_has_parameter(mapped->map.steps[i].kind) &&
        mapped->map.steps[i].parameter.count > 1) {
      return &mapped->views.views[mapped->views.of_step[i]];
    }
  }
  return NULL;
}

/* Returns true if no step of these dims leads to another element. */
static bool is_still(const clrs_layout *layout, uint32_t begin, uint32_t end) {
  bool all = true;
  for (uint32_t i = begin; i < end; i++) {
    all = all && (layout->dims[i] == 1 || layout->strides[i] == 0);
  }
  return all;
}

/* Only the dims behind the columns may change the colour. */
static bool take_colors(const clrs_mapped *mapped, uint32_t row, clrs_resample *made) {
  const clrs_view *view = view_of_colors(mapped);
  clrs_layout layout;
  clrs__reason reason;
  if (view == NULL) { /* grey */
    made->axes[4] = (clrs_axis){1, 0};
    return mapped->views.source.shape.rank == row + 2;
  }
  if (!clrs__view_find_layout(view, &layout, &reason)) {
    return false;
  }
  made->frame.color = layout.offset;
  made->axes[4] = (clrs_axis){1, 0};
  return is_still(&layout, 0, row + 2) &&
         clrs__merge_dims(&layout, row + 2, layout.rank, 1, &made->axes[4]) <= 1;
}

clrs_status clrs__framed_find(const clrs_mapped *mapped, uint32_t row, clrs_resample *made,
                              clrs_error *error) {
  const clrs_resample *noted = &mapped->views.resample;
  clrs_layout layout;
  clrs__reason reason;
  if (clrs__view_is_empty(&mapped->views.source)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "a picture has no element to resize");
  }
  made->frame = noted->frame;
  made->offset = noted->offset;
  made->axes[0] = noted->axes[0];
  made->axes[1] = noted->axes[1];
  return is_noted(noted) && clrs__view_find_layout(&mapped->views.source, &layout, &reason) &&
                 is_still(&layout, row + 2, layout.rank) && take_pixels(&layout, row, made) &&
                 take_colors(mapped, row, made) && clrs__resample_is_within_frame(made)
             ? CLRS_OK
             : fail_part(error);
}
