/*
 * The tasks of a work as commands, for slots that begin at bytes of some alignment. In place of the
 * buffers of slots they have marks, until they are aimed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "batch_tables.h"
#include "slot.h"
#include "task_list.h"

/* Where a slot is. */
typedef struct clrs__aim {
  cl_mem root;  /* NULL: no task touches it */
  int64_t base; /* byte of the root where it begins, may lie before what tasks touch */
  clrs__phase phase;
  uint64_t begin, end; /* bytes that tasks touch */
} clrs__aim;

typedef struct clrs__recording {
  clrs__phase *phases; /* of each slot */
  clrs__commands commands;
  clrs__tables tables;
} clrs__recording;

/* For slots that begin as the aims do, of which the phases are read alone. The recording is zeros
 * at first, and to be destroyed after a failure, too. */
clrs_status clrs__recording_make(clrs_context *context, const clrs__task_list *list,
                                 const clrs__aim *aims, clrs__recording *recording,
                                 clrs_error *error);
void clrs__recording_destroy(clrs__recording *recording);

/* Runs a group of each command on memory of its own: warm_up.h. */
clrs_status clrs__recording_warm_up(const clrs__recording *recording, const clrs__task_list *list,
                                    clrs_error *error);

/* Puts the slots' buffers and starts into the commands. The phases are the recording's. */
void clrs__recording_aim(clrs__recording *recording, const clrs__aim *aims);
