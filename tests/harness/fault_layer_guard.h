/*
 * Buffers between pages that may not be touched. With GUARD=end in the environment every buffer
 * that the driver would have allocated ends at such a page, with GUARD=begin it begins behind one:
 * a kernel that reads or writes one byte too far kills the process. The bytes on the other side
 * are compared when the buffer dies. On devices that use the host's memory in place, as PoCL does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_GUARD_H
#define CLRS_TEST_FAULT_LAYER_GUARD_H

#include <CL/cl_icd.h>

/* As clCreateBuffer, which `next` leads to. Buffers in host memory of the caller's stay as they
 * are, and so do all if GUARD is not set. */
cl_mem guard_create_buffer(const cl_icd_dispatch *next, cl_context context, cl_mem_flags flags,
                           size_t size, void *host, cl_int *code);
long guard_canaries(void);

#endif
