/*
 * Maps that are proved to need no denormal floats: of random maps every number on the way is
 * looked at, of every element that a source can have. Quotients by fma are those of the host's
 * division, also where a rounding is hardest and where the first guess is off by several places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tame.h"

#include <math.h>
#include <string.h>

#include "elements.h"
#include "harness/check.h"
#include "harness/float_code.h"
#include "harness/rng.h"
#include "quotient.h"

enum { MANTISSAS = 1 << 23, OFF = 3, CODES = 1 << 16, LISTED = 2, MOST_STEPS = 5 };

static int64_t denormals; /* that a quotient needed */

static float watched(float value) {
  denormals += fpclassify(value) == FP_SUBNORMAL;
  return value;
}

static float watched_fma(float a, float b, float c) {
  return watched(fmaf(a, b, c));
}

CLRS_QUOTIENT(quotient, float, fmaf)
CLRS_QUOTIENT(watched_quotient, float, watched_fma)

/* ---- quotients ---- */

/* All numbers of 24 bits have inverses, but the one whose bits are all 1. */
TEST(every_inverse_is_found) {
  for (uint32_t i = 0; i < MANTISSAS - 1; i++) {
    const float p = float_of(0x3f800000u | i), inverse = 1.0F / p;
    for (int off = -OFF; off <= OFF; off++) {
      if (quotient_inverse(p, float_of(code_of(inverse) + (uint32_t)off)) != inverse)
        fail_msg("of %a, from %d places off", (double)p, off);
    }
  }
}

static void expect_quotient(uint32_t x, uint32_t p, int off) {
  const float near = float_of(code_of(1.0F / float_of(p)) + (uint32_t)off);
  const uint32_t expected = code_of(float_of(x) / float_of(p));
  const uint32_t got = code_of(quotient(float_of(x), float_of(p), near));
  if (got != expected)
    fail_msg("%08x / %08x gave %08x, expected %08x", x, p, got, expected);
}

/* 2^-24 modulo an odd number, as kernels/steps.cl has it. */
static uint32_t power_modulo(uint32_t odd) {
  uint32_t inverse = odd;
  for (int bits = 3; bits < 24; bits *= 2)
    inverse *= 2 - odd * inverse;
  return (uint32_t)(((uint64_t)odd * (-inverse & 0xffffffu) + 1) >> 24);
}

/* The dividends whose quotients by an odd number are nearest to the middle of two floats. */
TEST(the_hardest_quotients_are_right) {
  for (uint32_t i = 1; i < MANTISSAS - 1; i += 2) {
    const uint32_t odd = i | 0x800000u, one = power_modulo(odd), sum = one + odd;
    const uint32_t halved = (one & 1) != 0 ? sum / 2 : one / 2;
    const uint32_t hard[] = {sum, 2 * odd - one, halved, odd - halved};
    for (uint32_t k = 0; k < 4; k++)
      expect_quotient(code_of((float)hard[k]), code_of((float)odd), (int)((i / 2 + k) % 7) - OFF);
  }
}

TEST(quotients_of_short_integers_are_right) {
  test_rng rng = rng_start(test_seed(9600));
  for (int64_t i = 0; i < test_cases(60); i++) {
    const uint32_t p = (uint32_t)rng_between(&rng, 67, 187) << 23 | (rng_next(&rng) & 0x7ffffeu);
    for (uint32_t x = 0; x < CODES; x++)
      expect_quotient(code_of((float)x) | (uint32_t)(i % 2) << 31, p, (int)(x % 7) - OFF);
  }
}

TEST(zeros_and_infinities_keep_their_signs) {
  static const uint32_t some[] = {0, 0x80000000u, 0x7f800000u, 0xff800000u};
  for (int i = 0; i < 8; i++)
    expect_quotient(some[i / 2], i % 2 == 0 ? 0x3f000001u : 0xc0a00000u, i % 3);
  assert_true(isnan(quotient(NAN, 3, 1.0F / 3)));
}

/* ---- maps ---- */

/* The numbers behind so many steps, of all codes, for each number of a list. */
static void carry_out(const clrs_map *map, uint32_t steps, double *values) {
  static uint8_t from[2 * CODES], to[8 * CODES * LISTED];
  const clrs__element source = clrs__element_of(map->from);
  const int64_t count = (int64_t)1 << source.bits;
  clrs_map first = *map;
  clrs_map_views views;
  clrs_view view;
  first.step_count = steps;
  first.to = map->steps[steps - 1].dtype;
  const clrs__element element = clrs__element_of(first.to);
  for (int64_t i = 0; i < count; i++)
    clrs__element_store(&source, from, i, (clrs__word)i);
  CHECK_OK(clrs_view_dense(map->from, &(clrs_shape){2, {count, 1}}, &view, &error), error);
  CHECK_OK(clrs_view_expand(&view, &(clrs_shape){2, {count, LISTED}}, &error), error);
  CHECK_OK(clrs_map_bind(&first, &view, NULL, &views, &error), error);
  const clrs_map_data data = {.source = {from, sizeof from}};
  CHECK_OK(clrs_map_apply(&first, &views, &data, to, sizeof to, &error), error);
  for (int64_t i = 0; i < count * LISTED; i++) {
    const clrs__number n = clrs__element_value(&element, clrs__element_load(&element, to, i));
    const double magnitude = n.kind == CLRS_NAN        ? (double)NAN
                             : n.kind == CLRS_INFINITE ? (double)INFINITY
                                                       : ldexp((double)n.magnitude, n.exponent);
    values[i] = n.sign ? -magnitude : magnitude;
  }
}

static void check_divisions(const clrs_map *map, uint32_t at, const double *before, int64_t count) {
  const clrs_step *step = &map->steps[at];
  const clrs__format format = clrs__element_of(step->dtype).format;
  for (int64_t i = 0; i < count; i++) {
    const uint32_t which = step->parameter.count == 1 ? 0 : (uint32_t)(i % LISTED);
    const clrs__number n = clrs__decode(
        format,
        clrs__nearest(format, clrs__number_of(map->numbers[step->parameter.first + which])));
    const float p = (float)ldexp(n.sign ? -(double)n.magnitude : (double)n.magnitude, n.exponent);
    const float x = (float)before[i], expected = x / p, got = watched_quotient(x, p, 1.0F / p);
    if (!isnan(x) && code_of(expected) != code_of(got))
      fail_msg("%a / %a gave %a", (double)x, (double)p, (double)got);
  }
  assert_int_equal(denormals, 0);
}

/* No number behind any step is denormal as a float. */
static void check_map(const clrs_map *map, uint64_t seed) {
  static double values[2][CODES * LISTED];
  const int64_t count = LISTED * (int64_t)(1 << clrs_dtype_bits(map->from));
  for (uint32_t at = 0; at < map->step_count; at++) {
    carry_out(map, at + 1, values[at % 2]);
    for (int64_t i = 0; i < count; i++) {
      const double magnitude = fabs(values[at % 2][i]);
      CHECK_SEEDED(!(magnitude > 0 && magnitude < 0x1p-126), seed, "step %u gave %a", at,
                   magnitude);
    }
    if (map->steps[at].kind == CLRS_STEP_DIVIDE && at > 0)
      check_divisions(map, at, values[1 - at % 2], count);
  }
}

/* Numbers near 1 as a rule, else of any size that a float has. */
static double draw_number(test_rng *rng) {
  const int64_t size = rng_percent(rng, 60) ? 8 : 120;
  const int exponent = (int)rng_between(rng, -size, size);
  const double number = ldexp(1 + (double)(rng_next(rng) >> 11) * 0x1p-53, exponent);
  return rng_percent(rng, 30) ? -number : rng_percent(rng, 20) ? rint(number) + 1 : number;
}

static bool append_step(test_rng *rng, clrs_map *map) {
  static const clrs_dtype types[] = {CLRS_F32, CLRS_F32, CLRS_F16, CLRS_BF16};
  static const clrs_dtype results[] = {CLRS_F16,  CLRS_F32,  CLRS_I8,    CLRS_U16,
                                       CLRS_BF16, CLRS_BOOL, CLRS_F8E5M2};
  const double numbers[LISTED] = {draw_number(rng), draw_number(rng)};
  const clrs_numbers given = {
      rng_percent(rng, 50) ? 1 : LISTED, numbers, {.kind = CLRS_SPREAD_AXIS, .axis = -1}};
  if (rng_percent(rng, 15)) {
    const clrs_dtype to = results[rng_next(rng) % (sizeof results / sizeof *results)];
    return clrs_map_round(map, to, (clrs_rounding)rng_between(rng, 0, 4), CLRS_OVERFLOW_SATURATE,
                          &error) == CLRS_OK;
  }
  return clrs_map_step(map, (clrs_step_kind)rng_between(rng, 0, CLRS_STEP_AT_MOST),
                       types[rng_next(rng) % 4], &given, &error) == CLRS_OK;
}

TEST(tame_maps_have_no_denormals) {
  static const clrs_dtype sources[] = {CLRS_U8, CLRS_I8,  CLRS_I4,      CLRS_BOOL,
                                       CLRS_U4, CLRS_F16, CLRS_F8E4M3FN};
  const uint64_t first = test_seed(9700);
  int64_t tame = 0, wild = 0;
  for (int64_t i = 0; i < test_cases(3000); i++) {
    test_rng rng = rng_start(first + (uint64_t)i);
    const clrs_dtype from = i % 100 == 0 ? CLRS_U16 : sources[rng_next(&rng) % 7];
    clrs_map map;
    CHECK_OK(clrs_map_cast(CLRS_NUMPY, from, from, &map, &error), error);
    for (int64_t steps = rng_between(&rng, 1, MOST_STEPS); steps > 0; steps--)
      (void)append_step(&rng, &map);
    if (map.step_count == 0 || (from == CLRS_F16 && i % 16 != 0))
      continue;
    wild += !clrs__map_is_tame(&map);
    if (clrs__map_is_tame(&map)) {
      check_map(&map, first + (uint64_t)i);
      tame++;
    }
  }
  print_message("  %d tame maps, %d others\n", (int)tame, (int)wild);
  assert_true(test_cases(3000) < 1000 || (tame > 1000 && wild > 300));
}

TEST(what_is_proved) {
  static const struct {
    clrs_dtype from;
    const char *chain;
    bool is_tame;
  } rows[] = {{CLRS_U8, "cast=f32 mean=123.7 std=58.4", true},
              {CLRS_U8, "cast=f32 scale=0.00392156862745098 mean=0.485 std=0.229 cast=f16", true},
              {CLRS_I16, "cast=f16 mean=127.5 std=127.5", true},
              {CLRS_F16, "quantize=i8,0.037,3", true},
              {CLRS_I8, "dequantize=f32,0.037,3", true},
              {CLRS_U8, "cast=f32 scale=2 cast=i32", true},
              {CLRS_U8, "cast=f32 scale=1e-20 cast=f16 cast=f32 scale=1e-20", true},
              {CLRS_U8, "cast=f32 scale=2.475880078570760550e27 div=3", true}, /* to 2^100 */
              {CLRS_U8, "cast=f32 scale=2.475880078570760550e27 add=1 div=3", false},
              {CLRS_U8, "cast=f32 std=1.99999988079071", false}, /* of 24 bits that are 1 */
              {CLRS_U8, "cast=f32 scale=1.1e-12 div=1.1e-9", false},
              {CLRS_U8, "cast=f32 cast=f8e8m0 cast=f32 scale=2", false},
              {CLRS_F32, "scale=2", false},
              {CLRS_BF16, "scale=2", false},
              {CLRS_F8E8M0, "cast=f32 scale=2", false},
              {CLRS_U32, "cast=f32 scale=2", false},
              {CLRS_U8, "cast=i32 add=1 cast=f32", false},
              {CLRS_U8, "cast=f64 add=1 cast=f32", false},
              {CLRS_U8, "cast=f32 add=1.5 cast=i32 cast=f32 add=1.5", false},
              {CLRS_U8, "cast=f32 scale=1e-20 cast=f32 scale=1e-20", false},
              {CLRS_U8, "cast=f32 add=1.2e-38", false},
              {CLRS_U8, "cast=f32 div=1e31", false},
              {CLRS_U8, "cast=f32 div=1e-31", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    clrs_chain chain;
    clrs_view view;
    clrs_mapped mapped;
    CHECK_OK(clrs_view_dense(rows[i].from, &(clrs_shape){2, {2, 3}}, &view, &error), error);
    CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
    CHECK_OK(clrs_chain_parse(rows[i].chain, &chain, &error), error);
    CHECK_OK(clrs_chain_map(&chain, &(clrs_rules){CLRS_NUMPY, CLRS_ZERO_COPIES}, &mapped, &error),
             error);
    if (clrs__map_is_tame(&mapped.map) != rows[i].is_tame)
      fail_msg("'%s'", rows[i].chain);
  }
}

TEST(nothing_is_known_of_a_tensor) {
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_U8, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_SUBTRACT, CLRS_I64, &(clrs_numbers){0}, &error), error);
  assert_true(clrs__map_is_tame(&map)); /* but that zero points have 32 bits */
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_F32, &(clrs_numbers){0}, &error), error);
  assert_false(clrs__map_is_tame(&map));
}

TESTS(NULL, NULL)
