/*
 * The wire check of protobuf messages: rules byte by byte, nesting, and the number of messages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "onnx/message.h"
#include "onnx/model.h"

typedef struct wire_row {
  const char *name;
  clrs_status status;
  const char *text; /* of the error */
  uint8_t bytes[16];
  size_t size;
} wire_row;

/* As a TensorProto: 1 dims, 2 data_type, 3 segment (a message), 8 name, 9 raw_data, 12 doc_string.
 */
static const wire_row wire_rows[] = {
    {"nothing", CLRS_OK, "", {0}, 0},
    {"a number", CLRS_OK, "", {0x10, 0x01}, 2},
    {"an unknown field", CLRS_OK, "", {0xf8, 0x07, 0x01}, 3},
    {"bytes", CLRS_OK, "", {0x4a, 0x02, 0xff, 0xff}, 4},
    {"a number of 10 bytes",
     CLRS_OK,
     "",
     {0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
     11},
    {"64 and 32 bits", CLRS_OK, "", {0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7d, 1, 2, 3, 4}, 14},
    {"a message", CLRS_OK, "", {0x1a, 0x02, 0x08, 0x05}, 4},
    {"tag cut off", CLRS_INVALID_ARGUMENT, "byte 1: a number is cut off", {0x90}, 1},
    {"number cut off", CLRS_INVALID_ARGUMENT, "byte 2: a number is cut off", {0x10, 0x80}, 2},
    {"number over 64 bits",
     CLRS_INVALID_ARGUMENT,
     "64 bits",
     {0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
     11},
    {"number over 10 bytes",
     CLRS_INVALID_ARGUMENT,
     "64 bits",
     {0x10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
     12},
    {"field 0", CLRS_INVALID_ARGUMENT, "field number", {0x00, 0x01}, 2},
    {"a group", CLRS_INVALID_ARGUMENT, "wire type", {0x13, 0x14}, 2},
    {"64 bits cut off", CLRS_INVALID_ARGUMENT, "longer than", {0x79, 1, 2, 3}, 4},
    {"bytes cut off", CLRS_INVALID_ARGUMENT, "longer than", {0x4a, 0x03, 1, 2}, 4},
    {"length of 2^63",
     CLRS_INVALID_ARGUMENT,
     "longer than",
     {0x4a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
     11},
    {"message longer than its parent", CLRS_INVALID_ARGUMENT, "longer than", {0x1a, 0x09, 8, 1}, 4},
    {"field longer than its message",
     CLRS_INVALID_ARGUMENT,
     "cut off",
     {0x1a, 0x01, 0x08, 0x05},
     4},
    {"a string", CLRS_OK, "", {0x42, 0x02, 'a', 'b'}, 4},
    {"NUL in bytes", CLRS_OK, "", {0x4a, 0x02, 'a', 0}, 4},
    {"NUL in a comment", CLRS_OK, "", {0x62, 0x02, 'a', 0}, 4},
    {"NUL in a string",
     CLRS_INVALID_ARGUMENT,
     "byte 3 is a NUL within a string, name of TensorProto, which would be cut there",
     {0x42, 0x03, 'a', 0, 'b'},
     5},
    {"NUL in an empty name", CLRS_INVALID_ARGUMENT, "byte 2 is a NUL", {0x42, 0x01, 0}, 3},
    {"message twice", CLRS_INVALID_ARGUMENT, "twice", {0x1a, 0x00, 0x1a, 0x00}, 4},
};

TEST(wire_rules_by_name) {
  for (size_t i = 0; i < sizeof wire_rows / sizeof wire_rows[0]; i++) {
    const wire_row *row = &wire_rows[i];
    clrs_error error = {0};
    clrs_status status =
        onnx_wire_check(&onnx__tensor_proto__descriptor, row->bytes, row->size, &error);
    if (status != row->status || strstr(error.message, row->text) == NULL)
      fail_msg("%s: %s \"%s\"", row->name, clrs_status_name(status), error.message);
  }
}

/* Puts a message of `size` bytes at the end of `end` into field `tag`, and returns the new
 * begin. */
static uint8_t *wrap(uint8_t *begin, const uint8_t *end, uint8_t tag) {
  size_t size = (size_t)(end - begin);
  *--begin = (uint8_t)(size >> 14);
  *--begin = (uint8_t)(size >> 7 | 0x80);
  *--begin = (uint8_t)(size | 0x80);
  *--begin = tag;
  return begin;
}

/* TypeProto.sequence_type.elem_type, again and again. */
static clrs_status check_nesting(size_t levels, clrs_error *error) {
  enum { LARGEST = 1 << 20 };
  uint8_t *bytes = malloc(LARGEST), *begin = bytes + LARGEST;
  assert_non_null(bytes);
  for (size_t i = 0; i < levels; i++)
    begin = wrap(begin, bytes + LARGEST, i % 2 == 0 ? 0x0a : 0x22);
  const ProtobufCMessageDescriptor *type =
      levels % 2 == 0 ? &onnx__type_proto__descriptor : &onnx__type_proto__sequence__descriptor;
  clrs_status status = onnx_wire_check(type, begin, (size_t)(bytes + LARGEST - begin), error);
  free(bytes);
  return status;
}

TEST(nesting_is_limited) {
  CHECK_OK(check_nesting(ONNX_WIRE_MAX_DEPTH - 1, &error), error);
  CHECK_FAILS(check_nesting(ONNX_WIRE_MAX_DEPTH, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "64 deep");
  CHECK_FAILS(check_nesting(100000, &error), CLRS_INVALID_ARGUMENT, error);
}

TEST(the_number_of_messages_is_limited) {
  size_t size = 2 * ((size_t)ONNX_WIRE_MAX_MESSAGES + 1);
  uint8_t *bytes = malloc(size);
  assert_non_null(bytes);
  for (size_t i = 0; i < size; i += 2)
    bytes[i] = 0x0a, bytes[i + 1] = 0; /* GraphProto.node, empty */
  const ProtobufCMessageDescriptor *type = &onnx__graph_proto__descriptor;
  CHECK_OK(onnx_wire_check(type, bytes, size - 4, &error), error);
  CHECK_FAILS(onnx_wire_check(type, bytes, size, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "2000000 messages");
  free(bytes);
}

TESTS(NULL, NULL)
