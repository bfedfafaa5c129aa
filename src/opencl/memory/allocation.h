/*
 * Memory that the library got for a tensor, and the queues whose commands use it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "device.h"

enum { CLRS__MOST_QUEUES = 16 };

typedef struct clrs__queues {
  size_t count;
  cl_command_queue list[CLRS__MOST_QUEUES]; /* retained */
} clrs__queues;

typedef struct clrs__allocation {
  clrs_storage storage;
  uint64_t bytes;
  bool is_tracked;       /* are its queues known? */
  bool is_ordered;       /* does `home` run its commands one after the other? */
  cl_command_queue home; /* that it was made for, retained; or NULL */
  clrs__queues others;
  /* Retained. Idle memory is free for any queue when all have ended. The first `awaited` are events
   * of the caller's, and markers of queues that were forgotten. The rest are markers of home and
   * of the others, which idle memory has from clrs__allocation_mark on. */
  size_t event_count, event_room, awaited;
  cl_event *events;
  struct clrs__allocation *next; /* of those that are to be destroyed; else NULL */
} clrs__allocation;

/* Makes the queue the home of one that has none. */
clrs_status clrs__allocation_enter(clrs__allocation *allocation, cl_command_queue queue,
                                   clrs_error *error);
/* Commands on another queue than home use it, too. Where there is no room for one more queue, each
 * of the others gets a marker, which is awaited in the place of the queue. The forgotten queues are
 * put into *gone: clrs__queues_release under no lock, as a driver may wait there. */
clrs_status clrs__allocation_add_queue(clrs__allocation *allocation, cl_command_queue queue,
                                       clrs__queues *gone, clrs_error *error);
void clrs__queues_release(clrs__queues *queues);
/* The commands of these events use it, too. Events that have ended are not kept. */
clrs_status clrs__allocation_await(clrs__allocation *allocation, cl_uint count,
                                   const cl_event *events, clrs_error *error);
/* Have the first `count` of its events ended well? A marker that failed says nothing of the
 * commands before it. */
bool clrs__allocation_reached(const clrs__allocation *allocation, size_t count);
/* Enqueues a marker on each of its queues: the events end when all commands have ended that are on
 * the queues by now. If the driver refuses a marker the answer is false, and there are none. */
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
