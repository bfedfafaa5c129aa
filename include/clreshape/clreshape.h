/*
 * clreshape/clreshape.h - reshape and related movement operations for OpenCL buffers. The header
 * includes all C headers but onnx.h.
 *
 * The library never creates a context or a queue and never blocks, except as a comment states. The
 * caller brings the cl_context, cl_device_id, cl_command_queue, wait list and, optionally, the
 * destination. The result is a view if a layout allows a view, and otherwise one pass over the
 * data. OpenCL 1.2 is required. CL_TARGET_OPENCL_VERSION, if defined before this header, selects
 * the declarations of OpenCL's headers. The default is 300, as in OpenCL's headers.
 *
 * Not usable in the child of a fork() once OpenCL has started.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLRESHAPE_H
#define CLRESHAPE_CLRESHAPE_H

#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------- enqueue
 * All calls are asynchronous. The tensors of a call must belong to one clrs_context, and the call
 * works in that context. The queue must belong to the context's cl_context and device, and may be
 * in order or out of order. Commands wait for the wait list.
 *
 * *event, if asked for, is valid on success, also for an alias or an empty tensor. The caller
 * releases the event. The event completes after the wait list does, and fails if an event of the
 * wait list fails. If an event has failed before the call, the call itself fails (CLRS_OPENCL_ERROR
 * with the event's code). CLRS_INVALID_ARGUMENT if an event is NULL or of another cl_context, if
 * `waits` is NULL and `wait_count` is not 0 or the reverse, or if tensors belong to different
 * clrs_contexts.
 *
 * A call plans on the host, in some microseconds for any element count. A call builds a kernel if
 * no earlier call needed the kernel. Then the call enqueues. An alias is not planned and costs some
 * 100 ns. An alias without an event enqueues nothing, and checks neither the queue nor the events.
 * On failure no command that writes a destination was enqueued, or the message says so. *result and
 * *event are not written then.
 *
 * Some calls write into a destination of the caller's, of any layout, or make a result of the
 * library's. Set either `destination` or `result`, and pass NULL for the other.
 * CLRS_INVALID_ARGUMENT if both are NULL or both are set.
 *
 *   result       A new dense tensor from the context's allocator, which the caller releases. The
 *                sources may be released at once.
 *   destination  Must have the shape and the dtype of the written elements (CLRS_COUNT_MISMATCH,
 *                CLRS_INVALID_ARGUMENT). The tensors may lie in one buffer but must not share a
 *                byte (CLRS_OVERLAP). A destination in read-only memory is CLRS_INVALID_ARGUMENT.
 *                CL_MEM_READ_ONLY counts, CL_MEM_HOST_* flags do not.
 *
 * Success means enqueued. Only the event tells whether a command ran: clFinish does not report a
 * failed command. Wait for the event and do not only read the status. Intel's CPU runtime gives the
 * status CL_COMPLETE to a command whose wait list failed.
 */

/* The queue and the wait list of a call. Read only during the call. */
typedef struct clrs_on {
  cl_command_queue queue; /* from the tensors' cl_context, for their device */
  cl_uint wait_count;     /* number of events */
  const cl_event *waits;  /* NULL if wait_count is 0 */
} clrs_on;

/* Applies a chain of operations to the source in one pass. Examples: "reshape=0,0,12,64
 * permute=0,2,1,3", "rearrange=b t (h d) -> b h t d, h=12", "cast=f32 mean=127.5 std=58
 * permute=2,0,1" (clrs_tensor_with_chain). The chain "" has no operation. The result is an alias of
 * the source if the policy and the view allow an alias. The policy, and the error CLRS_WOULD_COPY,
 * are as in clrs_plan_move. With a destination the policy is ignored. A result has a strided
 * layout. To keep the blocks of a blocked view without a copy, use clrs_tensor_with_view.
 *
 * A chain may pad once, also with windows behind: "pad=200,mode=reflect window=0,400,160" makes the
 * frames of a sound. Each byte of the result is written once, by a launch for each piece that shows
 * one rectangle of the source or one value. From 8 pieces on, small pieces share launches.
 * CLRS_UNSUPPORTED, with the operation, if an operation behind the pad mixes elements, pads again,
 * or cuts a dim that a reshape joined from several pieces. CLRS_LIMIT_EXCEEDED for over 8192
 * pieces. */
CLRS_CHECKED clrs_status clrs_enqueue_chain(clrs_tensor *source, const char *chain,
                                            clrs_copy_policy policy, clrs_tensor *destination,
                                            clrs_tensor **result, const clrs_on *on,
                                            cl_event *event, clrs_error *error);
/* Reshapes the source by a pattern. The result is as in clrs_enqueue_chain. */
CLRS_CHECKED clrs_status clrs_enqueue_reshape(clrs_tensor *source, const clrs_pattern *pattern,
                                              clrs_copy_policy policy, clrs_tensor **result,
                                              const clrs_on *on, cl_event *event,
                                              clrs_error *error);
/* Moves the source's elements into a destination. Always a pass. */
CLRS_CHECKED clrs_status clrs_enqueue_move(clrs_tensor *source, clrs_tensor *destination,
                                           const clrs_on *on, cl_event *event, clrs_error *error);

/* Reads the elements into host memory, dense and row-major, for any view, layout and map of the
 * source. `size` must be the exact size of the elements in bytes. For packed types the bits behind
 * the last element are undefined. A dense source takes one clEnqueueReadBuffer. Another source
 * takes a move into a buffer of the context's allocator and one read. The memory must live and stay
 * untouched until the event completes. `memory` may be NULL for a tensor without elements. */
CLRS_CHECKED clrs_status clrs_enqueue_read(clrs_tensor *source, void *memory, size_t size,
                                           const clrs_on *on, cl_event *event, clrs_error *error);

/* Tells whether a call would copy, and why. Enqueues nothing. Fills the plan that the calls above
 * would carry out. Pass NULL for no destination. For a mapped source the plan is as from
 * clrs_plan_mapped. clrs_context_warm_up_plan takes the plan before the first move or result. */
CLRS_CHECKED clrs_status clrs_tensor_plan(const clrs_tensor *source, const clrs_tensor *destination,
                                          clrs_copy_policy policy, clrs_plan *plan,
                                          clrs_error *error);
/* Carries out a plan on any buffers that hold the plan's footprints, without planning again. A plan
 * without launches reads no buffer, and the event is a marker's. A source buffer may be the
 * destination if the footprints do not overlap. CLRS_UNSUPPORTED if the device lacks the arithmetic
 * of the plan's map. */
CLRS_CHECKED clrs_status clrs_enqueue_plan(clrs_context *context, const clrs_plan *plan,
                                           const clrs_plan_buffers *buffers, const clrs_on *on,
                                           cl_event *event, clrs_error *error);

/* clrs_pattern_read for a dense pattern of `rank` dims in a buffer, at `storage`. Waits for the
 * wait list and the read, and blocks only the calling thread. CLRS_LIMIT_EXCEEDED if 256 reads of
 * the context are in flight. A read that the driver failed to wait for counts until the driver
 * reports the end. On failure *pattern is not written. */
CLRS_CHECKED clrs_status clrs_pattern_read_buffer(clrs_context *context, const clrs_rules *rules,
                                                  const clrs_storage *storage, clrs_dtype dtype,
                                                  size_t rank, const int64_t *dims,
                                                  clrs_pattern *pattern, const clrs_on *on,
                                                  clrs_error *error);

/* ---------------------------------------------------------------------------------- assembly
 * Assembly makes a destination from parts, by one or a few launches for each part. All elements of
 * the destination are written, and each element once. Parts of packed elements may share bytes, and
 * are written one after the other. All parts are checked and planned, and all kernels are built,
 * before the first launch is enqueued. If a later step fails, the message gives the number of
 * launches that may write. Destinations are refused as in clrs_enqueue_move.
 */

/* Fills the destination with one element from host memory. The element is read before the call
 * returns. A packed element lies in the low bits. */
CLRS_CHECKED clrs_status clrs_enqueue_fill(clrs_tensor *destination, const void *element,
                                           const clrs_on *on, cl_event *event, clrs_error *error);

/* The place of the source in the destination or the result, and the surrounding elements. */
typedef struct clrs_padding {
  const int64_t *begins; /* one per dim, NULL for all 0 */
  const void *element;   /* as in clrs_enqueue_fill, for mode constant only */
  clrs_pad_mode mode;    /* 0 is constant */
  /* Numbers of elements behind the source, one per dim. NULL without a destination: all 0. NULL
   * with a destination and without a chain: the rest of the destination's dims. */
  const int64_t *ends;
  /* Operations behind the pad, or NULL. The destination or result is that of the chain, as from a
   * chain with pad= in clrs_enqueue_chain. */
  const clrs_chain *chain;
  const clrs_rules *rules; /* for `chain`, as in clrs_chain_apply */
} clrs_padding;

/* ONNX Pad and numpy.pad, space_to_batch's border, and the padding of a blocked destination
 * (clrs_blocked_view). Example: a source [2,3] with begins 1,0 and ends 0,2 becomes [3,5]. A
 * destination has the rank and dtype of the source. Neither begins nor ends may be negative. In a
 * mode other than constant every element of the border is an element of the source, after the map
 * if the source is mapped. Errors are as in clrs_pad_init. From 8 boxes on the boxes share
 * launches, like the tasks of a work. */
CLRS_CHECKED clrs_status clrs_enqueue_pad(clrs_tensor *source, const clrs_padding *padding,
                                          clrs_tensor *destination, clrs_tensor **result,
                                          const clrs_on *on, cl_event *event, clrs_error *error);

/* Concatenates the sources as ONNX Concat-13 does, by one move per source. Example: [2,3] and [4,3]
 * along axis 0 become [6,3]. A negative axis counts from the end. From 8 sources on the moves share
 * launches, like the tasks of a work. With a destination there may be no source, and `sources` may
 * then be NULL. */
CLRS_CHECKED clrs_status clrs_enqueue_concat(size_t count, clrs_tensor *const *sources,
                                             int64_t axis, clrs_tensor *destination,
                                             clrs_tensor **result, const clrs_on *on,
                                             cl_event *event, clrs_error *error);

/* Sources for the indices of a destination's first dim. */
typedef struct clrs_stack {
  size_t count;                /* extent of the destination's first dim */
  clrs_tensor *const *sources; /* `count` tensors */
  /* Begin of each source: begins[i * rank + d], along dim d of source i. NULL for all 0. */
  const int64_t *begins;
  /* Shown where the sources leave space: a tensor that is broadcast to an index of the destination,
   * such as one pixel. A border may be mapped like the sources. */
  clrs_tensor *border;
  const void *element; /* used without a border, as in clrs_enqueue_fill */
} clrs_stack;

/* Stacks images into a batch, with letterboxes. Example: images [4,6,3] and [5,5,3] go into
 * [2,5,6,3]. The first leaves a row and the second a column for the border. Source i has a rank one
 * less than the destination's and goes to index i of the destination's first dim. The space that
 * the source leaves gets the border or the element. CLRS_COUNT_MISMATCH if there is space and both
 * are NULL. Each source has its own size, pitch (a layout), crop (a slice), order of dims and map
 * (clrs_tensor_with_chain). To stack along another axis, give a permuted view of the destination.
 * Parts of up to 1 MiB share launches, like the tasks of a work. `sources` may be NULL if `count`
 * is 0. */
CLRS_CHECKED clrs_status clrs_enqueue_stack(const clrs_stack *stack, clrs_tensor *destination,
                                            const clrs_on *on, cl_event *event, clrs_error *error);

/* ----------------------------------------------------------------------------------- indices
 * Gathers and scatters by indices on the device. One launch, asynchronous. The host never reads an
 * index, so a kernel before the call may write the indices. Each element is read and written once.
 * Rows of some kilobytes that are contiguous on both sides move nearly as fast as a copy. All
 * tensors may be any views.
 *
 * Stacks of walks, and views whose axes have no common strides, use a slower kernel. Each such call
 * also makes a buffer of some 10 KiB by clCreateBuffer, and OpenCL frees the buffer when the call
 * has run. Kernels are built for widths and alignments, never for a shape. CLRS_UNSUPPORTED if the
 * elements of the destination are not whole bytes.
 *
 * A source may be a mapped tensor. Each element is then mapped in the same launch, as in a
 * dequantized embedding, or in new keys that are quantized into a cache. The destination has the
 * map's result type. `element` has the same type and is written unmapped. CLRS_UNSUPPORTED here if
 * the axes of the views have no common strides. CLRS_LIMIT_EXCEEDED if parameters are spread in
 * CLRS_MAP_VIEWS ways. See clrs_tensor_with_map for arithmetic that a device may lack.
 *
 * An index is known only when the kernel runs, so an index out of range is not an error of the
 * call. For any index bytes no address outside a tensor is touched. The caller chooses the effect
 * of an index out of range. Common conventions:
 *
 *   ONNX Gather, NumPy       .from_end = true, and a flag that is an error if it was raised
 *   numpy.take mode "clip"   .outside = CLRS_OUTSIDE_CLAMPED
 *   block tables, -1: none   nothing: such an index is skipped
 *
 * A work takes gathers and scatters, too. On failure nothing was enqueued. All arguments must live
 * until the call returns, and the buffers until the command has run.
 */

/* The effect of an index that is out of range. */
typedef enum clrs_outside {
  CLRS_OUTSIDE_SKIPPED, /* a gather writes `element`, a scatter writes nothing */
  CLRS_OUTSIDE_CLAMPED  /* a negative index means the first place, others the last. On an axis
                         * without elements the index is skipped */
} clrs_outside;

/* The indices of a gather or a scatter. */
typedef struct clrs_indices {
  clrs_tensor *tensor;  /* CLRS_I32 or CLRS_I64, of any rank, also 0 */
  int64_t axis;         /* axis that the indices count along, negative from the end */
  bool from_end;        /* an index from -extent to -1 counts from the end of the axis */
  clrs_outside outside; /* the effect of an index out of range */
  const void *element;  /* in host memory, read before the call returns. NULL: all bits 0 */
  clrs_tensor *flag; /* one CLRS_U32 at a multiple of 4 bytes, or NULL. Bit 0 of the flag is set if
                      * an index is out of range, skipped or clamped. The library never clears the
                      * bit. An index that leads to no element is not checked */
} clrs_indices;

/* ONNX Gather-13. The dims of the destination or the result are the source's dims, with the
 * indices' dims in place of the axis. Example: for a source [A, B, C], axis 1 and indices [I, J]
 * the dims are [A, I, J, C], and destination[a, i, j, c] = source[a, indices[i, j], c].
 *
 * CLRS_OVERLAP if the destination shares a byte with another tensor. CLRS_COUNT_MISMATCH if dims do
 * not fit. CLRS_INVALID_ARGUMENT for other element types than stated above. Other errors are as in
 * clrs_enqueue_move. */
CLRS_CHECKED clrs_status clrs_enqueue_gather(clrs_tensor *source, const clrs_indices *indices,
                                             clrs_tensor *destination, clrs_tensor **result,
                                             const clrs_on *on, cl_event *event, clrs_error *error);

/* The reverse of a gather: writes the source's rows to the places of the destination that the
 * indices name, as for new keys in a cache. Example: for a destination [A, B, C], axis 1 and
 * indices [I, J] the source is [A, I, J, C], and destination[a, indices[i, j], c] = source[a, i, j,
 * c]. All other elements of the destination stay unchanged. `element` is not used.
 *
 * If several indices name one place, the winner is undefined, and may differ between the elements
 * of a row. An element of up to 8 bytes that begins at a multiple of its size on both sides comes
 * from one of the indices. Other elements may mix bytes of several. */
CLRS_CHECKED clrs_status clrs_enqueue_scatter(clrs_tensor *source, const clrs_indices *indices,
                                              clrs_tensor *destination, const clrs_on *on,
                                              cl_event *event, clrs_error *error);

/* Tells whether the calls above would move bytes, and how. Fills the plan that the calls carry out.
 * A plan holds no tensor. clrs_enqueue_plan takes buffers, at the same offsets, and reads the
 * indices that are in the buffer then. clrs_context_warm_up_plan takes the plan, too. Errors are as
 * in the calls. */
CLRS_CHECKED clrs_status clrs_tensor_plan_gather(const clrs_tensor *source,
                                                 const clrs_indices *indices,
                                                 const clrs_tensor *destination, clrs_plan *plan,
                                                 clrs_error *error);
CLRS_CHECKED clrs_status clrs_tensor_plan_scatter(const clrs_tensor *source,
                                                  const clrs_indices *indices,
                                                  const clrs_tensor *destination, clrs_plan *plan,
                                                  clrs_error *error);

/* ------------------------------------------------------------------------------------- slots
 * A slot stands for bytes that each enqueue of a work names anew, such as the input of this frame,
 * or a cache at the next position. A slot tensor shows a slot as any tensor shows a buffer. Views,
 * chains and maps apply to a slot tensor. Only the tasks of a work, and planning, take a slot
 * tensor. CLRS_INVALID_ARGUMENT from every other call. clrs_tensor_storage gives no buffer for a
 * slot tensor.
 *
 * Offset 0 of the layout is the beginning of the slot. No element lies in front. All tensors of a
 * slot have one element width in a work. CLRS_UNSUPPORTED for strings. `slot` must be less than
 * 1024.
 */
CLRS_CHECKED clrs_status clrs_tensor_slot(clrs_context *context, uint32_t slot,
                                          const clrs_layout *layout, clrs_tensor **tensor,
                                          clrs_error *error);

/* The place of a slot: `advance` elements behind the beginning of a storage, or of a tensor's
 * storage. Offset 0 of the slot's layouts is at that place. The position in a cache is an example
 * of an advance. For a storage, each enqueue queries the driver about the buffer, some 0.25 us per
 * slot on PoCL. For a tensor, that query was made when the tensor was made.
 *
 * A slot given by a tensor has the bytes of clrs_tensor_bytes. A cache of [4,16,8] therefore has no
 * position 16, whatever lies behind the cache in the buffer. A slot given by a storage has the
 * bytes of the buffer, or the first `bytes` bytes. */
typedef struct clrs_slot {
  clrs_storage storage; /* buffer must be NULL with a tensor */
  clrs_tensor *tensor;  /* any dtype, same context. NULL: use the storage */
  int64_t advance;      /* may be negative */
  uint64_t bytes;       /* bytes of the storage, 0 for all of the buffer. Must be 0 with a tensor */
} clrs_slot;

/* -------------------------------------------------------------------------------------- work
 * A work is a list of tasks. A task waits for each earlier task that writes an element which the
 * task reads or writes, or reads an element which the task writes. Other tasks run in any order, or
 * at once. A scatter counts as a write of all elements that the destination shows. Flags are raised
 * in any order. With very many tasks whose elements interleave, a task may wait without need.
 *
 * Tasks of up to 1 MiB that may run at once share a launch if the tasks share a kernel variant and
 * use at most 16 buffers together. Tasks of a mapped source share a launch with tasks of the same
 * map, unless a parameter is a tensor. Gathers, scatters, resized pictures, and moves of more than
 * 8 loops or over more than 2^31 units are launched alone. On a device whose kernels take less than
 * 1024 bytes of arguments, each task is launched alone. A launch reads some 200 bytes per task, in
 * buffers from clCreateBuffer and not from the context's allocator.
 *
 * A work retains or copies all that the tasks need. Adding checks the arguments as the call of the
 * same name does, and clrs_work_move as clrs_enqueue_move does. Errors that only a plan shows come
 * from clrs_work_prepare, which names the task. A failed call adds nothing. A work is
 * reference-counted. Only one thread may add tasks. A prepared work takes no more tasks, and any
 * number of threads may enqueue the work. Commands in flight finish correctly after a work is
 * released.
 */
typedef struct clrs_work clrs_work;

/* Creates a work without tasks. */
CLRS_CHECKED clrs_status clrs_work_create(clrs_context *context, clrs_work **work,
                                          clrs_error *error);
CLRS_API void clrs_work_retain(clrs_work *work);  /* NULL is allowed */
CLRS_API void clrs_work_release(clrs_work *work); /* NULL is allowed */

/* Adds a task: the call clrs_enqueue_ of the same name, made at each enqueue of the work. */
CLRS_CHECKED clrs_status clrs_work_move(clrs_work *work, clrs_tensor *source,
                                        clrs_tensor *destination, clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_fill(clrs_work *work, clrs_tensor *destination,
                                        const void *element, clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_gather(clrs_work *work, clrs_tensor *source,
                                          const clrs_indices *indices, clrs_tensor *destination,
                                          clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_scatter(clrs_work *work, clrs_tensor *source,
                                           const clrs_indices *indices, clrs_tensor *destination,
                                           clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_pad(clrs_work *work, clrs_tensor *source,
                                       const clrs_padding *padding, clrs_tensor *destination,
                                       clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_concat(clrs_work *work, size_t count,
                                          clrs_tensor *const *sources, int64_t axis,
                                          clrs_tensor *destination, clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_stack(clrs_work *work, const clrs_stack *stack,
                                         clrs_tensor *destination, clrs_error *error);

/* Orders and plans the tasks, for slots that begin at a multiple of 16 bytes, and builds the
 * kernels. The first enqueue prepares an unprepared work. Blocks while kernels are built. After a
 * failure the work still takes tasks. Has no effect on a prepared work. */
CLRS_CHECKED clrs_status clrs_work_prepare(clrs_work *work, clrs_error *error);
/* Prepares the work, and runs one work-group of each launch on temporary memory. Otherwise as
 * clrs_context_warm_up_plan. */
CLRS_CHECKED clrs_status clrs_work_warm_up(clrs_work *work, clrs_error *error);
/* The number of launches of a prepared work if slots begin at a multiple of 16 bytes. 0 for an
 * unprepared work. */
CLRS_API size_t clrs_work_launches(const clrs_work *work);

/* Enqueues all tasks. slots[i] is slot i. Example: one move of a new key [4,8] into slot 0, a view
 * of a cache [4,16,8] at position 0. At step 5 the slot is the cache with an advance of 5 * 8. A
 * slot without tasks, or with empty tasks only, is ignored. CLRS_INVALID_ARGUMENT if a task uses a
 * slot that is missing in the list. CLRS_OUT_OF_BOUNDS, with the slot's name, if a task would leave
 * the slot's bytes.
 *
 * Different slots must not share a byte that a task writes, and slots must not share such a byte
 * with other tensors of the work (CLRS_OVERLAP). Slots may interleave, as columns of a matrix do,
 * but then each enqueue spends more time on the check. Several tensors of one buffer may be one
 * slot. Two packed elements that may lie in one byte, for some advance, count as sharing the byte.
 *
 * Plans depend on each slot's alignment (1 to 16 bytes), and on whether the slot's buffer begins at
 * a multiple of 16 bytes. The first enqueue with a new combination plans again. The work keeps the
 * plans of the last 32 combinations. An enqueue costs little more on the host than its launches.
 * The buffers of slots must live until the commands have run. Otherwise as clrs_enqueue_move. */
CLRS_CHECKED clrs_status clrs_enqueue_work(clrs_work *work, size_t slot_count,
                                           const clrs_slot *slots, const clrs_on *on,
                                           cl_event *event, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_CLRESHAPE_H */
