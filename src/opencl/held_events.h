/*
 * Events between the commands of one call, held until their commands have ended. Nobody else needs
 * them, but PoCL 3 aborts the process when a wait list fails that several commands wait for and the
 * event of one of them has been released. The caller holds the context's lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_HELD_EVENTS_H
#define CLRS_RUNTIME_HELD_EVENTS_H

#include "device.h"

typedef struct clrs__held_events {
  size_t count, capacity;
  cl_event *events;
} clrs__held_events;

/* Takes over a reference; releases it at once if there is no memory to hold it. */
void clrs__held_events_add(clrs__held_events *held, cl_event event);

/* Releases those whose commands have ended, well or badly. */
void clrs__held_events_sweep(clrs__held_events *held);

/* Releases all. */
void clrs__held_events_destroy(clrs__held_events *held);

#endif
