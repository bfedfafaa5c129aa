/*
 * Memory that the library allocated for a tensor, and the queues whose commands use the memory.
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
  bool is_tracked;       /* the queues are known */
  bool is_ordered;       /* `home` runs commands one after the other */
  cl_command_queue home; /* queue that the memory was made for, retained, or NULL */
  clrs__queues others;
  /* Retained. Idle memory is free for any queue when all events have ended. The first `awaited`
   * events are events of the caller's and markers of forgotten queues. The other events are markers
   * of `home` and `others`, which idle memory has from clrs__allocation_mark on. */
  size_t event_count, event_room, awaited;
  cl_event *events;
  struct clrs__allocation *next; /* links allocations that are to be destroyed */
} clrs__allocation;

/* Makes the queue the home of memory that has no home. */
clrs_status clrs__allocation_enter(clrs__allocation *allocation, cl_command_queue queue,
                                   clrs_error *error);
/* Records that commands on a queue other than home use the memory, too. If there is no room for
 * another queue, each of the other queues gets a marker, and the marker is awaited in place of the
 * queue. The forgotten queues are put into *gone. Call clrs__queues_release for *gone under no
 * lock, because a driver may wait there. */
clrs_status clrs__allocation_add_queue(clrs__allocation *allocation, cl_command_queue queue,
                                       clrs__queues *gone, clrs_error *error);
void clrs__queues_release(clrs__queues *queues);
/* Records that the commands of these events use the memory, too. Events that have ended are not
 * kept. */
clrs_status clrs__allocation_await(clrs__allocation *allocation, cl_uint count,
                                   const cl_event *events, clrs_error *error);
/* Returns true if the first `count` events have ended without error. A failed marker says nothing
 * about the commands before the marker. */
bool clrs__allocation_reached(const clrs__allocation *allocation, size_t count);
/* Enqueues a marker on each queue of the memory. The events end when all commands that are on the
 * queues by now have ended. Returns false, and leaves no markers, if the driver refuses a
 * marker. */
bool clrs__allocation_mark(clrs__allocation *allocation);
/* Hands the memory to commands on a queue, which becomes the home. The queues and events of earlier
 * users are forgotten. */
clrs_status clrs__allocation_move(clrs__allocation *allocation, cl_command_queue queue,
                                  clrs_error *error);

/* Frees the record and leaves the memory alone. */
void clrs__allocation_free(clrs__allocation *allocation);
/* Releases the buffer, too. OpenCL keeps the buffer while commands use it. Call under no lock:
 * pool.h. */
void clrs__allocation_destroy(clrs__allocation *allocation);
/* Destroys this allocation and all allocations linked behind it. NULL is allowed. */
void clrs__allocation_destroy_all(clrs__allocation *first);
