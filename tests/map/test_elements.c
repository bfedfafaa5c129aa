/*
 * Codes, numbers and memory. test_casts has the values of whole formats. This file has the values
 * that specifications name, the directions of rounding, and the places of packed elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "elements.h"

static double value_of(clrs_dtype dtype, clrs__word code) {
  const clrs__element element = clrs__element_of(dtype);
  const clrs__format wide = clrs__element_of(CLRS_F64).format;
  const clrs__word bits = clrs__nearest(wide, clrs__element_value(&element, code));
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

TEST(formats_have_the_limits_of_their_specifications) {
  static const struct {
    clrs_dtype dtype;
    clrs__word largest;
    double value;
    clrs__word least; /* above 0 */
    double smallest;
  } rows[] = {
      {CLRS_F8E4M3FN, 0x7e, 448, 1, 0x1p-9},
      {CLRS_F8E4M3FNUZ, 0x7f, 240, 1, 0x1p-10},
      {CLRS_F8E5M2, 0x7b, 57344, 1, 0x1p-16},
      {CLRS_F8E5M2FNUZ, 0x7f, 57344, 1, 0x1p-17},
      {CLRS_F8E8M0, 254, 0x1p127, 0, 0x1p-127},
      {CLRS_F4E2M1, 7, 6, 1, 0.5},
      {CLRS_F6E2M3, 0x1f, 7.5, 1, 0.125},
      {CLRS_F6E3M2, 0x1f, 28, 1, 0.0625},
      {CLRS_F16, 0x7bff, 65504, 1, 0x1p-24},
      {CLRS_BF16, 0x7f7f, 0x1.fep127, 1, 0x1p-133},
      {CLRS_F32, 0x7f7fffff, 0x1.fffffep127, 1, 0x1p-149},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs__format format = clrs__element_of(rows[i].dtype).format;
    assert_true(clrs__largest_code(format) == rows[i].largest);
    assert_true(value_of(rows[i].dtype, rows[i].largest) == rows[i].value);
    assert_true(value_of(rows[i].dtype, rows[i].least) == rows[i].smallest);
  }
}

/* Rounds 2.5 and 3.5 to f4e2m1, with the neighbours 2, 3 and 4, and the negatives. */
TEST(each_rounding_goes_its_way) {
  static const struct {
    int rounding;
    double value;
    clrs__word code;
  } rows[] = {
      {CLRS_EVEN, 2.5, 4}, {CLRS_EVEN, 3.5, 6},   {CLRS_EVEN, -2.5, 12}, {CLRS_EVEN, -3.5, 14},
      {CLRS_ZERO, 2.5, 4}, {CLRS_ZERO, 3.9, 5},   {CLRS_ZERO, -2.5, 12}, {CLRS_ZERO, -3.9, 13},
      {CLRS_AWAY, 2.5, 5}, {CLRS_AWAY, 3.4, 5},   {CLRS_AWAY, -2.5, 13}, {CLRS_AWAY, -3.4, 13},
      {CLRS_DOWN, 2.9, 4}, {CLRS_DOWN, -2.1, 13}, {CLRS_DOWN, 3, 5},     {CLRS_DOWN, -3, 13},
      {CLRS_UP, 2.1, 5},   {CLRS_UP, -2.9, 12},   {CLRS_UP, 3, 5},       {CLRS_UP, -3, 13},
  };
  const clrs__format format = clrs__element_of(CLRS_F4E2M1).format;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs__conversion to = {format, rows[i].rounding, true};
    assert_int_equal(clrs__encode(to, clrs__number_of(rows[i].value)), rows[i].code);
  }
}

/* shifts of a whole word and of more, where there is no bit to look at. */
TEST(numbers_far_below_the_last_bit_are_rounded) {
  const clrs__word all = UINT64_MAX, top = (clrs__word)1 << 63;
  assert_int_equal(clrs__round(all, 64, 0, CLRS_EVEN), 1);
  assert_int_equal(clrs__round(top, 64, 0, CLRS_EVEN), 0);
  assert_int_equal(clrs__round(top, 64, 0, CLRS_AWAY), 1);
  assert_int_equal(clrs__round(top + 1, 64, 0, CLRS_EVEN), 1);
  assert_int_equal(clrs__round(all, 65, 0, CLRS_EVEN), 0);
  assert_int_equal(clrs__round(all, 65, 0, CLRS_AWAY), 0);
  assert_int_equal(clrs__round(1, 1000, 0, CLRS_UP), 1);
  assert_int_equal(clrs__round(1, 1000, 1, CLRS_UP), 0);
  assert_int_equal(clrs__round(1, 1000, 1, CLRS_DOWN), 1);
  assert_int_equal(clrs__round(0, 1000, 0, CLRS_UP), 0);
  assert_int_equal(clrs__round(all, 1000, 0, CLRS_ZERO), 0);
}

/* Too large numbers, by rounding: infinity only if IEEE 754 rounds to infinity. */
TEST(directed_rounding_stops_at_the_largest_number) {
  static const struct {
    int rounding;
    double value;
    clrs__word code;
  } rows[] = {
      {CLRS_EVEN, 65519.99, 0x7bff}, {CLRS_EVEN, 65520, 0x7c00}, {CLRS_EVEN, -65520, 0xfc00},
      {CLRS_ZERO, 1e30, 0x7bff},     {CLRS_ZERO, -1e30, 0xfbff}, {CLRS_DOWN, 1e30, 0x7bff},
      {CLRS_DOWN, -1e30, 0xfc00},    {CLRS_UP, 1e30, 0x7c00},    {CLRS_UP, -1e30, 0xfbff},
      {CLRS_UP, 65505, 0x7c00},      {CLRS_AWAY, 65520, 0x7c00}, {CLRS_AWAY, 65519, 0x7bff},
  };
  const clrs__format format = clrs__element_of(CLRS_F16).format;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs__conversion to = {format, rows[i].rounding, false};
    assert_int_equal(clrs__encode(to, clrs__number_of(rows[i].value)), rows[i].code);
  }
}

TEST(infinity_stays_infinity_unless_saturated) {
  const clrs__format half = clrs__element_of(CLRS_F16).format;
  for (int rounding = CLRS_EVEN; rounding <= CLRS_UP; rounding++) {
    for (int sign = 0; sign < 2; sign++) {
      const clrs__number infinite = {CLRS_INFINITE, sign, 0, 0};
      const clrs__word sign_bit = (clrs__word)sign << 15;
      assert_int_equal(clrs__encode((clrs__conversion){half, rounding, 0}, infinite),
                       sign_bit | 0x7c00);
      assert_int_equal(clrs__encode((clrs__conversion){half, rounding, 1}, infinite),
                       sign_bit | 0x7bff);
    }
  }
}

TEST(e8m0_takes_its_attributes) {
  static const struct {
    int rounding, saturates;
    double value;
    clrs__word code;
  } rows[] = {
      {CLRS_UP, 1, 1.1, 128},       {CLRS_DOWN, 1, 1.9, 127},
      {CLRS_AWAY, 1, 1.5, 128},     {CLRS_EVEN, 1, 1.49, 127},
      {CLRS_UP, 1, 0, 0},           {CLRS_UP, 0, 0, 255},
      {CLRS_UP, 1, 0x1p-140, 0},    {CLRS_AWAY, 0, 0x1p-128, 255},
      {CLRS_UP, 0, 0x1.8p-128, 0},  {CLRS_UP, 1, 0x1p200, 254},
      {CLRS_AWAY, 0, 0x1p128, 255}, {CLRS_UP, 1, -1, 255},
      {CLRS_DOWN, 1, 0x1p127, 254}, {CLRS_UP, 1, 0x1.1p127, 254},
      {CLRS_UP, 1, -0.0, 0},
  };
  const clrs__format format = clrs__element_of(CLRS_F8E8M0).format;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs__conversion to = {format, rows[i].rounding, rows[i].saturates};
    assert_int_equal(clrs__encode(to, clrs__number_of(rows[i].value)), rows[i].code);
  }
}

TEST(integers_saturate_or_wrap) {
  static const struct {
    double value;
    int bits;
    bool is_signed, wraps;
    clrs__word code;
  } rows[] = {
      {300, 8, false, false, 255},
      {300, 8, false, true, 44},
      {-1, 8, false, false, 0},
      {-1, 8, false, true, 255},
      {127.5, 8, true, false, 127},
      {-129, 8, true, false, 0x80},
      {-129, 8, true, true, 0x7f},
      {0x1p63, 64, true, false, INT64_MAX},
      {0x1p64, 64, false, false, UINT64_MAX},
      {-0x1p63, 64, true, false, (clrs__word)1 << 63},
      {0x1p64, 64, false, true, 0},
      {0x1.8p64, 64, false, true, (clrs__word)1 << 63},
      {0x1p300, 32, true, true, 0},
      {-0x1p300, 32, true, false, 0x80000000},
      {0x1p63, 64, false, false, (clrs__word)1 << 63},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs__number whole =
        clrs__round_to_integer(clrs__number_of(rows[i].value), CLRS_EVEN, rows[i].wraps);
    assert_true(clrs__encode_integer(whole, rows[i].bits, rows[i].is_signed, rows[i].wraps) ==
                rows[i].code);
  }
}

/* ---- memory ---- */

TEST(packed_elements_lie_as_their_types_say) {
  const uint8_t bytes[] = {0xb1, 0x5c, 0xe7};
  uint16_t first; /* in the byte order of the host */
  memcpy(&first, bytes, sizeof first);
  const struct {
    clrs_dtype dtype;
    int64_t position;
    clrs__word code;
  } rows[] = {
      {CLRS_U4, 0, 1},        {CLRS_U4, 1, 0xb},      {CLRS_U4, 5, 0xe},
      {CLRS_U2, 0, 1},        {CLRS_U2, 3, 2},        {CLRS_U1, 0, 1},
      {CLRS_U1, 1, 0},        {CLRS_U1, 7, 1},        {CLRS_U1, 9, 1},
      {CLRS_F6E2M3, 0, 0x31}, {CLRS_F6E2M3, 1, 0x32}, {CLRS_F6E2M3, 2, 0x35},
      {CLRS_F6E2M3, 3, 0x39}, {CLRS_U16, 0, first},   {CLRS_I8, 2, 0xe7},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs__element element = clrs__element_of(rows[i].dtype);
    assert_int_equal(clrs__element_load(&element, bytes, rows[i].position), rows[i].code);
    uint8_t copy[4] = {0, 0, 0, 0}, full[4] = {255, 255, 255, 255};
    const clrs__word mask = clrs__ones(element.bits);
    clrs__element_store(&element, copy, rows[i].position, rows[i].code);
    clrs__element_store(&element, full, rows[i].position, rows[i].code ^ mask);
    assert_int_equal(clrs__element_load(&element, copy, rows[i].position), rows[i].code);
    for (size_t k = 0; k < sizeof copy; k++) { /* nothing around the element is touched */
      assert_int_equal(copy[k] ^ full[k], 0xff);
    }
    uint8_t again[sizeof bytes];
    memcpy(again, bytes, sizeof bytes);
    clrs__element_store(&element, again, rows[i].position, rows[i].code ^ mask);
    clrs__element_store(&element, again, rows[i].position, rows[i].code);
    assert_memory_equal(again, bytes, sizeof bytes);
  }
}

TEST(each_type_has_its_kind_of_value) {
  size_t counts[4] = {0};
  for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
    const clrs__element element = clrs__element_of((clrs_dtype)dtype);
    assert_int_equal(element.bits, clrs_dtype_bits((clrs_dtype)dtype));
    counts[element.kind]++;
  }
  assert_int_equal(counts[CLRS__BOOL], 1);
  assert_int_equal(counts[CLRS__INTEGER], 13);
  assert_int_equal(counts[CLRS__FLOAT], 12);
  assert_true(clrs__element_of(CLRS_I2).is_signed && !clrs__element_of(CLRS_U64).is_signed);
  assert_true(value_of(CLRS_I4, 0xf) == -1 && value_of(CLRS_U4, 0xf) == 15);
  assert_true(value_of(CLRS_BOOL, 2) == 1 && value_of(CLRS_BOOL, 0) == 0);
  assert_true(value_of(CLRS_I64, UINT64_MAX) == -1 && value_of(CLRS_I8, 0x80) == -128);
}

TESTS(NULL, NULL)
