/*
 * Checks the cache folder and the linker that PoCL needs. If PoCL cannot make the cache folder,
 * PoCL reports no device. If PoCL cannot write to the cache folder, PoCL reports that programs do
 * not build. If PoCL 3.1 finds no linker, PoCL ends the process.
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

/* Can PoCL write the cache folder that the environment names? A missing folder is made, as PoCL
 * would do. If false, `sentence` says why, and which variable to set, cut to `size` bytes. */
bool cli_pocl_cache_works(char *sentence, size_t size);

/* Is there a program `ld` in a folder of PATH? PoCL needs ld to compile a kernel. A kernel from
 * PoCL's cache, or from the program's cache, needs no ld. */
bool cli_pocl_finds_linker(void);
