/*
 * Steps of floats on a device that flushes denormals and does not round quotients: every bit is
 * that of the host's floats. The library is told so of any device, and its kernels then compute
 * with integers, or, of maps whose numbers are never denormal, with floats and fma.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "context.h"
#include "harness/float_code.h"
#include "harness/rng.h"
#include "host/pocl_cache.h"
#include "map_fixture.h"

enum { COUNT = 4096, PARAMETERS = 64 };

static uint32_t codes[COUNT], got[COUNT], by[PARAMETERS];

static uint32_t step_of(clrs_step_kind kind, float x, float p) {
  const volatile float results[] = {x - p, x + p, x * p, x / p};
  return kind <= CLRS_STEP_DIVIDE     ? mapped_code_of(results[kind])
         : kind == CLRS_STEP_AT_LEAST ? mapped_code_of(x < p ? p : x)
                                      : mapped_code_of(x > p ? p : x);
}

static void draw(test_rng *rng, size_t count, uint32_t *into) {
  static const uint32_t some[] = {0,           1,           0x80000000u, 0x80000001u,
                                  0x007fffffu, 0x00800000u, 0x3f800000u, 0x7f7fffffu,
                                  0x7f800000u, 0xff800000u, 0x7fc00000u};
  for (size_t i = 0; i < count; i++) {
    const uint32_t any = (uint32_t)rng_next(rng);
    into[i] = rng_percent(rng, 20)   ? some[any % (sizeof some / sizeof *some)]
              : rng_percent(rng, 50) ? any & 0x80ffffffu /* near the least */
                                     : any;
  }
}

static void run(map_fixture *f, int which, clrs_step_kind kind) {
  clrs_error error;
  clrs_context *library = f->libraries[which];
  const int64_t dims[] = {COUNT / PARAMETERS, PARAMETERS};
  const clrs_numbers tensor = {0, NULL, {.kind = CLRS_SPREAD_AXIS, .axis = -1}};
  clrs_tensor *source = map_dense(library, f->source, CLRS_F32, 2, dims), *mapped = NULL;
  clrs_tensor *to = map_dense(library, f->destination, CLRS_F32, 2, dims);
  clrs_tensor *parameters = map_dense(library, f->parameters, CLRS_F32, 1, dims + 1);
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_F32, CLRS_F32, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, kind, CLRS_F32, &tensor, &error), error);
  CHECK_OK(clrs_tensor_with_map(source, &map, &(clrs_parameter_tensors){.steps = {parameters}},
                                &mapped, &error),
           error);
  CHECK_OK(clrs_enqueue_move(mapped, to, ON(f->device.queue), NULL, &error), error);
  device_read(&f->device, f->destination, sizeof got, got);
  clrs_tensor_release(mapped);
  clrs_tensor_release(parameters);
  clrs_tensor_release(to);
  clrs_tensor_release(source);
}

/* Are kernels built with more options, by which the device flushes denormals? */
static bool is_flushed(void) {
  return getenv("CLRS_LAYER_OPTIONS") != NULL;
}

/* Compares a chain for frames or for quantized numbers with the host's reference. */
static void expect_case(map_fixture *f, int which, clrs_dtype from, const char *chain) {
  const clrs_shape shape = {1, {COUNT / (int64_t)(clrs_dtype_bits(from) / 8)}};
  test_rng rng = rng_start(test_seed(9500));
  rng_fill(&rng, f->bytes, COUNT);
  device_write(&f->device, f->source, COUNT, f->bytes);
  map_expect_chain(f, which, from, &shape, chain);
}

typedef struct soft_case {
  clrs_dtype from;
  const char *chain;
} soft_case;

static const soft_case cases[] = {{CLRS_U8, "cast=f32 mean=123.7 std=58.4"},
                                  {CLRS_U8, "cast=f16 mean=127.5 std=127.5"},
                                  {CLRS_F16, "quantize=i8,0.037,3"},
                                  {CLRS_I8, "dequantize=f32,0.037,3"},
                                  {CLRS_U16, "cast=f32 div=65535 max=0.1 std=-0.229 cast=bf16"},
                                  {CLRS_I16, "cast=f32 scale=1e-20 div=7e-20 cast=f16 cast=u8"}};
/* With more bits than a float has, also these. */
static const soft_case of_excess[] = {
    {CLRS_F32, "cast=u8"}, {CLRS_F8E4M3FN, "cast=f32 scale=3.1 div=0.7 max=3.1 cast=u8"}};

/* By both executions, the second with other arithmetic. */
static void expect_cases(map_fixture *f, const soft_case *all, size_t count,
                         const clrs__arithmetic arithmetic[2]) {
  for (int which = 0; which < 2; which++) {
    f->libraries[which]->arithmetic = arithmetic[which];
    for (size_t i = 0; i < count; i++) {
      if (map_runs(which, i))
        expect_case(f, which, all[i].from, all[i].chain);
    }
  }
}

/* The device claims to round and to divide, and keeps more bits than a float has. With the layer,
 * the compiler's options stand for such a device: PoCL 3.1 then has wrong floats in four chains. */
MAP_TEST(excess_bits_are_not_used) {
  const clrs__arithmetic claimed = {.has_denormals = true, .divides = true, .keeps_excess = true};
  const clrs__arithmetic both[] = {claimed, claimed};
  const char *others = getenv("CLRS_LAYER_OPTIONS");
  assert_int_equal(setenv("CLRS_LAYER_OPTIONS", "-cl-fast-relaxed-math", 1), 0);
  expect_cases(f, cases, sizeof cases / sizeof *cases, both);
  expect_cases(f, of_excess, sizeof of_excess / sizeof *of_excess, both);
  assert_int_equal(
      others != NULL ? setenv("CLRS_LAYER_OPTIONS", others, 1) : unsetenv("CLRS_LAYER_OPTIONS"), 0);
}

MAP_TEST(steps_need_neither_denormals_nor_division) {
  test_rng rng = rng_start(test_seed(9400));
  draw(&rng, COUNT, codes);
  draw(&rng, PARAMETERS, by);
  device_write(&f->device, f->source, sizeof codes, codes);
  device_write(&f->device, f->parameters, sizeof by, by);
  /* The executions share the arithmetic, so one of the two runs each step. */
  for (clrs_step_kind kind = CLRS_STEP_SUBTRACT; kind <= CLRS_STEP_AT_MOST; kind++) {
    const int which = kind % 2;
    f->libraries[which]->arithmetic = (clrs__arithmetic){.has_doubles = false};
    run(f, which, kind);
    for (size_t i = 0; i < COUNT; i++) {
      const uint32_t expected = step_of(kind, float_of(codes[i]), float_of(by[i % PARAMETERS]));
      if (got[i] != expected)
        fail_msg("step %d of %08x and %08x gave %08x, expected %08x", (int)kind, codes[i],
                 by[i % PARAMETERS], got[i], expected);
    }
  }
}

/* One execution computes with floats and fma, the other with integers. */
MAP_TEST(frames_and_quantized_numbers_run) {
  expect_cases(f, cases, sizeof cases / sizeof *cases,
               (clrs__arithmetic[]){{.fuses = false}, {.fuses = true}});
}

/* PoCL does flush, so that kernels that need denormals are noticed. Other drivers need not. */
MAP_TEST(what_flushes_is_seen) {
  int64_t differences = 0;
  cl_platform_id platform = NULL;
  CL_OK(clGetDeviceInfo(f->device.device, CL_DEVICE_PLATFORM, sizeof platform, (void *)&platform,
                        NULL));
  if (!is_flushed() || !cli_pocl_is(platform))
    skip();
  f->libraries[0]->arithmetic = (clrs__arithmetic){.has_denormals = true, .divides = true};
  run(f, 0, CLRS_STEP_MULTIPLY);
  for (size_t i = 0; i < COUNT; i++)
    differences +=
        got[i] != step_of(CLRS_STEP_MULTIPLY, float_of(codes[i]), float_of(by[i % PARAMETERS]));
  assert_true(differences > COUNT / 100);
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
