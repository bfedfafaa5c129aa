/*
 * See put.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "put.h"

#include "harness/check.h"
#include "onnx.pb-c.h"
#include "onnx/message.h"

uint8_t input[INPUT_BYTES + 1];
size_t size, parsed;

size_t input_size(void) {
  return size;
}

void put(const void *bytes, size_t count) {
  assert_true(count <= INPUT_BYTES - size);
  memcpy(input + size, bytes, count);
  size += count;
}

void put_byte(unsigned byte) {
  const uint8_t one = (uint8_t)byte;
  put(&one, 1);
}

void put_number(uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    put_byte((unsigned)(number & 0x7f) | 0x80);
  put_byte((unsigned)number);
}

void put_hex(const char *hex) {
  for (unsigned byte; *hex != '\0'; hex += 2) {
    assert_int_equal(sscanf(hex, "%2x", &byte), 1);
    put_byte(byte);
  }
}

void put_all(const char *hex) {
  const size_t before = size;
  put_hex(hex);
  const size_t unit = size - before;
  while (INPUT_BYTES - size >= unit)
    put(input + before, unit);
}

size_t graph_begin(void) {
  put_hex("0808"
          "42021014"
          "3affffff00"
          "6203"
          "0a016f");
  return 11;
}

void graph_end(size_t begin) {
  const size_t length = size - begin;
  input[begin - 4] = (uint8_t)(length & 0x7f) | 0x80;
  input[begin - 3] = (uint8_t)(length >> 7 & 0x7f) | 0x80;
  input[begin - 2] = (uint8_t)(length >> 14 & 0x7f) | 0x80;
  input[begin - 1] = (uint8_t)(length >> 21 & 0x7f);
}

/* ---- nodes ---- */

void put_text(unsigned tag, const char *text, size_t length) {
  put_byte(tag);
  put_number(length);
  put(text, length);
}

void put_names(unsigned tag, const char *names) {
  for (size_t length; *names != '\0'; names += length + (names[length] == ' ')) {
    length = strcspn(names, " ");
    put_text(tag, names, length);
  }
}

bool has_room(size_t bytes) {
  return INPUT_BYTES - size > bytes && parsed < ONNX_MEMORY - ONNX_MEMORY / 6;
}

void put_node(const char *op, const char *inputs, const char *outputs, const char *attributes) {
  put_hex("0a00");
  const size_t begin = size;
  put_names(0x0a, inputs);
  put_names(0x12, outputs);
  put_text(0x22, op, strlen(op));
  put_hex(attributes);
  parsed += sizeof(Onnx__NodeProto) + 160 + (size - begin) * 4;
  parsed += attributes[0] != '\0' ? sizeof(Onnx__AttributeProto) + 80 : 0;
  assert_in_range(size - begin, 1, 127);
  input[begin - 1] = (uint8_t)(size - begin);
}
