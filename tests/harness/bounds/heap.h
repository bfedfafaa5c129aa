/*
 * The heap of this process: malloc and related functions are replaced, in all libraries too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_HEAP_H
#define CLRS_TEST_HEAP_H

#include <stddef.h>

/* From here on. */
void heap_watch(void);
/* Returns the peak of bytes in use since then, minus the bytes in use at that moment. A block
 * counts with the size that the allocator gave the block. */
size_t heap_peak(void);
/* The largest single allocation since then. */
size_t heap_largest(void);

#endif
