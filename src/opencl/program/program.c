/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_source.h"

static const struct clrs__kernel_source *find_source(const char *name) {
  for (size_t i = 0; i < clrs__kernel_source_count; i++) {
    if (strcmp(clrs__kernel_sources[i].name, name) == 0) {
      return &clrs__kernel_sources[i];
    }
  }
  return NULL;
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

/* An optimizing compiler inlines static functions whatever attributes the functions have. */
static const char *helpers(const clrs__program_target *target) {
  return target->never_inlines  ? " -cl-opt-disable"
         : target->loses_static ? " -DHELPER=inline"
                                : "";
}

/* A compiler that copies the words copies them again for a function that must be inlined. Another
 * compiler takes minutes if many functions must be inlined. */
static const char *inlining(const clrs__program_target *target) {
  return target->never_inlines || target->inlines_first || target->copies_words
             ? " -DINLINED=HELPER"
             : "";
}

#define UNDERSCORES                                                                                \
  " -Dkernel=__kernel -Dglobal=__global -Dlocal=__local -Dconstant=__constant -Dprivate=__private"

static clrs_status build(cl_program program, const clrs__program_target *target,
                         clrs__variant variant, clrs_error *error) {
  char options[CLRS__OPTIONS_BYTES];
  char all[CLRS__OPTIONS_BYTES + sizeof "-w  -DNATIVE_CODE=1 -DWORDS_IN_BUFFER=1 -cl-opt-disable "
                                        "-DINLINED=HELPER" UNDERSCORES];
  clrs__variant_options(variant, options, sizeof options);
  /* PoCL counts warnings on the error output of the process. */
  snprintf(all, sizeof all, "-w %s -DNATIVE_CODE=%d -DWORDS_IN_BUFFER=%d%s%s%s", options,
           target->compile_path == CLRS_COMPILE_PATH_NATIVE, target->words_in_buffer,
           helpers(target), inlining(target), target->lacks_keywords ? UNDERSCORES : "");
  const cl_int code = clBuildProgram(program, 1, &target->device, all, NULL, NULL);
  if (code != CL_SUCCESS) {
    return fail_build(program, target->device, clrs__variant_name(&variant), code, error);
  }
  return CLRS_OK;
}

void clrs__program_title(const clrs__variant *variant, char title[CLRS__TITLE_BYTES]) {
  char options[CLRS__OPTIONS_BYTES];
  clrs__variant_options(*variant, options, sizeof options);
  snprintf(title, CLRS__TITLE_BYTES, "%s %s", clrs__variant_name(variant), options);
}

static clrs_status create_kernel(const clrs__program_target *target, clrs__built_kernel *built,
                                 clrs_error *error) {
  cl_int code = CL_SUCCESS;
  built->kernel = clCreateKernel(built->program, clrs__variant_name(&built->variant), &code);
  CLRS_TRY_OPENCL("clCreateKernel", code, error);
  code = clGetKernelWorkGroupInfo(built->kernel, target->device, CL_KERNEL_WORK_GROUP_SIZE,
                                  sizeof built->most_items, &built->most_items, NULL);
  if (code != CL_SUCCESS) {
    clReleaseKernel(built->kernel);
    return clrs__fail_opencl(error, code, "clGetKernelWorkGroupInfo");
  }
  return CLRS_OK;
}

clrs_status clrs__program_finish(cl_program program, const clrs__program_target *target,
                                 clrs__variant variant, clrs__built_kernel *built,
                                 clrs_error *error) {
  clrs__built_kernel finished = {.variant = variant, .program = program};
  clrs_status status = build(program, target, variant, error);
  if (status == CLRS_OK) {
    status = create_kernel(target, &finished, error);
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
