/*
 * Buffers between pages that may not be touched. With GUARD=end in the environment every buffer
 * that the driver would allocate ends at an inaccessible page. With GUARD=begin every buffer begins
 * behind such a page. A kernel that reads or writes one byte too far then kills the process. The
 * bytes on the other side are compared when the buffer dies. On devices that use the host's memory
 * in place, as PoCL does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_GUARD_H
#define CLRS_TEST_FAULT_LAYER_GUARD_H

#include <CL/cl_icd.h>

/* As clCreateBuffer, which `next` leads to. Buffers in host memory of the caller are not guarded,
 * and without GUARD no buffer is guarded. */
cl_mem guard_create_buffer(const cl_icd_dispatch *next, cl_context context, cl_mem_flags flags,
                           size_t size, void *host, cl_int *code);
long guard_canaries(void);

#endif
