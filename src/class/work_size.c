/* SPDX-License-Identifier: Apache-2.0 */
#include "work_size.h"

#include "checked.h"
#include "table.h"
#include "tuning.h"

/* Work-items in the first dimension and in the second. PoCL compiles a kernel anew for a dimension
 * of 65536 or more. */
enum { MOST_IN_A_ROW = 16384, MOST_ROWS = 65535 };
static const int64_t most_items = (int64_t)MOST_IN_A_ROW * MOST_ROWS;

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* The device's limit, but at most this library's limit. */
static int64_t items_allowed(const clrs_device_limits *limits) {
  return limits->max_work_items < (uint64_t)most_items ? (int64_t)limits->max_work_items
                                                       : most_items;
}

void clrs__cut_limit_items(const clrs_device_limits *limits, clrs__cut *cut) {
  if (cut->share > 0) {
    const int64_t least = clrs__divide_up(cut->work, items_allowed(limits));
    cut->share = cut->share < least ? least : cut->share;
  }
}

/* The size is a power of two. */
static int64_t plain_group(const clrs_device_limits *limits) {
  int64_t items = CLRS__PLAIN_GROUP_ITEMS;
  while (limits->max_group_items > 0 && (uint64_t)items > limits->max_group_items) {
    items /= 2;
  }
  return items;
}

clrs__range clrs__cut_range(const clrs__cut *cut, const clrs_device_limits *limits) {
  const bool grouped = clrs__class_of(cut->kernel_class)->takes_groups;
  const int64_t group = grouped ? clrs__cut_group(cut) : cut->share > 0 ? 1 : plain_group(limits);
  const int64_t needed = cut->share > 0 ? clrs__divide_up(cut->work, cut->share) : cut->work;
  const int64_t all_groups = grouped ? needed : clrs__divide_up(needed, group);
  const int64_t allowed = items_allowed(limits) / group;
  const int64_t most_groups =
      cut->kind == CLRS__CUT_VOLUMES
          ? smaller(allowed, (int64_t)CLRS__GPU_MOST_VOLUME_GROUPS << cut->halvings)
          : allowed;
  const int64_t groups = smaller(all_groups, most_groups > 0 ? most_groups : 1);
  const int64_t rows = clrs__divide_up(groups, MOST_IN_A_ROW / group);
  const int64_t columns = clrs__divide_up(groups, rows);
  const bool loops = clrs__cut_may_loop(cut) && groups < all_groups;
  return (clrs__range){{(uint64_t)(columns * group), (uint64_t)rows}, {(uint64_t)group, 1}, loops};
}
