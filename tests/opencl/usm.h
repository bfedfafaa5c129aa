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

/* Is it the driver's? If not, the stand-in answers the library too. */
bool usm_open(const test_device *device);
/* Can the library be answered? Not by a stand-in where the driver finds no functions by name. */
bool usm_answers(void);
/* The device has no such memory, it says then, and no shared virtual memory. */
void usm_hide(bool hidden);
/* It says that it has, and does not know the function. */
void usm_lose_function(bool lost);
/* The device has memory of its own, it says then. */
void usm_set_apart(bool apart);
/* The stand-in does not answer the question of this number, counted from 1, from now on. */
void usm_fail(int question);
/* Bytes of a kind, that the host may not touch if they are the device's. */
void *usm_allocate(const test_device *device, usm_kind kind, size_t bytes);
void usm_free(const test_device *device, void *memory);
/* All has been freed: device_close may follow. */
void usm_close(test_device *device);
/* From or to the host, or between two; waits. */
void usm_copy(const test_device *device, void *to, const void *from, size_t bytes);

#endif
