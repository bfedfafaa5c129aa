/*
 * The tasks of a sequence as commands, for slots that begin at bytes of some alignment. In place of
 * buffers they have the addresses of the list's slots, until they are aimed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "batch_tables.h"
#include "task_list.h"

/* How a slot begins: at an element within a byte, which is not 0 for packed types alone, and at a
 * byte of this alignment. */
typedef struct clrs__phase {
  uint8_t element, alignment;
} clrs__phase;

/* The view from the slot's byte on, by as many elements as the slot begins behind that byte: they
 * are less than a byte. */
void clrs__phase_shift(clrs__phase phase, clrs_view *view);

enum { CLRS__WIDEST_PHASE = CLRS_VECTOR_BYTES }; /* no plan makes more of an alignment */

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
 * at first; to be destroyed after a failure, too. */
clrs_status clrs__recording_make(clrs_context *context, const clrs__task_list *list,
                                 const clrs__aim *aims, clrs__recording *recording,
                                 clrs_error *error);
void clrs__recording_destroy(clrs__recording *recording);

/* Runs a group of each command on memory of its own: warm_up.h. */
clrs_status clrs__recording_warm_up(const clrs__recording *recording, const clrs__task_list *list,
                                    clrs_error *error);

/* Puts the slots' buffers and starts into the commands. The phases are the recording's. */
void clrs__recording_aim(clrs__recording *recording, const clrs__task_list *list,
                         const clrs__aim *aims);
