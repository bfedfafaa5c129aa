/*
 * Sequences. The tasks are recorded for slots that begin at multiples of 16 bytes, and once more
 * for every other way in which slots begin: a unit of 16 bytes cannot be moved from byte 4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/sequence.h"

#include <inttypes.h>
#include <stdlib.h>

#include "checked.h"
#include "recording.h"
#include "slot_overlap.h"
#include "tensor_check.h"

enum { MOST_RECORDINGS = 32 };

struct clrs_sequence {
  atomic_size_t references;
  clrs_context *context; /* retained */
  clrs__task_list list;
  size_t launches;
  pthread_mutex_t lock; /* guards what follows */
  clrs__aim *aims;      /* of each slot */
  uint32_t *order;      /* the slots by root and first byte, as they were last */
  size_t recording_count, oldest;
  clrs__recording recordings[MOST_RECORDINGS];
};

/* ---- recordings ---- */

/* In place of the oldest, where there is no room. */
static void keep_recording(clrs_sequence *sequence, const clrs__recording *made,
                           clrs__recording **kept) {
  clrs__recording *at = &sequence->recordings[sequence->recording_count];
  if (sequence->recording_count == MOST_RECORDINGS) {
    at = &sequence->recordings[sequence->oldest];
    sequence->oldest = (sequence->oldest + 1) % MOST_RECORDINGS;
    clrs__recording_destroy(at);
  } else {
    sequence->recording_count++;
  }
  *at = *made;
  *kept = at;
}

static clrs_status record(clrs_sequence *sequence, clrs__recording **kept, clrs_error *error) {
  clrs__recording made = {0};
  const clrs_status status =
      clrs__recording_make(sequence->context, &sequence->list, sequence->aims, &made, error);
  if (status != CLRS_OK) {
    clrs__recording_destroy(&made);
    return status;
  }
  keep_recording(sequence, &made, kept);
  return CLRS_OK;
}

static bool has_phases(const clrs__recording *recording, const clrs_sequence *sequence) {
  bool has = true;
  for (uint32_t i = 0; i < sequence->list.slot_count && has; i++) {
    const clrs__phase phase = sequence->aims[i].phase;
    has = recording->phases[i].element == phase.element &&
          recording->phases[i].alignment == phase.alignment;
  }
  return has;
}

/* The one for the phases of the sequence's aims. */
static clrs_status find_recording(clrs_sequence *sequence, clrs__recording **found,
                                  clrs_error *error) {
  for (size_t i = 0; i < sequence->recording_count; i++) {
    if (has_phases(&sequence->recordings[i], sequence)) {
      *found = &sequence->recordings[i];
      return CLRS_OK;
    }
  }
  return record(sequence, found, error);
}

/* ---- life ---- */

static clrs_status start(clrs_sequence *made, clrs_error *error) {
  clrs__recording *recording;
  const size_t room = made->list.slot_count + 1u;
  made->aims = calloc(room, sizeof *made->aims);
  CLRS_TRY_MEMORY(made->aims, error, "no memory for a sequence");
  made->order = calloc(room, sizeof *made->order);
  CLRS_TRY_MEMORY(made->order, error, "no memory for a sequence");
  for (uint32_t i = 0; i < made->list.slot_count; i++) {
    made->order[i] = i;
    made->aims[i].phase.alignment = CLRS__WIDEST_PHASE;
  }
  CLRS_TRY(record(made, &recording, error));
  made->launches = recording->commands.count;
  return CLRS_OK;
}

static void destroy(clrs_sequence *sequence) {
  for (size_t i = 0; i < sequence->recording_count; i++) {
    clrs__recording_destroy(&sequence->recordings[i]);
  }
  clrs__task_list_destroy(&sequence->list);
  free(sequence->aims);
  free(sequence->order);
  pthread_mutex_destroy(&sequence->lock);
  clrs_context_release(sequence->context);
  free(sequence);
}

static clrs_status allocate(clrs_context *context, clrs_sequence **sequence, clrs_error *error) {
  clrs_sequence *made = calloc(1, sizeof *made);
  CLRS_TRY_MEMORY(made, error, "no memory for a sequence");
  if (pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a lock");
  }
  atomic_init(&made->references, 1);
  clrs_context_retain(context);
  made->context = context;
  *sequence = made;
  return CLRS_OK;
}

clrs_status clrs_sequence_create(clrs_context *context, const clrs_tasks *tasks,
                                 clrs_sequence **sequence, clrs_error *error) {
  clrs_sequence *made = NULL;
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(tasks, "tasks", error));
  CLRS_TRY(clrs__require(sequence, "sequence", error));
  CLRS_TRY(allocate(context, &made, error));
  clrs_status status = clrs__task_list_make(tasks, &made->list, error);
  if (status == CLRS_OK) {
    status = start(made, error);
  }
  if (status != CLRS_OK) {
    destroy(made);
    return status;
  }
  *sequence = made;
  return CLRS_OK;
}

void clrs_sequence_retain(clrs_sequence *sequence) {
  if (sequence != NULL) {
    atomic_fetch_add(&sequence->references, 1);
  }
}

void clrs_sequence_release(clrs_sequence *sequence) {
  if (sequence != NULL && atomic_fetch_sub(&sequence->references, 1) == 1) {
    destroy(sequence);
  }
}

size_t clrs_sequence_launches(const clrs_sequence *sequence) {
  return sequence != NULL ? sequence->launches : 0;
}

/* ---- where the slots are ---- */

/* A slot's buffer, of which it has the bytes from begin to end, and the byte of the root where the
 * slot begins but for its advance. */
typedef struct found_slot {
  uint32_t number;
  const char *what; /* has these bytes */
  clrs__buffer buffer;
  uint64_t byte;
  int64_t advance;
} found_slot;

static clrs_status fail_outside(const found_slot *found, clrs_error *error) {
  return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                    "with its offset and advance the elements of slot %u leave its %s of "
                    "%" PRIu64 " bytes",
                    found->number, found->what, found->buffer.end - found->buffer.begin);
}

/* Bits from the start of the root: where the slot begins, and what tasks touch of it. */
typedef struct bit_places {
  int64_t slot, begin, end;
} bit_places;

static bool find_bits(const clrs__slot_use *use, const found_slot *found, bit_places *bits) {
  const int64_t width = use->bits;
  return found->byte <= INT64_MAX && clrs__multiply((int64_t)found->byte, 8, &bits->slot) &&
         clrs__multiply_add(bits->slot, found->advance, width, &bits->slot) &&
         clrs__multiply_add(bits->slot, use->bounds.lowest, width, &bits->begin) &&
         clrs__multiply_add(bits->slot, use->bounds.highest, width, &bits->end) &&
         clrs__add(bits->end, width, &bits->end);
}

static uint8_t alignment_of(int64_t base, uint32_t of_root) {
  const uint64_t lowest = clrs__lowest_bit((uint64_t)base | of_root | CLRS__WIDEST_PHASE);
  return (uint8_t)lowest;
}

static clrs_status aim_slot(const clrs__slot_use *use, const found_slot *found, clrs__aim *aim,
                            clrs_error *error) {
  const clrs__buffer *buffer = &found->buffer;
  bit_places bits;
  if (!find_bits(use, found, &bits) || bits.begin < 0) {
    return fail_outside(found, error);
  }
  const int64_t phase = ((bits.slot % 8) + 8) % 8;
  aim->root = buffer->root;
  aim->base = (bits.slot - phase) / 8;
  aim->begin = (uint64_t)bits.begin / 8;
  aim->end = ((uint64_t)bits.end + 7) / 8;
  if (aim->begin < buffer->begin || aim->end > buffer->end) {
    return fail_outside(found, error);
  }
  aim->phase.element = (uint8_t)(phase / use->bits);
  aim->phase.alignment = alignment_of(aim->base, buffer->alignment);
  return CLRS_OK;
}

static clrs_status check_access(const clrs__slot_use *use, const found_slot *found,
                                clrs_error *error) {
  if (use->is_written && !found->buffer.writable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the buffer of slot %u is %s; a kernel may not write it", found->number,
                      clrs__read_only_text(&found->buffer));
  }
  if (use->is_read && !found->buffer.readable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the buffer of slot %u is CL_MEM_WRITE_ONLY; a kernel may not read it",
                      found->number);
  }
  return CLRS_OK;
}

/* The bytes that the tensor's elements have: behind them there may be another tensor's. */
static clrs_status find_tensor(const clrs_sequence *sequence, const clrs_slot *given,
                               found_slot *found, clrs_error *error) {
  clrs_byte_range bytes;
  if (given->storage.buffer != NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "slot %u has both a storage and a tensor; one of them says where it is",
                      found->number);
  }
  if (given->bytes != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "slot %u has a tensor and %" PRIu64
                      " bytes; its bytes are those of the tensor",
                      found->number, given->bytes);
  }
  CLRS_TRY(clrs__tensor_check_stored(given->tensor, sequence->context, "slot's", error));
  CLRS_TRY(clrs_tensor_bytes(given->tensor, &bytes, error));
  found->what = "tensor";
  found->buffer = *clrs__tensor_buffer(given->tensor);
  found->buffer.begin = bytes.offset;
  found->buffer.end = bytes.offset + bytes.size;
  found->byte = clrs_tensor_storage(given->tensor).byte_offset;
  return CLRS_OK;
}

/* So many of the buffer's bytes are the slot's, from where its storage begins. */
static clrs_status take_bytes(uint64_t bytes, found_slot *found, clrs_error *error) {
  const uint64_t end = found->buffer.end;
  if (found->byte > end || bytes > end - found->byte) {
    return clrs__fail(
        error, CLRS_OUT_OF_BOUNDS,
        "slot %u has %" PRIu64 " bytes from byte %" PRIu64 " on; its buffer ends at byte %" PRIu64,
        found->number, bytes, found->byte - found->buffer.begin, end - found->buffer.begin);
  }
  found->what = "storage";
  found->buffer.begin = found->byte;
  found->buffer.end = found->byte + bytes;
  return CLRS_OK;
}

static clrs_status find_storage(const clrs_sequence *sequence, const clrs_slot *given,
                                found_slot *found, clrs_error *error) {
  const clrs_storage *storage = &given->storage;
  CLRS_TRY(clrs__buffer_query(clrs__context_opencl(sequence->context), storage->buffer,
                              &found->buffer, error));
  found->byte = found->buffer.begin + storage->byte_offset;
  if (found->byte < storage->byte_offset) {
    return fail_outside(found, error);
  }
  return given->bytes != 0 ? take_bytes(given->bytes, found, error) : CLRS_OK;
}

static clrs_status find_slot(const clrs_sequence *sequence, const clrs_slot *given,
                             found_slot *found, clrs_error *error) {
  if (given->tensor != NULL) {
    CLRS_TRY(find_tensor(sequence, given, found, error));
  } else if (given->storage.buffer != NULL) {
    CLRS_TRY(find_storage(sequence, given, found, error));
  }
  return found->buffer.root != NULL ? CLRS_OK
                                    : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                                 "the buffer of slot %u is NULL", found->number);
}

static clrs_status find_aim(const clrs_sequence *sequence, const clrs_slot *given, uint32_t slot,
                            clrs__aim *aim, clrs_error *error) {
  const clrs__slot_use *use = &sequence->list.slots[slot];
  found_slot found = {.number = slot, .what = "buffer", .advance = given->advance};
  CLRS_TRY(find_slot(sequence, given, &found, error));
  CLRS_TRY(check_access(use, &found, error));
  return aim_slot(use, &found, aim, error);
}

static clrs_status find_slots(clrs_sequence *sequence, const clrs_slot *slots, clrs_error *error) {
  for (uint32_t i = 0; i < sequence->list.slot_count; i++) {
    clrs__aim *aim = &sequence->aims[i];
    *aim = (clrs__aim){.phase = {0, CLRS__WIDEST_PHASE}};
    if (!sequence->list.slots[i].bounds.empty) {
      CLRS_TRY(find_aim(sequence, &slots[i], i, aim, error));
    }
  }
  return CLRS_OK;
}

/* ---- enqueuing ---- */

static clrs_status use_tensors(const clrs_sequence *sequence, const clrs_slot *slots,
                               cl_command_queue queue, clrs_error *error) {
  for (uint32_t i = 0; i < sequence->list.slot_count; i++) {
    if (sequence->aims[i].root != NULL && slots[i].tensor != NULL) {
      CLRS_TRY(clrs__tensor_use(slots[i].tensor, queue, error));
    }
  }
  return CLRS_OK;
}

static clrs_status enqueue_aimed(clrs_sequence *sequence, const clrs_slot *slots,
                                 const clrs__tail *tail, clrs_error *error) {
  clrs__recording *recording = NULL;
  CLRS_TRY(find_slots(sequence, slots, error));
  CLRS_TRY(clrs__slots_check_apart(&sequence->list, sequence->aims, sequence->order, error));
  CLRS_TRY(use_tensors(sequence, slots, tail->queue, error));
  CLRS_TRY(find_recording(sequence, &recording, error));
  clrs__recording_aim(recording, &sequence->list, sequence->aims);
  return clrs__commands_enqueue(&recording->commands, tail, error);
}

clrs_status clrs_enqueue_sequence(clrs_sequence *sequence, const clrs_slot *slots,
                                  const clrs_on *on, cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(clrs__require(sequence, "sequence", error));
  CLRS_TRY(clrs__tail_check(sequence->context, &tail, error));
  if (sequence->list.slot_count > 0) {
    CLRS_TRY(clrs__require(slots, "slots", error));
  }
  pthread_mutex_lock(&sequence->lock);
  const clrs_status status = enqueue_aimed(sequence, slots, &tail, error);
  pthread_mutex_unlock(&sequence->lock);
  return status;
}

/* The first recording is for slots that begin at a multiple of 16 bytes. */
clrs_status clrs_sequence_warm_up(clrs_sequence *sequence, clrs_error *error) {
  CLRS_TRY(clrs__require(sequence, "sequence", error));
  pthread_mutex_lock(&sequence->lock);
  const clrs_status status =
      clrs__recording_warm_up(&sequence->recordings[0], &sequence->list, error);
  pthread_mutex_unlock(&sequence->lock);
  return status;
}
