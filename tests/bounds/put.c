/*
 * See put.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "put.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"

uint8_t input[INPUT_BYTES + 1];
size_t size;

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
