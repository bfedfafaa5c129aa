/*
 * clreshape/tensor.h - tensors: buffers and what they show, also of other libraries. clreshape.h
 * says what holds for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_TENSOR_H
#define CLRESHAPE_TENSOR_H

#include "device.h"

/* DLPack's own, of dlpack/dlpack.h, which this header does not need: the first as of DLPack 0.6,
 * the second as of 1.0. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

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
/* A new dense tensor from the context's allocator. Its bytes are undefined. With a queue it is for
 * commands on this queue, from the pool (device.h) where there is no allocator of the caller's:
 * whatever was enqueued there before may use the bytes until it has run. With NULL the memory is
 * not from the pool. */
CLRS_CHECKED clrs_status clrs_tensor_allocate(clrs_context *context, cl_command_queue queue,
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
 * floats to 0, or does not round quotients correctly, steps of floats are computed with integers,
 * which is slower, unless the map's numbers prove that no float is denormal, as those of frames and
 * of quantized numbers do. The bits are the same. Programs are built for types, rules, kinds of
 * steps and, on a GPU, colours of a pixel, and on such a device for that proof, not for numbers. */
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

/* ------------------------------------------------------------------------------------ DLPack
 * A managed tensor of device type kDLOpenCL: `data` is a cl_mem, byte_offset leads to the first
 * element, strides are in elements and may be negative or 0. No call here moves a byte, needs a
 * queue or waits. On failure nothing is made, retained or given back, and no output is written.
 *
 *   DLPack                           here
 *   int, uint of 2 to 64 bits        CLRS_I2 to CLRS_I64, CLRS_U2 to CLRS_U64
 *   uint of 1 bit                    CLRS_BITS1. Not CLRS_U1: DLPack's first bit is the lowest
 *   float 16, 32, 64; bfloat 16      CLRS_F16, CLRS_F32, CLRS_F64; CLRS_BF16
 *   complex 64, 128; bool 8          CLRS_C64, CLRS_C128; CLRS_BOOL
 *   float8_e4m3fn, _e4m3fnuz, _e5m2, CLRS_F8E4M3FN, CLRS_F8E4M3FNUZ, CLRS_F8E5M2,
 *     _e5m2fnuz, _e8m0fnu            CLRS_F8E5M2FNUZ, CLRS_F8E8M0
 *   float6_e2m3fn, _e3m2fn           CLRS_F6E2M3, CLRS_F6E3M2
 *   float4_e2m1fn                    CLRS_F4E2M1
 *
 * Other types are CLRS_UNSUPPORTED, and so are vectors (lanes). Types below 8 bits are packed, as
 * is DLPack's rule.
 *
 * DLPack has no events, and for OpenCL no queues. So whoever takes a tensor must know that what its
 * giver enqueued has ended, or must enqueue on the same in-order queue: the giver waits before it
 * hands a tensor out, or both have agreed on a queue. Both directions leave that to the caller.
 * Release, too, waits for nothing: it is up to the caller that the commands that use the bytes have
 * ended before the last tensor of them is released, unless the producer needs no such promise. A
 * producer whose deleter only releases its cl_mem needs none, because OpenCL keeps a buffer while
 * commands use it; one that then hands the memory to others does.
 */

/* A tensor of the managed tensor's bytes, which retains its cl_mem too. On success the managed
 * tensor is the library's, which calls its deleter, if there is one, once: when the last tensor,
 * work or result that shares the bytes is released, on the thread that does so. On failure it is
 * still the caller's. Everything in it is read before the call returns.
 *
 * The cl_mem must be of the context's cl_context. The device_id is not looked at: DLPack does not
 * say how OpenCL's devices are numbered. Strides may be NULL, which is dense; data may be NULL
 * where there are no elements. A sub-buffer is a cl_mem like others. CLRS_INVALID_ARGUMENT for
 * another device type, a negative rank, a NULL shape; the rest as in clrs_tensor_wrap. */
CLRS_CHECKED clrs_status clrs_tensor_from_dlpack(clrs_context *context,
                                                 struct DLManagedTensor *managed,
                                                 clrs_tensor **tensor, clrs_error *error);
/* The same, and the flags: a tensor that is read-only is refused as a destination
 * (CLRS_INVALID_ARGUMENT), as long as it goes by its clrs_tensor; of a bare cl_mem, as
 * clrs_enqueue_plan takes it, nobody knows who lent it. Elements below 8 bits that each take a
 * whole byte (padded), unknown flags, and another major version than 1 are CLRS_UNSUPPORTED; of
 * another version no more than that is read. */
CLRS_CHECKED clrs_status clrs_tensor_from_dlpack_versioned(clrs_context *context,
                                                           struct DLManagedTensorVersioned *managed,
                                                           clrs_tensor **tensor, clrs_error *error);

/* A managed tensor that retains the tensor until its deleter is called: once, by whoever holds it
 * last, on any thread. `data` is the cl_mem that the tensor was made of, or NULL without elements;
 * strides are never NULL. `device_id` is the consumer's number for the context's device, from 0 on.
 * A view that is no strided layout is CLRS_WOULD_COPY, with the reason. CLRS_UNSUPPORTED: a mapped
 * tensor, one of a type that is not above, one whose first element begins inside a byte, a
 * CL_MEM_WRITE_ONLY buffer, and a tensor that may not be written: only versioned ones say so. For
 * commands that the consumer enqueues on queues of its own, see clrs_tensor_use_on and
 * clrs_tensor_release_after. */
CLRS_CHECKED clrs_status clrs_tensor_to_dlpack(clrs_tensor *tensor, int32_t device_id,
                                               struct DLManagedTensor **managed, clrs_error *error);
/* The same, of version 1.3; a tensor that may not be written is flagged read-only. */
CLRS_CHECKED clrs_status clrs_tensor_to_dlpack_versioned(clrs_tensor *tensor, int32_t device_id,
                                                         struct DLManagedTensorVersioned **managed,
                                                         clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_TENSOR_H */
