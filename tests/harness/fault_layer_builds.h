/*
 * Kept builds: with CLRS_LAYER_KEEPS_BUILDS=1 a source that this process has built twice, with the
 * same options, is built from the binary. Meant for tests that make a library context for each of a
 * thousand failures, on drivers without a cache on disk. Intel's driver takes more than a second to
 * build a source, and a fiftieth of the time for a binary. CLRS_LAYER_OPTIONS are options that each
 * build has too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_BUILDS_H
#define CLRS_TEST_FAULT_LAYER_BUILDS_H

#include <CL/cl_icd.h>

/* Replaces the calls for programs in the table. Does nothing unless the variable is set. */
void builds_install(cl_icd_dispatch *driver);

#endif
