/*
 * Queries and checks of the OpenCL objects that callers pass to the library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "key.h"
#include "status.h"

/* The text that an object reports for `what`, truncated to `size`. CLRS_LIMIT_EXCEEDED if the
 * driver's text is over 1 KiB. */
clrs_status clrs__platform_text(cl_platform_id platform, cl_platform_info what, char *text,
                                size_t size, clrs_error *error);
clrs_status clrs__device_text(cl_device_id device, cl_device_info what, char *text, size_t size,
                              clrs_error *error);

/* Checks that the device is in the context, or is a part (clCreateSubDevices) of a device in the
 * context. Some drivers list the whole device in a context that was made for a part. *listed is the
 * device that programs are built for. */
clrs_status clrs__check_device(cl_context context, cl_device_id device, cl_device_id *listed,
                               clrs_error *error);
/* Checks that the list is NULL exactly if the count is 0. */
clrs_status clrs__check_wait_list(cl_uint count, const cl_event *events, clrs_error *error);
/* As above, and each event belongs to this context. */
clrs_status clrs__check_owners(cl_context context, cl_uint count, const cl_event *events,
                               clrs_error *error);
/* As above, and no event has failed already (CLRS_OPENCL_ERROR). */
clrs_status clrs__check_events(cl_context context, cl_uint count, const cl_event *events,
                               clrs_error *error);
/* Checks that the queue belongs to the context. The queue may be on any device of the context. */
clrs_status clrs__check_queue_context(cl_command_queue queue, cl_context context,
                                      clrs_error *error);
clrs_status clrs__check_queue(cl_command_queue queue, cl_context context, cl_device_id device,
                              clrs_error *error);

/* The execution that was asked for, or the meaning of AUTO, which depends on the device's type. */
clrs_status clrs__choose_execution(cl_device_id device, clrs_execution asked,
                                   clrs_execution *execution, clrs_error *error);
/* Lowers max_group_items and local_bytes to the device's limits. A limit that is not set stays
 * so. */
clrs_status clrs__limit_groups(cl_device_id device, clrs_device_limits *limits, clrs_error *error);

/* Bytes of arguments that any kernel of this library may take. */
enum { CLRS__ARGUMENT_BYTES = 1024 };

/* Sets *has_few if the kernels of the device take fewer bytes of arguments. Returns
 * CLRS_UNSUPPORTED if the kernels have no 64-bit integers. The embedded profile allows both. */
clrs_status clrs__check_profile(cl_device_id device, bool *has_few, clrs_error *error);

/* Reads the floating-point abilities of the device. No query tells keeps_excess. */
clrs_status clrs__device_arithmetic(cl_device_id device, bool keeps_excess,
                                    clrs__arithmetic *arithmetic, clrs_error *error);

/* A buffer object and its range of bytes in its root buffer. */
typedef struct clrs__buffer {
  cl_mem given;            /* the object asked about, which keeps the root alive */
  cl_mem root;             /* the given buffer, or the parent of a sub-buffer */
  uint64_t begin, end;     /* bytes of the root */
  uint32_t alignment;      /* alignment of the root's first byte, a power of two */
  bool readable, writable; /* by kernels */
  bool is_lent_read_only;  /* why not writable: the lender says so */
} clrs__buffer;

/* A phrase for messages that says how a buffer is read-only. */
static inline const char *clrs__read_only_text(const clrs__buffer *buffer) {
  return buffer->is_lent_read_only ? "read-only, as its DLPack producer says" : "CL_MEM_READ_ONLY";
}

clrs_status clrs__buffer_query(cl_context context, cl_mem mem, clrs__buffer *buffer,
                               clrs_error *error);

/* Checks that a kernel may read or write the buffer. `name` names the buffer in messages, as
 * "source". */
clrs_status clrs__buffer_check_read(const clrs__buffer *buffer, const char *name,
                                    clrs_error *error);
clrs_status clrs__buffer_check_written(const clrs__buffer *buffer, const char *name,
                                       clrs_error *error);
