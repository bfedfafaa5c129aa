/*
 * Code that the kernels for GPUs share. A work-group moves a chunk of rows and columns. Every
 * work-item loads several units of the chunk before it stores the first, so that many reads are
 * under way at once. Neighbouring work-items read and write neighbouring units.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_WORK_GROUP_CL
#define CLRS_WORK_GROUP_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#ifndef GROUP_ITEMS
#define GROUP_ITEMS CLRS_GROUP_ITEMS
#endif
#define WHOLE_GROUP __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))

/* The number of this group in its move, and the number of groups. */
INLINED count_t first_group(void) {
#if BATCHED
  return (count_t)get_group_id(0);
#else
  return (count_t)get_group_id(1) * (count_t)get_num_groups(0) + (count_t)get_group_id(0);
#endif
}

INLINED count_t group_step(void) {
#if BATCHED
  return (count_t)get_num_groups(0);
#else
  return (count_t)get_num_groups(0) * (count_t)get_num_groups(1);
#endif
}

/* A barrier behind a chunk in local memory, because the group's next chunk uses the same memory.
 * PoCL 3.1 needs the barrier even behind the last chunk: it lost a work-item's values before a
 * barrier inside a condition if no other barrier ended the condition. */
#define END_CHUNK() barrier(CLK_LOCAL_MEM_FENCE)

#if CHUNKED
/* Like find_chunk, for axes with the fastest first. Axis 0 numbers the chunks along columns, axis 1
 * the chunks along rows, and the other axes everything else. */
INLINED chunk_t find_group_chunk(move_ref move, count_t i) {
  positions_t at = {0};
  count_t rest = i;
  const index_t column = take_axis(move->axes[0], &rest, &at);
  const index_t row = take_axis(move->axes[1], &rest, &at);
  EACH_AXIS(k, 2, NEST_AXES, move->axis_count) {
    take_axis(move->axes[k], &rest, &at);
  }
  const chunk_t chunk = {.from = at.from,
                         .to = at.to,
                         .rows = part_of_axis(move->row, row),
                         .columns = part_of_axis(move->column, column)};
  return chunk;
}
#endif

#endif
