/*
 * Checks the wire format (tags, varints and lengths), and then calls protobuf-c with limited
 * memory. protobuf-c may allocate up to 100 bytes for 2 bytes of a message.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "message.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

/* ---- the wire format ---- */

enum wire_type { WIRE_VARINT = 0, WIRE_64_BIT = 1, WIRE_LENGTH = 2, WIRE_32_BIT = 5 };

typedef struct reader {
  const uint8_t *begin, *next;
  size_t message_count;
  clrs_error *error;
} reader;

/* A message that is being checked: the end, and a bit for the index of each field seen. */
typedef struct frame {
  const ProtobufCMessageDescriptor *type;
  const uint8_t *end;
  unsigned depth;
  uint64_t seen;
} frame;

static clrs_status broken(const reader *in, const char *what) {
  return clrs__fail(in->error, CLRS_INVALID_ARGUMENT, "broken protobuf at byte %zu: %s",
                    (size_t)(in->next - in->begin), what);
}

static clrs_status read_varint(reader *in, const uint8_t *end, uint64_t *value) {
  uint64_t result = 0;
  for (unsigned shift = 0;; shift += 7) { /* ten bytes at most: the tenth has one bit */
    if (in->next == end) {
      return broken(in, "a number is cut off");
    }
    uint8_t byte = *in->next++;
    if (shift == 63 && byte > 1) {
      return broken(in, "a number does not fit in 64 bits");
    }
    result |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) {
      *value = result;
      return CLRS_OK;
    }
  }
}

static clrs_status skip(reader *in, const uint8_t *end, uint64_t size) {
  if (size > (uint64_t)(end - in->next)) {
    return broken(in, "a field is longer than what is left of its message");
  }
  in->next += size;
  return CLRS_OK;
}

/* Refuses a NUL in a string. protobuf-c's strings end at the first NUL, so "w.bin", NUL, ".txt"
 * would name w.bin. */
static clrs_status check_string(const reader *in, const ProtobufCFieldDescriptor *field,
                                const frame *message, const uint8_t *text, size_t size) {
  const uint8_t *end = size > 0 ? memchr(text, '\0', size) : NULL;
  const bool is_read = strcmp(field->name, "doc_string") != 0;
  return end == NULL || !is_read
             ? CLRS_OK
             : clrs__fail(in->error, CLRS_INVALID_ARGUMENT,
                          "byte %zu is a NUL within a string, %s of %s, which would be cut there",
                          (size_t)(end - in->begin), field->name, message->type->short_name);
}

static clrs_status check_message(reader *in, frame *message);

/* Checks a nested message. If a field for one message were repeated, protobuf-c would merge the
 * messages in quadratic time. */
static clrs_status check_nested(reader *in, frame *outer, const ProtobufCFieldDescriptor *field,
                                uint64_t size) {
  uint64_t bit = (uint64_t)1 << (field - outer->type->fields);
  if (field->label != PROTOBUF_C_LABEL_REPEATED && (outer->seen & bit) != 0) {
    return broken(in, "a field that holds one message occurs twice");
  }
  outer->seen |= bit;
  if (size > (uint64_t)(outer->end - in->next)) {
    return broken(in, "a message is longer than the one around it");
  }
  frame inner = {field->descriptor, in->next + size, outer->depth + 1, 0};
  return check_message(in, &inner);
}

static clrs_status check_field(reader *in, frame *message) {
  uint64_t key = 0, value = 0;
  CLRS_TRY(read_varint(in, message->end, &key));
  if (key >> 3 == 0 || key >> 3 > 0x1fffffff) {
    return broken(in, "a field number is out of range");
  }
  switch (key & 7) {
  case WIRE_VARINT:
    return read_varint(in, message->end, &value);
  case WIRE_64_BIT:
    return skip(in, message->end, 8);
  case WIRE_32_BIT:
    return skip(in, message->end, 4);
  case WIRE_LENGTH:
    break;
  default:
    return broken(in, "a field has an unknown wire type");
  }
  CLRS_TRY(read_varint(in, message->end, &value));
  const ProtobufCFieldDescriptor *field =
      protobuf_c_message_descriptor_get_field(message->type, (unsigned)(key >> 3));
  if (field != NULL && field->type == PROTOBUF_C_TYPE_MESSAGE) {
    return check_nested(in, message, field, value);
  }
  const uint8_t *text = in->next;
  CLRS_TRY(skip(in, message->end, value));
  return field != NULL && field->type == PROTOBUF_C_TYPE_STRING
             ? check_string(in, field, message, text, (size_t)value)
             : CLRS_OK;
}

static clrs_status check_message(reader *in, frame *message) {
  if (message->depth > ONNX_WIRE_MAX_DEPTH) {
    return broken(in, "messages are nested more than 64 deep");
  }
  if (++in->message_count > ONNX_WIRE_MAX_MESSAGES) {
    return broken(in, "more than 2000000 messages in one file");
  }
  while (in->next < message->end) {
    CLRS_TRY(check_field(in, message));
  }
  return CLRS_OK;
}

clrs_status onnx_wire_check(const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
                            size_t size, clrs_error *error) {
  if (size == 0) {
    return CLRS_OK;
  }
  reader in = {bytes, bytes, 0, error};
  frame message = {type, bytes + size, 1, 0};
  return check_message(&in, &message);
}

/* ---- the message ---- */

typedef struct budget {
  size_t left;
  bool spent;
} budget;

static size_t memory_for(size_t size) {
  const size_t free_bytes = 1U << 20;
  const size_t over = size > free_bytes ? size - free_bytes : 0;
  return ONNX_MEMORY + over * ONNX_MEMORY_PER_BYTE;
}

/* Allocates memory and reduces the budget. Freed memory is not added back, because little is freed,
 * and a block does not know the block's size. */
static void *budget_take(void *data, size_t size) {
  budget *from = data;
  const size_t with_head = size + 16;
  if (with_head > from->left) {
    from->spent = true;
    return NULL;
  }
  from->left -= with_head;
  return malloc(size);
}

static void budget_free(void *data, void *block) {
  (void)data;
  free(block);
}

static clrs_status parse(const ProtobufCMessageDescriptor *type, const void *bytes, size_t size,
                         ProtobufCMessage **message, budget *memory, clrs_error *error) {
  const size_t allowed = memory->left;
  ProtobufCAllocator allocator = {budget_take, budget_free, memory};
  if (size > CLRS_ONNX_MOST_BYTES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "%zu bytes; a protobuf message has fewer than 2 GiB", size);
  }
  CLRS_TRY(onnx_wire_check(type, bytes, size, error));
  *message = protobuf_c_message_unpack(type, &allocator, size, bytes);
  if (*message == NULL && memory->spent) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "so many fields in %zu bytes would take more than %zu bytes of memory", size,
                      allowed);
  }
  if (*message == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a field has the wrong wire type or memory ran out");
  }
  return CLRS_OK;
}

clrs_status onnx_message_read(const ProtobufCMessageDescriptor *type, const void *bytes,
                              size_t size, ProtobufCMessage **message, size_t *left,
                              clrs_error *error) {
  budget memory = {memory_for(size), false};
  clrs_error inner;
  const clrs_status status = parse(type, bytes, size, message, &memory, &inner);
  if (status != CLRS_OK) {
    return clrs__fail(error, status, "not a %s: %s", type->short_name, inner.message);
  }
  if (left != NULL) {
    *left = memory.left + size; /* the caller frees `size` bytes next */
  }
  return CLRS_OK;
}
