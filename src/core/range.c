/*
 * How many work-items a launch is given, in groups of which size: never more than the device's
 * limits allow, however much there is to move. What does not fit is shared out: each work-item, or
 * group, then takes more.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan.h"

enum {
  PLAIN_GROUP_ITEMS = 64, /* where items work on their own */
  /* Work-items in the first dimension, and in the second: PoCL compiles a kernel anew for a
   * dimension of 65536 or more. */
  MOST_IN_A_ROW = 16384,
  MOST_ROWS = 65535
};
static const uint64_t most_items = (uint64_t)MOST_IN_A_ROW * MOST_ROWS;

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t divide_up(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0); /* NOLINT(clang-analyzer-core.DivideZero): a launch has work */
}

void clrs__launch_limit_items(const clrs_device_limits *limits, clrs_launch *launch) {
  if (launch->blocks_per_item > 0 && !clrs__launch_is_grouped(launch)) {
    const uint64_t most = smaller(limits->max_work_items, most_items);
    const int64_t least = (int64_t)divide_up((uint64_t)clrs__launch_work(launch), most);
    launch->blocks_per_item = launch->blocks_per_item < least ? least : launch->blocks_per_item;
  }
}

/* A power of two. */
static uint64_t plain_group(const clrs_device_limits *limits) {
  uint64_t items = PLAIN_GROUP_ITEMS;
  while (limits->max_group_items > 0 && items > limits->max_group_items) {
    items /= 2;
  }
  return items;
}

clrs__range clrs__launch_range(const clrs_launch *launch, const clrs_device_limits *limits) {
  const uint64_t work = (uint64_t)clrs__launch_work(launch);
  const bool shares = launch->blocks_per_item > 0;
  const bool grouped = clrs__launch_is_grouped(launch);
  const uint64_t group = grouped ? CLRS__GROUP_ITEMS : shares ? 1 : plain_group(limits);
  const uint64_t needed = shares ? divide_up(work, (uint64_t)launch->blocks_per_item) : work;
  const uint64_t most_groups = smaller(limits->max_work_items, most_items) / group;
  const uint64_t groups =
      smaller(grouped ? needed : divide_up(needed, group), most_groups > 0 ? most_groups : 1);
  const uint64_t rows = divide_up(groups, MOST_IN_A_ROW / group);
  return (clrs__range){{divide_up(groups, rows) * group, rows}, {group, 1}};
}
