/*
 * The code of an f32 as a float, and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FLOAT_CODE_H
#define CLRS_TEST_FLOAT_CODE_H

#include <stdint.h>
#include <string.h>

static inline float float_of(uint32_t code) {
  float value;
  memcpy(&value, &code, sizeof value);
  return value;
}

static inline uint32_t code_of(float value) {
  uint32_t code;
  memcpy(&code, &value, sizeof code);
  return code;
}

/* As maps write NaN. */
static inline uint32_t mapped_code_of(float value) {
  return value != value ? 0x7fc00000u : code_of(value);
}

#endif
