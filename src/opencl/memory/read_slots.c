/* SPDX-License-Identifier: Apache-2.0 */
#include "read_slots.h"

static bool has_ended(cl_event read) {
  cl_int status = CL_QUEUED;
  return clGetEventInfo(read, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) ==
             CL_SUCCESS &&
         status <= CL_COMPLETE;
}

static void find(clrs__read_slots *slots, clrs__read_slot *slot) {
  clReleaseEvent(slot->lost);
  slots->lost_count--;
  slot->lost = NULL;
  slot->is_taken = false;
}

/* Frees the slots of lost reads that have ended in the meantime. */
static void search(clrs__read_slots *slots) {
  for (size_t i = 0; slots->lost_count > 0 && i < CLRS__READ_SLOTS; i++) {
    clrs__read_slot *slot = &slots->slots[i];
    if (slot->lost != NULL && has_ended(slot->lost)) {
      find(slots, slot);
    }
  }
}

clrs__read_slot *clrs__read_slots_take(clrs__read_slots *slots) {
  search(slots);
  for (size_t tries = 0; tries < CLRS__READ_SLOTS; tries++) {
    clrs__read_slot *slot = &slots->slots[slots->next];
    slots->next = (slots->next + 1) % CLRS__READ_SLOTS;
    if (!slot->is_taken) {
      slot->is_taken = true;
      return slot;
    }
  }
  return NULL;
}

void clrs__read_slots_give_back(clrs__read_slots *slots, clrs__read_slot *slot, cl_event lost) {
  slot->lost = lost;
  slot->is_taken = lost != NULL;
  slots->lost_count += lost != NULL;
}

bool clrs__read_slots_end(clrs__read_slots *slots) {
  search(slots);
  const bool ended = slots->lost_count == 0;
  for (size_t i = 0; i < CLRS__READ_SLOTS; i++) {
    if (slots->slots[i].lost != NULL) {
      find(slots, &slots->slots[i]);
    }
  }
  return ended;
}
