/*
 * clreshape/dlpack.h - tensors from and for other libraries, as DLPack has them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_DLPACK_H
#define CLRESHAPE_DLPACK_H

#include "clreshape.h"

/* DLPack's own, of dlpack/dlpack.h, which this header does not need: the first as of DLPack 0.6,
 * the second as of 1.0. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

#ifdef __cplusplus
extern "C" {
#endif

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

#endif /* CLRESHAPE_DLPACK_H */
