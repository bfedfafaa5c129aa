/*
 * clreshape/clreshape.h - reshape and the movement operations around it, for OpenCL buffers.
 *
 * The library never creates a context or a queue and never blocks, except where a comment says
 * so. You bring the cl_context, cl_device_id, cl_command_queue, wait list and, if you like, the
 * destination; it gives back a view where any layout allows one, and one pass over the data where
 * none does. Needs OpenCL 1.2. CL_TARGET_OPENCL_VERSION, if defined before this header, says which
 * declarations OpenCL's headers make. The default is 300, as in OpenCL's headers.
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
 * Asynchronous. A call works in the context of its tensors, which must be one. The queue must
 * belong to that context's cl_context and device and may be in order or out of order. Commands wait
 * for the wait list. *event, if asked for, is valid on success, also for an alias or an empty
 * tensor, and the caller releases the event. The event completes after the wait list does and fails
 * if an event of the wait list fails. If one has failed before the call, the call itself fails
 * (CLRS_OPENCL_ERROR with the event's code). An event that is NULL or of another cl_context, events
 * without a number of them, and a number without events are CLRS_INVALID_ARGUMENT. So are tensors
 * of different clrs_contexts.
 *
 * A call plans on the host, in some microseconds whatever the element count, builds a kernel if the
 * call is the first to need the kernel, and enqueues. An alias is not planned and costs some 100
 * ns. An alias without an event asked for enqueues nothing, and looks at neither the queue nor the
 * events. On failure nothing was enqueued that writes a destination, or the error says so. *result
 * and *event are not written.
 *
 * Some calls write into a destination of the caller's, of any layout, or make a result of the
 * library's. Such a call takes one of `destination` and `result`, and NULL for the other.
 * CLRS_INVALID_ARGUMENT if both are NULL or both are given.
 *
 *   result       A new dense tensor from the context's allocator, the caller's to release. The
 *                sources may be released at once.
 *   destination  Must have the shape and the dtype of what is written (CLRS_COUNT_MISMATCH,
 *                CLRS_INVALID_ARGUMENT). The tensors may lie in one buffer but must not share a
 *                byte (CLRS_OVERLAP). A destination in read-only memory is CLRS_INVALID_ARGUMENT.
 *                CL_MEM_READ_ONLY counts, CL_MEM_HOST_* flags do not.
 *
 * Success means enqueued. Whether a command then ran is known from its event only: clFinish does
 * not report a command that failed. Wait for the event rather than ask for its status: Intel's CPU
 * runtime gives a command whose wait list failed the status CL_COMPLETE.
 */

/* Where commands go and what they wait for. Read during the call alone. */
typedef struct clrs_on {
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *waits; /* NULL if wait_count is 0 */
} clrs_on;

/* The source after a chain of operations, such as "reshape=0,0,12,64 permute=0,2,1,3",
 * "rearrange=b t (h d) -> b h t d, h=12" or "cast=f32 mean=127.5 std=58 permute=2,0,1"
 * (clrs_tensor_with_chain): one pass, however many operations. The chain "" has none. The result is
 * an alias of the source if the policy and the view allow an alias. The policy is clrs_plan_move's,
 * and so is CLRS_WOULD_COPY. With a destination the policy is not read. A result has a strided
 * layout: to keep the blocks of a blocked view without a copy take clrs_tensor_with_view. */
CLRS_CHECKED clrs_status clrs_enqueue_chain(clrs_tensor *source, const char *chain,
                                            clrs_copy_policy policy, clrs_tensor *destination,
                                            clrs_tensor **result, const clrs_on *on,
                                            cl_event *event, clrs_error *error);
/* The source reshaped by a pattern: a result, as clrs_enqueue_chain makes it. */
CLRS_CHECKED clrs_status clrs_enqueue_reshape(clrs_tensor *source, const clrs_pattern *pattern,
                                              clrs_copy_policy policy, clrs_tensor **result,
                                              const clrs_on *on, cl_event *event,
                                              clrs_error *error);
/* The source's elements into a destination: always a pass. */
CLRS_CHECKED clrs_status clrs_enqueue_move(clrs_tensor *source, clrs_tensor *destination,
                                           const clrs_on *on, cl_event *event, clrs_error *error);

/* The elements, dense and row-major, into host memory, whatever the source's view, layout and map.
 * `size` is what they take in bytes, exactly; of packed types the bits behind the last element are
 * undefined. If the source is dense this is one clEnqueueReadBuffer, else a move into a buffer of
 * the context's allocator and one. The memory must live, and nobody may touch it, until the event
 * completes. It may be NULL for a tensor without elements. */
CLRS_CHECKED clrs_status clrs_enqueue_read(clrs_tensor *source, void *memory, size_t size,
                                           const clrs_on *on, cl_event *event, clrs_error *error);

/* Would this copy, and why? Pure: fills the plan that the calls above would carry out. Without a
 * destination pass NULL. That of a mapped source is clrs_plan_mapped's. Before the first move, or
 * the first result, clrs_context_warm_up_plan takes the plan. */
CLRS_CHECKED clrs_status clrs_tensor_plan(const clrs_tensor *source, const clrs_tensor *destination,
                                          clrs_copy_policy policy, clrs_plan *plan,
                                          clrs_error *error);
/* Carries out a plan on any buffers that hold its footprints, without planning again. A plan
 * without launches reads no buffer, and its event is a marker. A buffer that is read may be the
 * destination if the footprints do not meet. Fails with CLRS_UNSUPPORTED if the device lacks the
 * arithmetic of the plan's map. */
CLRS_CHECKED clrs_status clrs_enqueue_plan(clrs_context *context, const clrs_plan *plan,
                                           const clrs_plan_buffers *buffers, const clrs_on *on,
                                           cl_event *event, clrs_error *error);

/* clrs_pattern_read for a pattern in a buffer: dense, of `rank` dims, where storage says. Waits for
 * the wait list and the read; blocks the calling thread alone. A context has 256 reads under way at
 * most, or it is CLRS_LIMIT_EXCEEDED; one that the driver failed to wait for counts until the
 * driver says that it has ended. On failure *pattern is not written. */
CLRS_CHECKED clrs_status clrs_pattern_read_buffer(clrs_context *context, const clrs_rules *rules,
                                                  const clrs_storage *storage, clrs_dtype dtype,
                                                  size_t rank, const int64_t *dims,
                                                  clrs_pattern *pattern, const clrs_on *on,
                                                  clrs_error *error);

/* ---------------------------------------------------------------------------------- assembly
 * Destinations put together from parts, by a launch or a few for each: all of the destination's
 * elements are written, every byte once. All parts are checked and planned, and their kernels
 * built, before the first is enqueued; a failure after that says how many may write. Destinations
 * are refused as those of clrs_enqueue_move are.
 */

/* One element, in host memory, read before the call returns; packed types in its low bits. */
CLRS_CHECKED clrs_status clrs_enqueue_fill(clrs_tensor *destination, const void *element,
                                           const clrs_on *on, cl_event *event, clrs_error *error);

/* Where in the destination or the result the source begins, and what surrounds it. */
typedef struct clrs_padding {
  const int64_t *begins; /* one per dim; NULL for all 0 */
  const void *element;   /* as in clrs_enqueue_fill; only mode constant has one */
  clrs_pad_mode mode;    /* of 0 it is constant */
  /* Elements behind the source, one number per dim. NULL: all 0, or, with a destination, what the
   * dims of the destination leave. */
  const int64_t *ends;
} clrs_padding;

/* ONNX Pad and numpy.pad, space_to_batch's border, and the padding of a blocked destination
 * (clrs_blocked_view). A destination has the rank and dtype of the source. Neither begins
 * nor ends may be negative. In a mode other than constant every element of the border is one of the
 * source, read through its map if it is mapped; what clrs_pad_init refuses is refused here. From 8
 * boxes on they share launches, as those of a work. */
CLRS_CHECKED clrs_status clrs_enqueue_pad(clrs_tensor *source, const clrs_padding *padding,
                                          clrs_tensor *destination, clrs_tensor **result,
                                          const clrs_on *on, cl_event *event, clrs_error *error);

/* ONNX Concat-13: one move per source into its part, along an axis that counts from the end if the
 * axis is negative; from 8 sources on as a work does it. With a destination there may
 * be no source, and `sources` may be NULL then. */
CLRS_CHECKED clrs_status clrs_enqueue_concat(size_t count, clrs_tensor *const *sources,
                                             int64_t axis, clrs_tensor *destination,
                                             clrs_tensor **result, const clrs_on *on,
                                             cl_event *event, clrs_error *error);

/* Sources that become the indices of a destination's first dim. */
typedef struct clrs_stack {
  size_t count; /* the destination's first dim */
  clrs_tensor *const *sources;
  /* Where each source begins: begins[i * rank + d], along dim d of source i. NULL for all 0. */
  const int64_t *begins;
  /* What is where the sources leave something: a tensor that is broadcast to an index of the
   * destination, such as one pixel, which may be mapped as the sources are; or else an element as
   * in clrs_enqueue_fill. */
  clrs_tensor *border;
  const void *element;
} clrs_stack;

/* Images to a batch, letterboxed. Source i, of a rank one less than the destination's, goes to
 * index i of the destination's first dim; what it leaves there gets the border or the element, or
 * is CLRS_COUNT_MISMATCH if both are NULL. Each source has its own size, pitch (a layout), crop (a
 * slice), order of dims and map (clrs_tensor_with_chain). To stack along another axis give a
 * permuted view of the destination. Parts of up to 1 MiB share launches, as those of a work.
 * `sources` may be NULL if there are none. */
CLRS_CHECKED clrs_status clrs_enqueue_stack(const clrs_stack *stack, clrs_tensor *destination,
                                            const clrs_on *on, cl_event *event, clrs_error *error);

/* ----------------------------------------------------------------------------------- indices
 * One launch, asynchronous like all that is enqueued (above): the host never reads an index,
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
 * A work takes gathers and scatters, too.
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

/* ------------------------------------------------------------------------------------- slots
 * A slot stands for bytes that each enqueue of a work names anew: the input of this frame, a cache
 * at the next position. A slot tensor shows a slot as any tensor shows a buffer. Views, chains and
 * maps apply to it. Only the tasks of a work take a slot tensor, and planning. Every other call is
 * refused with CLRS_INVALID_ARGUMENT, and clrs_tensor_storage has no buffer for it.
 *
 * Offset 0 of the layout is where the slot begins. No element lies before. All tensors of a slot
 * have elements of one width in a work. Strings are CLRS_UNSUPPORTED. `slot` is less than 1024.
 */
CLRS_CHECKED clrs_status clrs_tensor_slot(clrs_context *context, uint32_t slot,
                                          const clrs_layout *layout, clrs_tensor **tensor,
                                          clrs_error *error);

/* Where a slot is: `advance` elements behind the beginning of a storage, or behind the beginning of
 * a tensor's storage. Offset 0 of the slot's layouts is there. The position in a cache is such an
 * advance. The driver is asked about the buffer of a storage in each enqueue, some 0.25 us for a
 * slot on PoCL. A tensor has been asked about when it was made.
 *
 * A slot that is given by a tensor has the bytes of that tensor, those of clrs_tensor_bytes: a
 * cache of [4,16,8] has no position 16, whatever lies behind it in its buffer. A slot that is given
 * by a storage has the bytes of the buffer, or so many as `bytes` says. */
typedef struct clrs_slot {
  clrs_storage storage;
  clrs_tensor *tensor; /* of the same context; its dtype does not matter. NULL: storage */
  int64_t advance;     /* may be negative */
  uint64_t bytes;      /* of the storage, from its beginning on; 0: all of the buffer. Else 0 */
} clrs_slot;

/* -------------------------------------------------------------------------------------- work
 * A work is a list of tasks. A task waits for an earlier task that writes an element which the task
 * reads or writes, or reads an element which the task writes. Other tasks run in any order, or at
 * once. A scatter writes all that its destination shows. Flags are raised in any order. Of very
 * many tasks whose elements interleave some may wait without need.
 *
 * Tasks of up to 1 MiB that may run at once share a launch if they share a kernel variant and,
 * between them, at most 16 buffers. Tasks of a mapped source share a launch with others of the same
 * map, unless a parameter is a tensor. These are launched alone: gathers, scatters, and moves of
 * more than 8 loops or over more than 2^31 units. A launch reads some 200 bytes for each task, in
 * buffers that clCreateBuffer makes, not the context's allocator.
 *
 * A work keeps what it needs of the context, the tensors and the arguments. Adding checks the
 * arguments as the call of the same name does, clrs_enqueue_move for clrs_work_move. What takes a
 * plan to see is told by clrs_work_prepare, which names the task. A failed call adds nothing.
 * Reference-counted. One thread adds tasks. A prepared work takes no more tasks, and any number of
 * threads may enqueue it. Commands in flight finish unharmed when a work is released.
 */
typedef struct clrs_work clrs_work;

CLRS_CHECKED clrs_status clrs_work_create(clrs_context *context, clrs_work **work,
                                          clrs_error *error);
CLRS_API void clrs_work_retain(clrs_work *work);  /* NULL is allowed */
CLRS_API void clrs_work_release(clrs_work *work); /* NULL is allowed */

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
 * kernels. The first enqueue does so for a work that is not prepared. Blocks while kernels are
 * built. After a failure the work takes tasks as before. A prepared work stays as it is. */
CLRS_CHECKED clrs_status clrs_work_prepare(clrs_work *work, clrs_error *error);
/* Prepares the work, and runs one work-group of each launch on memory of the library's. The rest is
 * as in clrs_context_warm_up_plan. */
CLRS_CHECKED clrs_status clrs_work_warm_up(clrs_work *work, clrs_error *error);
/* How many launches a prepared work is, where slots begin at a multiple of 16 bytes. Else 0. */
CLRS_API size_t clrs_work_launches(const clrs_work *work);

/* Enqueues all tasks. slots[i] is slot i. A slot that no task uses, or only tasks without elements,
 * is not looked at. CLRS_INVALID_ARGUMENT if a task uses a slot of which there is none in the list.
 * CLRS_OUT_OF_BOUNDS names the slot of which a task would leave the slot's bytes. Different slots,
 * and slots and the other tensors of the work, must not share a byte if one of them is written
 * (CLRS_OVERLAP). They may interleave, as columns of a matrix do, which costs more to check in each
 * enqueue. Several tensors of one buffer may be one slot. Packed elements that lie in one byte for
 * some advance share it. Where a slot begins at another power of two below 16 bytes than ever
 * before, its tasks are planned for that once. The last 32 such plans are kept. An enqueue costs
 * little more on the host than its launches. The buffers of slots must live until the commands have
 * run. The rest is as in clrs_enqueue_move. */
CLRS_CHECKED clrs_status clrs_enqueue_work(clrs_work *work, size_t slot_count,
                                           const clrs_slot *slots, const clrs_on *on,
                                           cl_event *event, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_CLRESHAPE_H */
