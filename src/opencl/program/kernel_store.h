/*
 * The kernels of a context, one for each variant. The caller holds the context's lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdatomic.h>

#include "blob.h"
#include "program.h"

/* Moves need at most 602 kernels in GPU execution, of which 74 are for smaller work-groups, and
 * fewer in CPU execution (tests/gates/spirv lists all). The rest is for maps and gathers. */
enum { CLRS__MAX_VARIANTS = CLRS_MOST_PROGRAMS };

/* CLRS__UNUSED: the driver allows the kernel smaller groups than the kernel needs. CLRS__WRONG + n:
 * byte n of the self-test was wrong. */
enum { CLRS__UNTRIED, CLRS__PASSED, CLRS__UNUSED, CLRS__WRONG };

/* The use of a built kernel. */
typedef struct clrs__kernel_use {
  atomic_size_t holders; /* commands that hold the kernel */
  atomic_size_t trial;   /* the outcome of the self-test: CLRS__UNTRIED, or one of the next */
  uint64_t last;         /* time of the last find, on the store's clock */
} clrs__kernel_use;

/* A program of an imported blob that nothing has needed yet. A driver takes some milliseconds to
 * make a kernel of a binary. Making all kernels of a blob at once would cost more than making the
 * kernels that are needed. */
typedef struct clrs__kept_program {
  size_t title_length, binary_length;
  unsigned char bytes[]; /* title and binary, one behind the other */
} clrs__kept_program;

typedef struct clrs__kernel_store {
  clrs__program_target target;
  size_t limit; /* most kernels and kept programs together. 0: CLRS__MAX_VARIANTS */
  size_t count;
  uint64_t clock; /* one tick for each find */
  clrs__built_kernel kernels[CLRS__MAX_VARIANTS];
  clrs__kernel_use uses[CLRS__MAX_VARIANTS]; /* uses[i] belongs to kernels[i] */
  size_t kept_count, kept_room;
  clrs__kept_program **kept; /* programs that are not among the kernels */
} clrs__kernel_store;

/* A kernel that stays in the store until given back. Giving back needs no lock. */
typedef struct clrs__held_kernel {
  cl_kernel kernel;
  size_t most_items; /* of a work-group */
  clrs__kernel_use *use;
} clrs__held_kernel;

/* Builds the kernel if needed, from the imported binary if there is one. If the driver finds the
 * binary invalid, the binary is forgotten and the kernel is built from source. In a full store the
 * kernel replaces an imported program that nothing has needed. Without such a program the kernel
 * replaces the least recently used map or gather that is not held. Moves have few kernels, which
 * stay. */
clrs_status clrs__kernel_store_find(clrs__kernel_store *store, clrs__variant variant,
                                    clrs__held_kernel *held, clrs_error *error);
void clrs__held_kernel_give_back(const clrs__held_kernel *held);
void clrs__kernel_store_destroy(clrs__kernel_store *store);

/* Exports all kernels and kept programs as a blob. *size is the size of the blob. Writes only if
 * the blob fits into `capacity` bytes. */
clrs_status clrs__kernel_store_export(const clrs__kernel_store *store, void *blob, size_t capacity,
                                      size_t *size, clrs_error *error);
/* Keeps each program of the blob that the store does not have. On failure nothing is kept. Builds
 * nothing. */
clrs_status clrs__kernel_store_import(clrs__kernel_store *store, clrs__bytes blob,
                                      clrs_error *error);
