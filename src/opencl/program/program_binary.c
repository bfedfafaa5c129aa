/* SPDX-License-Identifier: Apache-2.0 */
#include "program_binary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "kernel_source.h"

/* ---- identity ---- */

/* Covers all kernel files and their names. */
static uint64_t checksum_of_kernels(void) {
  uint64_t sum = CLRS__CHECKSUM_START;
  for (size_t i = 0; i < clrs__kernel_source_count; i++) {
    const struct clrs__kernel_source *source = &clrs__kernel_sources[i];
    sum = clrs__checksum_add(sum, (const unsigned char *)source->name, strlen(source->name));
    sum = clrs__checksum_add(sum, source->text, source->length);
  }
  return sum;
}

/* Names how kernels are built. Kernels that are built in different ways take different
 * arguments. */
static const char *way_of(const clrs__program_target *target) {
  const bool is_native = target->compile_path == CLRS_COMPILE_PATH_NATIVE;
  return target->words_in_buffer
             ? (is_native ? " (native, words in a buffer)" : " (words in a buffer)")
         : is_native ? " (native)"
                     : "";
}

clrs_status clrs__programs_identity(const clrs__program_target *target, char *text, size_t size,
                                    clrs_error *error) {
  const cl_device_id device = target->device;
  char platform_name[120], platform_version[200], name[160], version[120], driver[120];
  cl_platform_id platform = NULL;
  cl_uint address_bits = 0;
  CLRS_TRY_OPENCL("clGetDeviceInfo",
                  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL),
                  error);
  CLRS_TRY_OPENCL(
      "clGetDeviceInfo",
      clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof address_bits, &address_bits, NULL),
      error);
  CLRS_TRY(
      clrs__platform_text(platform, CL_PLATFORM_NAME, platform_name, sizeof platform_name, error));
  CLRS_TRY(clrs__platform_text(platform, CL_PLATFORM_VERSION, platform_version,
                               sizeof platform_version, error));
  CLRS_TRY(clrs__device_text(device, CL_DEVICE_NAME, name, sizeof name, error));
  CLRS_TRY(clrs__device_text(device, CL_DEVICE_VERSION, version, sizeof version, error));
  CLRS_TRY(clrs__device_text(device, CL_DRIVER_VERSION, driver, sizeof driver, error));
  snprintf(text, size,
           "clreshape %d.%d.%d, kernels %016" PRIx64 "%s, driver %s, device %s (%s, %u bits), "
           "processor %016" PRIx64 ", platform %s (%s)",
           CLRS_VERSION_MAJOR, CLRS_VERSION_MINOR, CLRS_VERSION_PATCH, checksum_of_kernels(),
           way_of(target), driver, name, version, address_bits, target->processor, platform_name,
           platform_version);
  return CLRS_OK;
}

/* ---- binaries of a program that was built ---- */

/* Lists with one value per device of a program: the device, the size of its binary, or the address
 * for the binary. A program may be for several devices, but only the device `ours` has a binary. */
typedef struct binaries {
  cl_program program;
  cl_uint count, ours;
  union {
    cl_device_id *devices;
    size_t *sizes;
    unsigned char **places;
    void *values;
  } of;
} binaries;
_Static_assert(sizeof(size_t) == sizeof(void *), "the lists take the same room");

static clrs_status list(const binaries *all, cl_program_info what, clrs_error *error) {
  CLRS_TRY_OPENCL(
      "clGetProgramInfo",
      clGetProgramInfo(all->program, what, all->count * sizeof(void *), all->of.values, NULL),
      error);
  return CLRS_OK;
}

static clrs_status find_device(binaries *all, cl_device_id device, clrs_error *error) {
  CLRS_TRY(list(all, CL_PROGRAM_DEVICES, error));
  while (all->ours < all->count && all->of.devices[all->ours] != device) {
    all->ours++;
  }
  return all->ours < all->count ? CLRS_OK
                                : clrs__fail(error, CLRS_OPENCL_ERROR,
                                             "the driver lists a program without its device");
}

static clrs_status read_binary(binaries *all, cl_device_id device, unsigned char *room,
                               size_t *size, clrs_error *error) {
  CLRS_TRY(find_device(all, device, error));
  CLRS_TRY(list(all, CL_PROGRAM_BINARY_SIZES, error));
  const size_t found = all->of.sizes[all->ours];
  if (found == 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "the driver gives no binaries of its programs");
  }
  if (room != NULL && found != *size) {
    return clrs__fail(error, CLRS_OPENCL_ERROR, "a binary of %zu bytes now has %zu", *size, found);
  }
  *size = found;
  if (room == NULL) {
    return CLRS_OK;
  }
  memset(all->of.values, 0, all->count * sizeof(void *)); /* NULL: skip this device */
  all->of.places[all->ours] = room;
  return list(all, CL_PROGRAM_BINARIES, error);
}

clrs_status clrs__program_binary(cl_program program, cl_device_id device, unsigned char *room,
                                 size_t *size, clrs_error *error) {
  binaries all = {.program = program};
  CLRS_TRY_OPENCL(
      "clGetProgramInfo",
      clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof all.count, &all.count, NULL), error);
  all.of.values = calloc(all.count, sizeof(void *));
  CLRS_TRY_MEMORY(all.of.values, error, "no memory for a list of %u devices", all.count);
  const clrs_status status = read_binary(&all, device, room, size, error);
  free(all.of.values);
  return status;
}

/* ---- and back ---- */

clrs_status clrs__kernel_from_binary(const clrs__program_target *target, clrs__variant variant,
                                     clrs__bytes binary, clrs__built_kernel *built,
                                     clrs_error *error) {
  cl_int code = CL_SUCCESS, taken = CL_SUCCESS;
  cl_program program = clCreateProgramWithBinary(target->context, 1, &target->device,
                                                 &binary.length, &binary.bytes, &taken, &code);
  CLRS_TRY_OPENCL("clCreateProgramWithBinary", code, error);
  if (taken != CL_SUCCESS) {
    clReleaseProgram(program);
    return clrs__fail_opencl(error, taken, "clCreateProgramWithBinary");
  }
  return clrs__program_finish(program, target, variant, built, error);
}
