/*
 * clreshape/blocked.h - blocked and padded layouts, as oneDNN describes them.
 * Included by clreshape/core.h, which says what holds for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_BLOCKED_H
#define CLRESHAPE_BLOCKED_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLRS_MAX_BLOCKS 12

/* One inner block: `size` neighbouring indices of `dim` lie together. */
typedef struct clrs_block {
  uint32_t dim;
  int64_t size;
} clrs_block;

/*
 * dnnl_memory_desc_t with dnnl_blocked: each dim is padded to a multiple of its blocks; strides
 * step from block to block of a dim; the blocks themselves are dense, the last one innermost. A dim
 * may be blocked more than once. To any operation such a layout is an ordinary view, in which a
 * blocked dim has several axes.
 */
typedef struct clrs_blocked_layout {
  clrs_dtype dtype;
  clrs_shape shape;                     /* what the user sees */
  int64_t padded_dims[CLRS_MAX_RANK];   /* >= dims, multiples of their blocks */
  int64_t outer_strides[CLRS_MAX_RANK]; /* elements, from block to block */
  uint32_t block_count;
  clrs_block blocks[CLRS_MAX_BLOCKS]; /* outermost first */
  int64_t offset;                     /* elements */
} clrs_blocked_layout;

/* The dense layout of a common name, with the least padding. Names are those of oneDNN, by role
 * ("nChw16c", "NChw16n16c", "OIhw16i16o", "nhwc") or by letter ("aBcd16b"), and of OpenVINO
 * ("b_fs_yx_fsv16", "bs_fs_yx_bsv16_fsv16", "os_is_yx_isv16_osv16", "bfyx"). */
CLRS_CHECKED clrs_status clrs_blocked_from_name(const char *name, clrs_dtype dtype,
                                                const clrs_shape *shape,
                                                clrs_blocked_layout *blocked, clrs_error *error);
/* The view of the elements, of blocked->shape. As a source or a destination it is like any other;
 * as a destination it leaves the padding alone. */
CLRS_CHECKED clrs_status clrs_blocked_view(const clrs_blocked_layout *blocked, clrs_view *view,
                                           clrs_error *error);
/* The view of elements and padding, of padded_dims: for clrs_enqueue_pad, which writes both. */
CLRS_CHECKED clrs_status clrs_blocked_padded_view(const clrs_blocked_layout *blocked,
                                                  clrs_view *view, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_BLOCKED_H */
