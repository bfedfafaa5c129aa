/*
 * Every cast of every dialect against NumPy and ml_dtypes (casts_of_packages.h): all codes of up to
 * 16 bits, and numbers near a border for wider types. tests/conformance/map/test_casts.py names the
 * code if this test finds a difference.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "casts_of_packages.h"
#include "dtype.h"

enum { RANDOM = 20000, MOST = 1 << 18 };

/* The sources, as in oracle.py. */
static uint64_t words[MOST];
static size_t word_count;
static uint8_t source[MOST * 8], result[MOST * 8];

static void add(uint64_t word) {
  assert_true(word_count < MOST);
  words[word_count++] = word;
}

static void add_random(uint64_t mask) {
  uint64_t word = UINT64_C(88172645463325252);
  for (int i = 0; i < RANDOM; i++) {
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    add(word & mask);
  }
}

static void add_exponent(int exponent, int exponent_bits, int mantissa_bits) {
  const uint64_t mask = (UINT64_C(1) << mantissa_bits) - 1;
  for (int k = 0; k <= mantissa_bits; k++) {
    const uint64_t bit = UINT64_C(1) << k;
    const uint64_t near[] = {bit, bit - 1, bit + 1, 3 * bit};
    for (size_t i = 0; i < COUNT(near); i++) {
      const uint64_t value = (uint64_t)exponent << mantissa_bits | (near[i] & mask);
      add(value);
      add(UINT64_C(1) << (exponent_bits + mantissa_bits) | value);
    }
  }
}

static void add_floats(int exponent_bits, int mantissa_bits) {
  const int top = (1 << exponent_bits) - 1, middle = top / 2;
  for (int exponent = 0; exponent <= top; exponent++) {
    const bool is_near = exponent - middle <= 160 && middle - exponent <= 160;
    if (is_near || exponent < 3 || exponent > top - 3) {
      add_exponent(exponent, exponent_bits, mantissa_bits);
    }
  }
}

static void add_integers(uint32_t bits, uint64_t mask) {
  for (uint32_t k = 0; k < bits; k++) {
    for (uint64_t factor = 1; factor <= 5; factor += 2) {
      for (uint64_t near = 0; near < 5; near++) {
        const uint64_t value = (factor << k) + near - 2;
        add(value & mask);
        add((0 - value) & mask);
      }
    }
  }
}

static void make_sources(clrs_dtype from) {
  const uint32_t bits = clrs_dtype_bits(from);
  const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  word_count = 0;
  if (bits <= 16) {
    for (uint64_t word = 0; word <= (from == CLRS_BOOL ? 1 : mask); word++) {
      add(word);
    }
    return;
  }
  if (from == CLRS_F32 || from == CLRS_F64) {
    add_floats(from == CLRS_F32 ? 8 : 11, from == CLRS_F32 ? 23 : 52);
  } else {
    add_integers(bits, mask);
  }
  add_random(mask);
}

/* The byte with bit `at`. Element k is in the bits from k * bits on, the low bits first. A wider
 * element than a byte has the byte order of the host. */
static size_t byte_of(size_t at, uint32_t bits) {
  const size_t bytes = bits < 8 ? 1 : bits / 8, byte = at / 8, within = byte % bytes;
  return byte - within + (size_t)clrs__byte_shift((int)within, (int)bytes) / 8;
}

static void store(uint8_t *bytes, uint32_t bits) {
  memset(bytes, 0, word_count * 8);
  for (size_t at = 0; at < word_count * bits; at++) {
    const uint64_t bit = words[at / bits] >> at % bits & 1;
    const size_t byte = byte_of(at, bits);
    bytes[byte] = (uint8_t)(bytes[byte] | bit << at % 8);
  }
}

static uint32_t finish(uint64_t total) {
  return (uint32_t)(total ^ total >> 32);
}

static uint32_t checksum(const uint8_t *bytes, uint32_t bits) {
  uint64_t total = UINT64_C(0xcbf29ce484222325);
  for (size_t k = 0; k < word_count; k++) {
    uint64_t code = 0;
    for (uint32_t bit = 0; bit < bits; bit++) {
      const size_t at = k * bits + bit;
      code |= (uint64_t)(bytes[byte_of(at, bits)] >> at % 8 & 1) << bit;
    }
    total = (total ^ code) * UINT64_C(0x100000001b3);
  }
  return finish(total);
}

static uint32_t answer(clrs_dialect dialect, clrs_dtype from, clrs_dtype to) {
  const clrs_shape shape = {.rank = 1, .dims = {(int64_t)word_count}};
  const clrs_map_data data = {.source = {source, sizeof source}};
  static clrs_map_views views;
  clrs_map map;
  clrs_view view;
  CHECK_OK(clrs_map_cast(dialect, from, to, &map, &error), error);
  CHECK_OK(clrs_view_dense(from, &shape, &view, &error), error);
  CHECK_OK(clrs_map_bind(&map, &view, NULL, &views, &error), error);
  memset(result, 0, word_count * 8);
  CHECK_OK(clrs_map_apply(&map, &views, &data, result, sizeof result, &error), error);
  return checksum(result, clrs_dtype_bits(to));
}

/* Types that oneDNN lacks are refused, and the rows are skipped. */
static bool has(clrs_dialect dialect, clrs_dtype dtype) {
  return dialect != CLRS_ONEDNN || clrs_dtype_name(dtype, CLRS_TYPES_ONEDNN) != NULL;
}

static int check_row(const struct cast_row *row) {
  int wrong = 0;
  make_sources(row->from);
  store(source, clrs_dtype_bits(row->from));
  assert_int_equal(word_count, row->count);
  assert_int_equal(checksum(source, clrs_dtype_bits(row->from)), row->sources);
  for (int i = 0; i < TARGETS; i++) {
    if (has(row->dialect, cast_targets[i]) &&
        answer(row->dialect, row->from, cast_targets[i]) != row->results[i]) {
      print_error("dialect %d, %s to %s: not what the packages answer\n", (int)row->dialect,
                  clrs_dtype_name(row->from, CLRS_TYPES_CLRESHAPE),
                  clrs_dtype_name(cast_targets[i], CLRS_TYPES_CLRESHAPE));
      wrong++;
    }
  }
  return wrong;
}

TEST(every_cast_is_that_of_the_packages) {
  int wrong = 0;
  for (size_t i = 0; i < COUNT(cast_rows); i++) {
    wrong += has(cast_rows[i].dialect, cast_rows[i].from) ? check_row(&cast_rows[i]) : 0;
  }
  assert_int_equal(wrong, 0);
}

TESTS(NULL, NULL)
