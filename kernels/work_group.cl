/*
 * What the kernels for GPUs share: a work-group moves a chunk of rows and columns.
 * Every work-item moves several units of it and loads them all before it stores the first, so that
 * many reads are under way at once; neighbouring work-items read, and write, neighbouring units.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_WORK_GROUP_CL
#define CLRS_WORK_GROUP_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#define GROUP_ITEMS CLRS_GROUP_ITEMS
#define WHOLE_GROUP __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))

/* This group's place among all of its move, and how many there are: one group may have to move many
 * chunks. */
#if BATCHED
inline count_t first_group(void) {
  return (count_t)get_group_id(0);
}

inline count_t group_step(void) {
  return (count_t)get_num_groups(0);
}
#else
inline count_t first_group(void) {
  return (count_t)get_group_id(1) * (count_t)get_num_groups(0) + (count_t)get_group_id(0);
}

inline count_t group_step(void) {
  return (count_t)get_num_groups(0) * (count_t)get_num_groups(1);
}
#endif

#endif
