/*
 * Limits of small GPUs: CLRS_LAYER_LIMITS is a list of words with commas between them. The layer
 * claims the limits in place of the driver, and refuses calls beyond the limits, as such a driver
 * does. The words:
 *
 *   gpu          the device is a GPU
 *   embedded     the device has the embedded profile
 *   group=N      work-items of a work-group
 *   items=N      work-items of a work-group in each dimension
 *   kernel=N     work-items of a work-group of any kernel, below the limit of the device
 *   local=N      bytes of local memory
 *   arguments=N  bytes of the arguments of a kernel
 *   integers     the device has no extension but 64-bit integers
 *   intel        the platform is Intel's CPU runtime, which keeps events until commands have ended
 *   vivante      the platform is Vivante's, whose compiler does not know `kernel` and `global`
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_LIMITS_H
#define CLRS_TEST_FAULT_LAYER_LIMITS_H

#include <CL/cl_icd.h>

/* Replaces the calls that have limits. Does nothing without CLRS_LAYER_LIMITS. Ends the process if
 * a word is unknown. */
void limits_install(cl_icd_dispatch *table);

#endif
