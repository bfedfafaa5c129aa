/*
 * Drivers differ. quirks.c names each driver that the library treats differently, with its version,
 * and each driver's defect that users can meet.
 *
 * Some workarounds harm no driver. The library applies these to all drivers alike:
 *   PoCL 3.1      A command behind an event that has failed never ends. The library enqueues no
 *                 such command (device.c).
 *                 A kernel is compiled for its work-group at its first launch. A warm-up launches
 *                 the kernel (warm_up.c).
 *                 A sub-buffer may leave its root by wrapping around. The library compares the
 *                 bytes (device.c).
 *                 A blocking read succeeds after a failed event. The library waits for the event
 *                 (pattern_read.c).
 *   Intel 2026.22 (CPU)
 *                 A program is forgotten at its last release, even while a kernel of the program
 *                 exists. The library holds both (program.h).
 *                 A buffer in shared virtual memory names a parent that is no memory object. The
 *                 library takes the buffer as its own root (device.c).
 *                 The driver names a CPU by the brand alone and refuses a binary of another
 *                 instruction set. Two machines of one brand that share a folder would replace each
 *                 other's binaries, so a program's name includes what the processor can do
 *                 (processor.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "device.h"

typedef struct clrs__quirks {
  clrs_compile_path compile_path;
  cl_mem_flags buffer_flags; /* of buffers that nobody else makes */
  uint64_t processor; /* that binaries are for; 0 where they are not the host's machine code */
  bool loses_events;  /* events between a call's commands must be held: clrs__held_events */
  bool markers_wait_for_one; /* a marker that waits for several failed commands ends the process */
  bool never_inlines;        /* no kernel is made where certain functions are inlined */
  bool loses_static;         /* code of static functions reads what it must not */
  bool copies_words;   /* the compiler copies a struct among the arguments for every work-item */
  cl_uint most_queues; /* of one context at once; 0 for any number */
  size_t note_count;
  const char *notes[CLRS_MAX_DEVICE_NOTES]; /* static */
} clrs__quirks;

/* Of the device's driver. The environment's CLRS_COMPILE_PATH, native or portable, chooses that
 * path. */
clrs_status clrs__quirks_of(cl_device_id device, clrs__quirks *quirks, clrs_error *error);

/* Must a marker for several commands wait for the last of them only, and is that enough on this
 * queue? */
clrs_status clrs__quirks_mark_last_only(const clrs__quirks *quirks, cl_command_queue queue,
                                        bool *last_only, clrs_error *error);

/* PoCL 3.1 compiles a kernel anew for a dimension of 65536 or more. */
enum { CLRS__MOST_GRID_ROWS = 65535 };

/* Events between the commands of one call, held until their commands have ended. Nobody else needs
 * them, but PoCL before 4.0 aborts the process when a wait list fails that several commands wait
 * for and the event of one of them has been released. The caller holds the context's lock. */
typedef struct clrs__held_events {
  size_t first, count, capacity; /* events[first] is the oldest; count includes those before it */
  cl_event *events;
} clrs__held_events;

/* Takes over references. First the oldest events are released, up to the first event whose command
 * is pending. So the driver is asked about one event more than are released. An event without
 * memory to hold it is released at once. */
void clrs__held_events_add(clrs__held_events *held, size_t count, const cl_event *events);
void clrs__held_events_destroy(clrs__held_events *held);
