/*
 * Checked 64-bit arithmetic: the only place that multiplies or adds dims, strides and offsets. Each
 * function returns false and leaves *result unchanged if the answer does not fit. The functions
 * named exact require that the answer fits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool clrs__multiply(int64_t a, int64_t b, int64_t *result) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    return false;
  }
  *result = product;
  return true;
}

static inline bool clrs__add(int64_t a, int64_t b, int64_t *result) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    return false;
  }
  *result = sum;
  return true;
}

/* *result = base + a * b */
static inline bool clrs__multiply_add(int64_t base, int64_t a, int64_t b, int64_t *result) {
  int64_t product = 0;
  return clrs__multiply(a, b, &product) && clrs__add(base, product, result);
}

/* a * b. The caller knows that the product fits, because it is part of a checked product. */
static inline int64_t clrs__exact_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &product);
  (void)overflows; /* without assertions */
  assert(!overflows);
  return product;
}

/* base + a * b. The caller knows that the sum fits. */
static inline int64_t clrs__exact_multiply_add(int64_t base, int64_t a, int64_t b) {
  int64_t sum = 0;
  const bool overflows = __builtin_add_overflow(base, clrs__exact_multiply(a, b), &sum);
  (void)overflows; /* without assertions */
  assert(!overflows);
  return sum;
}

static inline bool clrs__negate(int64_t a, int64_t *result) {
  return clrs__multiply(a, -1, result);
}

/* value|, also for INT64_MIN. */
static inline uint64_t clrs__magnitude(int64_t value) {
  return value < 0 ? (uint64_t)(-(value + 1)) + 1 : (uint64_t)value;
}

/* The largest power of two that divides `value`, or 0 for 0. */
static inline uint64_t clrs__lowest_bit(uint64_t value) {
  return value & (~value + 1);
}

/* a / b, rounded up. a is not negative and b is positive. */
static inline int64_t clrs__divide_up(int64_t a, int64_t b) {
  return a / b + (a % b != 0); /* NOLINT(clang-analyzer-core.DivideZero): b is positive */
}

static inline int64_t clrs__clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

/* The greatest common divisor of numbers that are not negative. */
static inline int64_t clrs__common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
