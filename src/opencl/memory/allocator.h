/*
 * Memory for tensors: from the pool, the caller's allocator, or OpenCL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pool.h"

/* Where the tensors of a context get memory. */
typedef struct clrs__memory {
  cl_context context;
  cl_mem_flags buffer_flags; /* of the library's own buffers */
  clrs_allocator allocator;  /* the caller's; all NULL if there is none */
  clrs__pool pool;
} clrs__memory;

/* A buffer of the library's own, to be released; NULL on failure, as OpenCL has it. */
cl_mem clrs__memory_make_buffer(const clrs__memory *memory, size_t bytes, cl_int *code);

/* Of that many bytes, over 0, for commands on a queue; of NULL on any, and not pooled. */
clrs_status clrs__allocate(clrs__memory *memory, cl_command_queue queue, uint64_t bytes,
                           clrs__allocation **allocation, clrs_error *error);

/* Commands on this queue use it from now on. */
clrs_status clrs__allocation_use(clrs__memory *memory, clrs__allocation *allocation,
                                 cl_command_queue queue, clrs_error *error);

/* So do the commands of these events. */
clrs_status clrs__allocation_use_until(clrs__memory *memory, clrs__allocation *allocation,
                                       cl_uint count, const cl_event *events, clrs_error *error);

/* Back to where it came from. */
void clrs__allocation_end(clrs__memory *memory, clrs__allocation *allocation);
