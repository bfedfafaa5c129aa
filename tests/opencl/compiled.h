/*
 * Number of kernels that PoCL has compiled. Each kernel is a shared library in PoCL's cache.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_COMPILED_H
#define CLRS_TEST_COMPILED_H

#include <stddef.h>

size_t compiled(void);

/* A function in front of the loader's clEnqueueNDRangeKernel sets this value: the count after the
 * program was ready and before the launch. Programs that were imported are unpacked into the cache
 * before that. */
extern size_t compiled_at_launch;

#endif
