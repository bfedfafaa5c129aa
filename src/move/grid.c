/* SPDX-License-Identifier: Apache-2.0 */
#include "grid.h"

#include "checked.h"
#include "shared.h"

/* PoCL compiles a kernel anew for a dimension of 65536 or more. */
enum { MOST_IN_A_ROW = 16384, MOST_ROWS = 65535 };
/* Local memory of a tile of a whole group, and the most of a volume. */
enum { GROUP_BYTES = 16384 };

uint32_t clrs__group_halvings(const clrs_device_limits *limits) {
  uint32_t halvings = 0;
  while (halvings <= CLRS_MOST_HALVINGS &&
         limits->max_group_items < (uint32_t)CLRS_GROUP_ITEMS >> halvings) {
    halvings++;
  }
  return halvings;
}

bool clrs__halve_groups(const clrs_device_limits *limits, uint64_t more, uint32_t *halvings) {
  const uint64_t most = GROUP_BYTES;
  while (*halvings <= CLRS_MOST_HALVINGS && limits->local_bytes < (most >> *halvings) + more) {
    ++*halvings;
  }
  return *halvings <= CLRS_MOST_HALVINGS;
}

int64_t clrs__chunks_in_use(int64_t extent, int64_t chunk) {
  const int64_t chunks = clrs__divide_up(extent, chunk);
  return chunks > 1000000
             ? 1000
             : clrs__exact_multiply(extent, 1000) / clrs__exact_multiply(chunks, chunk);
}

int64_t clrs__grid_items_allowed(const clrs_device_limits *limits) {
  const uint64_t most = (uint64_t)MOST_IN_A_ROW * MOST_ROWS;
  return (int64_t)(limits->max_work_items < most ? limits->max_work_items : most);
}

clrs__grid clrs__grid_of(int64_t items, int64_t group, const clrs_device_limits *limits) {
  const int64_t allowed = clrs__grid_items_allowed(limits);
  while (limits->max_group_items > 0 && (uint64_t)group > limits->max_group_items) {
    group /= 2;
  }
  const int64_t groups =
      clrs__clamp(clrs__divide_up(items, group), 1, clrs__clamp(allowed / group, 1, allowed));
  const int64_t rows = clrs__divide_up(groups, MOST_IN_A_ROW / group);
  return (clrs__grid){{(size_t)(clrs__divide_up(groups, rows) * group), (size_t)rows},
                      {(size_t)group, 1}};
}
