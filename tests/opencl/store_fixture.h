/*
 * Separate stores of kernels, like the store of a library context.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_STORE_FIXTURE_H
#define CLRS_TEST_STORE_FIXTURE_H

#include "harness/device.h"
#include "opencl/program/kernel_store.h"

/* For a store: there are drivers that end the process over anything else. */
clrs__program_target target_of(const test_device *device);
/* NULL if it has not been built. */
cl_kernel built_kernel(const clrs__kernel_store *store, clrs__variant variant);
/* A kernel that nobody holds. */
clrs_status find_kernel(clrs__kernel_store *store, clrs__variant variant, cl_kernel *kernel,
                        clrs_error *error);

/* A group's setup and teardown, of which the state is a test_device. */
int store_device_open(void **state);
int store_device_close(void **state);

#endif
