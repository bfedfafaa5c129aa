/*
 * Planning: chooses the outcome, and for a pass the cuts that carry out the pass. The steps of a
 * pass are move -> nests of elements -> jobs in units -> the best cut of each job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PLAN_PLAN_H
#define CLRS_PLAN_PLAN_H

#include "class.h"
#include "index_any.h"
#include "pass.h"

/* OpenCL promises that a buffer begins at a multiple of its largest type, a long16. */
enum { CLRS__BUFFER_ALIGNMENT = 128 };

/* Data of a gather or a scatter, beside its pass. */
typedef struct clrs__planned_indices {
  uint8_t element[16]; /* the value for an index that a gather skips */
  clrs_dtype dtype;
  clrs_footprint read; /* the indices */
  clrs_footprint flag; /* empty: none */
} clrs__planned_indices;

enum { CLRS__MAX_REASONS = 4 };

/* The library's data in a plan. */
typedef struct clrs__plan_data {
  uint32_t reason_count;
  clrs__reason reasons[CLRS__MAX_REASONS];
  bool in_order; /* packed elements: the launches share bytes, so one follows the other */
  /* CLRS_OUTCOME_MAPPED: by which files, and how often groups are halved, of the first launch */
  uint8_t geometry, halvings;
  clrs__planned_indices indices; /* if clrs__plan_has_indices */
  union {
    struct {
      clrs__nest nest; /* CLRS_OUTCOME_AFFINE: first launch, elements from byte_offset */
      clrs_view stack; /* CLRS_OUTCOME_COMPOSED: the source's levels, in units of the launches */
      clrs__cut cuts[CLRS_MAX_LAUNCHES]; /* one for each launch that has a class */
    };
    clrs__mapped_pass mapped;  /* CLRS_OUTCOME_MAPPED */
    clrs__any_indexed indexed; /* CLRS_OUTCOME_INDEXED by index_any: its launch has no class */
  };
} clrs__plan_data;
_Static_assert(sizeof(clrs__plan_data) <= CLRS_PLAN_PRIVATE_BYTES, "a plan has room for it");

static inline clrs__plan_data *clrs__plan_data_of(clrs_plan *plan) {
  return (clrs__plan_data *)(void *)plan->private_.bytes;
}

static inline const clrs__plan_data *clrs__plan_data_in(const clrs_plan *plan) {
  return (const clrs__plan_data *)(const void *)plan->private_.bytes;
}

/* Returns true if the plan is a gather or a scatter, with or without a map. */
static inline bool clrs__plan_has_indices(const clrs_plan *plan) {
  return plan->outcome == CLRS_OUTCOME_INDEXED ||
         (plan->outcome == CLRS_OUTCOME_MAPPED && clrs__plan_data_in(plan)->mapped.key.is_indexed);
}

/* Returns true if the plan is a gather or a scatter that finds each element separately. */
static inline bool clrs__plan_is_any_indexed(const clrs_plan *plan) {
  return plan->outcome == CLRS_OUTCOME_INDEXED &&
         plan->launches[0].kernel_class == clrs_class_name(0);
}

/* Copies the fields that have a value. `from` is a complete plan of a move without a map and
 * without indices. */
void clrs__plan_copy(clrs_plan *to, const clrs_plan *from);

/* Starts an empty plan with the outcome, and adds a reason for the outcome. */
void clrs__plan_start(clrs_plan *plan, clrs_outcome outcome);
void clrs__plan_add_reason(clrs_plan *plan, clrs__reason reason);
/* Adds the launch of a cut. */
void clrs__plan_add_launch(const clrs__cut *cut, clrs_plan *plan);
/* The bytes of an operand, without an alignment to rely on. */
clrs_status clrs__plan_footprint(const clrs_operand *operand, const char *what,
                                 clrs_footprint *footprint, clrs_error *error);
/* Raises the footprint's alignment to at least the size of a unit. */
void clrs__rely_on(uint32_t unit_bits, clrs_footprint *footprint);

/* clrs_plan_move and clrs_plan_fill for operands and limits of the library's own, which are not
 * checked. An alignment may have CLRS__ROOT_ALIGNED. */
clrs_status clrs__plan_move(const clrs_move *move, const clrs_device_limits *limits,
                            clrs_plan *plan, clrs_error *error);
clrs_status clrs__plan_fill(const clrs_operand *destination, const clrs_device_limits *limits,
                            clrs_plan *plan, clrs_error *error);

/* Returns CLRS_INVALID_ARGUMENT if the view or the alignment is invalid. */
clrs_status clrs__operand_check(const clrs_operand *operand, const char *what, clrs_error *error);
clrs_status clrs__policy_check(clrs_copy_policy policy, clrs_error *error);
/* Returns CLRS_INVALID_ARGUMENT, naming the first field that no device can have. */
clrs_status clrs__limits_check(const clrs_device_limits *limits, clrs_error *error);

#endif
