/*
 * Builds that are kept. See fault_layer_builds.h. A program from source keeps the identity that the
 * caller holds. A second program, from the binary, has the kernels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_layer_builds.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_BYTES = 1 << 14 };

typedef struct source {
  struct source *next;
  cl_program program, built; /* built is NULL if the program itself has the kernels */
  long references;
  uint64_t digest;
} source;

typedef struct kept {
  struct kept *next;
  uint64_t key; /* hash of source, options and device */
  size_t size;
  unsigned char *binary; /* NULL after the first build */
} kept;

static cl_icd_dispatch driver;
static source *sources;
static kept *builds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take_memory(size_t size) {
  void *memory = calloc(1, size);
  if (!memory)
    abort();
  return memory;
}

/* FNV-1a. */
static uint64_t digest_more(uint64_t digest, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    digest = (digest ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
  return digest;
}

static source **find_source(cl_program program) {
  source **at = &sources;
  while (*at && (*at)->program != program)
    at = &(*at)->next;
  return at;
}

/* Returns the program that has the kernels. */
static cl_program built_of(cl_program program) {
  pthread_mutex_lock(&lock);
  const source *const found = *find_source(program);
  const cl_program built = found && found->built ? found->built : program;
  pthread_mutex_unlock(&lock);
  return built;
}

/* ---- building ---- */

static cl_program CL_API_CALL create(cl_context context, cl_uint texts, const char **text,
                                     const size_t *lengths, cl_int *code) {
  const cl_program made = driver.clCreateProgramWithSource(context, texts, text, lengths, code);
  if (!made)
    return NULL;
  source *added = take_memory(sizeof *added);
  *added = (source){.program = made, .references = 1, .digest = 0xcbf29ce484222325u};
  for (cl_uint i = 0; i < texts; i++) {
    const size_t size = lengths && lengths[i] ? lengths[i] : strlen(text[i]);
    added->digest = digest_more(added->digest, text[i], size);
  }
  pthread_mutex_lock(&lock);
  added->next = sources;
  sources = added;
  pthread_mutex_unlock(&lock);
  return made;
}

static kept *find_build(uint64_t key) {
  pthread_mutex_lock(&lock);
  kept *found = builds;
  while (found && found->key != key)
    found = found->next;
  pthread_mutex_unlock(&lock); /* kept builds stay */
  return found;
}

/* Returns NULL if no build is kept or the driver rejects the binary. */
static cl_program build_kept(cl_program program, uint64_t key, cl_device_id device,
                             const char *options) {
  cl_context context = NULL;
  cl_int code;
  const kept *found = find_build(key);
  if (!found || !found->binary ||
      driver.clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, (void *)&context,
                              NULL) != CL_SUCCESS)
    return NULL;
  const unsigned char *binary = found->binary;
  const cl_program made =
      driver.clCreateProgramWithBinary(context, 1, &device, &found->size, &binary, NULL, &code);
  if (made && driver.clBuildProgram(made, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    (void)driver.clReleaseProgram(made);
    return NULL;
  }
  return made;
}

static void note_build(uint64_t key) {
  kept *added = take_memory(sizeof *added);
  pthread_mutex_lock(&lock);
  *added = (kept){.next = builds, .key = key};
  builds = added;
  pthread_mutex_unlock(&lock);
}

/* Asked for the binary, some drivers compile the kernels once more. So only the binary of a source
 * that is built a second time is kept. */
static void keep(cl_program program, uint64_t key) {
  kept *const again = find_build(key);
  size_t size = 0;
  if (!again) {
    note_build(key);
    return;
  }
  if (driver.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) !=
          CL_SUCCESS ||
      size == 0)
    return;
  unsigned char *binary = take_memory(size);
  if (driver.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, (void *)&binary, NULL) !=
      CL_SUCCESS) {
    free(binary);
    return;
  }
  pthread_mutex_lock(&lock);
  again->size = size;
  again->binary = binary;
  pthread_mutex_unlock(&lock);
}

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices,
                                const char *given, void(CL_CALLBACK *notify)(cl_program, void *),
                                void *user_data) {
  char options[OPTIONS_BYTES];
  const char *more = getenv("CLRS_LAYER_OPTIONS");
  pthread_mutex_lock(&lock);
  source *const found = *find_source(program);
  pthread_mutex_unlock(&lock);
  if (!found || found->built || count != 1 || !given || notify ||
      strlen(given) + (more ? strlen(more) : 0) + 2 > sizeof options)
    return driver.clBuildProgram(program, count, devices, given, notify, user_data);
  (void)snprintf(options, sizeof options, "%s %s", given, more ? more : "");
  uint64_t key = digest_more(found->digest, options, strlen(options));
  key = digest_more(key, (const void *)&devices[0], sizeof devices[0]);
  found->built = build_kept(program, key, devices[0], options);
  if (found->built)
    return CL_SUCCESS;
  const cl_int code = driver.clBuildProgram(program, 1, devices, options, NULL, NULL);
  if (code == CL_SUCCESS)
    keep(program, key);
  return code;
}

/* ---- what is asked of a program ---- */

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code) {
  return driver.clCreateKernel(built_of(program), name, code);
}

static cl_int CL_API_CALL info(cl_program program, cl_program_info name, size_t size, void *value,
                               size_t *got) {
  const bool is_of_source = name == CL_PROGRAM_REFERENCE_COUNT || name == CL_PROGRAM_SOURCE;
  return driver.clGetProgramInfo(is_of_source ? program : built_of(program), name, size, value,
                                 got);
}

static cl_int CL_API_CALL build_info(cl_program program, cl_device_id device,
                                     cl_program_build_info name, size_t size, void *value,
                                     size_t *got) {
  return driver.clGetProgramBuildInfo(built_of(program), device, name, size, value, got);
}

/* ---- its end ---- */

static cl_int CL_API_CALL retain(cl_program program) {
  pthread_mutex_lock(&lock);
  source *const found = *find_source(program);
  if (found)
    found->references++;
  pthread_mutex_unlock(&lock);
  return driver.clRetainProgram(program);
}

static cl_int CL_API_CALL release(cl_program program) {
  pthread_mutex_lock(&lock);
  source **const at = find_source(program), *const found = *at;
  const bool is_last = found && --found->references == 0;
  if (is_last)
    *at = found->next;
  pthread_mutex_unlock(&lock);
  if (is_last && found->built)
    (void)driver.clReleaseProgram(found->built);
  if (is_last)
    free(found);
  return driver.clReleaseProgram(program);
}

void builds_install(cl_icd_dispatch *table) {
  const char *wish = getenv("CLRS_LAYER_KEEPS_BUILDS");
  if (!wish || strcmp(wish, "1") != 0)
    return;
  driver = *table;
  table->clCreateProgramWithSource = create;
  table->clBuildProgram = build;
  table->clCreateKernel = create_kernel;
  table->clGetProgramInfo = info;
  table->clGetProgramBuildInfo = build_info;
  table->clRetainProgram = retain;
  table->clReleaseProgram = release;
}
