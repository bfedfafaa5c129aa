/*
 * The protobuf wire format: tags, varints and lengths.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_wire.h"

#include "fail.h"

enum wire_type { WIRE_VARINT = 0, WIRE_64_BIT = 1, WIRE_LENGTH = 2, WIRE_32_BIT = 5 };

typedef struct reader {
  const uint8_t *begin, *next;
  size_t message_count;
  clrs_error *error;
} reader;

/* A message under examination: where it ends, and which of its fields were met, by index. */
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
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (in->next == end)
      return broken(in, "a number is cut off");
    uint8_t byte = *in->next++;
    if (shift == 63 && byte > 1)
      return broken(in, "a number does not fit in 64 bits");
    result |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) {
      *value = result;
      return CLRS_OK;
    }
  }
  return broken(in, "a number is longer than 10 bytes");
}

static clrs_status skip(reader *in, const uint8_t *end, uint64_t size) {
  if (size > (uint64_t)(end - in->next))
    return broken(in, "a field is longer than what is left of its message");
  in->next += size;
  return CLRS_OK;
}

static clrs_status check_message(reader *in, frame *message);

/* Repeating a field that holds one message would make protobuf-c merge them, in quadratic time. */
static clrs_status check_nested(reader *in, frame *outer, const ProtobufCFieldDescriptor *field,
                                uint64_t size) {
  uint64_t bit = (uint64_t)1 << (field - outer->type->fields);
  if (field->label != PROTOBUF_C_LABEL_REPEATED && (outer->seen & bit) != 0)
    return broken(in, "a field that holds one message occurs twice");
  outer->seen |= bit;
  if (size > (uint64_t)(outer->end - in->next))
    return broken(in, "a message is longer than the one around it");
  frame inner = {field->descriptor, in->next + size, outer->depth + 1, 0};
  return check_message(in, &inner);
}

static clrs_status check_field(reader *in, frame *message) {
  uint64_t key = 0, value = 0;
  CLRS_TRY(read_varint(in, message->end, &key));
  if (key >> 3 == 0 || key >> 3 > 0x1fffffff)
    return broken(in, "a field number is out of range");
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
  if (field != NULL && field->type == PROTOBUF_C_TYPE_MESSAGE)
    return check_nested(in, message, field, value);
  return skip(in, message->end, value);
}

static clrs_status check_message(reader *in, frame *message) {
  if (message->depth > ONNX_WIRE_MAX_DEPTH)
    return broken(in, "messages are nested more than 64 deep");
  if (++in->message_count > ONNX_WIRE_MAX_MESSAGES)
    return broken(in, "more than 2000000 messages in one file");
  while (in->next < message->end)
    CLRS_TRY(check_field(in, message));
  return CLRS_OK;
}

clrs_status onnx_wire_check(const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
                            size_t size, clrs_error *error) {
  if (size == 0)
    return CLRS_OK;
  reader in = {bytes, bytes, 0, error};
  frame message = {type, bytes + size, 1, 0};
  return check_message(&in, &message);
}
