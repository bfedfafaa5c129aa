/*
 * Memory for tensors: from the pool, the caller's allocator, or OpenCL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "context.h"

/* Of that many bytes, over 0, for commands on a queue; of NULL on any, and not pooled. */
clrs_status clrs__allocate(clrs_context *context, cl_command_queue queue, uint64_t bytes,
                           clrs__allocation **allocation, clrs_error *error);

/* Commands on this queue use it from now on. */
clrs_status clrs__allocation_use(clrs_context *context, clrs__allocation *allocation,
                                 cl_command_queue queue, clrs_error *error);

/* So do the commands of these events. */
clrs_status clrs__allocation_use_until(clrs_context *context, clrs__allocation *allocation,
                                       cl_uint count, const cl_event *events, clrs_error *error);

/* Back to where it came from. */
void clrs__allocation_end(clrs_context *context, clrs__allocation *allocation);
