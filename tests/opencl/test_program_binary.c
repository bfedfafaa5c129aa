/*
 * The owner of a binary: programs of the same device with other arguments, or compiled in another
 * way, must not be confused. Also drivers that give no binaries, or wrong answers about binaries.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "opencl/program/program_binary.h"

#include <dlfcn.h>

#include "harness/device.h"
#include "store_fixture.h"

TEST(each_way_of_building_has_an_identity) {
  enum { WAYS = 4 };
  test_device device;
  device_open(&device);
  const clrs__program_target ways[WAYS] = {
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_NATIVE},
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_PORTABLE},
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_NATIVE, .words_in_buffer = true},
      {.device = device.device,
       .compile_path = CLRS_COMPILE_PATH_PORTABLE,
       .words_in_buffer = true},
  };
  char identity[WAYS][CLRS__IDENTITY_BYTES];
  for (int i = 0; i < WAYS; i++) {
    CHECK_OK(clrs__programs_identity(&ways[i], identity[i], sizeof identity[i], &error), error);
    for (int j = 0; j < i; j++)
      assert_string_not_equal(identity[i], identity[j]);
  }
  device_close(&device);
}

/* ---- drivers without good binaries ---- */

static enum answer { HONEST, NO_DEVICE, NO_BINARY, GROWN, REFUSED } driver;

/* In front of the loader. POSIX defines the conversion, ISO C does not. */
static void find_next(const char *name, void *function) {
  void *symbol = dlsym(RTLD_NEXT, name);
  memcpy(function, &symbol, sizeof symbol);
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info what, size_t size,
                                    void *value, size_t *got) {
  cl_int (*next)(cl_program, cl_program_info, size_t, void *, size_t *);
  find_next("clGetProgramInfo", &next);
  const cl_int code = next(program, what, size, value, got);
  if ((driver == NO_DEVICE && what == CL_PROGRAM_DEVICES) ||
      (driver == NO_BINARY && what == CL_PROGRAM_BINARY_SIZES))
    memset(value, 0, size);
  if (driver == GROWN && what == CL_PROGRAM_BINARY_SIZES)
    ++*(size_t *)value;
  return code;
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                 const cl_device_id *devices, const size_t *lengths,
                                                 const unsigned char **binaries, cl_int *statuses,
                                                 cl_int *code) {
  cl_program (*next)(cl_context, cl_uint, const cl_device_id *, const size_t *,
                     const unsigned char **, cl_int *, cl_int *);
  find_next("clCreateProgramWithBinary", &next);
  const cl_program made = next(context, count, devices, lengths, binaries, statuses, code);
  if (driver == REFUSED)
    *statuses = CL_INVALID_BINARY;
  return made;
}

/* Reads the binary of a program from the driver that answers so, into room for `size` bytes. */
static clrs_status read_from(enum answer answer, const clrs__built_kernel *built,
                             cl_device_id device, unsigned char *room, size_t *size,
                             clrs_error *error) {
  driver = answer;
  const clrs_status status = clrs__program_binary(built->program, device, room, size, error);
  driver = HONEST;
  return status;
}

static void make_again(const clrs__program_target *target, clrs__variant variant,
                       clrs__bytes binary) {
  clrs__built_kernel again;
  driver = REFUSED;
  CHECK_FAILS(clrs__kernel_from_binary(target, variant, binary, &again, &error), CLRS_OPENCL_ERROR,
              error);
  assert_int_equal(error.opencl_code, CL_INVALID_BINARY);
  driver = HONEST;
  CHECK_OK(clrs__kernel_from_binary(target, variant, binary, &again, &error), error);
  clrs__built_kernel_release(&again);
}

TEST(a_driver_without_good_binaries_is_a_sentence) {
  static unsigned char room[1 << 18];
  const clrs__variant variant = {
      .kernel_class = CLRS__CLASS_GPU_ANY, .unit_bits = 32, .index_bits = 32, .nest_axes = 31};
  test_device device;
  device_open(&device);
  const clrs__program_target target = target_of(&device);
  clrs__built_kernel built;
  size_t size = 0;
  CHECK_OK(clrs__kernel_build(&target, variant, &built, &error), error);
  CHECK_FAILS(read_from(NO_DEVICE, &built, device.device, NULL, &size, &error), CLRS_OPENCL_ERROR,
              error);
  CHECK_SAYS(error, "the driver lists a program without its device");
  CHECK_FAILS(read_from(NO_BINARY, &built, device.device, NULL, &size, &error), CLRS_UNSUPPORTED,
              error);
  CHECK_SAYS(error, "the driver gives no binaries of its programs");
  CHECK_OK(read_from(HONEST, &built, device.device, NULL, &size, &error), error);
  assert_in_range(size, 1, sizeof room);
  CHECK_FAILS(read_from(GROWN, &built, device.device, room, &size, &error), CLRS_OPENCL_ERROR,
              error);
  CHECK_SAYS(error, "bytes now has");
  CHECK_OK(read_from(HONEST, &built, device.device, room, &size, &error), error);
  make_again(&target, variant, (clrs__bytes){room, size});
  clrs__built_kernel_release(&built);
  device_close(&device);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
