/*
 * clreshape/memory.h - where results lie: in a pool of the context's, or where an allocator of the
 * caller's says. Included by clreshape/programs.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_MEMORY_H
#define CLRESHAPE_MEMORY_H

/* What OpenCL's headers take by themselves, with a message at each compilation. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a tensor's bytes are. A sub-buffer is resolved to its root and its own bounds kept. */
typedef struct clrs_storage {
  cl_mem buffer;        /* NULL only for tensors without elements */
  uint64_t byte_offset; /* of element 0 of the storage, any value */
} clrs_storage;

/* The buffers of a plan. Tensors among the parameters of a map have buffers of their own, at the
 * step that reads the tensor. A gather or a scatter has indices, and a flag if its plan was made
 * with a flag. All others are NULL. */
typedef struct clrs_plan_buffers {
  cl_mem source, destination;
  cl_mem steps[CLRS_MAP_STEPS];
  cl_mem indices, flag;
} clrs_plan_buffers;

/* Shared virtual memory: what clSVMAlloc returned, and how much of it; or unified shared memory. */
typedef struct clrs_shared_memory {
  void *pointer;
  size_t bytes;         /* at most those that were asked for */
  uint64_t byte_offset; /* of element 0 of the storage, any value */
} clrs_shared_memory;

/* -------------------------------------------------------------------------------- allocators
 * An allocator of the caller's gives the memory of every result, and of clrs_tensor_allocate. Its
 * functions may be called from any thread that enqueues or releases, and call nothing of the
 * library. A NULL `allocate` is the library's own: clCreateBuffer, and the pool below.
 */
typedef struct clrs_memory_request {
  cl_context context;
  cl_command_queue queue; /* where it is written first; NULL from clrs_tensor_allocate */
  size_t bytes;           /* over 0 */
  size_t alignment;       /* of the first byte; less works too, and is slower */
} clrs_memory_request;

/* Gives memory that kernels may read and write, anywhere in a buffer of the context. What is not
 * CL_SUCCESS fails the call that needs it, with this code. */
typedef cl_int (*clrs_allocate_fn)(void *user_data, const clrs_memory_request *request,
                                   clrs_storage *storage);
/* Takes the memory back when the last tensor of it is released. Commands may still use it: it is
 * free when all of the events, which live as long as the call, have ended. They cover what has been
 * enqueued so far on each queue that the library used it on, or that clrs_tensor_use_on named, and
 * those that clrs_tensor_release_after was given. */
typedef void (*clrs_release_fn)(void *user_data, const clrs_storage *storage, cl_uint event_count,
                                const cl_event *events);

typedef struct clrs_allocator {
  void *user_data;
  clrs_allocate_fn allocate;
  clrs_release_fn release; /* NULL: the buffer's reference is the tensor's, which releases it */
} clrs_allocator;

/* -------------------------------------------------------------------------------------- pool
 * Results of the library's own come from a pool: the bytes of a result that is released become
 * those of a later one. That spares clCreateBuffer, and the page faults of new memory, which take
 * longer than most moves. On the ordered queue that a result was made on its bytes are handed out
 * again at once, because commands there run one after the other. For any other queue they wait in
 * the pool until all commands have ended that were enqueued when the result was released, on all
 * queues that it was used on. The library knows the queues of its own calls. The caller tells of
 * its own commands on every other queue. Either clrs_tensor_use_on names the queue, or the result
 * is released by clrs_tensor_release_after with the events of the commands. Without either, these
 * commands read the bytes of a later result. Whoever keeps the cl_mem of a result must keep the
 * tensor too: a reference to the buffer does not keep its bytes.
 */

enum { CLRS_POOL_AUTO = -1 }; /* an eighth of the device's memory */

typedef struct clrs_pool_statistics {
  uint64_t used_bytes;      /* of results that live */
  uint64_t idle_bytes;      /* kept for later results; at most the limit */
  uint64_t most_bytes;      /* of both, the most that there ever were */
  uint64_t created, reused; /* results from new buffers, and from those of the pool */
} clrs_pool_statistics;

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_MEMORY_H */
