/*
 * Drivers differ. What this library does otherwise for one of them, and which of their defects its
 * users meet, stands in quirks.c with the driver and its version.
 *
 * Where one driver needs it, and it harms none, all drivers are treated alike:
 *   PoCL 3.1      a command behind an event that has failed already never ends, so none is enqueued
 *                 (device.c); a kernel is compiled for its work-group when it is first launched, so
 *                 a warm-up launches it (warm_up.c); a sub-buffer may leave its root by wrapping
 *                 around, so its bytes are compared (device.c); a blocking read succeeds though
 *                 what it waits for has failed, so an event is waited for (pattern_read.c)
 *   Intel 2026.22 (CPU) forgets a program at its last release, whatever kernel it has, so both are
 *                 held (program.h); a buffer in shared virtual memory names a parent that is no
 *                 memory object, so the buffer is its own root (device.c); it names a CPU after its
 *                 brand only, so programs also say what the processor can do (processor.h): the
 *                 runtime refuses a binary of another instruction set, but machines of one brand
 *                 that share a folder would replace each other's
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
