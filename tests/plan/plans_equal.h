/*
 * Are two plans the same in every field that means anything?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_PLANS_EQUAL_H
#define CLRS_TEST_PLANS_EQUAL_H

#include <string.h>

#include "harness/axes.h"

#include "plan/plan.h"

static inline bool nests_equal(const clrs__nest *a, const clrs__nest *b) {
  bool equal = a->axis_count == b->axis_count && a->source_offset == b->source_offset &&
               a->destination_offset == b->destination_offset;
  for (uint32_t i = 0; equal && i < a->axis_count; i++)
    equal = is_axis(&a->axes[i], b->axes[i].extent, b->axes[i].source_stride,
                    b->axes[i].destination_stride);
  return equal;
}

static inline bool cuts_equal(const clrs__cut *a, const clrs__cut *b) {
  return a->kernel_class == b->kernel_class && a->unit_bits == b->unit_bits &&
         a->index_bits == b->index_bits && a->from == b->from && a->msb_first == b->msb_first &&
         a->kind == b->kind && memcmp(&a->as, &b->as, sizeof a->as) == 0 && a->work == b->work &&
         a->share == b->share && a->merit == b->merit && a->aligned_bits == b->aligned_bits &&
         a->wide_source == b->wide_source && a->wide_destination == b->wide_destination &&
         a->loops == b->loops && a->halvings == b->halvings && nests_equal(&a->nest, &b->nest);
}

static inline bool stacks_equal(const clrs_view *a, const clrs_view *b) {
  uint32_t axes = 0;
  if (a->depth != b->depth || (a->depth > 0 && a->dtype != b->dtype))
    return false;
  for (uint32_t i = 0; i < a->depth; i++) {
    if (a->levels[i].offset != b->levels[i].offset ||
        a->levels[i].axis_count != b->levels[i].axis_count)
      return false;
    axes += a->levels[i].axis_count;
  }
  return memcmp(a->axes, b->axes, axes * sizeof a->axes[0]) == 0;
}

static inline bool footprints_equal(const clrs_footprint *a, const clrs_footprint *b) {
  return a->begin == b->begin && a->end == b->end && a->alignment == b->alignment;
}

/* The result counts only if the plan chose the result. The layout's unused dims never count. */
static inline bool plans_equal(const clrs_plan *a, const clrs_plan *b) {
  const clrs__plan_data *of_a = clrs__plan_data_in(a), *of_b = clrs__plan_data_in(b);
  bool equal = a->outcome == b->outcome && footprints_equal(&a->source, &b->source) &&
               footprints_equal(&a->destination, &b->destination) &&
               a->bytes_read == b->bytes_read && a->bytes_written == b->bytes_written &&
               of_a->in_order == of_b->in_order && nests_equal(&of_a->nest, &of_b->nest) &&
               stacks_equal(&of_a->stack, &of_b->stack) &&
               clrs__plan_data_in(a)->reason_count == clrs__plan_data_in(b)->reason_count &&
               a->launch_count == b->launch_count;
  for (uint32_t i = 0; equal && i < clrs__plan_data_in(a)->reason_count; i++)
    equal =
        clrs__plan_data_in(a)->reasons[i].kind == clrs__plan_data_in(b)->reasons[i].kind &&
        clrs__plan_data_in(a)->reasons[i].values[0] ==
            clrs__plan_data_in(b)->reasons[i].values[0] &&
        clrs__plan_data_in(a)->reasons[i].values[1] == clrs__plan_data_in(b)->reasons[i].values[1];
  for (uint32_t i = 0; equal && i < a->launch_count; i++)
    equal = cuts_equal(&of_a->cuts[i], &of_b->cuts[i]);
  return equal;
}

/* Returns true if the sums in a plan into a destination of the caller's agree with its launches:
 * order, alignments and the number of reasons. A composed plan has one reason more, unless the
 * class composed was required. */
static inline bool plan_sums_up(const clrs_plan *plan, clrs__class_number required) {
  const bool has_cause = plan->outcome == CLRS_OUTCOME_COMPOSED && required != CLRS__CLASS_COMPOSED;
  bool packed = false;
  uint32_t widest = 1;
  for (uint32_t i = 0; i < plan->launch_count; i++) {
    const uint32_t bytes = plan->launches[i].unit_bits / 8;
    packed = packed || plan->launches[i].unit_bits < 8;
    widest = bytes > widest ? bytes : widest;
  }
  return clrs__plan_data_in(plan)->in_order == (packed && plan->launch_count > 1) &&
         plan->source.alignment >= widest && plan->destination.alignment >= widest &&
         clrs__plan_data_in(plan)->reason_count == (has_cause ? 2 : 1) &&
         clrs__plan_data_in(plan)->reasons[0].kind == CLRS__REASON_DESTINATION_GIVEN;
}

/* Returns true if the same request again gives an equal plan, and a copy is equal, whatever was in
 * the memory of the plan. */
static inline bool plans_again(const clrs_move *move, const clrs_device_limits *limits,
                               const clrs_plan *plan, clrs_status status) {
  static clrs_plan again, copy; /* hold the previous plan */
  if (status != CLRS_OK)
    return clrs_plan_move(move, limits, &again, NULL) == status;
  clrs__plan_copy(&copy, plan);
  return clrs_plan_move(move, limits, &again, NULL) == status && plans_equal(plan, &again) &&
         plans_equal(plan, &copy);
}

#endif
