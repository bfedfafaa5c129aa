/*
 * Casts on the device, of every type to every other type, and the same with steps of each
 * arithmetic. The result must equal clrs_map_apply by each dialect's rules, for all codes of
 * sources of up to 16 bits. For wider sources the test takes CLRS_TEST_CASES codes, spread over all
 * codes and at the borders of rounding. tests/conformance compares the host's reference with
 * ml_dtypes. Labelled `long`, because each pair is a program. CLRS_TEST_SEED is the first pair,
 * CLRS_TEST_PAIRS the number of pairs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "map_fixture.h"

#include "harness/rng.h"

static const clrs_dtype types[] = {
    CLRS_BOOL,   CLRS_I8,       CLRS_U8,         CLRS_I16,    CLRS_U16,        CLRS_I32,
    CLRS_U32,    CLRS_I64,      CLRS_U64,        CLRS_F16,    CLRS_BF16,       CLRS_F32,
    CLRS_F64,    CLRS_U1,       CLRS_I2,         CLRS_U2,     CLRS_I4,         CLRS_U4,
    CLRS_F4E2M1, CLRS_F8E4M3FN, CLRS_F8E4M3FNUZ, CLRS_F8E5M2, CLRS_F8E5M2FNUZ, CLRS_F8E8M0};
enum { TYPES = sizeof types / sizeof *types, MOST = 1 << 20 };

typedef struct fixture {
  test_device device;
  clrs_context *libraries[2]; /* CPU, GPU */
  cl_mem source, destination;
  unsigned char *codes, *expected, *got;
} fixture;

static int fixture_open(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  map_libraries_open(&f->device, f->libraries);
  f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, 8 * MOST);
  f->destination = device_buffer(&f->device, CL_MEM_READ_WRITE, 8 * MOST);
  f->codes = malloc(8 * MOST);
  f->expected = malloc(8 * MOST);
  f->got = malloc(8 * MOST);
  assert_true(f->codes && f->expected && f->got);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  clrs_context_release(f->libraries[0]);
  clrs_context_release(f->libraries[1]);
  CL_OK(clReleaseMemObject(f->source));
  CL_OK(clReleaseMemObject(f->destination));
  device_close(&f->device);
  free(f->codes);
  free(f->expected);
  free(f->got);
  free(f);
  return 0;
}

/* Two of three numbers get lowest bits at a border of rounding: zero, one, just below half, half,
 * just above half, all bits. */
static uint64_t at_a_border(uint64_t drawn, uint64_t choice, uint32_t bits) {
  const uint64_t tail = ((uint64_t)1 << choice % (bits - 8)) - 1, half = (tail + 1) / 2;
  const uint64_t tails[] = {0, 1, half - 1, half, half + 1, tail};
  return choice / 64 % 3 == 0 ? drawn : (drawn & ~tail) | (tails[choice / 192 % 6] & tail);
}

/* A code of 32 or 64 bits. Integers have any magnitude. Floats reach from below the denormal
 * numbers of narrower formats to above the largest. Every eighth code has any bits at all. */
static uint64_t wide_code(uint64_t i, uint32_t bits, bool is_float) {
  const uint64_t drawn = i * 0x9e3779b97f4a7c15u, choice = (i * 0xd6e8feb86659fd93u) >> 32;
  const uint64_t code = at_a_border(drawn >> (64 - bits), choice, bits);
  if (i % 8 == 0) {
    return drawn >> (64 - bits);
  }
  if (!is_float) {
    const int64_t whole = bits == 64 ? (int64_t)code : (int32_t)(uint32_t)code;
    return (uint64_t)(whole >> choice / 4096 % bits);
  }
  const uint64_t mantissa = bits == 64 ? 52 : 23, bias = bits == 64 ? 1023 : 127;
  const uint64_t span = bits == 64 ? 320 : 2 * bias,
                 exponent = bias - span / 2 + choice / 4096 % span;
  const uint64_t low = ((uint64_t)1 << mantissa) - 1;
  return (drawn >> 63) << (bits - 1) | exponent << mantissa | (code & low);
}

/* Zeros, the least numbers, infinities, NaNs with and without a payload, and neighbours of these
 * codes. */
static uint64_t special_code(uint64_t i, uint32_t bits) {
  const uint64_t infinity = bits == 64 ? 0x7ff0000000000000u : 0x7f800000u, quiet = infinity >> 11;
  const uint64_t codes[] = {0, 1, 2, infinity - 1, infinity, infinity + 1, infinity | quiet | 5};
  const uint64_t code = codes[i / 2 % 7];
  return i % 2 == 0 ? code : code | (uint64_t)1 << (bits - 1);
}

/* Fills in the codes, and returns how many. Multiples of an odd number meet every code of 2^bits
 * once before a repetition. */
static int64_t list_codes(fixture *f, clrs_dtype type) {
  const uint32_t bits = clrs_dtype_bits(type);
  const bool is_float = type == CLRS_F32 || type == CLRS_F64;
  const int64_t wide = test_cases(1 << 16), all = bits <= 16 ? (int64_t)1 << bits : wide;
  const int64_t count = all < 4096 ? 4096 : all > MOST ? MOST : all;
  for (int64_t i = 0; i < count; i++) {
    const uint64_t code = bits <= 16 ? (uint64_t)i
                          : i < 28   ? special_code((uint64_t)i, bits)
                                     : wide_code((uint64_t)i, bits, is_float);
    if (bits >= 8) {
      memcpy(f->codes + (size_t)i * (bits / 8), &code, bits / 8);
    } else {
      f->codes[i] = (unsigned char)((uint64_t)i * 0x9e3779b9u >> 24); /* of several codes */
    }
  }
  return count;
}

static void move_all(fixture *f, int which, const clrs_map *map, int64_t count) {
  clrs_context *library = f->libraries[which];
  clrs_tensor *source = map_dense(library, f->source, map->from, 1, &count), *mapped;
  clrs_tensor *destination = map_dense(library, f->destination, map->to, 1, &count);
  CHECK_OK(clrs_tensor_with_map(source, map, NULL, &mapped, &error), error);
  CHECK_OK(clrs_enqueue_move(mapped, destination, ON(f->device.queue), NULL, &error), error);
  clrs_tensor_release(mapped);
  clrs_tensor_release(destination);
  clrs_tensor_release(source);
}

static void map_all(fixture *f, uint64_t pair, const clrs_map *map) {
  clrs_view view;
  clrs_map_views views;
  char text[200];
  const int64_t count = list_codes(f, map->from);
  const size_t bytes = (size_t)count * clrs_dtype_bits(map->to) / 8;
  const clrs_map_data data = {.source = {f->codes, (size_t)count * clrs_dtype_bits(map->from) / 8}};
  const clrs_shape shape = {.rank = 1, .dims = {count}};
  clrs_map_explain(map, text, sizeof text);
  CHECK_OK(clrs_view_dense(map->from, &shape, &view, &error), error);
  CHECK_OK(clrs_map_bind(map, &view, NULL, &views, &error), error);
  CHECK_OK(clrs_map_apply(map, &views, &data, f->expected, bytes, &error), error);
  device_write(&f->device, f->source, 8 * MOST, f->codes);
  for (int which = 0; which < 2; which++) {
    memset(f->got, 0x5a, bytes);
    device_write(&f->device, f->destination, bytes, f->got);
    move_all(f, which, map, count);
    device_read(&f->device, f->destination, bytes, f->got);
    for (size_t i = 0; i < bytes; i++) {
      CHECK_SEEDED(f->got[i] == f->expected[i], pair, "byte %zu of %s: %02x, expected %02x", i,
                   text, f->got[i], f->expected[i]);
    }
  }
}

static void cast_all(fixture *f, uint64_t pair, clrs_dialect dialect, clrs_dtype from,
                     clrs_dtype to) {
  clrs_map map;
  if (clrs_map_cast(dialect, from, to, &map, &error) == CLRS_OK && !clrs_map_keeps_bits(&map)) {
    map_all(f, pair, &map);
  }
}

/* Three steps of one arithmetic, with numbers that are not powers of two. Every kind of step comes
 * first in turn. */
static void step_all(fixture *f, uint64_t pair, clrs_dtype from, clrs_dtype to) {
  static const clrs_dtype arithmetics[] = {CLRS_F64, CLRS_F32, CLRS_F16, CLRS_BF16};
  clrs_map map;
  if (clrs_map_cast(CLRS_NUMPY, from, to, &map, &error) != CLRS_OK) {
    return;
  }
  clrs_step last = map.steps[0];
  if (last.overflow == CLRS_OVERFLOW_WRAP && pair % 2 == 0) {
    last.overflow = CLRS_OVERFLOW_SATURATE;
  }
  const clrs_dtype arithmetic = arithmetics[(pair / TYPES + pair) % 4];
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, from, from, &map, &error), error);
  for (uint64_t i = 0; i < 3; i++) {
    const double number = i == 1 ? 0.7 : 3.1;
    const clrs_numbers one = {1, &number, {CLRS_SPREAD_BROADCAST, 0, 0}};
    const int kind = (int)((pair + i) % (CLRS_STEP_AT_MOST + 1));
    CHECK_OK(clrs_map_step(&map, (clrs_step_kind)kind, arithmetic, &one, &error), error);
  }
  CHECK_OK(clrs_map_round(&map, to, last.rounding, last.overflow, &error), error);
  map_all(f, pair, &map);
}

TEST(every_pair) {
  fixture *f = *state;
  const char *text = getenv("CLRS_TEST_PAIRS");
  const uint64_t first = test_seed(0),
                 pairs = text != NULL ? strtoull(text, NULL, 10) : TYPES * TYPES;
  for (uint64_t i = first; i < first + pairs && i < TYPES * TYPES; i++) {
    cast_all(f, i, CLRS_NUMPY, types[i / TYPES], types[i % TYPES]);
    cast_all(f, i, CLRS_ONEDNN, types[i / TYPES], types[i % TYPES]);
    step_all(f, i, types[i / TYPES], types[i % TYPES]);
  }
}

TESTS_UNLESS(device_missing(), fixture_open, fixture_close)
