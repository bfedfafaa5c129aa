/*
 * The kernels that a context has, one for each variant. The caller holds the context's lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdatomic.h>

#include "blob.h"
#include "program.h"

/* More than either execution has for moves, which is 342 at most (tests/gates/spirv lists them
 * all), and as many again for maps and gathers. */
enum { CLRS__MAX_VARIANTS = CLRS_MOST_PROGRAMS };

/* How a built kernel is used. */
typedef struct clrs__kernel_use {
  atomic_size_t holders; /* commands that have it */
  uint64_t last;         /* on the store's clock */
} clrs__kernel_use;

/* A program of an imported blob that nothing has needed yet. Making a kernel of a binary takes a
 * driver some milliseconds, so a blob of all kernels would cost more than the one that is needed.
 */
typedef struct clrs__kept_program {
  size_t title_length, binary_length;
  unsigned char bytes[]; /* both, one behind the other */
} clrs__kept_program;

typedef struct clrs__kernel_store {
  clrs__program_target target;
  size_t limit; /* kernels and kept programs together; 0: CLRS__MAX_VARIANTS */
  size_t count;
  uint64_t clock; /* one tick for each find */
  clrs__built_kernel kernels[CLRS__MAX_VARIANTS];
  clrs__kernel_use uses[CLRS__MAX_VARIANTS]; /* each for the kernel at the same place */
  size_t kept_count, kept_room;
  clrs__kept_program **kept; /* none that is among the kernels */
} clrs__kernel_store;

/* A kernel that stays in its store until it is given back, which needs no lock. */
typedef struct clrs__held_kernel {
  cl_kernel kernel;
  atomic_size_t *holders;
} clrs__held_kernel;

/* Builds what has not been built, of the binary that was imported if there is one. A binary that
 * the driver does not take for valid is forgotten, and the kernel built from source. In a full
 * store the kernel takes the place of an imported program that nothing has needed, or else of the
 * map or gather that was used longest ago and is not held. Moves have few kernels, which stay. */
clrs_status clrs__kernel_store_find(clrs__kernel_store *store, clrs__variant variant,
                                    clrs__held_kernel *held, clrs_error *error);
void clrs__held_kernel_give_back(const clrs__held_kernel *held);
void clrs__kernel_store_destroy(clrs__kernel_store *store);

/* All of them as a blob. Writes only if it fits into `capacity`; *size is what it takes. */
clrs_status clrs__kernel_store_export(const clrs__kernel_store *store, void *blob, size_t capacity,
                                      size_t *size, clrs_error *error);
/* Keeps those of the blob that are not there; all or, on failure, none. Builds nothing. */
clrs_status clrs__kernel_store_import(clrs__kernel_store *store, clrs__bytes blob,
                                      clrs_error *error);
