/*
 * Small cuts for the variants of kernels: to run a kernel once, and to try whether the kernel is
 * right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_EXAMPLES_H
#define CLRS_CLASS_EXAMPLES_H

#include "variant.h"

/* Makes a small cut for each variant that a job of this class and unit width can need, for the
 * index width of the limits and not batched. Returns 0 if the class has no kernel for the unit
 * width. Each cut moves at most CLRS__EXAMPLE_UNITS units from and to the start of the buffers.
 * `stack` is a view of that many units. */
enum { CLRS__EXAMPLE_UNITS = 16 * 17, CLRS__MOST_EXAMPLES = 16 };
size_t clrs__class_examples(clrs__class_number kernel_class, uint32_t unit_bits,
                            const clrs_device_limits *limits, const clrs_view *stack,
                            clrs__cut cuts[CLRS__MOST_EXAMPLES]);

enum { CLRS__TRIAL_UNITS = 8064, CLRS__TRIALS = 3 * 20 };
/* A view of CLRS__TRIAL_UNITS units that is a stack of two walks. The levels have few axes, or more
 * than CLRS__FEW_LEVEL_AXES. */
clrs_status clrs__trial_stack(bool has_many_axes, clrs_view *stack, clrs_error *error);
/* Makes trial number `at` of a variant that is neither mapped nor indexed: the units to move and
 * the class's cut. All positions are below CLRS__TRIAL_UNITS. The first trials have odd extents.
 * Returns false if the class does not take the nest. The caller compares the cut's variant. */
bool clrs__variant_trial(const clrs__variant *variant, const clrs_device_limits *limits,
                         const clrs_view *stack, int at, clrs__nest *nest, clrs__cut *cut);

#endif
