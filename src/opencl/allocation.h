/*
 * Memory that the library got for a tensor, and the queues whose commands use it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "device.h"

enum { CLRS__MOST_QUEUES = 16 };

typedef struct clrs__allocation {
  clrs_storage storage;
  uint64_t bytes;
  bool is_tracked;       /* are its queues known? */
  bool is_ordered;       /* does `home` run its commands one after the other? */
  cl_command_queue home; /* that it was made for, retained; or NULL */
  size_t other_count;
  cl_command_queue others[CLRS__MOST_QUEUES]; /* retained */
  size_t event_count; /* of idle memory: when all have ended, any queue may use it */
  cl_event events[1 + CLRS__MOST_QUEUES];
  struct clrs__allocation *next; /* of those that are to be destroyed; else NULL */
} clrs__allocation;

/* Makes the queue the home of one that has none. */
clrs_status clrs__allocation_enter(clrs__allocation *allocation, cl_command_queue queue,
                                   clrs_error *error);
/* Commands on another queue than home use it, too. */
clrs_status clrs__allocation_add_queue(clrs__allocation *allocation, cl_command_queue queue,
                                       clrs_error *error);
/* Enqueues a marker on each of its queues: the events end when all commands have ended that are on
 * the queues by now. If the driver refuses one the answer is false, and there are no events. */
bool clrs__allocation_mark(clrs__allocation *allocation);
/* Hands the memory to commands on a queue, which becomes its home: the queues and events of its
 * earlier users are forgotten. */
clrs_status clrs__allocation_move(clrs__allocation *allocation, cl_command_queue queue,
                                  clrs_error *error);

/* Leaves the memory alone. */
void clrs__allocation_free(clrs__allocation *allocation);
/* Releases the buffer too, which OpenCL keeps while commands use it. Under no lock: pool.h. */
void clrs__allocation_destroy(clrs__allocation *allocation);
/* The same for this one and all that are linked behind it; NULL is none. */
void clrs__allocation_destroy_all(clrs__allocation *first);
