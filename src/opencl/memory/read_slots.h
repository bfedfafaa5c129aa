/*
 * Places in host memory for reads. A driver that fails to wait for a read may still write the data
 * later. A place is therefore free again only after the read is known to have ended. The caller
 * holds the context's lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "device.h"

enum { CLRS__READ_SLOTS = 256, CLRS__READ_BYTES = CLRS_MAX_RANK * sizeof(int64_t) };

typedef struct clrs__read_slot {
  unsigned char bytes[CLRS__READ_BYTES];
  bool is_taken;
  cl_event lost; /* the read whose end was not seen, or NULL */
} clrs__read_slot;

/* Starts as all zeros. */
typedef struct clrs__read_slots {
  size_t next;       /* slots are taken in turn */
  size_t lost_count; /* slots with a lost read */
  clrs__read_slot slots[CLRS__READ_SLOTS];
} clrs__read_slots;

/* Returns NULL if all slots are taken. */
clrs__read_slot *clrs__read_slots_take(clrs__read_slots *slots);
/* Gives a slot back. `lost` is the event of a read whose end was not seen, or NULL. Takes over the
 * reference to the event. */
void clrs__read_slots_give_back(clrs__read_slots *slots, clrs__read_slot *slot, cl_event lost);

/* Forgets all reads. Returns false if a read may still write its slot. */
bool clrs__read_slots_end(clrs__read_slots *slots);
