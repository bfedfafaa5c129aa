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
 *   PoCL 3.1 to 7.1
 *                 A function that is not inlined reads other local memory than its kernel. The
 *                 kernels' functions with local memory are always inlined (words.cl).
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
  cl_mem_flags buffer_flags; /* for buffers of the library's own */
  uint64_t processor; /* checksum for binaries. 0 if binaries are not the host's machine code */
  bool loses_events;  /* events between a call's commands must be held: clrs__held_events */
  bool markers_wait_for_one; /* a marker that waits for several failed commands ends the process */
  bool never_inlines;        /* building a kernel fails if certain functions are inlined */
  bool loses_static;         /* code of static functions reads wrong memory */
  bool lacks_keywords;       /* the compiler knows __kernel and __global, not kernel and global */
  bool keeps_excess;         /* floats and doubles are computed in x87 registers */
  bool copies_words;   /* the compiler copies a struct among the arguments for every work-item */
  bool inlines_first;  /* the compiler inlines what must be inlined before it simplifies */
  bool tests_kernels;  /* each kernel is tried at first use: self_test.h */
  cl_uint most_queues; /* queues of one context in use at once. 0 for no limit */
  size_t note_count;
  const char *notes[CLRS_MAX_DEVICE_NOTES]; /* static */
} clrs__quirks;

/* Finds the quirks of the device's driver. The environment variable CLRS_COMPILE_PATH, native or
 * portable, overrides the compile path. CLRS_SELF_TEST, 0 or 1, overrides tests_kernels, which is
 * true for devices that are no CPU if the test matrix has not run the driver. */
clrs_status clrs__quirks_of(cl_device_id device, clrs__quirks *quirks, clrs_error *error);

/* Sets *last_only if a marker for several commands must wait only for the last command. On a queue
 * without order that is not enough, and *last_only stays false. */
clrs_status clrs__quirks_mark_last_only(const clrs__quirks *quirks, cl_command_queue queue,
                                        bool *last_only, clrs_error *error);

/* PoCL 3.1 compiles a kernel anew for a dimension of 65536 or more. */
enum { CLRS__MOST_GRID_ROWS = 65535 };

/* Events between the commands of one call, held until the commands have ended. Only PoCL before 4.0
 * needs them. PoCL aborts the process if a failing wait list is shared by several commands and an
 * event of the list has been released. The caller holds the context's lock. */
typedef struct clrs__held_events {
  size_t first, count, capacity; /* the oldest is events[first] */
  cl_event *events;
} clrs__held_events;

/* Takes over references. First releases the oldest events, up to the first event whose command is
 * pending, so the driver is asked about one event more than are released. An event is released at
 * once if there is no memory to hold the event. */
void clrs__held_events_add(clrs__held_events *held, size_t count, const cl_event *events);
void clrs__held_events_destroy(clrs__held_events *held);
