/*
 * clreshape/view.h - layouts, views and the movement operations.
 * Included by clreshape/core.h, which says what holds for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_VIEW_H
#define CLRESHAPE_VIEW_H

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------- layouts */

typedef struct clrs_layout {
  clrs_dtype dtype;
  uint32_t rank;
  int64_t dims[CLRS_MAX_RANK];
  int64_t strides[CLRS_MAX_RANK]; /* elements */
  int64_t offset;                 /* elements from the start of the tensor's storage */
} clrs_layout;

/* strides == NULL means dense row-major. Checks what clrs_shape_init checks, and that every
 * position fits in 64 bits. A negative lowest position is legal here; a buffer refuses it. */
CLRS_CHECKED clrs_status clrs_layout_init(clrs_dtype dtype, const clrs_shape *shape,
                                          const int64_t *strides, int64_t offset,
                                          clrs_layout *layout, clrs_error *error);

/* The lowest and highest element that is touched. `empty` if none is (the others are then 0). */
typedef struct clrs_bounds {
  bool empty;
  int64_t lowest, highest;
} clrs_bounds;

CLRS_CHECKED clrs_status clrs_layout_bounds(const clrs_layout *layout, clrs_bounds *bounds,
                                            clrs_error *error);
/* Do the elements follow each other row-major without gaps, from any offset on? Strides of dims of
 * 1 do not matter, nor do any where there are no elements. False for NULL and a rank over the
 * limit. */
CLRS_API bool clrs_layout_is_dense(const clrs_layout *layout);

/* ------------------------------------------------------------------------------------- views
 * A view is a shape (what the user sees) and a walk (where the elements are). A walk is an offset
 * and a list of axes, enumerated row-major; it knows nothing of the shape but the element count.
 * So reshape replaces the shape and leaves the walk alone, and only the operations that work on
 * dims look at the axes. Where the axes of a walk do not factor into the dims, the operation puts
 * a second walk on top, whose positions count the elements of the first: a stack of walks.
 * Every movement operation on a view is lazy, pure and O(rank).
 *
 * Normal form: no axis of extent 1, no two neighbours that could be one, no walk at all if the
 * view has no elements. Treat the fields as read-only.
 */
typedef struct clrs_axis {
  int64_t extent, stride;
} clrs_axis;

typedef struct clrs_level {
  int64_t offset;
  uint32_t axis_count;
} clrs_level;

typedef struct clrs_view {
  clrs_dtype dtype;
  uint32_t depth; /* levels in use; 0 only for a view without elements */
  clrs_shape shape;
  clrs_level levels[CLRS_MAX_DEPTH]; /* levels[0] addresses the storage */
  clrs_axis axes[CLRS_VIEW_AXES];    /* of levels[0], then of levels[1], ... */
} clrs_view;

CLRS_CHECKED clrs_status clrs_view_dense(clrs_dtype dtype, const clrs_shape *shape, clrs_view *view,
                                         clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_from_layout(const clrs_layout *layout, clrs_view *view,
                                               clrs_error *error);
/* The one strided layout that is this view, or CLRS_WOULD_COPY and why there is none. */
CLRS_CHECKED clrs_status clrs_view_layout(const clrs_view *view, clrs_layout *layout,
                                          clrs_error *error);
/* Elements of the storage that the lowest level can touch. */
CLRS_CHECKED clrs_status clrs_view_bounds(const clrs_view *view, clrs_bounds *bounds,
                                          clrs_error *error);

/* Copies the elements that the view shows of `source`, where its storage begins, to `destination`,
 * dense and row-major. It does so one by one: this is for the small tensors that a host knows, such
 * as constants. Sizes are in bytes; the two may be unaligned, must not overlap, and may be NULL
 * where nothing is to be read or written. Elements under a byte, or not of whole bytes, are
 * CLRS_UNSUPPORTED; memory that is too small for the view is CLRS_OUT_OF_BOUNDS. Nothing is written
 * on failure. */
CLRS_CHECKED clrs_status clrs_view_copy_host(const clrs_view *view, const void *source,
                                             size_t source_size, void *destination,
                                             size_t destination_size, clrs_error *error);

/* Movement operations, in place. Axes may be negative and then count from the end; `count` is the
 * length of the array after it. The standard that each follows is named beside it. */

/* One entry for each axis to be sliced. start and end may be any value and are clamped as ONNX
 * Slice-13 does. step may be any value but 0. slice= in a chain follows Python, which differs in
 * one case: a backward slice that starts in front of the axis is empty. */
typedef struct clrs_slice {
  int64_t axis, start, end, step;
} clrs_slice;

CLRS_CHECKED clrs_status clrs_view_reshape(clrs_view *view, const clrs_shape *shape,
                                           clrs_error *error); /* counts must be equal */
CLRS_CHECKED clrs_status clrs_view_reshape_pattern(clrs_view *view, const clrs_pattern *pattern,
                                                   clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_permute(clrs_view *view, size_t count, const int64_t *axes,
                                           clrs_error *error); /* numpy.transpose */
/* ONNX Squeeze-13; count == 0 removes every dim of 1. */
CLRS_CHECKED clrs_status clrs_view_squeeze(clrs_view *view, size_t count, const int64_t *axes,
                                           clrs_error *error);
/* OpenVINO Squeeze-15 with allow_axis_skip: named dims of other extents stay. */
CLRS_CHECKED clrs_status clrs_view_squeeze_ones(clrs_view *view, size_t count, const int64_t *axes,
                                                clrs_error *error);
/* ONNX Unsqueeze-13: axes index the result. */
CLRS_CHECKED clrs_status clrs_view_unsqueeze(clrs_view *view, size_t count, const int64_t *axes,
                                             clrs_error *error);
/* ONNX Flatten-13: always 2-D; axis may be -rank to rank. */
CLRS_CHECKED clrs_status clrs_view_flatten(clrs_view *view, int64_t axis, clrs_error *error);
/* ONNX Expand-13: multidirectional broadcast of the view's shape with `shape`. */
CLRS_CHECKED clrs_status clrs_view_expand(clrs_view *view, const clrs_shape *shape,
                                          clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_slice(clrs_view *view, size_t count, const clrs_slice *slices,
                                         clrs_error *error); /* ONNX Slice-13 */
CLRS_CHECKED clrs_status clrs_view_flip(clrs_view *view, size_t count, const int64_t *axes,
                                        clrs_error *error); /* numpy.flip */
/* Part number `which` of `parts`: ONNX Split-18 with num_outputs, the last part may be smaller. */
CLRS_CHECKED clrs_status clrs_view_split(clrs_view *view, int64_t axis, int64_t parts,
                                         int64_t which, clrs_error *error);

/* Which comes first in the channels: the place in the block (ONNX DCR, OpenVINO blocks_first) or
 * the depth (ONNX CRD, OpenVINO depth_first). */
typedef enum clrs_block_order { CLRS_BLOCKS_FIRST, CLRS_DEPTH_FIRST } clrs_block_order;

/* ONNX DepthToSpace-13 and SpaceToDepth-13 on [N, C, D1, ...] with 1 to 14 spatial dims, as
 * OpenVINO has it; more are CLRS_LIMIT_EXCEEDED, as their cut has more dims than CLRS_MAX_RANK. */
CLRS_CHECKED clrs_status clrs_view_depth_to_space(clrs_view *view, int64_t block,
                                                  clrs_block_order order, clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_space_to_depth(clrs_view *view, int64_t block,
                                                  clrs_block_order order, clrs_error *error);
/* OpenVINO ShuffleChannels-1, of a rank below CLRS_MAX_RANK, else CLRS_LIMIT_EXCEEDED. */
CLRS_CHECKED clrs_status clrs_view_channel_shuffle(clrs_view *view, int64_t axis, int64_t groups,
                                                   clrs_error *error);

/* ONNX Tile-13: the whole of dim i, repeats[i] times. `count` must be the rank. */
CLRS_CHECKED clrs_status clrs_view_tile(clrs_view *view, size_t count, const int64_t *repeats,
                                        clrs_error *error);
/* numpy.repeat: each element along one axis, `repeats` times. */
CLRS_CHECKED clrs_status clrs_view_repeat(clrs_view *view, int64_t axis, int64_t repeats,
                                          clrs_error *error);

/* torch.Tensor.unfold: windows of `size` elements, one every `step`, may overlap. The axis then
 * counts windows, and a new last dim the elements of one. */
typedef struct clrs_window {
  int64_t axis, size, step;
} clrs_window;

CLRS_CHECKED clrs_status clrs_view_window(clrs_view *view, const clrs_window *window,
                                          clrs_error *error);
/* numpy.diagonal: the two axes go, the diagonal is the new last dim. */
CLRS_CHECKED clrs_status clrs_view_diagonal(clrs_view *view, int64_t offset, int64_t first_axis,
                                            int64_t second_axis, clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_move_axis(clrs_view *view, int64_t from, int64_t to,
                                             clrs_error *error); /* numpy.moveaxis, one axis */
CLRS_CHECKED clrs_status clrs_view_swap_axes(clrs_view *view, int64_t first, int64_t second,
                                             clrs_error *error); /* numpy.swapaxes */

/* OpenVINO BatchToSpace-2 and SpaceToBatch-2 on [batch, D1, ...], with one block size per dim, that
 * of the batch being 1, and 1 to 15 of the others: more are CLRS_LIMIT_EXCEEDED. Crops may be NULL
 * for none. What SpaceToBatch pads, clrs_enqueue_pad writes before. */
CLRS_CHECKED clrs_status clrs_view_batch_to_space(clrs_view *view, size_t count,
                                                  const int64_t *blocks, const int64_t *crops_begin,
                                                  const int64_t *crops_end, clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_space_to_batch(clrs_view *view, size_t count,
                                                  const int64_t *blocks, clrs_error *error);

/* ----------------------------------------------------------------------------------- padding
 * numpy.pad. What it puts around a tensor is one value, or elements of the tensor. In that case the
 * result is put together from a few boxes, of which each shows a view of the source:
 * clrs_enqueue_pad moves them. Here they are for those who have more than one tensor to pad so,
 * such as parameters of a map, or who move them by other means.
 *
 * Of a dim without elements there is nothing to repeat: NumPy and ONNX refuse to pad it, and so is
 * it refused here, in every mode but constant.
 */
typedef enum clrs_pad_mode {                     /* of a b c d, 2 before and 2 behind: */
                             CLRS_PAD_CONSTANT,  /* 0 0 a b c d 0 0 */
                             CLRS_PAD_EDGE,      /* a a a b c d d d */
                             CLRS_PAD_REFLECT,   /* c b a b c d c b */
                             CLRS_PAD_SYMMETRIC, /* b a a b c d d c */
                             CLRS_PAD_WRAP       /* c d a b c d a b */
} clrs_pad_mode; /* what is longer than the dim goes on so, as a period */

/* Made by clrs_pad_init. */
typedef struct clrs_pad {
  clrs_pad_mode mode;
  clrs_shape shape, whole; /* of the source; of the result */
  int64_t begins[CLRS_MAX_RANK], ends[CLRS_MAX_RANK];
  size_t box_count; /* boxes of the result, which are disjoint and leave nothing out */
} clrs_pad;

/* begins[d] elements are before the source along dim d, and ends[d] behind it: none is negative,
 * NULL is all 0. CLRS_LIMIT_EXCEEDED if that makes more than 8192 boxes, three for each dim that is
 * padded on both sides by less than its extent. */
CLRS_CHECKED clrs_status clrs_pad_init(clrs_pad_mode mode, const clrs_shape *shape,
                                       const int64_t *begins, const int64_t *ends, clrs_pad *pad,
                                       clrs_error *error);
/* A view of pad->shape becomes what box number `box` shows of it, in place; one of pad->whole
 * becomes the box, of the same shape. That is CLRS_LIMIT_EXCEEDED of rank CLRS_MAX_RANK if the box
 * has several pieces of a dim with gaps between them: they take a dim more on the way. */
CLRS_CHECKED clrs_status clrs_pad_source(const clrs_pad *pad, size_t box, clrs_view *view,
                                         clrs_error *error);
CLRS_CHECKED clrs_status clrs_pad_place(const clrs_pad *pad, size_t box, clrs_view *view,
                                        clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_VIEW_H */
