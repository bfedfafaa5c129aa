/*
 * Builds that are kept: with CLRS_LAYER_KEEPS_BUILDS=1 a source that this process has built before,
 * with the same options, is built from the binary. For tests that make a library context for each
 * of a thousand failures, on drivers without a cache on disk: a build takes Intel's more than a
 * second, a binary a fiftieth of that. CLRS_LAYER_OPTIONS are options that each build has too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_BUILDS_H
#define CLRS_TEST_FAULT_LAYER_BUILDS_H

#include <CL/cl_icd.h>

/* Replaces what has to do with programs in the table. Does nothing without the wish. */
void builds_install(cl_icd_dispatch *driver);

#endif
