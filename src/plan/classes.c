/*
 * Which kernel class a launch gets: the best of its way of execution, or the one that is required.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan.h"

#include "blocks.h"
#include "groups.h"

static bool is_core_class(clrs_class kernel_class) {
  return kernel_class == CLRS_CLASS_CPU_ROWS || kernel_class == CLRS_CLASS_CPU_TILE ||
         kernel_class == CLRS_CLASS_CPU_ANY || kernel_class == CLRS_CLASS_CPU_SHORT ||
         kernel_class == CLRS_CLASS_NIBBLE_TILE;
}

/* What a launch must be like to be of a class, as the end of a sentence. */
static const char *needs_of(clrs_class kernel_class) {
  static const char *const needs[CLRS_CLASS_COUNT] = {
      [CLRS_CLASS_GPU_ANY] = "units of whole bytes and axes that source and destination share",
      [CLRS_CLASS_SUBBYTE] = "elements of less than a byte",
      [CLRS_CLASS_COMPOSED] = "units of whole bytes and a source that is moved, not filled in",
      [CLRS_CLASS_FILL] = "one value of whole bytes instead of a source",
      [CLRS_CLASS_CPU_ROWS] = "whole bytes and one axis that is contiguous on both sides",
      [CLRS_CLASS_CPU_TILE] =
          "units of whole bytes, an axis that is contiguous in the source alone "
          "and one that is contiguous in the destination alone",
      [CLRS_CLASS_CPU_ANY] = "units of whole bytes and axes that source and destination share",
      [CLRS_CLASS_CPU_SHORT] = "units of whole bytes and axes that source and destination share",
      [CLRS_CLASS_GPU_ROWS] = "units of whole bytes, axes that source and destination share, "
                              "and a device whose work-groups may have 256 items",
      [CLRS_CLASS_GPU_SHORT] = "whole bytes, axes that source and destination share and that "
                               "have small extents or divisors, GPU execution, and a device "
                               "with work-groups of 256 items and 17 KiB of local memory",
      [CLRS_CLASS_GPU_TILE] = "whole bytes, an axis that is contiguous in the source alone and "
                              "one that is contiguous in the destination alone, GPU execution, "
                              "and a device with work-groups of 256 items and 16 KiB of local "
                              "memory",
      [CLRS_CLASS_NIBBLE_TILE] = "4-bit elements, the first in the low bits, an axis that is "
                                 "contiguous in the source alone and one that is contiguous in the "
                                 "destination alone, and even extents and steps elsewhere",
  };
  return needs[kernel_class];
}

static const char *what_it_does(const clrs_launch *launch) {
  return launch->fills ? "fills" : launch->follows_stack ? "follows a stack of walks for" : "moves";
}

clrs_status clrs__launch_choose_class(const clrs_device_limits *limits, const clrs_view *stack,
                                      clrs_launch *launch, clrs_error *error) {
  const clrs_class required = limits->required_class;
  const bool is_core = limits->execution == CLRS_EXECUTION_CPU;
  if (required == CLRS_CLASS_GPU_ANY) {
    /* stays as general as it is */
  } else if (is_core_class(required) || (is_core && required != CLRS_CLASS_GPU_ROWS)) {
    clrs__launch_choose_blocks(stack, launch, required);
  } else {
    clrs__launch_choose_groups(limits, launch);
  }
  clrs__launch_limit_items(limits, launch);
  if (required != CLRS_CLASS_ANY && launch->kernel_class != required) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "class %s is required, which needs %s; this launch %s %u-bit units along "
                      "%u axes",
                      clrs_class_name(required), needs_of(required), what_it_does(launch),
                      launch->unit_bits, launch->nest.axis_count);
  }
  return CLRS_OK;
}
