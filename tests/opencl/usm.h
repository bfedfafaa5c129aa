/*
 * Unified shared memory for tests: the driver's, or where it has none a stand-in in memory of the
 * host's, which drivers for CPUs use in place.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_USM_H
#define CLRS_TEST_USM_H

#include "harness/device.h"

typedef enum usm_kind { USM_HOST, USM_DEVICE, USM_SHARED, USM_KINDS } usm_kind;

/* Says which it is. With the stand-in the library, too, is answered by it. */
void usm_open(const test_device *device);
/* Without memory to stand in for, the device has none: what the library is then told. */
void usm_hide(bool hidden);
/* Lets the driver not know the function, as one that is broken. */
void usm_lose_function(bool lost);
/* Bytes of a kind, that the host may not touch if they are the device's. */
void *usm_allocate(const test_device *device, usm_kind kind, size_t bytes);
void usm_free(const test_device *device, void *memory);
/* From or to the host, or between two; waits. */
void usm_copy(const test_device *device, void *to, const void *from, size_t bytes);

#endif
