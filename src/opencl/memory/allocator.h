/*
 * Memory for tensors: from the pool, the caller's allocator, or OpenCL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pool.h"

/* The source of memory for the tensors of a context. */
typedef struct clrs__memory {
  cl_context context;
  cl_mem_flags buffer_flags; /* flags for the library's own buffers */
  clrs_allocator allocator;  /* the caller's. All NULL if the caller has no allocator */
  clrs__pool pool;
} clrs__memory;

/* Creates a buffer of the library's own, which the caller releases. Returns NULL on failure, with
 * the OpenCL code in *code. */
cl_mem clrs__memory_make_buffer(const clrs__memory *memory, size_t bytes, cl_int *code);

/* Allocates `bytes` bytes, over 0, for commands on a queue. With a NULL queue the memory is for any
 * queue and is not pooled. */
clrs_status clrs__allocate(clrs__memory *memory, cl_command_queue queue, uint64_t bytes,
                           clrs__allocation **allocation, clrs_error *error);

/* Records that commands on this queue use the memory from now on. */
clrs_status clrs__allocation_use(clrs__memory *memory, clrs__allocation *allocation,
                                 cl_command_queue queue, clrs_error *error);

/* Records that the commands of these events use the memory. */
clrs_status clrs__allocation_use_until(clrs__memory *memory, clrs__allocation *allocation,
                                       cl_uint count, const cl_event *events, clrs_error *error);

/* Returns the memory to its source: the pool, the caller's allocator or OpenCL. */
void clrs__allocation_end(clrs__memory *memory, clrs__allocation *allocation);
