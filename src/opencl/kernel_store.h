/*
 * The kernels that a context has, one for each variant. The caller holds the context's lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "kept_programs.h"

/* More than either execution has, which is 342 at most (tests/gates/spirv lists them all), and as
 * many again for maps. */
enum { CLRS__MAX_VARIANTS = 800 };

typedef struct clrs__kernel_store {
  clrs__program_target target;
  size_t count;
  clrs__built_kernel kernels[CLRS__MAX_VARIANTS];
  clrs__kept_programs kept; /* none that is among the kernels */
} clrs__kernel_store;

/* NULL if it has not been built. */
cl_kernel clrs__kernel_store_get(const clrs__kernel_store *store, clrs__variant variant);
/* Builds what has not been built, of the binary that was imported if there is one. One that the
 * driver does not take for valid is forgotten, and built from source. */
clrs_status clrs__kernel_store_find(clrs__kernel_store *store, clrs__variant variant,
                                    cl_kernel *kernel, clrs_error *error);
void clrs__kernel_store_destroy(clrs__kernel_store *store);

/* All of them as a blob. Writes only if it fits into `capacity`; *size is what it takes. */
clrs_status clrs__kernel_store_export(const clrs__kernel_store *store, void *blob, size_t capacity,
                                      size_t *size, clrs_error *error);
/* Keeps those of the blob that are not there; all or, on failure, none. Asks no driver. */
clrs_status clrs__kernel_store_import(clrs__kernel_store *store, const void *blob, size_t size,
                                      clrs_error *error);
