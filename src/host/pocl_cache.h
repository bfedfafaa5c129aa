/*
 * PoCL's folder of compiled kernels. PoCL cannot work without one; where it cannot make it, it says
 * that it has no device, and where it cannot write it, that programs do not build.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

bool cli_pocl_is(cl_platform_id platform);

/* Can PoCL write its cache folder, as the environment names it? It is made if need be, as PoCL
 * would make it. If not, a sentence on why, and on what to set, cut to `size` bytes. */
bool cli_pocl_cache_works(char *sentence, size_t size);
