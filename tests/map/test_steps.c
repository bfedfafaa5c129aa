/*
 * The arithmetic of steps: rounded once, to the arithmetic type, and nothing contracted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "steps.h"

TEST(operations_are_those_of_the_type) {
  static const struct {
    clrs_step_kind kind;
    clrs_dtype type;
    clrs__word x, p, result;
  } rows[] = {
      {CLRS_STEP_SUBTRACT, CLRS_F32, 0x40a00000, 0x40000000, 0x40400000}, /* 5 - 2 = 3 */
      {CLRS_STEP_ADD, CLRS_F32, 0x3f800000, 0x33800000, 0x3f800000},      /* 1 + 2^-24: a tie */
      {CLRS_STEP_ADD, CLRS_F32, 0x3f800001, 0x33800000, 0x3f800002},
      {CLRS_STEP_ADD, CLRS_F64, 0x3ff0000000000000, 0x3cb0000000000000, 0x3ff0000000000001},
      {CLRS_STEP_MULTIPLY, CLRS_F32, 0x7f7fffff, 0x40000000, 0x7f800000},
      {CLRS_STEP_MULTIPLY, CLRS_F32, 0x00800000, 0x3f000000, 0x00400000}, /* denormal */
      {CLRS_STEP_DIVIDE, CLRS_F32, 0x3f800000, 0x40400000, 0x3eaaaaab},
      {CLRS_STEP_DIVIDE, CLRS_F64, 0x3ff0000000000000, 0x4008000000000000, 0x3fd5555555555555},
      {CLRS_STEP_DIVIDE, CLRS_F16, 0x3c00, 0x4200, 0x3555},
      {CLRS_STEP_DIVIDE, CLRS_BF16, 0x3f80, 0x4040, 0x3eab},
      {CLRS_STEP_ADD, CLRS_F16, 0x6800, 0x3c00, 0x6800},       /* 2048 + 1: a tie */
      {CLRS_STEP_ADD, CLRS_F16, 0x6801, 0x3c00, 0x6802},       /* 2050 + 1 */
      {CLRS_STEP_MULTIPLY, CLRS_F16, 0x7bff, 0x4000, 0x7c00},  /* 65504 * 2 */
      {CLRS_STEP_MULTIPLY, CLRS_BF16, 0x0001, 0x3f00, 0x0000}, /* half of the smallest */
      {CLRS_STEP_DIVIDE, CLRS_F32, 0x3f800000, 0x80000000, 0xff800000},
      {CLRS_STEP_AT_LEAST, CLRS_F32, 0xbf800000, 0, 0},
      {CLRS_STEP_AT_LEAST, CLRS_F32, 0x80000000, 0, 0x80000000}, /* -0 is not below 0 */
      {CLRS_STEP_AT_MOST, CLRS_F16, 0x4600, 0x4400, 0x4400},
      {CLRS_STEP_AT_MOST, CLRS_BF16, 0x4080, 0x40c0, 0x4080},
      {CLRS_STEP_AT_LEAST, CLRS_F64, 0xfff0000000000000, 0, 0},
      {CLRS_STEP_ADD, CLRS_I32, 0x7fffffff, 1, 0x80000000}, /* modulo 2^32 */
      {CLRS_STEP_SUBTRACT, CLRS_I32, 0x80000000, 1, 0x7fffffff},
      {CLRS_STEP_MULTIPLY, CLRS_I32, 0x80000000, 0xffffffff, 0x80000000},
      {CLRS_STEP_MULTIPLY, CLRS_I32, 65537, 65537, 131073},
      {CLRS_STEP_AT_LEAST, CLRS_I32, 0xffffffff, 0, 0},
      {CLRS_STEP_AT_MOST, CLRS_I32, 0xffffffff, 0, 0xffffffff},
      {CLRS_STEP_SHIFT_LEFT, CLRS_I32, 0xc0000001, 1, 0x80000002},
      {CLRS_STEP_SHIFT_LEFT, CLRS_I32, 5, 32, 5},                   /* the low 5 bits count */
      {CLRS_STEP_SHIFT_RIGHT, CLRS_I32, 0xfffffff9, 1, 0xfffffffc}, /* -7 / 2, down */
      {CLRS_STEP_SHIFT_RIGHT, CLRS_I32, 0x80000000, 31, 0xffffffff},
      {CLRS_STEP_SHIFT_RIGHT, CLRS_I32, 0x7fffffff, 30, 1},
      {CLRS_STEP_SHIFT_RIGHT, CLRS_I32, 0x80000000, 0, 0x80000000},
      {CLRS_STEP_TERM, CLRS_F32, 0x3f800000, 0x80000000, 0x80000000},
      {CLRS_STEP_TERM, CLRS_F16, 0x3c00, 0x4200, 0x4200},
      {CLRS_STEP_TERM, CLRS_I32, 5, 0xfffffff9, 0xfffffff9},
      {CLRS_STEP_ADD_TERM, CLRS_F32, 0x3f800000, 0x40000000, 0x40400000},
      {CLRS_STEP_ADD_TERM, CLRS_I32, 0x7fffffff, 1, 0x80000000},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_true(clrs__step(rows[i].kind, rows[i].type, rows[i].x, rows[i].p) == rows[i].result);
  }
}

/* 0 / 0, infinity - infinity, and NaNs of either sign with a payload. */
TEST(a_nan_has_neither_sign_nor_payload) {
  static const struct {
    clrs_dtype type;
    clrs__word infinity, odd, nan;
  } rows[] = {{CLRS_F16, 0x7c00, 0xfc01, 0x7e00},
              {CLRS_BF16, 0x7f80, 0xff81, 0x7fc0},
              {CLRS_F32, 0x7f800000, 0xff800001, 0x7fc00000},
              {CLRS_F64, 0x7ff0000000000000, 0xfff0000000000001, 0x7ff8000000000000}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs_dtype type = rows[i].type;
    assert_true(clrs__step(CLRS_STEP_DIVIDE, type, 0, 0) == rows[i].nan);
    assert_true(clrs__step(CLRS_STEP_SUBTRACT, type, rows[i].infinity, rows[i].infinity) ==
                rows[i].nan);
    assert_true(clrs__step(CLRS_STEP_ADD, type, rows[i].odd, 0) == rows[i].nan);
    assert_true(clrs__step(CLRS_STEP_AT_LEAST, type, rows[i].odd, 0) == rows[i].nan);
    assert_true(clrs__step(CLRS_STEP_AT_MOST, type, rows[i].odd, 0) == rows[i].nan);
  }
}

/* x * p + q where a fused operation would give another number. */
TEST(two_steps_are_two_roundings) {
  const clrs__word x = 0x3f800001, q = 0xbf800002; /* 1 + 2^-23, and -(1 + 2^-22) */
  const clrs__word square = clrs__step(CLRS_STEP_MULTIPLY, CLRS_F32, x, x);
  assert_int_equal(clrs__step(CLRS_STEP_ADD, CLRS_F32, square, q), 0);
}

TEST(four_types_have_arithmetic) {
  int count = 0;
  for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
    count += clrs__is_arithmetic((clrs_dtype)dtype);
  }
  assert_int_equal(count, 4);
  assert_true(clrs__is_arithmetic(CLRS_F16) && clrs__is_arithmetic(CLRS_BF16) &&
              clrs__is_arithmetic(CLRS_F32) && clrs__is_arithmetic(CLRS_F64));
}

TESTS(NULL, NULL)
