/*
 * Where reads into the host's memory land. A driver that cannot wait for a read may still carry it
 * out, so its place is free again only when the read is known to have ended. The caller holds the
 * context's lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "device.h"

enum { CLRS__READ_SLOTS = 256, CLRS__READ_BYTES = CLRS_MAX_RANK * sizeof(int64_t) };

typedef struct clrs__read_slot {
  unsigned char bytes[CLRS__READ_BYTES];
  bool is_taken;
  cl_event lost; /* the read, if its end was not seen */
} clrs__read_slot;

/* All zeros at first. */
typedef struct clrs__read_slots {
  size_t next;       /* in turn: a slot comes again after all the others */
  size_t lost_count; /* of slots with a lost read */
  clrs__read_slot slots[CLRS__READ_SLOTS];
} clrs__read_slots;

/* NULL if all are taken. */
clrs__read_slot *clrs__read_slots_take(clrs__read_slots *slots);
/* With the event of a read whose end was not seen, whose reference it takes over, or NULL. */
void clrs__read_slots_give_back(clrs__read_slots *slots, clrs__read_slot *slot, cl_event lost);

/* Forgets all reads. False if one of them may still write its slot. */
bool clrs__read_slots_end(clrs__read_slots *slots);
