/*
 * clreshape/indexed.h - gather and scatter by indices that lie on the device: paged caches,
 * embeddings, the order of beams.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_INDEXED_H
#define CLRESHAPE_INDEXED_H

#include "clreshape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------- indices
 * One launch, asynchronous like all that is enqueued (clreshape.h): the host never reads an index,
 * so they may come from a kernel in front. Each element is read and written once; rows of some
 * kilobytes that lie whole on both sides go nearly as fast as a copy. All tensors may be any views.
 * Stacks of walks, and views whose axes have no common strides, take a slower kernel and, for each
 * call, a buffer of some 10 KiB, made by clCreateBuffer and freed by OpenCL when it has run.
 * Kernels are built for widths and alignments, never for a shape. A destination whose elements are
 * no whole bytes is CLRS_UNSUPPORTED.
 *
 * A source may be a mapped tensor. Each element then goes through its map on the way, in the same
 * launch: a dequantized embedding, or new keys that are quantized into their cache. The destination
 * has the map's type, and so has `element`, which is written as it is. Views whose axes have no
 * common strides are CLRS_UNSUPPORTED here, and parameters that are spread in CLRS_MAP_VIEWS ways
 * CLRS_LIMIT_EXCEEDED; see clrs_tensor_with_map for what a device may lack.
 *
 * An index is only known when the kernel runs, so one that is out of range is no error of the call.
 * Whatever the indices' bytes are, no address outside of a tensor is touched. The caller
 * chooses what happens then. These conventions are such choices:
 *
 *   ONNX Gather, NumPy       .from_end = true, and a flag that is an error if it was raised
 *   numpy.take mode "clip"   .outside = CLRS_OUTSIDE_CLAMPED
 *   block tables, -1: none   nothing: such an index is skipped
 *
 * A work takes gathers and scatters, too (work.h).
 *
 * On failure nothing was enqueued. All arguments must live until the call returns, the buffers
 * until the command has run.
 */

/* What is done for an index that names no place. */
typedef enum clrs_outside {
  CLRS_OUTSIDE_SKIPPED, /* a gather writes `element` there, a scatter nothing */
  CLRS_OUTSIDE_CLAMPED  /* the first place for a negative one, else the last; an axis without
                         * elements has none, and the index is skipped */
} clrs_outside;

typedef struct clrs_indices {
  clrs_tensor *tensor; /* CLRS_I32 or CLRS_I64, of any rank, 0 included */
  int64_t axis;        /* whose places they name; if negative, from the end of the dims */
  bool from_end;       /* an index from -extent to -1 counts from the end of the axis */
  clrs_outside outside;
  const void *element; /* in host memory, read before the call returns; NULL: all bits 0 */
  clrs_tensor *flag; /* one CLRS_U32 at a multiple of 4 bytes, or NULL. Its bit 0 is set if an index
                      * is out of range, whether it is then skipped or clamped; nothing clears it.
                      * An index that leads to no element is not looked at */
} clrs_indices;

/* ONNX Gather-13. The destination has the source's dims, but those of the indices in place of the
 * axis: of a source [A, B, C], axis 1 and indices [I, J] it is [A, I, J, C], with
 * destination[a, i, j, c] = source[a, indices[i, j], c]. A result is of these dims. A destination
 * must not share a byte with the others (CLRS_OVERLAP). Dims that do not fit are
 * CLRS_COUNT_MISMATCH, other element types than those above CLRS_INVALID_ARGUMENT; the rest is
 * refused as clrs_enqueue_move refuses it. */
CLRS_CHECKED clrs_status clrs_enqueue_gather(clrs_tensor *source, const clrs_indices *indices,
                                             clrs_tensor *destination, clrs_tensor **result,
                                             const clrs_on *on, cl_event *event, clrs_error *error);

/* The way back: the source's rows to the places of the destination that the indices name, as when
 * new keys go to their slots in a cache. Of a destination [A, B, C], axis 1 and indices [I, J] the
 * source is [A, I, J, C], with destination[a, indices[i, j], c] = source[a, i, j, c]; all other
 * elements of the destination stay as they are. `element` is not used.
 *
 * Of indices that name one place, it is not defined which one wins, nor that it is the same one for
 * all elements of a row. An element of up to 8 bytes that begins at a multiple of its size on both
 * sides is then that of one of them; other elements may be made of bytes of several. */
CLRS_CHECKED clrs_status clrs_enqueue_scatter(clrs_tensor *source, const clrs_indices *indices,
                                              clrs_tensor *destination, const clrs_on *on,
                                              cl_event *event, clrs_error *error);

/* Would the calls above move bytes, and how? Fills the plan that they carry out. A plan holds no
 * tensor: clrs_enqueue_plan takes the buffers, of the same offsets, and reads the indices that are
 * there then. clrs_context_warm_up_plan takes such a plan, too. Fails as the calls do. */
CLRS_CHECKED clrs_status clrs_tensor_plan_gather(const clrs_tensor *source,
                                                 const clrs_indices *indices,
                                                 const clrs_tensor *destination, clrs_plan *plan,
                                                 clrs_error *error);
CLRS_CHECKED clrs_status clrs_tensor_plan_scatter(const clrs_tensor *source,
                                                  const clrs_indices *indices,
                                                  const clrs_tensor *destination, clrs_plan *plan,
                                                  clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_INDEXED_H */
