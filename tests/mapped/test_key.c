/*
 * What a device's arithmetic lacks, no program of a map asks of it: the map is refused, with the
 * name of what is missing, or done without. The compiler of a device without doubles ends with an
 * error over a program that has any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "mapped/key.h"

enum { KINDS = CLRS_STEP_AT_MOST + 1, NO_STEP = KINDS };

static const clrs__arithmetic devices[] = {
    {true, true, true},  {true, true, false},  {true, false, true},  {true, false, false},
    {false, true, true}, {false, true, false}, {false, false, true}, {false, false, false},
};

typedef struct seen {
  long made, refused, with_doubles;
} seen;

/* As kernels/convert.cl asks. */
static bool has_doubles(const clrs__map_key *key) {
  char options[CLRS__MAP_OPTIONS_BYTES];
  clrs__map_key_options(key, 32, options, sizeof options);
  assert_non_null(strstr(options, "-DARITHMETIC_BITS="));
  assert_non_null(strstr(options, "-DDIVISION="));
  return strstr(options, "-DARITHMETIC_BITS=64 ") != NULL ||
         strstr(options, "-DDIVISION=3 ") != NULL;
}

static void ask(const clrs_map *map, const clrs_map_views *views, const clrs__arithmetic *device,
                seen *so_far) {
  clrs__map_key key;
  clrs_error error = {0};
  const clrs_status status = clrs__map_key_of(map, views, device, &key, &error);
  if (status == CLRS_OK) {
    so_far->made++;
    so_far->with_doubles += has_doubles(&key);
    assert_true(device->has_doubles || !has_doubles(&key));
    return;
  }
  so_far->refused++;
  assert_int_equal(status, CLRS_UNSUPPORTED);
  assert_true(map->step_count > 0 && !(device->has_doubles && device->has_denormals));
  CHECK_SAYS(error, strstr(error.message, "denormal") ? "lacks CL_FP_DENORM" : "cl_khr_fp64");
}

/* False where there is no such map: of elements without a value. */
static bool make_map(clrs_dtype from, clrs_dtype to, clrs_dtype arithmetic, int kind,
                     clrs_map *map) {
  const clrs_numbers two = {1, (const double[]){2}, {0}};
  clrs_error error;
  if (clrs_map_cast(CLRS_NUMPY, from, to, map, &error) != CLRS_OK)
    return false;
  map->arithmetic = arithmetic;
  return kind == NO_STEP || clrs_map_step(map, (clrs_step_kind)kind, &two, &error) == CLRS_OK;
}

static void ask_of_types(clrs_dtype from, clrs_dtype to, const clrs__arithmetic *device,
                         seen *so_far) {
  static const clrs_dtype arithmetics[] = {CLRS_F16, CLRS_BF16, CLRS_F32, CLRS_F64};
  static clrs_map map;
  static clrs_map_views views;
  for (int i = 0; i < 4; i++)
    for (int kind = 0; kind <= NO_STEP; kind++) {
      if (!make_map(from, to, arithmetics[i], kind, &map))
        continue;
      memset(&views, 0, sizeof views);
      views.of_zero = CLRS_MAP_SCALAR;
      for (int k = 0; k < CLRS_MAP_STEPS; k++)
        views.of_step[k] = CLRS_MAP_SCALAR;
      ask(&map, &views, device, so_far);
    }
}

static seen ask_all(const clrs__arithmetic *device) {
  seen so_far = {0};
  for (int from = 0; from < CLRS_DTYPE_COUNT; from++)
    for (int to = 0; to < CLRS_DTYPE_COUNT; to++)
      ask_of_types((clrs_dtype)from, (clrs_dtype)to, device, &so_far);
  return so_far;
}

static void no_program_has_what_the_device_lacks(void **state) {
  (void)state;
  const seen able = ask_all(&devices[0]);
  assert_true(able.made > 10000 && able.with_doubles > 1000);
  assert_int_equal(able.refused, 0);
  for (size_t i = 1; i < sizeof devices / sizeof *devices; i++) {
    const seen found = ask_all(&devices[i]);
    assert_int_equal(found.made + found.refused, able.made);
    assert_true(found.made > 1000);
    assert_true(devices[i].has_denormals || found.refused > 0);
    assert_true(devices[i].has_doubles || (found.refused > 0 && found.with_doubles == 0));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_program_has_what_the_device_lacks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
