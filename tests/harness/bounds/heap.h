/*
 * The heap of this process as it is: malloc and its kin are replaced, in all libraries too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_HEAP_H
#define CLRS_TEST_HEAP_H

#include <stddef.h>

/* From here on. */
void heap_watch(void);
/* The most bytes that were in use at a time since then, beyond what was in use at that moment;
 * blocks count as large as the allocator makes them. */
size_t heap_peak(void);
/* The largest single allocation since then. */
size_t heap_largest(void);

#endif
