/*
 * What the library asks of OpenCL objects that it is given.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "key.h"
#include "status.h"

/* What an object says of itself, cut off where it does not fit. CLRS_LIMIT_EXCEEDED past 1 KiB. */
clrs_status clrs__platform_text(cl_platform_id platform, cl_platform_info what, char *text,
                                size_t size, clrs_error *error);
clrs_status clrs__device_text(cl_device_id device, cl_device_info what, char *text, size_t size,
                              clrs_error *error);

/* The device is the context's, or a part (clCreateSubDevices) of one of them: some drivers list the
 * whole device in a context that was made for a part. *listed is the one that programs are for. */
clrs_status clrs__check_device(cl_context context, cl_device_id device, cl_device_id *listed,
                               clrs_error *error);
/* A list of as many events as it says. */
clrs_status clrs__check_wait_list(cl_uint count, const cl_event *events, clrs_error *error);
/* Also that they are of this context. */
clrs_status clrs__check_owners(cl_context context, cl_uint count, const cl_event *events,
                               clrs_error *error);
/* Also that none has failed already (CLRS_OPENCL_ERROR). */
clrs_status clrs__check_events(cl_context context, cl_uint count, const cl_event *events,
                               clrs_error *error);
/* A queue of the context, of any device. */
clrs_status clrs__check_queue_context(cl_command_queue queue, cl_context context,
                                      clrs_error *error);
clrs_status clrs__check_queue(cl_command_queue queue, cl_context context, cl_device_id device,
                              clrs_error *error);

/* What was asked for, or what AUTO means on a device: by its type. */
clrs_status clrs__choose_execution(cl_device_id device, clrs_execution asked,
                                   clrs_execution *execution, clrs_error *error);
/* Lowers max_group_items and local_bytes, where they are set at all, to what the device has. */
clrs_status clrs__limit_groups(cl_device_id device, clrs_device_limits *limits, clrs_error *error);

/* What it can do with floats. */
clrs_status clrs__device_arithmetic(cl_device_id device, clrs__arithmetic *arithmetic,
                                    clrs_error *error);

/* A buffer object and the bytes of its root that belong to it. */
typedef struct clrs__buffer {
  cl_mem given;            /* the object asked about; it keeps its root alive */
  cl_mem root;             /* itself, or the parent of a sub-buffer */
  uint64_t begin, end;     /* bytes of the root */
  uint32_t alignment;      /* of the root's first byte; a power of two */
  bool readable, writable; /* by kernels */
  bool is_lent_read_only;  /* why it is not writable: its lender says so */
} clrs__buffer;

/* What a buffer is that is not writable. */
static inline const char *clrs__read_only_text(const clrs__buffer *buffer) {
  return buffer->is_lent_read_only ? "read-only, as its DLPack producer says" : "CL_MEM_READ_ONLY";
}

clrs_status clrs__buffer_query(cl_context context, cl_mem mem, clrs__buffer *buffer,
                               clrs_error *error);

/* May a kernel read, or write, the buffer of the `name`, as "source"? */
clrs_status clrs__buffer_check_read(const clrs__buffer *buffer, const char *name,
                                    clrs_error *error);
clrs_status clrs__buffer_check_written(const clrs__buffer *buffer, const char *name,
                                       clrs_error *error);
