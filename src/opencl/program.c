/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_source.h"

clrs__variant clrs__launch_variant(const clrs_launch *launch) {
  const bool pairs_units = launch->kernel_class == CLRS_CLASS_NIBBLE_TILE;
  return (clrs__variant){.kernel_class = launch->kernel_class,
                         .unit_bits = pairs_units ? 8 : launch->unit_bits,
                         .index_bits = launch->index_bits,
                         .msb_first = !pairs_units && launch->unit_bits < 8 && launch->msb_first,
                         .nest_axes = clrs__launch_nest_axes(launch),
                         .level_axes = clrs__launch_level_axes(launch),
                         .interleaves = launch->interleaves,
                         .fills = launch->fills,
                         .is_chunked =
                             clrs__launch_is_blocked(launch) || clrs__launch_has_lanes(launch)};
}

/* Most nests are short, and so then is a table of them. */
clrs__variant clrs__batch_variant(const clrs_launch *launch) {
  enum { FEW_AXES = 6 };
  clrs__variant variant = clrs__launch_variant(launch);
  variant.is_batched = true;
  if (!launch->follows_stack && clrs__launch_argument_axes(launch) <= FEW_AXES) {
    variant.nest_axes = FEW_AXES;
  }
  return variant;
}

bool clrs__variant_equal(clrs__variant a, clrs__variant b) {
  return a.kernel_class == b.kernel_class && a.unit_bits == b.unit_bits &&
         a.index_bits == b.index_bits && a.nest_axes == b.nest_axes &&
         a.level_axes == b.level_axes && a.msb_first == b.msb_first &&
         a.interleaves == b.interleaves && a.fills == b.fills && a.is_chunked == b.is_chunked &&
         a.is_batched == b.is_batched;
}

static const char *unit_type(uint32_t unit_bits) {
  switch (unit_bits) {
  case 16:
    return "ushort";
  case 32:
    return "uint";
  case 64:
    return "ulong";
  case 128:
    return "uint4";
  default:
    return "uchar";
  }
}

void clrs__variant_options(clrs__variant variant, char *options, size_t size) {
  snprintf(options, size,
           "-cl-std=CL1.2 -DINDEX_BITS=%u -DUNIT=%s -DUNIT_BITS=%u -DMSB_FIRST=%d "
           "-DINTERLEAVED=%d -DFILLS=%d "
           "-DNEST_AXES=%u -DLEVEL_AXES=%u -DCHUNKED=%d -DBATCHED=%d",
           variant.index_bits, unit_type(variant.unit_bits), variant.unit_bits, variant.msb_first,
           variant.interleaves, variant.fills, variant.nest_axes, variant.level_axes,
           variant.is_chunked, variant.is_batched);
}

static const struct clrs__kernel_source *find_source(const char *name) {
  for (size_t i = 0; i < clrs__kernel_source_count; i++) {
    if (strcmp(clrs__kernel_sources[i].name, name) == 0) {
      return &clrs__kernel_sources[i];
    }
  }
  return NULL;
}

clrs__kernel_files clrs__variant_files(clrs__variant variant) {
  const clrs_class kernel_class = variant.kernel_class;
  const bool groups = kernel_class == CLRS_CLASS_GPU_ROWS || kernel_class == CLRS_CLASS_GPU_TILE ||
                      kernel_class == CLRS_CLASS_GPU_SHORT;
  const bool squares = kernel_class == CLRS_CLASS_CPU_TILE ||
                       kernel_class == CLRS_CLASS_CPU_SHORT ||
                       kernel_class == CLRS_CLASS_NIBBLE_TILE;
  clrs__kernel_files files = {1, {"move"}};
  if (groups) {
    files.names[files.count++] = "work_group";
  } else if (variant.is_chunked) { /* one work-item moves a block, and writes it in lines */
    files.names[files.count++] = "lines";
  }
  if (squares) {
    files.names[files.count++] = "transpose";
  }
  files.names[files.count++] = clrs_class_name(kernel_class);
  return files;
}

static clrs_status create_program(cl_context context, clrs__variant variant, cl_program *program,
                                  clrs_error *error) {
  const clrs__kernel_files files = clrs__variant_files(variant);
  const char *texts[sizeof files.names / sizeof *files.names];
  size_t lengths[sizeof files.names / sizeof *files.names];
  for (size_t i = 0; i < files.count; i++) {
    const struct clrs__kernel_source *source = find_source(files.names[i]);
    if (source == NULL) {
      return clrs__fail(error, CLRS_BUILD_FAILURE, "no kernel file %s.cl was built in",
                        files.names[i]);
    }
    texts[i] = (const char *)source->text;
    lengths[i] = source->length;
  }
  cl_int code = CL_SUCCESS;
  *program = clCreateProgramWithSource(context, (cl_uint)files.count, texts, lengths, &code);
  CLRS_TRY_OPENCL("clCreateProgramWithSource", code, error);
  return CLRS_OK;
}

/* CLRS_BUILD_FAILURE with as much of the build log as fits. */
static clrs_status fail_build(cl_program program, cl_device_id device, const char *name,
                              cl_int code, clrs_error *error) {
  size_t size = 0;
  char *log = NULL;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS) {
    log = calloc(size + 1, 1);
  }
  if (log != NULL &&
      clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS) {
    log[0] = '\0';
  }
  clrs__describe(error, CLRS_BUILD_FAILURE, "kernel %s did not build (OpenCL error %d): %s", name,
                 (int)code, log != NULL ? log : "the build log is not to be had");
  if (error != NULL) {
    error->opencl_code = code;
  }
  free(log);
  return CLRS_BUILD_FAILURE;
}

static clrs_status build(cl_program program, const clrs__program_target *target,
                         clrs__variant variant, clrs_error *error) {
  char options[CLRS__OPTIONS_BYTES], all[CLRS__OPTIONS_BYTES + sizeof " -DNATIVE_CODE=1"];
  clrs__variant_options(variant, options, sizeof options);
  snprintf(all, sizeof all, "%s -DNATIVE_CODE=%d", options,
           target->compile_path == CLRS_COMPILE_PATH_NATIVE);
  const cl_int code = clBuildProgram(program, 1, &target->device, all, NULL, NULL);
  if (code != CL_SUCCESS) {
    return fail_build(program, target->device, clrs_class_name(variant.kernel_class), code, error);
  }
  return CLRS_OK;
}

static clrs_status create_kernel(cl_program program, clrs__variant variant, cl_kernel *kernel,
                                 clrs_error *error) {
  cl_int code = CL_SUCCESS;
  *kernel = clCreateKernel(program, clrs_class_name(variant.kernel_class), &code);
  CLRS_TRY_OPENCL("clCreateKernel", code, error);
  return CLRS_OK;
}

clrs_status clrs__program_finish(cl_program program, const clrs__program_target *target,
                                 clrs__variant variant, clrs__built_kernel *built,
                                 clrs_error *error) {
  clrs__built_kernel finished = {.variant = variant, .program = program};
  clrs_status status = build(program, target, variant, error);
  if (status == CLRS_OK) {
    status = create_kernel(program, variant, &finished.kernel, error);
  }
  if (status == CLRS_OK) {
    *built = finished;
  } else {
    clReleaseProgram(program);
  }
  return status;
}

clrs_status clrs__kernel_build(const clrs__program_target *target, clrs__variant variant,
                               clrs__built_kernel *built, clrs_error *error) {
  cl_program program = NULL;
  CLRS_TRY(create_program(target->context, variant, &program, error));
  return clrs__program_finish(program, target, variant, built, error);
}

void clrs__built_kernel_release(clrs__built_kernel *built) {
  clReleaseKernel(built->kernel);
  clReleaseProgram(built->program);
}
