/*
 * The self-test: a guard against compilers that make wrong code. If quirks.tests_kernels, each
 * kernel is tried before the kernel's first use. The kernel moves a small pattern between buffers
 * of its own, on a queue of its own, and the host compares every byte with its own result.
 *
 * Maps of gathers and scatters, and resized pictures, are not tried.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tail.h"
#include "variant.h"

/* Tries the kernel once. Fails with CLRS_UNSUPPORTED if the kernel is wrong, and names the kernel,
 * the driver and the first wrong byte. If the trial itself cannot be made, as for lack of memory,
 * the kernel counts as good, and the next use tries again. No lock is held meanwhile. */
clrs_status clrs__self_test(clrs_context *context, const clrs__variant *variant,
                            const clrs__held_kernel *held, clrs_error *error);
