/*
 * The microscope's programs and kernels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"

/* ---- sources ---- */

static size_t text_length(const char *text, const size_t *lengths, cl_uint i) {
  return lengths != NULL && lengths[i] > 0 ? lengths[i] : strlen(text);
}

static char *join(cl_uint count, const char **texts, const size_t *lengths) {
  size_t size = 1, used = 0;
  for (cl_uint i = 0; i < count; i++) {
    size += text_length(texts[i], lengths, i);
  }
  char *joined = malloc(size);
  for (cl_uint i = 0; joined != NULL && i < count; i++) {
    const size_t length = text_length(texts[i], lengths, i);
    memcpy(joined + used, texts[i], length);
    used += length;
  }
  if (joined != NULL) {
    joined[used] = '\0';
  }
  return joined;
}

static bool file_holds(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "rb");
  char *content = malloc(length + 1);
  bool same = file != NULL && content != NULL;
  same = same && fread(content, 1, length + 1, file) == length;
  same = same && memcmp(content, text, length) == 0;
  if (file != NULL) {
    (void)fclose(file);
  }
  free(content);
  return same;
}

/* Appends the #include of the file that is this text. */
static bool include_file(const char *folder, const char *text, size_t length, char *to,
                         size_t room) {
  DIR *files = opendir(folder);
  bool found = false;
  for (struct dirent *entry = NULL; files != NULL && !found && (entry = readdir(files)) != NULL;) {
    char path[512];
    const int size = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (size > 0 && (size_t)size < sizeof path && file_holds(path, text, length)) {
      const size_t used = strlen(to);
      found = (size_t)snprintf(to + used, room - used, "#include \"%s\"\n", path) < room - used;
    }
  }
  if (files != NULL) {
    (void)closedir(files);
  }
  return found;
}

/* Returns NULL if a text is not a file of the folder. The text is then compiled unchanged. */
static char *name_files(cl_uint count, const char **texts, const size_t *lengths) {
  enum { ROOM = 8192 };
  const char *folder = getenv("CLRS_MICROSCOPE_SOURCES");
  char *includes = folder != NULL ? calloc(1, ROOM) : NULL;
  bool known = includes != NULL;
  for (cl_uint i = 0; known && i < count; i++) {
    known = include_file(folder, texts[i], text_length(texts[i], lengths, i), includes, ROOM);
  }
  if (!known) {
    free(includes);
    return NULL;
  }
  return includes;
}

cl_program CL_API_CALL my_clCreateProgramWithSource(cl_context context, cl_uint count,
                                                    const char **texts, const size_t *lengths,
                                                    cl_int *code) {
  cl_program created = object_create(sizeof *created);
  if (created != NULL) {
    created->context = context;
    created->source = join(count, texts, lengths);
    created->includes = name_files(count, texts, lengths);
    my_clRetainContext(context);
  }
  if (code != NULL) {
    *code = created != NULL && created->source != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  }
  return created;
}

cl_int CL_API_CALL my_clRetainProgram(cl_program program) {
  atomic_fetch_add(&program->head.references, 1);
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clReleaseProgram(cl_program program) {
  if (object_drop(program)) {
    /* The library stays loaded, because sanitizers name source lines at the end of the process. */
    my_clReleaseContext(program->context);
    free(program->source);
    free(program->includes);
    free(program->log);
    free(program);
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                     const char *options,
                                     void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
  (void)count, (void)devices, (void)notify, (void)user;
  free(program->log);
  program->log = NULL;
  program->library = microscope_compile(program, options != NULL ? options : "", &program->log);
  if (program->library == NULL) {
    (void)fprintf(stderr, "the microscope cannot build: %s\n",
                  program->log != NULL ? program->log : "no memory");
    return CL_BUILD_PROGRAM_FAILURE;
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                            cl_program_build_info name, size_t room, void *value,
                                            size_t *size) {
  (void)device;
  const char *log = program->log != NULL ? program->log : "";
  const cl_build_status status = program->library != NULL ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  switch (name) {
  case CL_PROGRAM_BUILD_LOG:
    return object_tell(room, value, size, log, strlen(log) + 1);
  case CL_PROGRAM_BUILD_STATUS:
    return object_tell(room, value, size, &status, sizeof status);
  default:
    return CL_INVALID_VALUE;
  }
}

/* ---- kernels ---- */

cl_kernel CL_API_CALL my_clCreateKernel(cl_program program, const char *name, cl_int *code) {
  void *address = program->library != NULL ? dlsym(program->library, name) : NULL;
  cl_kernel created = address != NULL ? object_create(sizeof *created) : NULL;
  if (created != NULL) {
    created->program = program;
    memcpy(&created->entry, &address, sizeof address);
    my_clRetainProgram(program);
  }
  if (code != NULL) {
    *code = created != NULL   ? CL_SUCCESS
            : address == NULL ? CL_INVALID_KERNEL_NAME
                              : CL_OUT_OF_HOST_MEMORY;
  }
  return created;
}

cl_int CL_API_CALL my_clRetainKernel(cl_kernel kernel) {
  atomic_fetch_add(&kernel->head.references, 1);
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clReleaseKernel(cl_kernel kernel) {
  if (object_drop(kernel)) {
    my_clReleaseProgram(kernel->program);
    free(kernel);
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                                     const void *value) {
  if (index >= MAX_ARGUMENTS) {
    return CL_INVALID_ARG_INDEX;
  }
  if (size == 0 || (value != NULL && size > MAX_ARGUMENT_BYTES)) {
    return CL_INVALID_ARG_SIZE;
  }
  argument *set = &kernel->arguments[index];
  set->size = size;
  set->is_set = true;
  set->is_local = value == NULL;
  set->buffer = NULL;
  if (value != NULL) {
    memcpy(set->bytes, value, size);
  }
  if (value != NULL && size == sizeof set->buffer) {
    void *candidate = NULL;
    memcpy(&candidate, value, size);
    set->buffer = memory_is_buffer(candidate) ? candidate : NULL;
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                             const size_t *offset, const size_t *global,
                                             const size_t *local, cl_uint count,
                                             const cl_event *waits, cl_event *event) {
  (void)count, (void)waits;
  work_range range = {dims, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
  if (dims < 1 || dims > 3 || global == NULL) {
    return CL_INVALID_WORK_DIMENSION;
  }
  for (cl_uint i = 0; i < dims; i++) {
    range.offset[i] = offset != NULL ? offset[i] : 0;
    range.global[i] = global[i];
    range.local[i] = local != NULL ? local[i] : 1;
    if (global[i] == 0 || range.local[i] == 0 || global[i] % range.local[i] != 0) {
      return CL_INVALID_WORK_GROUP_SIZE;
    }
  }
  const cl_int status = microscope_run(kernel, &range);
  return status == CL_SUCCESS ? object_complete(queue, CL_COMMAND_NDRANGE_KERNEL, event) : status;
}
