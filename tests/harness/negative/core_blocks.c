/*
 * The negative matrix: operations that choose, repeat or cut elements, and blocked layouts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core.h"

#include <stdlib.h>

static clrs_view *other_view(arguments *a, size_t rank, const int64_t *dims) {
  a->other_view = core_view(rank, dims);
  return &a->other_view;
}

static clrs_view *view_of_rank(arguments *a, size_t rank) {
  int64_t dims[CLRS_MAX_RANK];
  for (size_t i = 0; i < rank; i++)
    dims[i] = 1;
  return other_view(a, rank, dims);
}

/* ---- choosing and repeating ---- */

FUNCTION(clrs_view_expand, (a->other_shape = (clrs_shape){2, {4, 6}}, a->shape = &a->other_shape),
         a->view, a->shape) {
  VIEW_ROWS(view);
  SHAPE_ROWS(shape);
  ROW(shape->dims[0], 3, CLRS_INVALID_ARGUMENT, "cannot be 4 and 3; expand needs equal extents");
  ROW(shape->dims[1], 0, CLRS_INVALID_ARGUMENT, "cannot be 6 and 0");
  ROW_IF(a->other_shape = ((clrs_shape){3, {0, 1, 1}}), shape->dims[0], INT64_MAX / 2,
         CLRS_OVERFLOW, "more than 64 bits");
  TAKES(shape->rank, 0);
}

static void set_slice(arguments *a) {
  a->one_slice[0] = (clrs_slice){0, 0, 4, 2};
  a->one_slice[1] = (clrs_slice){1, 0, 6, 2};
  a->slices = a->one_slice;
  a->count = 2;
}

FUNCTION(clrs_view_slice, set_slice(a), a->view, a->count, a->slices) {
  VIEW_ROWS(view);
  ROW(count, 3, CLRS_INVALID_ARGUMENT, "3 slices; the rank is 2");
  ROW(count, SIZE_MAX, CLRS_INVALID_ARGUMENT, MOST " slices");
  ROW(slices, NULL, CLRS_INVALID_ARGUMENT, "slices is NULL");
  ROW(slices->axis, 2, CLRS_INVALID_ARGUMENT, "slice axis 2 is out of range for rank 2");
  ROW(slices->axis, -3, CLRS_INVALID_ARGUMENT, "slice axis -3 is out of range");
  ROW(slices->axis, INT64_MAX, CLRS_INVALID_ARGUMENT, "slice axis 9223372036854775807 is out");
  ROW(slices->axis, INT64_MIN, CLRS_INVALID_ARGUMENT, "slice axis -9223372036854775808 is out");
  ROW(slices->axis, 1, CLRS_INVALID_ARGUMENT, "axis 1 is sliced twice");
  ROW(slices->axis, -1, CLRS_INVALID_ARGUMENT, "axis 1 is sliced twice");
  TAKES(slices->start, INT64_MIN); /* both are clamped */
  TAKES(slices->start, INT64_MAX);
  TAKES(slices->end, INT64_MIN);
  TAKES(slices->end, INT64_MAX);
  ROW(slices->step, 0, CLRS_INVALID_ARGUMENT, "the step of the slice of axis 0 is 0; it must not");
  TAKES(slices->step, INT64_MIN);
  TAKES(slices->step, INT64_MAX);
}

FUNCTION(clrs__view_split, (a->axis = 0, a->parts = 2, a->which = 1), a->view, a->axis, a->parts,
         a->which) {
  VIEW_ROWS(view);
  AXIS_ROWS(axis);
  ROW(parts, 0, CLRS_INVALID_ARGUMENT, "part 1 of 0 does not exist; parts must be at least 1");
  ROW(parts, -1, CLRS_INVALID_ARGUMENT, "part 1 of -1 does not exist");
  ROW(parts, INT64_MIN, CLRS_INVALID_ARGUMENT, "of -9223372036854775808 does not exist");
  ROW(parts, 7, CLRS_INVALID_ARGUMENT, "does not split into 7 parts of 1");
  ROW(parts, INT64_MAX, CLRS_INVALID_ARGUMENT, "into 9223372036854775807 parts");
  ROW(which, -1, CLRS_INVALID_ARGUMENT, "part -1 of 2 does not exist");
  ROW(which, 2, CLRS_INVALID_ARGUMENT, "part 2 of 2 does not exist");
  ROW(which, INT64_MAX, CLRS_INVALID_ARGUMENT, "part 9223372036854775807 of 2");
  ROW(which, INT64_MIN, CLRS_INVALID_ARGUMENT, "part -9223372036854775808 of 2");
}

FUNCTION(clrs__view_tile, (a->count = 2, SET_LIST(repeats__list, 2, 1)), a->view, a->count,
         a->repeats__list) {
  VIEW_ROWS(view);
  ROW(count, 0, CLRS_INVALID_ARGUMENT, "tile has 0 repeats; the rank is 2");
  ROW(count, 3, CLRS_INVALID_ARGUMENT, "tile has 3 repeats; the rank is 2");
  ROW(count, SIZE_MAX, CLRS_INVALID_ARGUMENT, "tile has " MOST " repeats");
  ROW(repeats__list, NULL, CLRS_INVALID_ARGUMENT, "repeats is NULL");
  ROW(repeats__list, LIST(-1, 1), CLRS_INVALID_ARGUMENT, "repeated -1 times; it must be at least");
  ROW(repeats__list, LIST(1, INT64_MIN), CLRS_INVALID_ARGUMENT, "-9223372036854775808 times");
  ROW(repeats__list, LIST(INT64_MAX, 1), CLRS_OVERFLOW, "times 9223372036854775807 overflows");
  ROW(repeats__list, LIST(INT64_C(1) << 31, INT64_C(1) << 31), CLRS_OVERFLOW, "more than 64 bits");
}

FUNCTION(clrs__view_repeat, (a->axis = 0, a->repeats = 2), a->view, a->axis, a->repeats) {
  VIEW_ROWS(view);
  AXIS_ROWS(axis);
  TAKES(repeats, 0);
  ROW(repeats, -1, CLRS_INVALID_ARGUMENT, "repeated -1 times; it must be at least 0");
  ROW(repeats, INT64_MIN, CLRS_INVALID_ARGUMENT, "repeated -9223372036854775808 times");
  ROW(repeats, INT64_MAX, CLRS_OVERFLOW, "dimension 0 times 9223372036854775807 overflows");
}

FUNCTION(clrs__view_window, (a->one_window = (clrs__window){0, 2, 1}, a->window = &a->one_window),
         a->view, a->window) {
  VIEW_ROWS(view);
  ROW(window, NULL, CLRS_INVALID_ARGUMENT, "window is NULL");
  AXIS_ROWS(window->axis);
  ROW(window->size, 0, CLRS_INVALID_ARGUMENT, "a window of 0 every 1");
  ROW(window->size, -1, CLRS_INVALID_ARGUMENT, "a window of -1 every 1");
  ROW(window->size, 5, CLRS_INVALID_ARGUMENT, "the size at most the extent");
  ROW(window->size, INT64_MAX, CLRS_INVALID_ARGUMENT, "a window of 9223372036854775807");
  ROW(window->step, 0, CLRS_INVALID_ARGUMENT, "every 0 over dimension 0");
  ROW(window->step, -1, CLRS_INVALID_ARGUMENT, "every -1 over dimension 0");
  ROW(window->step, INT64_MIN, CLRS_INVALID_ARGUMENT, "every -9223372036854775808");
  TAKES(window->step, INT64_MAX);
  ROW_IF(a->window->size = 1, view, view_of_rank(a, 32), CLRS_LIMIT_EXCEEDED,
         "a window adds a dim to rank 32");
}

/* [4, 6] with a row in front and two columns behind. */
static void set_pad(arguments *a) {
  a->mode = CLRS_PAD_REFLECT;
  a->box = 0;
  a->pad = &a->one_pad;
  if (clrs_pad_init(a->mode, &a->one_shape, LIST(1, 0), LIST(0, 2), &a->one_pad, NULL) != CLRS_OK)
    abort();
}

FUNCTION(clrs_pad_init, (set_pad(a), a->begins = a->one_pad.begins, a->ends = a->one_pad.ends),
         a->mode, a->shape, a->begins, a->ends, a->pad_out) {
  SHAPE_ROWS(shape);
  ROW(mode, -1, CLRS_INVALID_ARGUMENT, "pad mode -1 is unknown");
  ROW(mode, CLRS_PAD_WRAP + 1, CLRS_INVALID_ARGUMENT, "unknown; clrs_pad_mode has 0 to 4");
  ROW(mode, CLRS_PAD_CONSTANT, CLRS_INVALID_ARGUMENT, "mode is constant; its border is of one");
  TAKES(begins, NULL);
  ROW(begins, LIST(-1, 0), CLRS_INVALID_ARGUMENT, "begins[0] is -1; to take elements away slice");
  ROW(begins, LIST(0, INT64_MIN), CLRS_INVALID_ARGUMENT, "begins[1] is -9223372036854775808");
  ROW(begins, LIST(INT64_MAX, 0), CLRS_OVERFLOW, "padded dimension 0 does not fit in 64 bits");
  TAKES(ends, NULL);
  ROW(ends, LIST(0, -1), CLRS_INVALID_ARGUMENT, "ends[1] is -1; to take elements away slice");
  ROW(ends, LIST(0, INT64_MAX), CLRS_OVERFLOW, "padded dimension 1 does not fit in 64 bits");
  ROW(ends, LIST(INT64_MAX / 2, 0), CLRS_OVERFLOW, "more than 64 bits");
  ROW_IF(a->shape->dims[1] = 0, ends, LIST(0, 1), CLRS_INVALID_ARGUMENT,
         "dimension 1 has no elements, and reflect padding repeats those that are there");
  ROW(pad_out, NULL, CLRS_INVALID_ARGUMENT, "pad is NULL");
}

#define PAD_ROWS                                                                                   \
  VIEW_ROWS(view)                                                                                  \
  ROW(pad, NULL, CLRS_INVALID_ARGUMENT, "pad is NULL")                                             \
  ROW(pad->mode, -1, CLRS_INVALID_ARGUMENT, "pad mode -1 is unknown")                              \
  ROW(pad->mode, CLRS_PAD_CONSTANT, CLRS_INVALID_ARGUMENT, "mode is constant; its border is of")   \
  ROW(pad->shape.rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims")            \
  ROW(pad->shape.rank, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "rank 4294967295")                         \
  ROW(pad->shape.dims[0], -1, CLRS_INVALID_ARGUMENT, "dimension 0 of a shape is -1")               \
  ROW(pad->begins[0], -1, CLRS_INVALID_ARGUMENT, "begins[0] is -1; to take elements away slice")   \
  ROW(pad->ends[1], INT64_MAX, CLRS_OVERFLOW, "padded dimension 1 does not fit in 64 bits")        \
  TAKES(pad->box_count, SIZE_MAX)                                                                  \
  TAKES(pad->whole.dims[0], -1)                                                                    \
  TAKES(pad->whole.rank, UINT32_MAX)                                                               \
  ROW(box, 4, CLRS_INVALID_ARGUMENT, "box 4 is not there; the pad has 4")                          \
  ROW(box, SIZE_MAX, CLRS_INVALID_ARGUMENT, "box " MOST " is not there")

FUNCTION(clrs_pad_source, set_pad(a), a->pad, a->box, a->view) {
  PAD_ROWS;
  ROW(pad->shape.dims[0], 5, CLRS_COUNT_MISMATCH, "the view is [4,6]; the pad's source is [5,6]");
}

FUNCTION(clrs_pad_place, (set_pad(a), a->one_view = core_view(2, LIST(5, 8))), a->pad, a->box,
         a->view) {
  PAD_ROWS;
  ROW(pad->shape.dims[0], 5, CLRS_COUNT_MISMATCH, "the view is [5,8]; the pad's result is [6,8]");
}

FUNCTION(clrs__view_diagonal, (a->first_axis = 0, a->second_axis = 1), a->view, a->offset,
         a->first_axis, a->second_axis) {
  VIEW_ROWS(view);
  TAKES(offset, INT64_MAX); /* an empty diagonal, as in NumPy */
  TAKES(offset, INT64_MIN);
  ROW(first_axis, 2, CLRS_INVALID_ARGUMENT, "diagonal axis 2 is out of range for rank 2");
  ROW(first_axis, INT64_MIN, CLRS_INVALID_ARGUMENT, "-9223372036854775808 is out of range");
  ROW(first_axis, -1, CLRS_INVALID_ARGUMENT, "both axes of the diagonal are -1; they must differ");
  ROW(second_axis, -3, CLRS_INVALID_ARGUMENT, "diagonal axis -3 is out of range for rank 2");
  ROW(second_axis, INT64_MAX, CLRS_INVALID_ARGUMENT, "9223372036854775807 is out of range");
  ROW(second_axis, 0, CLRS_INVALID_ARGUMENT, "they must differ");
}

/* ---- cutting ---- */

/* [1, 4, 2, 2]: the same rows, but for another rank and extent. */
static void set_image(arguments *a) {
  a->one_view = core_view(4, LIST(1, 4, 2, 2));
  a->block = 2;
  a->order = CLRS__BLOCKS_FIRST;
}

#define BLOCK_ROWS                                                                                 \
  VIEW_ROWS(view)                                                                                  \
  ROW(view, view_of_rank(m->a, 2), CLRS_INVALID_ARGUMENT, "the rank is 2; batch, channels and")    \
  ROW(view, view_of_rank(m->a, 17), CLRS_LIMIT_EXCEEDED, "the rank is 17")                         \
  ROW(block, 0, CLRS_INVALID_ARGUMENT, "the block size is 0; it must be at least 1")               \
  ROW(block, -1, CLRS_INVALID_ARGUMENT, "the block size is -1")                                    \
  ROW(block, INT64_MIN, CLRS_INVALID_ARGUMENT, "the block size is -9223372036854775808")           \
  ROW(block, INT64_MAX, CLRS_OVERFLOW, "block size 9223372036854775807 to the power 2 overflows")  \
  ROW(block, 3, CLRS_INVALID_ARGUMENT, "does not divide dimension")                                \
  ROW(order, -1, CLRS_INVALID_ARGUMENT, "clrs__block_order has 0 and 1")                           \
  ROW(order, CLRS__DEPTH_FIRST + 1, CLRS_INVALID_ARGUMENT, "block order 2 is unknown")             \
  ROW(order, INT32_MAX, CLRS_INVALID_ARGUMENT, "block order 2147483647 is unknown")

FUNCTION(clrs__view_depth_to_space, set_image(a), a->view, a->block, a->order){BLOCK_ROWS}

FUNCTION(clrs__view_space_to_depth, set_image(a), a->view, a->block, a->order) {
  BLOCK_ROWS
  ROW_IF(a->block = INT64_C(1) << 40, view, other_view(a, 3, LIST(1, INT64_C(1) << 40, 0)),
         CLRS_OVERFLOW, "dimension 1 of the result does not fit in 64 bits");
}

FUNCTION(clrs__view_channel_shuffle, (a->axis = 1, a->groups = 2), a->view, a->axis, a->groups) {
  VIEW_ROWS(view);
  ROW(view, view_of_rank(m->a, 32), CLRS_LIMIT_EXCEEDED, "at rank 32");
  AXIS_ROWS(axis);
  ROW(groups, 0, CLRS_INVALID_ARGUMENT, "into 0 groups at rank 2: it needs at least 1");
  ROW(groups, -1, CLRS_INVALID_ARGUMENT, "into -1 groups");
  ROW(groups, INT64_MIN, CLRS_INVALID_ARGUMENT, "into -9223372036854775808 groups");
  ROW(groups, 4, CLRS_INVALID_ARGUMENT, "the group count 4 does not divide dimension 1");
  ROW(groups, INT64_MAX, CLRS_INVALID_ARGUMENT, "9223372036854775807 does not divide");
}

/* One block size per dim of [4, 6]. */
#define BLOCKS_ROWS                                                                                \
  VIEW_ROWS(view)                                                                                  \
  ROW(view, view_of_rank(m->a, 1), CLRS_INVALID_ARGUMENT, "the rank is 1; the batch and 1 to")     \
  ROW(view, view_of_rank(m->a, 17), CLRS_LIMIT_EXCEEDED, "the rank is 17")                         \
  ROW(count, 0, CLRS_INVALID_ARGUMENT, "there are 0 block sizes; the rank is 2")                   \
  ROW(count, 3, CLRS_INVALID_ARGUMENT, "there are 3 block sizes; the rank is 2")                   \
  ROW(count, SIZE_MAX, CLRS_INVALID_ARGUMENT, "there are " MOST " block sizes")                    \
  ROW(blocks, NULL, CLRS_INVALID_ARGUMENT, "blocks is NULL")                                       \
  ROW(blocks, LIST(2, 2), CLRS_INVALID_ARGUMENT, "block size 0 is 2; it must be at least 1")       \
  ROW(blocks, LIST(1, 0), CLRS_INVALID_ARGUMENT, "block size 1 is 0")                              \
  ROW(blocks, LIST(1, -1), CLRS_INVALID_ARGUMENT, "block size 1 is -1")                            \
  ROW(blocks, LIST(1, INT64_MIN), CLRS_INVALID_ARGUMENT, "is -9223372036854775808")                \
  ROW(blocks, LIST(1, 5), CLRS_INVALID_ARGUMENT, "5")                                              \
  ROW_IF((a->count = 3, a->blocks = LIST(1, INT64_MAX, INT64_MAX)), view,                          \
         other_view(a, 3, LIST(12, 2, 3)), CLRS_OVERFLOW, "the block sizes overflows")

#define SET_BLOCKS (a->count = 2, SET_LIST(blocks, 1, 2))

FUNCTION(clrs__view_batch_to_space, SET_BLOCKS, a->view, a->count, a->blocks) {
  BLOCKS_ROWS
  ROW(blocks, LIST(1, INT64_MAX), CLRS_INVALID_ARGUMENT, "does not divide dimension 0");
}

FUNCTION(clrs__view_space_to_batch, SET_BLOCKS, a->view, a->count, a->blocks) {
  BLOCKS_ROWS
  ROW(blocks, LIST(1, INT64_MAX), CLRS_INVALID_ARGUMENT, "does not divide dimension 1, of extent");
}

/* ---- blocked layouts ---- */

FUNCTION(clrs_blocked_from_name, a->name = "nC4c", a->name, a->dtype, a->shape, a->blocked_out) {
  ROW(name, NULL, CLRS_INVALID_ARGUMENT, "name is NULL");
  ROW(name, "", CLRS_INVALID_ARGUMENT, "\"\" is not a layout name");
  ROW(name, "nC0c", CLRS_INVALID_ARGUMENT, "\"nC0c\" is not a layout name");
  ROW(name, "nC99999999999999999999c", CLRS_INVALID_ARGUMENT, "is not a layout name");
  ROW(name, "nCc4", CLRS_INVALID_ARGUMENT, "\"nCc4\" is not a layout name");
  ROW(name, "nChw4c", CLRS_INVALID_ARGUMENT, "\"nChw4c\" names 4 dims; the shape has 2");
  ROW(name, "_", CLRS_INVALID_ARGUMENT, "\"_\" is not a layout name");
  DTYPE_ROWS(dtype);
  SHAPE_ROWS(shape);
  ROW(shape->rank, 0, CLRS_INVALID_ARGUMENT, "names 2 dims; the shape has 0");
  ROW_IF(a->shape->dims[0] = 1, shape->dims[1], INT64_MAX, CLRS_OVERFLOW, "cannot be padded");
  ROW(blocked_out, NULL, CLRS_INVALID_ARGUMENT, "blocked is NULL");
}

#define BLOCKED_ROWS                                                                               \
  ROW(blocked, NULL, CLRS_INVALID_ARGUMENT, "blocked is NULL")                                     \
  DTYPE_ROWS(blocked->dtype)                                                                       \
  ROW(blocked->shape.rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims")        \
  ROW(blocked->shape.rank, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "rank 4294967295")                     \
  ROW(blocked->shape.rank, 32, CLRS_LIMIT_EXCEEDED, "rank 32 and 1 blocks are over 32 together")   \
  ROW(blocked->shape.dims[0], -1, CLRS_INVALID_ARGUMENT, "dimension 0 of a shape is -1")           \
  ROW(blocked->shape.dims[0], 5, CLRS_INVALID_ARGUMENT, "of extent 5 is padded to 4; that must")   \
  ROW(blocked->padded_dims[0], 3, CLRS_INVALID_ARGUMENT, "of extent 4 is padded to 3")             \
  ROW(blocked->padded_dims[1], 9, CLRS_INVALID_ARGUMENT, "padded to 9; that must be no less and")  \
  ROW(blocked->padded_dims[0], INT64_MIN, CLRS_INVALID_ARGUMENT, "to -9223372036854775808")        \
  ROW(blocked->padded_dims[0], INT64_MAX, CLRS_OVERFLOW, "64 bits")                                \
  ROW(blocked->outer_strides[0], INT64_MAX, CLRS_OVERFLOW, "stride 9223372036854775807")           \
  ROW(blocked->outer_strides[0], INT64_MIN, CLRS_OVERFLOW, "stride -9223372036854775808")          \
  ROW(blocked->block_count, CLRS_MAX_BLOCKS + 1, CLRS_LIMIT_EXCEEDED, "13 blocks are over the")    \
  ROW(blocked->block_count, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "4294967295 blocks")                  \
  ROW(blocked->blocks[0].dim, 2, CLRS_INVALID_ARGUMENT, "of dimension 2; sizes must be at least")  \
  ROW(blocked->blocks[0].dim, UINT32_MAX, CLRS_INVALID_ARGUMENT, "of dimension 4294967295")        \
  ROW(blocked->blocks[0].size, 0, CLRS_INVALID_ARGUMENT, "block 0 is 0 of dimension 1")            \
  ROW(blocked->blocks[0].size, -1, CLRS_INVALID_ARGUMENT, "block 0 is -1 of dimension 1")          \
  ROW(blocked->blocks[0].size, INT64_MAX, CLRS_INVALID_ARGUMENT, "its blocks, 9223372036854775")   \
  ROW_IF((a->blocked->blocks[0].size = a->blocked->blocks[1].size = INT64_MAX,                     \
          a->blocked->blocks[1].dim = 1),                                                          \
         blocked->block_count, 2, CLRS_OVERFLOW, "the blocks of dimension 1 overflow")             \
  ROW(blocked->offset, INT64_MAX, CLRS_OVERFLOW, "does not fit in 64 bits")                        \
  ROW(view_out, NULL, CLRS_INVALID_ARGUMENT, "view is NULL")

FUNCTION(clrs_blocked_view, (void)0, a->blocked, a->view_out) {
  BLOCKED_ROWS
}
