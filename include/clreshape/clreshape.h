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

#include "programs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ tensor
 * A root buffer, retained, and a view of it. Immutable and reference-counted: any number of
 * threads may read, retain and release one. The bytes are the caller's to synchronize. Wrapping
 * asks the driver what the buffer is; another view of a tensor asks nobody and costs some 100 ns.
 * No function here moves a byte or needs a queue. A tensor that would leave its buffer is refused
 * (CLRS_OUT_OF_BOUNDS), and so is a buffer of another cl_context (CLRS_INVALID_ARGUMENT). On
 * failure nothing is made or retained, and no output is written. A tensor without elements may have
 * buffer NULL.
 */
typedef struct clrs_tensor clrs_tensor;

/* A dense tensor that begins where its buffer does. `dims` may be NULL if rank is 0, a scalar. */
CLRS_CHECKED clrs_status clrs_tensor_wrap_dense(clrs_context *context, cl_mem buffer,
                                                clrs_dtype dtype, size_t rank, const int64_t *dims,
                                                clrs_tensor **tensor, clrs_error *error);
/* Any layout at any offset. A sub-buffer that leaves its root, which some drivers let it, is
 * CLRS_OUT_OF_BOUNDS. */
CLRS_CHECKED clrs_status clrs_tensor_wrap(clrs_context *context, const clrs_storage *storage,
                                          const clrs_layout *layout, clrs_tensor **tensor,
                                          clrs_error *error);
/* Any layout in shared virtual memory, without a copy. The memory is the caller's and must live
 * until the commands that use it have run. Who knows of fine-grained system memory on the device
 * may give any host memory. Where the memory is coarse-grained the host maps it (clEnqueueSVMMap)
 * before it touches it. Wrap an allocation once, and take views of it: OpenCL leaves undefined what
 * a command does with two buffers of overlapping memory, and the library does not see that they
 * overlap. CLRS_UNSUPPORTED if the device has no such memory. */
CLRS_CHECKED clrs_status clrs_tensor_wrap_shared(clrs_context *context,
                                                 const clrs_shared_memory *shared,
                                                 const clrs_layout *layout, clrs_tensor **tensor,
                                                 clrs_error *error);
/* The same in unified shared memory (cl_intel_unified_shared_memory) of this cl_context; `pointer`
 * may point into an allocation, and the tensor touches no byte in front of it. The driver is asked
 * for the allocation: what is none is CLRS_INVALID_ARGUMENT, more bytes than it has
 * CLRS_OUT_OF_BOUNDS. The tensor is in a buffer made of the allocation with CL_MEM_USE_HOST_PTR,
 * which the extension leaves open. Drivers take the memory itself, but a copy of the host's where
 * the device has its own: there only clDeviceMemAllocINTEL's is taken, or it is CLRS_UNSUPPORTED,
 * as without the extension. clMemBlockingFreeINTEL may not wait for commands on the tensor. */
CLRS_CHECKED clrs_status clrs_tensor_wrap_usm(clrs_context *context,
                                              const clrs_shared_memory *shared,
                                              const clrs_layout *layout, clrs_tensor **tensor,
                                              clrs_error *error);
/* A new dense tensor from the context's allocator, not from its pool. Its bytes are undefined. */
CLRS_CHECKED clrs_status clrs_tensor_allocate(clrs_context *context, clrs_dtype dtype,
                                              const clrs_shape *shape, clrs_tensor **tensor,
                                              clrs_error *error);
/* The same for commands on this queue, from the pool (memory.h) where there is no allocator of the
 * caller's: whatever was enqueued there before may use the bytes until it has run. */
CLRS_CHECKED clrs_status clrs_tensor_allocate_on(clrs_context *context, cl_command_queue queue,
                                                 clrs_dtype dtype, const clrs_shape *shape,
                                                 clrs_tensor **tensor, clrs_error *error);
/* Commands of the caller's on this queue use the tensor's bytes: those that have been enqueued
 * there when the tensor is released run before the bytes are given to anybody else. For the queue
 * that the tensor was made on, and for memory that the caller brought, nothing needs to be said.
 * Any number of queues: from the 17th on the library puts a marker into each of the earlier ones,
 * which stands for what they have been given so far. */
CLRS_CHECKED clrs_status clrs_tensor_use_on(const clrs_tensor *tensor, cl_command_queue queue,
                                            clrs_error *error);
/* The same string tensor, whose elements (Arrow's 16-byte utf8 views) point into these character
 * buffers: at most 2^31, as many as an index of theirs tells apart. The result and all that is made
 * of it share and retain them. */
CLRS_CHECKED clrs_status clrs_tensor_with_characters(clrs_tensor *tensor, size_t count,
                                                     const cl_mem *buffers, clrs_tensor **result,
                                                     clrs_error *error);
/* Another view of the same bytes; start from *clrs_tensor_view(tensor). */
CLRS_CHECKED clrs_status clrs_tensor_with_view(clrs_tensor *tensor, const clrs_view *view,
                                               clrs_tensor **result, clrs_error *error);

/* The tensors that are parameters of a map (clrs_parameter.count 0); NULL for the others. */
typedef struct clrs_parameter_tensors {
  clrs_tensor *steps[CLRS_MAP_STEPS];
} clrs_parameter_tensors;

/* The tensor as a map makes it: of its shape, and of the type that the map leads to. It computes
 * nothing: wherever it is the source of a move, chain, pad or concat, each element is read, taken
 * through the map and written, in the one pass of that move, by the same rules and to the same bits
 * as clrs_map_apply. Movement operations apply to it as to any tensor (clrs_tensor_with_view), so
 * that it does not matter whether they come before the map or after. A map of a mapped tensor joins
 * the first map, as clrs_mapped_then does, or is refused as there. The map is copied, the tensors
 * are retained, and read when a move runs; `tensors` may be NULL if no parameter is one. A map that
 * keeps all bits is another view of the same bytes.
 *
 * Until it is moved it has no bytes: it is no destination, and clrs_tensor_bytes has none of it
 * (CLRS_UNSUPPORTED). A move writes packed
 * elements into a dense destination only, and fails with CLRS_UNSUPPORTED where the views of
 * source, parameters and destination have no common axes, cut into eight pieces at most.
 * Steps in f64 are CLRS_UNSUPPORTED on a device without doubles. On a device that flushes denormal
 * floats to 0, or does not round quotients correctly, steps of floats are computed with integers:
 * the bits are the same, and the kernel is slower. Programs are built for types, rules, kinds of
 * steps and, on a GPU, colours of a pixel, not for numbers. */
CLRS_CHECKED clrs_status clrs_tensor_with_map(clrs_tensor *tensor, const clrs_map *map,
                                              const clrs_parameter_tensors *tensors,
                                              clrs_tensor **result, clrs_error *error);
/* The tensor as a chain makes it: another view of the same bytes, or mapped as above if the chain
 * has maps. `rules` as in clrs_chain_apply. */
CLRS_CHECKED clrs_status clrs_tensor_with_chain(clrs_tensor *tensor, const clrs_chain *chain,
                                                const clrs_rules *rules, clrs_tensor **result,
                                                clrs_error *error);
/* The bytes as a mapped view shows them (map.h), whose parameters are numbers. A parameter that is
 * a tensor is CLRS_UNSUPPORTED. The mapped view is copied. */
CLRS_CHECKED clrs_status clrs_tensor_with_mapped(clrs_tensor *tensor, const clrs_mapped *mapped,
                                                 clrs_tensor **result, clrs_error *error);
CLRS_API void clrs_tensor_retain(clrs_tensor *tensor);  /* NULL is allowed */
CLRS_API void clrs_tensor_release(clrs_tensor *tensor); /* NULL is allowed */
/* The same for a tensor whose bytes commands of the caller's still use, on any queue: the bytes are
 * given to nobody else before these events have ended too. That spares clrs_tensor_use_on. The
 * events are retained. An allocator's release gets the pending ones with its own. For memory that
 * the caller brought, or a DLPack producer, the events do not matter. An event that fails later is
 * taken for one that never ends: the pool keeps the bytes until it is trimmed. The commands must be
 * flushed by the caller. On failure nothing is released: CLRS_INVALID_ARGUMENT if an event is of
 * another context or a list does not have as many events as it says. */
CLRS_CHECKED clrs_status clrs_tensor_release_after(clrs_tensor *tensor, cl_uint wait_count,
                                                   const cl_event *waits, clrs_error *error);

/* Is the tensor mapped, so that it has no bytes? False for NULL. */
CLRS_API bool clrs_tensor_is_mapped(const clrs_tensor *tensor);

/* Accessors do not retain; what they return lives as long as the tensor. NULL has none of it. */
CLRS_API const clrs_view *clrs_tensor_view(const clrs_tensor *tensor);
CLRS_API clrs_storage clrs_tensor_storage(const clrs_tensor *tensor); /* buffer: always a root */

/* Bytes of a buffer, as clEnqueueReadBuffer, WriteBuffer and CopyBuffer take them. */
typedef struct clrs_byte_range {
  cl_mem buffer; /* always a root, not retained; NULL only for tensors without elements */
  size_t offset; /* of the first byte, from the start of the buffer */
  size_t size;   /* to the last byte; 0 without elements, and then no OpenCL command takes it */
} clrs_byte_range;

/* Where the bytes of a tensor's elements begin and end, whatever its storage, layout and allocator.
 * Of a dense tensor they are its elements in order. Of others the range goes from the lowest to the
 * highest element: there may be foreign bytes between them, and with negative strides element 0 is
 * not the first. The element at position p of the view (clrs_layout, clrs_view) begins
 * 8 * (byte_offset of clrs_tensor_storage - offset) + p * clrs_dtype_bits(dtype) bits into the
 * range. Of packed types the first and the last byte may hold foreign bits. For a view that is a
 * stack of walks the range may be wider at both ends; it never leaves the buffer, or the
 * sub-buffer, that the tensor was made with. */
CLRS_CHECKED clrs_status clrs_tensor_bytes(const clrs_tensor *tensor, clrs_byte_range *bytes,
                                           clrs_error *error);

/* The character buffers of a string tensor; NULL and 0 for any other. count may be NULL. */
CLRS_API const cl_mem *clrs_tensor_characters(const clrs_tensor *tensor, size_t *count);

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
 * (clrs_blocked_padded_view). A destination has the rank and dtype of the source. Neither begins
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

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_CLRESHAPE_H */
