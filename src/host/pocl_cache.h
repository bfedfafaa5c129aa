/*
 * What PoCL needs beside its own files: a folder of compiled kernels, and a linker. Where PoCL
 * cannot make the folder, PoCL says that it has no device. Where PoCL cannot write the folder, PoCL
 * says that programs do not build. Where PoCL 3.1 finds no linker, PoCL ends the process.
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

/* Is there a program `ld` in a folder of PATH? PoCL needs one to compile a kernel, and none where
 * the kernel is in PoCL's cache or in the program's. */
bool cli_pocl_finds_linker(void);
