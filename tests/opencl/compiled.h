/*
 * How many kernels PoCL has compiled: each is a shared library in its cache.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_COMPILED_H
#define CLRS_TEST_COMPILED_H

#include <stddef.h>

size_t compiled(void);

/* A function in front of the loader's clEnqueueNDRangeKernel sets this: what was compiled when the
 * program was there, and its launch was not. Programs that were imported are unpacked into the
 * cache before that. */
extern size_t compiled_at_launch;

#endif
