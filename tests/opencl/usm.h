/*
 * Unified shared memory for tests: the driver's, or a stand-in in host memory if the driver has no
 * such memory. Drivers for CPUs use host memory in place.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_USM_H
#define CLRS_TEST_USM_H

#include "harness/device.h"

typedef enum usm_kind { USM_HOST, USM_DEVICE, USM_SHARED, USM_KINDS } usm_kind;

/* Returns true if the memory is the driver's. If not, the stand-in answers the library too. */
bool usm_open(const test_device *device);
/* Can the library be answered? Not by a stand-in where the driver finds no functions by name. */
bool usm_answers(void);
/* Makes the device report no such memory, and no shared virtual memory. */
void usm_hide(bool hidden);
/* Makes the device report support without the function. */
void usm_lose_function(bool lost);
/* Makes the device report separate memory. */
void usm_set_apart(bool apart);
/* The stand-in does not answer the question of this number, counted from 1, from now on. */
void usm_fail(int question);
/* Bytes of a kind. The host may not touch bytes of the device kind. */
void *usm_allocate(const test_device *device, usm_kind kind, size_t bytes);
void usm_free(const test_device *device, void *memory);
/* All has been freed: device_close may follow. */
void usm_close(test_device *device);
/* Copies from or to the host, or between two memories, and waits. */
void usm_copy(const test_device *device, void *to, const void *from, size_t bytes);

#endif
