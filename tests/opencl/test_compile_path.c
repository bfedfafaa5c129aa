/*
 * How kernels are written for the driver's compiler: the chosen path, and that programs of
 * different paths are not mixed up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

API_TEST(the_environment_chooses_the_compile_path) {
  clrs_device_report report;
  CHECK_OK(clrs_device_describe(a->device.device, &report, &error), error);
  assert_int_not_equal(report.execution, CLRS_EXECUTION_AUTO);
  assert_in_range(report.note_count, 0, CLRS_MAX_DEVICE_NOTES);
  for (size_t i = 0; i < report.note_count; i++)
    assert_true(strlen(report.notes[i]) > 0);
  assert_int_equal(setenv("CLRS_COMPILE_PATH", "portable", 1), 0);
  CHECK_OK(clrs_device_describe(a->device.device, &report, &error), error);
  assert_int_equal(report.compile_path, CLRS_COMPILE_PATH_PORTABLE);
  assert_int_equal(setenv("CLRS_COMPILE_PATH", "native", 1), 0);
  CHECK_OK(clrs_device_describe(a->device.device, &report, &error), error);
  assert_int_equal(report.compile_path, CLRS_COMPILE_PATH_NATIVE);
  assert_int_equal(setenv("CLRS_COMPILE_PATH", "slow", 1), 0);
  CHECK_FAILS(clrs_device_describe(a->device.device, &report, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_SAYS(error, "\"slow\"; it must be native or portable");
  assert_int_equal(unsetenv("CLRS_COMPILE_PATH"), 0);
}

/* Programs of one path are different from programs of the other path, but the results are the
 * same. */
API_TEST(programs_of_both_compile_paths_are_told_apart) {
  enum { ROOM = 1 << 20 };
  size_t size = 0;
  unsigned char *blob = calloc(1, ROOM);
  assert_non_null(blob);
  assert_int_equal(setenv("CLRS_COMPILE_PATH", "portable", 1), 0);
  clrs_context *portable = device_library(&a->device, NULL);
  assert_int_equal(setenv("CLRS_COMPILE_PATH", "native", 1), 0);
  clrs_context *native = device_library(&a->device, NULL);
  assert_int_equal(unsetenv("CLRS_COMPILE_PATH"), 0);
  CHECK_OK(clrs_context_warm_up(portable, "cpu_tile", 16, &error), error);
  CHECK_OK(clrs_context_export_programs(portable, blob, ROOM, &size, &error), error);
  CHECK_FAILS(clrs_context_import_programs(native, blob, size, &error), CLRS_UNSUPPORTED, error);
  assert_int_equal(clrs_context_program_count(native), 0);
  free(blob);
  clrs_context_release(portable);
  clrs_context_release(native);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
