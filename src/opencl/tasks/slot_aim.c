/* SPDX-License-Identifier: Apache-2.0 */
#include "slot_aim.h"

#include <inttypes.h>

#include "checked.h"
#include "dtype.h"
#include "tensor_check.h"

/* A slot's buffer, with the slot's bytes in `begin` and `end`, and the byte of the root where the
 * slot begins before the advance. */
typedef struct found_slot {
  uint32_t number;
  const char *what; /* the owner of these bytes, for messages */
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

/* Bit positions from the start of the root: the beginning of the slot, and the range that tasks
 * touch. */
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

static uint32_t alignment_of(int64_t base, uint32_t of_root) {
  const uint32_t lowest = (uint32_t)clrs__lowest_bit((uint64_t)base | of_root | CLRS__WIDEST_PHASE);
  const bool adds = lowest < CLRS__WIDEST_PHASE && of_root >= CLRS__WIDEST_PHASE;
  return adds ? lowest | CLRS__ROOT_ALIGNED : lowest;
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

/* Limits the slot to the bytes of the tensor's elements, because the bytes behind may belong to
 * another tensor. */
static clrs_status find_tensor(const clrs_context *context, const clrs_slot *given,
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
  CLRS_TRY(clrs__tensor_check_stored(given->tensor, context, "slot's", error));
  CLRS_TRY(clrs_tensor_bytes(given->tensor, &bytes, error));
  found->what = "tensor";
  found->buffer = given->tensor->common->buffer;
  found->buffer.begin = bytes.offset;
  found->buffer.end = bytes.offset + bytes.size;
  found->byte = clrs_tensor_storage(given->tensor).byte_offset;
  return CLRS_OK;
}

/* Limits the slot to `bytes` bytes of the buffer, from the beginning of the slot's storage. */
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

static clrs_status find_storage(const clrs_context *context, const clrs_slot *given,
                                found_slot *found, clrs_error *error) {
  const clrs_storage *storage = &given->storage;
  CLRS_TRY(clrs__buffer_query(context->opencl, storage->buffer, &found->buffer, error));
  found->byte = found->buffer.begin + storage->byte_offset;
  if (found->byte < storage->byte_offset) {
    return fail_outside(found, error);
  }
  return given->bytes != 0 ? take_bytes(given->bytes, found, error) : CLRS_OK;
}

static clrs_status find_slot(const clrs_context *context, const clrs_slot *given, found_slot *found,
                             clrs_error *error) {
  if (given->tensor != NULL) {
    CLRS_TRY(find_tensor(context, given, found, error));
  } else if (given->storage.buffer != NULL) {
    CLRS_TRY(find_storage(context, given, found, error));
  }
  return found->buffer.root != NULL ? CLRS_OK
                                    : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                                 "the buffer of slot %u is NULL", found->number);
}

clrs_status clrs__slot_aim(const clrs_context *context, const clrs__slot_use *use, uint32_t slot,
                           const clrs_slot *given, clrs__aim *aim, clrs_error *error) {
  found_slot found = {.number = slot, .what = "buffer", .advance = given->advance};
  CLRS_TRY(find_slot(context, given, &found, error));
  CLRS_TRY(check_access(use, &found, error));
  return aim_slot(use, &found, aim, error);
}
