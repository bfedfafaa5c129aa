/*
 * Variants of a kernel, one program each. A variant has a class, a unit width, an index width and
 * room for axes. A variant never has a shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_VARIANT_H
#define CLRS_CLASS_VARIANT_H

#include "class.h"
#include "key.h"

typedef struct clrs__variant {
  clrs__class_number kernel_class;
  uint32_t unit_bits, index_bits;
  uint32_t nest_axes, level_axes; /* room. Above 0 levels the kernel follows a stack */
  bool msb_first, interleaves, fills, is_chunked;
  bool is_batched; /* reads its moves from a table */
  bool wide_source, wide_destination;
  bool loops;            /* the kernel may move several pieces for each work-item, or group */
  uint32_t halvings;     /* of groups */
  clrs__map_key map;     /* mapped move: only index_bits counts besides, and the class is ANY */
  clrs__index_key index; /* gather or scatter. Kernel index_any has the class ANY */
} clrs__variant;

clrs__variant clrs__mapped_variant(const clrs__map_key *key, uint32_t index_bits);
static inline bool clrs__variant_is_mapped(const clrs__variant *variant) {
  return variant->map.geometry != CLRS__NOT_MAPPED;
}
/* The variant of the kernel index_any. */
clrs__variant clrs__any_indexed_variant(const clrs__index_key *key, uint32_t unit_bits);
static inline bool clrs__variant_is_indexed(const clrs__variant *variant) {
  return variant->index.is_indexed;
}
/* Returns true if the kernel needs work-groups of one size: CLRS_GROUP_ITEMS, or halved. */
bool clrs__variant_takes_groups(const clrs__variant *variant);
/* The name of the variant's kernel. */
const char *clrs__variant_name(const clrs__variant *variant);

clrs__variant clrs__cut_variant(const clrs__cut *cut);
/* Changes the variant to the variant for launches with fewer work-items than pieces. Only tensors
 * of 64 GiB and more, or a caller's low limit of work-items, need looping. Looping tiles never use
 * vectors, because vectors would make four variants of each. */
void clrs__variant_make_loop(clrs__variant *variant);
/* The variant that carries out many cuts of the kind in one launch. */
clrs__variant clrs__batch_variant(const clrs__cut *cut);
/* Returns true if the move may be in a table of a batch. Moves with 64-bit words or many axes are
 * launched alone, because both are rare, and each kind would need another program. */
bool clrs__cut_fits_batch(const clrs__cut *cut);
bool clrs__variant_equal(clrs__variant a, clrs__variant b);

/* The build options of the variant's program, for any device. */
enum { CLRS__OPTIONS_BYTES = CLRS__MAP_OPTIONS_BYTES };
void clrs__variant_options(clrs__variant variant, char *options, size_t size);

/* The files of kernels/ for the variant's program, without endings, in the order in which the files
 * include each other. Other files are left out, so that a compiler that fails on some file still
 * builds the programs without that file. */
enum { CLRS__MOST_KERNEL_FILES = 26 };
typedef struct clrs__kernel_files {
  size_t count;
  const char *names[CLRS__MOST_KERNEL_FILES];
} clrs__kernel_files;
clrs__kernel_files clrs__variant_files(clrs__variant variant);

#endif
