/*
 * clreshape/tensor.h - tensors: a buffer and a view of the buffer, also of buffers from other
 * libraries. clreshape.h states the rules that apply to all headers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_TENSOR_H
#define CLRESHAPE_TENSOR_H

#include "device.h"

/* DLPack's structs, declared without dlpack/dlpack.h. The first struct is from DLPack 0.6, the
 * second from DLPack 1.0. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ tensor
 * A tensor is a buffer, retained, and a view of the buffer. A tensor is immutable and
 * reference-counted. Any number of threads may read, retain and release a tensor. The caller
 * synchronizes the bytes.
 *
 * Wrapping queries the driver about the buffer. Another view of a tensor queries nothing and costs
 * some 100 ns. No function of this section moves a byte or needs a queue. CLRS_OUT_OF_BOUNDS if the
 * tensor would leave its buffer. CLRS_INVALID_ARGUMENT if the buffer is of another cl_context. On
 * failure nothing is made or retained, and no output is written. A tensor without elements may have
 * buffer NULL.
 */
typedef struct clrs_tensor clrs_tensor;

/* Wraps a dense tensor that begins at the first byte of the buffer. `dims` may be NULL if `rank` is
 * 0, a scalar. */
CLRS_CHECKED clrs_status clrs_tensor_wrap_dense(clrs_context *context, cl_mem buffer,
                                                clrs_dtype dtype, size_t rank, const int64_t *dims,
                                                clrs_tensor **tensor, clrs_error *error);
/* Wraps any layout at any offset. CLRS_OUT_OF_BOUNDS for a sub-buffer that leaves its parent, which
 * some drivers allow. */
CLRS_CHECKED clrs_status clrs_tensor_wrap(clrs_context *context, const clrs_storage *storage,
                                          const clrs_layout *layout, clrs_tensor **tensor,
                                          clrs_error *error);
/* Wraps any layout in shared virtual memory, without a copy. The memory remains the caller's and
 * must live until all commands that use the memory have run. If the device supports fine-grained
 * system SVM, any host pointer is valid. In coarse-grained memory the host must map the memory
 * (clEnqueueSVMMap) before access. CLRS_UNSUPPORTED if the device has no shared virtual memory.
 *
 * Wrap an allocation once, and take views of the tensor. OpenCL leaves undefined how a command acts
 * on two buffers of overlapping memory, and the library does not detect the overlap. */
CLRS_CHECKED clrs_status clrs_tensor_wrap_shared(clrs_context *context,
                                                 const clrs_shared_memory *shared,
                                                 const clrs_layout *layout, clrs_tensor **tensor,
                                                 clrs_error *error);
/* Wraps unified shared memory (cl_intel_unified_shared_memory) of this cl_context. `pointer` may
 * point into an allocation, and the tensor touches no byte in front of `pointer`.
 * CLRS_INVALID_ARGUMENT if the pointer is not in a USM allocation. CLRS_OUT_OF_BOUNDS if `bytes`
 * exceeds the allocation. CLRS_UNSUPPORTED without the extension.
 *
 * The allocation becomes a buffer by CL_MEM_USE_HOST_PTR. The extension does not say whether such a
 * buffer uses the memory itself. Drivers do so, except that a device with its own memory may copy
 * host memory. On such a device only memory of clDeviceMemAllocINTEL is accepted, and other memory
 * is CLRS_UNSUPPORTED. clMemBlockingFreeINTEL may not wait for commands on the tensor. */
CLRS_CHECKED clrs_status clrs_tensor_wrap_usm(clrs_context *context,
                                              const clrs_shared_memory *shared,
                                              const clrs_layout *layout, clrs_tensor **tensor,
                                              clrs_error *error);
/* Makes a dense tensor in memory of the context's allocator. The bytes are undefined. With a queue
 * the tensor is for commands on that queue, and the memory comes from the pool (device.h) unless
 * the caller has an allocator. Commands that are already on the queue may use the same bytes until
 * the commands have run. With a NULL queue the memory is not from the pool. */
CLRS_CHECKED clrs_status clrs_tensor_allocate(clrs_context *context, cl_command_queue queue,
                                              clrs_dtype dtype, const clrs_shape *shape,
                                              clrs_tensor **tensor, clrs_error *error);
/* Reports that commands of the caller's on this queue use the tensor's bytes. After the tensor's
 * release the bytes are reused only when all commands have ended that were on the queue at the
 * release. No report is needed for the queue that the tensor was made on, or for memory of the
 * caller. Any number of queues may be reported. At the 17th queue the library puts a marker into
 * each of the earlier queues, and waits for the markers in place of the queues. */
CLRS_CHECKED clrs_status clrs_tensor_use_on(const clrs_tensor *tensor, cl_command_queue queue,
                                            clrs_error *error);
/* Makes the same string tensor with these character buffers. The elements, Arrow's 16-byte utf8
 * views, point into the buffers. At most 2^31 buffers are allowed, the range of an element's buffer
 * index. The result, and all tensors made from the result, share and retain the buffers. */
CLRS_CHECKED clrs_status clrs_tensor_with_characters(clrs_tensor *tensor, size_t count,
                                                     const cl_mem *buffers, clrs_tensor **result,
                                                     clrs_error *error);
/* Makes another view of the same bytes. Start from a copy of *clrs_tensor_view(tensor). */
CLRS_CHECKED clrs_status clrs_tensor_with_view(clrs_tensor *tensor, const clrs_view *view,
                                               clrs_tensor **result, clrs_error *error);

/* The tensors that are parameters of a map (clrs_parameter.count 0). NULL at the other steps. */
typedef struct clrs_parameter_tensors {
  clrs_tensor *steps[CLRS_MAP_STEPS]; /* one for each step of the map */
} clrs_parameter_tensors;

/* Makes a mapped tensor: a tensor of the same shape, and of the map's result type. The call
 * computes nothing. A move, chain, pad or concat from the mapped tensor reads, maps and writes each
 * element in its one pass. The rules and the bits are the same as with clrs_map_apply. Movement
 * operations apply as to any tensor (clrs_tensor_with_view), so the order of maps and movements
 * does not matter.
 *
 * A map of a mapped tensor joins the first map, as with clrs_mapped_then, or is refused as there.
 * The map is copied. The parameter tensors are retained, and read when a move runs. `tensors` may
 * be NULL if no parameter is a tensor. A map that keeps all bits makes another view of the bytes.
 *
 * A mapped tensor has no bytes until a move writes the elements elsewhere. CLRS_UNSUPPORTED as a
 * destination and from clrs_tensor_bytes. Mapped packed elements need a dense destination.
 * CLRS_UNSUPPORTED if the views of source, parameters and destination have no common axes after a
 * cut into at most eight pieces. Steps in f64 are CLRS_UNSUPPORTED on a device without doubles.
 *
 * Some devices flush denormal floats to 0 or do not round quotients correctly. There, steps of
 * floats are computed with integers, which is slower and gives the same bits. Floats are used if
 * the map's numbers prove that no float is denormal, as for frames and quantized numbers. A kernel
 * is built for types, rules, kinds of steps, on a GPU for the colours of a pixel, and on such a
 * device for the proof. No kernel is built for the numbers. */
CLRS_CHECKED clrs_status clrs_tensor_with_map(clrs_tensor *tensor, const clrs_map *map,
                                              const clrs_parameter_tensors *tensors,
                                              clrs_tensor **result, clrs_error *error);
/* Makes the tensor that results from a chain: another view of the same bytes, or a mapped tensor as
 * above if the chain has maps. `rules` as in clrs_chain_apply. */
CLRS_CHECKED clrs_status clrs_tensor_with_chain(clrs_tensor *tensor, const clrs_chain *chain,
                                                const clrs_rules *rules, clrs_tensor **result,
                                                clrs_error *error);
/* Makes the tensor that a mapped view (map.h) of the same bytes describes. The parameters must be
 * numbers: CLRS_UNSUPPORTED if a parameter is a tensor. The mapped view is copied. */
CLRS_CHECKED clrs_status clrs_tensor_with_mapped(clrs_tensor *tensor, const clrs_mapped *mapped,
                                                 clrs_tensor **result, clrs_error *error);
CLRS_API void clrs_tensor_retain(clrs_tensor *tensor);  /* NULL is allowed */
CLRS_API void clrs_tensor_release(clrs_tensor *tensor); /* NULL is allowed */
/* Releases a tensor whose bytes are still used by commands of the caller's, on any queue. The bytes
 * are reused only after these events have ended too. clrs_tensor_use_on is then not needed. The
 * events are retained. An allocator's release callback gets the pending events together with its
 * own. The events do not matter for memory of the caller's or of a DLPack producer.
 *
 * An event that fails later counts as an event that never ends, so the pool keeps the bytes until
 * the pool is trimmed. The caller must flush the commands. On failure nothing is released.
 * CLRS_INVALID_ARGUMENT if an event is of another context, or if `waits` is NULL and `wait_count`
 * is not 0 or the reverse. */
CLRS_CHECKED clrs_status clrs_tensor_release_after(clrs_tensor *tensor, cl_uint wait_count,
                                                   const cl_event *waits, clrs_error *error);

/* Returns true if the tensor is mapped and so has no bytes. False for NULL. */
CLRS_API bool clrs_tensor_is_mapped(const clrs_tensor *tensor);

/* Accessors do not retain. The results live as long as the tensor. For NULL the results are NULL or
 * zeros. */
CLRS_API const clrs_view *clrs_tensor_view(const clrs_tensor *tensor);
CLRS_API clrs_storage clrs_tensor_storage(const clrs_tensor *tensor); /* buffer: always a root */

/* A range of bytes of a buffer, as clEnqueueReadBuffer, WriteBuffer and CopyBuffer take. */
typedef struct clrs_byte_range {
  cl_mem buffer; /* always a root, not retained, NULL only for tensors without elements */
  size_t offset; /* first byte, from the start of the buffer */
  size_t size;   /* bytes, 0 without elements: no OpenCL command accepts 0 */
} clrs_byte_range;

/* Gives the range of bytes of a tensor's elements, for any storage, layout and allocator. For a
 * dense tensor the range holds the elements in order. For other tensors the range goes from the
 * lowest to the highest element. Foreign bytes may lie between the elements, and with negative
 * strides element 0 is not the first. For packed types the first and the last byte may hold foreign
 * bits.
 *
 * The element at position p of the view (clrs_layout, clrs_view) begins 8 * (byte_offset of
 * clrs_tensor_storage - offset) + p * clrs_dtype_bits(dtype) bits into the range. For a view that
 * is a stack of walks the range may be wider at both ends. The range never leaves the buffer, or
 * the sub-buffer, that the tensor was made with. */
CLRS_CHECKED clrs_status clrs_tensor_bytes(const clrs_tensor *tensor, clrs_byte_range *bytes,
                                           clrs_error *error);

/* The character buffers of a string tensor. NULL, and a count of 0, for other tensors. `count` may
 * be NULL. */
CLRS_API const cl_mem *clrs_tensor_characters(const clrs_tensor *tensor, size_t *count);

/* ------------------------------------------------------------------------------------ DLPack
 * A managed tensor has device type kDLOpenCL. `data` is a cl_mem, and byte_offset is the first
 * element's offset. Strides are in elements and may be negative or 0. No call of this section moves
 * a byte, needs a queue or waits. On failure nothing is made, retained or given back, and no output
 * is written.
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
 * DLPack requires.
 *
 * DLPack has no events, and no queues for OpenCL. Both directions leave synchronization to the
 * caller. The producer waits for its commands before handing out a tensor, or both sides have
 * agreed on one in-order queue. A release waits for nothing either. The caller must make sure that
 * commands that use the bytes have ended before the last tensor of the bytes is released. A
 * producer that reuses the memory needs that. A producer whose deleter only releases the cl_mem
 * does not, because OpenCL keeps a buffer while commands use the buffer.
 */

/* Makes a tensor of a managed tensor's bytes, and retains the cl_mem. On success the library owns
 * the managed tensor. The library calls the deleter, if there is one, once: when the last tensor,
 * work or result that shares the bytes is released, on the releasing thread. On failure the caller
 * still owns the managed tensor. All fields are read before the call returns.
 *
 * The cl_mem must be of the context's cl_context, and may be a sub-buffer. The device_id is
 * ignored, because DLPack does not define a numbering of OpenCL devices. NULL strides mean dense.
 * `data` may be NULL if there are no elements. CLRS_INVALID_ARGUMENT for another device type, a
 * negative rank or a NULL shape. Other errors are as in clrs_tensor_wrap. */
CLRS_CHECKED clrs_status clrs_tensor_from_dlpack(clrs_context *context,
                                                 struct DLManagedTensor *managed,
                                                 clrs_tensor **tensor, clrs_error *error);
/* As above, with flags. A read-only tensor is refused as a destination (CLRS_INVALID_ARGUMENT). The
 * flag is checked for tensors only. clrs_enqueue_plan takes a cl_mem and cannot check the flag.
 * CLRS_UNSUPPORTED for padded elements (each element below 8 bits takes a whole byte), unknown
 * flags, and a major version other than 1. For another major version no further field is read. */
CLRS_CHECKED clrs_status clrs_tensor_from_dlpack_versioned(clrs_context *context,
                                                           struct DLManagedTensorVersioned *managed,
                                                           clrs_tensor **tensor, clrs_error *error);

/* Makes a managed tensor that retains the tensor until the deleter is called. The last holder calls
 * the deleter once, on any thread. `data` is the cl_mem that the tensor was made of, or NULL
 * without elements. The strides are never NULL. `device_id` is the consumer's number for the
 * context's device, from 0.
 *
 * CLRS_WOULD_COPY, with the reason, if the view is not a strided layout. CLRS_UNSUPPORTED for a
 * mapped tensor, a type that is not in the table above, and a first element that begins inside a
 * byte. CLRS_UNSUPPORTED also for a CL_MEM_WRITE_ONLY buffer and for a read-only tensor. Only the
 * versioned struct can carry the read-only flag. See clrs_tensor_use_on and
 * clrs_tensor_release_after for commands on the consumer's own queues. */
CLRS_CHECKED clrs_status clrs_tensor_to_dlpack(clrs_tensor *tensor, int32_t device_id,
                                               struct DLManagedTensor **managed, clrs_error *error);
/* As above, in version 1.3. A tensor that must not be written is flagged read-only. */
CLRS_CHECKED clrs_status clrs_tensor_to_dlpack_versioned(clrs_tensor *tensor, int32_t device_id,
                                                         struct DLManagedTensorVersioned **managed,
                                                         clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_TENSOR_H */
