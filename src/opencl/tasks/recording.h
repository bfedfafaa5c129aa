/*
 * The tasks of a work as commands, for slots that begin at bytes of certain alignments. Marks stand
 * for the slots' buffers until the commands are aimed at real buffers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "batch_tables.h"
#include "slot.h"
#include "task_list.h"

/* The place of a slot. */
typedef struct clrs__aim {
  cl_mem root;  /* NULL if no task touches the slot */
  int64_t base; /* first byte of the slot in the root; may lie before the bytes that tasks touch */
  clrs__phase phase;
  uint64_t begin, end; /* bytes that tasks touch */
} clrs__aim;

typedef struct clrs__recording {
  clrs__phase *phases; /* one for each slot */
  clrs__commands commands;
  clrs__tables tables;
} clrs__recording;

/* Makes the commands for slots with the phases of these aims. Nothing else of the aims is read. The
 * recording starts as zeros and must be destroyed also after a failure. */
clrs_status clrs__recording_make(clrs_context *context, const clrs__task_list *list,
                                 const clrs__aim *aims, clrs__recording *recording,
                                 clrs_error *error);
void clrs__recording_destroy(clrs__recording *recording);

/* Runs one work-group of each command on temporary memory: warm_up.h. */
clrs_status clrs__recording_warm_up(const clrs__recording *recording, const clrs__task_list *list,
                                    clrs_error *error);

/* Sets the slots' buffers and starts in the commands. The aims must have the phases of the
 * recording. */
void clrs__recording_aim(clrs__recording *recording, const clrs__aim *aims);
