/*
 * Functions for a running kernel, and the watchers of a kernel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MICROSCOPE_RUN_H
#define CLRS_MICROSCOPE_RUN_H

#include "objects.h"

typedef struct work_item {
  size_t global[3], local[3], group[3];
  const work_range *range;
} work_item;

extern _Thread_local work_item microscope_item;

/* The running item waits for the group. */
void microscope_barrier(void);

/* From now on every launch runs only these groups, in this order, or all groups if `groups` is
 * NULL. Group numbers are taken modulo the number of groups. SIZE_MAX is the last group, SIZE_MAX -
 * 1 the group before, and so on. For launches of more work than anyone can wait for. A test finds
 * this function with dlsym. */
__attribute__((visibility("default"))) void clrs_microscope_choose(size_t count,
                                                                   const size_t *groups);

/* Watches the buffers of a launch: no byte may be written by two work-items. Returns NULL unless
 * CLRS_MICROSCOPE_RACES=1. The other functions accept NULL, and then just run. */
typedef struct race_watch race_watch;
race_watch *races_start(const struct _cl_kernel *kernel, size_t items);
void races_run(race_watch *watch, size_t item, void (*run)(void *), void *what);
void races_end(race_watch *watch);

#endif
