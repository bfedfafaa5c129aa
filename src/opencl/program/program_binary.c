/* SPDX-License-Identifier: Apache-2.0 */
#include "program_binary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "kernel_source.h"

/* ---- identity ---- */

/* Of all kernel files, their names included. */
static uint64_t checksum_of_kernels(void) {
  uint64_t sum = CLRS__CHECKSUM_START;
  for (size_t i = 0; i < clrs__kernel_source_count; i++) {
    const struct clrs__kernel_source *source = &clrs__kernel_sources[i];
    sum = clrs__checksum_add(sum, (const unsigned char *)source->name, strlen(source->name));
    sum = clrs__checksum_add(sum, source->text, source->length);
  }
  return sum;
}

/* How its kernels are built: programs of one way take other arguments than those of another. */
static const char *way_of(const clrs__program_target *target) {
  const bool is_native = target->compile_path == CLRS_COMPILE_PATH_NATIVE;
  return is_native ? " (native)" : target->copies_words ? " (words in a buffer)" : "";
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

/* A program may be for several devices; only ours has a binary. */
typedef struct binaries {
  cl_program program;
  cl_uint count, ours; /* devices */
  size_t *sizes;
} binaries;

static clrs_status program_info(cl_program program, cl_program_info what, size_t size, void *value,
                                clrs_error *error) {
  CLRS_TRY_OPENCL("clGetProgramInfo", clGetProgramInfo(program, what, size, value, NULL), error);
  return CLRS_OK;
}

static clrs_status find_device(binaries *found, cl_device_id device, clrs_error *error) {
  cl_device_id *devices = calloc(found->count, sizeof *devices);
  CLRS_TRY_MEMORY(devices, error, "no memory for a list of %u devices", found->count);
  const clrs_status status = program_info(found->program, CL_PROGRAM_DEVICES,
                                          found->count * sizeof *devices, devices, error);
  found->ours = 0;
  while (status == CLRS_OK && found->ours < found->count && devices[found->ours] != device) {
    found->ours++;
  }
  free(devices);
  if (status == CLRS_OK && found->ours == found->count) {
    return clrs__fail(error, CLRS_OPENCL_ERROR, "the driver lists a program without its device");
  }
  return status;
}

/* found->sizes is to be freed, also after a failure. */
static clrs_status find_binaries(cl_program program, cl_device_id device, binaries *found,
                                 clrs_error *error) {
  *found = (binaries){.program = program};
  CLRS_TRY(program_info(found->program, CL_PROGRAM_NUM_DEVICES, sizeof found->count, &found->count,
                        error));
  CLRS_TRY(find_device(found, device, error));
  found->sizes = calloc(found->count, sizeof *found->sizes);
  CLRS_TRY_MEMORY(found->sizes, error, "no memory for %u sizes", found->count);
  CLRS_TRY(program_info(found->program, CL_PROGRAM_BINARY_SIZES,
                        found->count * sizeof *found->sizes, found->sizes, error));
  if (found->sizes[found->ours] == 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "the driver gives no binaries of its programs");
  }
  return CLRS_OK;
}

clrs_status clrs__program_binary_size(cl_program program, cl_device_id device, size_t *size,
                                      clrs_error *error) {
  binaries found;
  const clrs_status status = find_binaries(program, device, &found, error);
  if (status == CLRS_OK) {
    *size = found.sizes[found.ours];
  }
  free(found.sizes);
  return status;
}

static clrs_status read_binary(const binaries *found, unsigned char *bytes, size_t size,
                               clrs_error *error) {
  if (found->sizes[found->ours] != size) {
    return clrs__fail(error, CLRS_OPENCL_ERROR, "a binary of %zu bytes now has %zu", size,
                      found->sizes[found->ours]);
  }
  unsigned char **places = calloc(found->count, sizeof *places); /* NULL: not this one */
  CLRS_TRY_MEMORY(places, error, "no memory for %u places", found->count);
  places[found->ours] = bytes;
  const clrs_status status = program_info(found->program, CL_PROGRAM_BINARIES,
                                          found->count * sizeof *places, places, error);
  free(places);
  return status;
}

clrs_status clrs__program_binary_read(cl_program program, cl_device_id device, unsigned char *bytes,
                                      size_t size, clrs_error *error) {
  binaries found;
  clrs_status status = find_binaries(program, device, &found, error);
  if (status == CLRS_OK) {
    status = read_binary(&found, bytes, size, error);
  }
  free(found.sizes);
  return status;
}

/* ---- and back ---- */

clrs_status clrs__kernel_from_binary(const clrs__program_target *target, clrs__variant variant,
                                     const clrs__binary *binary, clrs__built_kernel *built,
                                     clrs_error *error) {
  cl_int code = CL_SUCCESS, taken = CL_SUCCESS;
  const unsigned char *bytes = binary->bytes;
  cl_program program = clCreateProgramWithBinary(target->context, 1, &target->device,
                                                 &binary->length, &bytes, &taken, &code);
  CLRS_TRY_OPENCL("clCreateProgramWithBinary", code, error);
  if (taken != CL_SUCCESS) {
    clReleaseProgram(program);
    return clrs__fail_opencl(error, taken, "clCreateProgramWithBinary");
  }
  return clrs__program_finish(program, target, variant, built, error);
}
