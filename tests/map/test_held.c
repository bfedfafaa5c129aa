/*
 * Types that hold every value of another type: the rule against every code of the types of up to 16
 * bits, written and read, and against a list of the wide types.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "held.h"

static bool is_valued(const clrs__element *element) {
  return element->kind != CLRS__NO_VALUE;
}

static bool are_same(clrs__number a, clrs__number b) {
  const clrs__format wide = clrs__element_of(CLRS_F64).format;
  return clrs__nearest(wide, a) == clrs__nearest(wide, b);
}

/* The number after `value` is stored in `to`, with any rounding of `to`, which must not matter. */
static clrs__number through(const clrs__element *to, clrs__number value, int rounding) {
  if (to->kind == CLRS__BOOL) {
    return clrs__element_value(to, value.kind != CLRS_FINITE || value.magnitude != 0);
  }
  if (to->kind == CLRS__FLOAT) {
    const clrs__conversion how = {to->format, rounding, false};
    return clrs__element_value(to, clrs__encode(how, value));
  }
  const clrs__number integer = clrs__round_to_integer(value, rounding, false);
  return clrs__element_value(to, clrs__encode_integer(integer, to->bits, to->is_signed, false));
}

static bool all_come_back(const clrs__element *from, const clrs__element *to, int rounding) {
  for (clrs__word code = 0; code >> from->bits == 0; code++) {
    const clrs__number value = clrs__element_value(from, code);
    if (!are_same(through(to, value, rounding), value)) {
      return false;
    }
  }
  return true;
}

/* The values of 64-bit integers are not doubles, but such types are no source here. */
TEST(the_rule_is_what_every_code_shows) {
  int held = 0, pairs = 0;
  for (int i = 0; i < CLRS_DTYPE_COUNT; i++) {
    const clrs__element from = clrs__element_of((clrs_dtype)i);
    for (int k = 0; k < CLRS_DTYPE_COUNT && is_valued(&from) && from.bits <= 16; k++) {
      const clrs__element to = clrs__element_of((clrs_dtype)k);
      const clrs__numbers_of numbers = clrs__numbers_of_type(&from);
      if (!is_valued(&to)) {
        continue;
      }
      const bool expected = all_come_back(&from, &to, CLRS_EVEN);
      print_message("  %s in %s: %d\n", clrs_dtype_name((clrs_dtype)i, CLRS_TYPES_CLRESHAPE),
                    clrs_dtype_name((clrs_dtype)k, CLRS_TYPES_CLRESHAPE), expected);
      assert_int_equal(clrs__holds(&to, &numbers), expected);
      assert_int_equal(all_come_back(&from, &to, CLRS_UP) && expected, expected);
      held += expected;
      pairs++;
    }
  }
  assert_true(held > 100 && pairs - held > 100);
}

TEST(wide_types_hold_what_their_bits_say) {
  static const struct {
    clrs_dtype from, to;
    bool is_held;
  } rows[] = {
      {CLRS_I32, CLRS_F64, true},   {CLRS_U32, CLRS_F64, true},  {CLRS_I64, CLRS_F64, false},
      {CLRS_I32, CLRS_F32, false},  {CLRS_F32, CLRS_F64, true},  {CLRS_F64, CLRS_F32, false},
      {CLRS_U32, CLRS_I64, true},   {CLRS_U64, CLRS_I64, false}, {CLRS_I64, CLRS_U64, false},
      {CLRS_U64, CLRS_U64, true},   {CLRS_I64, CLRS_I64, true},  {CLRS_F32, CLRS_I64, false},
      {CLRS_F32, CLRS_BF16, false}, {CLRS_I32, CLRS_U32, false}, {CLRS_F64, CLRS_F64, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs__element from = clrs__element_of(rows[i].from), to = clrs__element_of(rows[i].to);
    const clrs__numbers_of numbers = clrs__numbers_of_type(&from);
    assert_int_equal(clrs__holds(&to, &numbers), rows[i].is_held);
  }
}

/* Borders: f32 counts to 2^24, f16 to 2^11 and further in steps of 2. */
TEST(mantissas_count_to_their_power_of_two) {
  const clrs__element half = clrs__element_of(CLRS_F16), one = clrs__element_of(CLRS_F32),
                      four = clrs__element_of(CLRS_F4E2M1), scale = clrs__element_of(CLRS_F8E8M0);
  assert_true(clrs__holds(&one, &(clrs__numbers_of){.below = 1 << 24, .above = 1 << 24}));
  assert_false(clrs__holds(&one, &(clrs__numbers_of){.above = (1 << 24) + 1}));
  assert_false(clrs__holds(&one, &(clrs__numbers_of){.above = (1 << 24) + 2}));
  assert_true(clrs__holds(&half, &(clrs__numbers_of){.below = 2048}));
  assert_false(clrs__holds(&half, &(clrs__numbers_of){.below = 2050}));
  assert_true(clrs__holds(&four, &(clrs__numbers_of){.above = 4}));
  assert_false(clrs__holds(&four, &(clrs__numbers_of){.above = 6}));
  assert_false(clrs__holds(&scale, &(clrs__numbers_of){.above = 1}));
}

static clrs__element float_of(clrs__format format) {
  return (clrs__element){.kind = CLRS__FLOAT, .is_signed = true, .format = format};
}

/* Formats that no element type has, because no two types differ in this way. */
TEST(a_format_holds_no_more_than_it_reaches) {
  const clrs__element near = float_of((clrs__format){2, 3, 1, CLRS_SPECIALS_IEEE}), /* to 3.75 */
      fine = float_of((clrs__format){3, 4, 3, CLRS_SPECIALS_NONE}),                 /* to 31 */
      without_last = float_of((clrs__format){3, 2, 3, CLRS_SPECIALS_FN});           /* to 24 */
  const clrs__numbers_of to_28 = {.are_floats = true, .format = {3, 2, 3, CLRS_SPECIALS_NONE}},
                         to_3584 = {.are_floats = true, .format = {4, 2, 4, CLRS_SPECIALS_NONE}};
  assert_true(clrs__holds(&near, &(clrs__numbers_of){.above = 3}));
  assert_false(clrs__holds(&near, &(clrs__numbers_of){.above = 4}));
  assert_false(clrs__holds(&near, &(clrs__numbers_of){.above = 8})); /* the mantissa counts to 16 */
  assert_true(clrs__holds(&fine, &to_28));
  assert_false(clrs__holds(&fine, &to_3584));
  assert_false(clrs__holds(&without_last, &to_28));
}

/* Without a scale: a byte minus a byte lies within 9 bits, and minus a 32-bit integer within 34
 * bits. */
TEST(what_zero_points_leave_wants_their_bits) {
  static const struct {
    clrs_dtype to;
    bool fits_beside_number, fits_beside_tensor;
  } rows[] = {{CLRS_U8, false, false}, {CLRS_I8, false, false}, {CLRS_I16, true, false},
              {CLRS_F16, true, false}, {CLRS_F32, true, false}, {CLRS_I32, true, false},
              {CLRS_F64, true, true},  {CLRS_I64, true, true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs_map map = {
        .from = CLRS_U8,
        .to = rows[i].to,
        .step_count = 2,
        .steps = {{.kind = CLRS_STEP_SUBTRACT, .dtype = CLRS_I64},
                  {.kind = CLRS_STEP_ROUND, .dtype = rows[i].to, .overflow = CLRS_OVERFLOW_IEEE}}};
    map.steps[0].parameter.count = 1;
    assert_int_equal(clrs__map_is_exact(&map), rows[i].fits_beside_number);
    map.steps[0].parameter.count = 0; /* a tensor's */
    assert_int_equal(clrs__map_is_exact(&map), rows[i].fits_beside_tensor);
  }
}

TESTS(NULL, NULL)
