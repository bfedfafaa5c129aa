/*
 * Variants of a kernel, one program each: a class, the width of its units and of its index
 * arithmetic, room for axes - never a shape.
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
  uint32_t nest_axes, level_axes; /* room for them; levels make it follow a stack */
  bool msb_first, interleaves, fills, is_chunked;
  bool is_batched; /* reads its moves from a table */
  bool wide_source, wide_destination;
  bool loops;        /* a work-item, or group, may have to move several pieces */
  clrs__map_key map; /* of a mapped move: beside it, only the index counts, and the class is none */
  clrs__index_key index; /* of a gather or scatter; without loops over all operands no class */
} clrs__variant;

clrs__variant clrs__mapped_variant(const clrs__map_key *key, uint32_t index_bits);
static inline bool clrs__variant_is_mapped(const clrs__variant *variant) {
  return variant->map.geometry != CLRS__NOT_MAPPED;
}
/* Of index_any. */
clrs__variant clrs__any_indexed_variant(const clrs__index_key *key, uint32_t unit_bits);
static inline bool clrs__variant_is_indexed(const clrs__variant *variant) {
  return variant->index.is_indexed;
}
/* Of its kernel. */
const char *clrs__variant_name(const clrs__variant *variant);

clrs__variant clrs__cut_variant(const clrs__cut *cut);
/* The one for launches with fewer work-items than pieces. Tensors that need it have 64 GiB and
 * more, or a caller who allows few work-items: they do without vectors, which would make it four.
 */
void clrs__variant_make_loop(clrs__variant *variant);
/* The variant that carries out many such cuts as one. */
clrs__variant clrs__batch_variant(const clrs__cut *cut);
/* May the move be in a table? Moves with words of 64 bits or many axes are launched alone, as such
 * moves are rare and each kind would need a program of its own. */
bool clrs__cut_fits_batch(const clrs__cut *cut);
bool clrs__variant_equal(clrs__variant a, clrs__variant b);

/* What the variant's program is built with, for any device. */
enum { CLRS__OPTIONS_BYTES = CLRS__MAP_OPTIONS_BYTES };
void clrs__variant_options(clrs__variant variant, char *options, size_t size);

/* The files of kernels/ that make up the variant's program, in the order in which they include each
 * other, without their endings. No others: a compiler that cannot digest one of them needs only
 * those. */
typedef struct clrs__kernel_files {
  size_t count;
  const char *names[24];
} clrs__kernel_files;
clrs__kernel_files clrs__variant_files(clrs__variant variant);

/* A cut with the least to do for each variant that a job of this class in units of this width can
 * need, of the index width that the limits ask for and not batched. None if the class has no kernel
 * for such units. Each moves at most CLRS__EXAMPLE_UNITS, from and to the start of its buffers;
 * `stack` is a view of as many units. */
enum { CLRS__EXAMPLE_UNITS = 16 * 17, CLRS__MOST_EXAMPLES = 16 };
size_t clrs__class_examples(clrs__class_number kernel_class, uint32_t unit_bits,
                            const clrs_device_limits *limits, const clrs_view *stack,
                            clrs__cut cuts[CLRS__MOST_EXAMPLES]);

#endif
