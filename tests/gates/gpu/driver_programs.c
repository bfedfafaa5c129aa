/*
 * Builds programs of list_variants with the first OpenCL device's compiler:
 *
 *   driver_programs FOLDER [DEVICE]
 *
 * The names are on the standard input, one a line. Prints tab-separated values: seconds to build,
 * registers of a work-item as far as the compiler tells, bytes of private and of local memory, and
 * the largest work-group. The compiler's output is in NAME.log. Fails if a program does not build.
 *
 * With DEVICE, such as gfx1030, AMD's driver compiles for a GPU that is absent. The binary is in
 * NAME.DEVICE.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAME = 200, PATH = 1000, OPTIONS = 4000, LOG = 1 << 16, SOURCE = 1 << 20, DEVICES = 500 };
enum { OFFLINE_DEVICES = 0x403F }; /* CL_CONTEXT_OFFLINE_DEVICES_AMD */

typedef struct compiler {
  cl_device_id device;
  cl_context context;
  const char *folder, *absent; /* the name of an absent device, or NULL */
  const char *asks;            /* the option that makes the compiler verbose */
} compiler;

typedef struct built {
  double seconds;
  cl_int code;
  char log[LOG];
  cl_ulong private_bytes, local_bytes;
  size_t largest_group;
} built;

static double now(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void must(cl_int code, const char *what) {
  if (code != CL_SUCCESS) {
    (void)fprintf(stderr, "%s: OpenCL error %d\n", what, (int)code);
    exit(1);
  }
}

/* A context of all GPUs that AMD's compiler knows, and the GPU with the name. */
static void open_absent(compiler *c, cl_platform_id platform) {
  const cl_context_properties all[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform,
                                       OFFLINE_DEVICES, 1, 0};
  cl_device_id devices[DEVICES];
  size_t bytes = 0;
  cl_int code;
  cl_context known = clCreateContextFromType(all, CL_DEVICE_TYPE_ALL, NULL, NULL, &code);
  must(code, "clCreateContextFromType");
  must(clGetContextInfo(known, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes),
       "clGetContextInfo");
  for (size_t i = 0; i < bytes / sizeof *devices; i++) {
    char name[NAME] = "";
    (void)clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL);
    c->device = strcmp(name, c->absent) == 0 ? devices[i] : c->device;
  }
  if (c->device == NULL) {
    (void)fprintf(stderr, "the compiler knows no device %s\n", c->absent);
    exit(1);
  }
  c->context = clCreateContext(all, 1, &c->device, NULL, NULL, &code);
  must(code, "clCreateContext");
}

static compiler open_compiler(const char *folder, const char *absent) {
  compiler c = {.folder = folder, .absent = absent, .asks = ""};
  cl_platform_id platform;
  char vendor[NAME] = "";
  cl_int code;
  must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  if (absent != NULL) {
    open_absent(&c, platform);
    return c;
  }
  must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &c.device, NULL), "clGetDeviceIDs");
  c.context = clCreateContext(NULL, 1, &c.device, NULL, NULL, &code);
  must(code, "clCreateContext");
  (void)clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof vendor, vendor, NULL);
  c.asks = strstr(vendor, "NVIDIA") != NULL ? " -cl-nv-verbose" : "";
  return c;
}

/* All of folder/name.ending. */
static void read_text(const compiler *c, const char *name, const char *ending, char *text,
                      size_t size) {
  char path[PATH];
  (void)snprintf(path, sizeof path, "%s/%s.%s", c->folder, name, ending);
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  text[fread(text, 1, size - 1, file)] = '\0';
  if (!feof(file)) {
    (void)fprintf(stderr, "%s is not read whole: there is room for %zu bytes\n", path, size);
    exit(1);
  }
  (void)fclose(file);
}

static void write_bytes(const compiler *c, const char *name, const char *ending, const void *bytes,
                        size_t size) {
  char path[PATH];
  (void)snprintf(path, sizeof path, "%s/%s.%s", c->folder, name, ending);
  FILE *file = fopen(path, "w");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

/* The binary of the only device. */
static void write_binary(const compiler *c, const char *name, cl_program program) {
  size_t size = 0;
  must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL),
       "CL_PROGRAM_BINARY_SIZES");
  unsigned char *bytes = malloc(size);
  must(bytes == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS, "malloc");
  must(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL),
       "CL_PROGRAM_BINARIES");
  write_bytes(c, name, c->absent, bytes, size);
  free(bytes);
}

static void ask_kernel(const compiler *c, cl_program program, built *result) {
  cl_kernel kernel;
  must(clCreateKernelsInProgram(program, 1, &kernel, NULL), "clCreateKernelsInProgram");
#define ASK(what, value)                                                                           \
  (void)clGetKernelWorkGroupInfo(kernel, c->device, what, sizeof(value), &(value), NULL)
  ASK(CL_KERNEL_PRIVATE_MEM_SIZE, result->private_bytes);
  ASK(CL_KERNEL_LOCAL_MEM_SIZE, result->local_bytes);
  ASK(CL_KERNEL_WORK_GROUP_SIZE, result->largest_group);
  (void)clReleaseKernel(kernel);
}

static void build(const compiler *c, const char *name, built *result) {
  static char source[SOURCE];
  char options[OPTIONS], all[OPTIONS + NAME];
  const char *text = source;
  cl_int code;
  *result = (built){.code = CL_SUCCESS};
  read_text(c, name, "cl", source, sizeof source);
  read_text(c, name, "options", options, sizeof options);
  (void)snprintf(all, sizeof all, "%.*s -DNATIVE_CODE=0%s", (int)strcspn(options, "\n"), options,
                 c->asks);
  cl_program program = clCreateProgramWithSource(c->context, 1, &text, NULL, &code);
  must(code, "clCreateProgramWithSource");
  const double begin = now();
  result->code = clBuildProgram(program, 1, &c->device, all, NULL, NULL);
  result->seconds = now() - begin;
  (void)clGetProgramBuildInfo(program, c->device, CL_PROGRAM_BUILD_LOG, sizeof result->log - 1,
                              result->log, NULL);
  if (result->code == CL_SUCCESS && c->absent != NULL) {
    write_binary(c, name, program);
  } else if (result->code == CL_SUCCESS) {
    ask_kernel(c, program, result);
  }
  (void)clReleaseProgram(program);
}

/* NVIDIA's says "Used 40 registers". */
static void print_row(const char *name, const built *result) {
  const char *used = strstr(result->log, "Used ");
  char registers[16] = "";
  if (used != NULL) {
    (void)snprintf(registers, sizeof registers, "%ld", strtol(used + 5, NULL, 10));
  }
  printf("%s\t%.3f\t%s\t%llu\t%llu\t%zu\n", name, result->seconds, registers,
         (unsigned long long)result->private_bytes, (unsigned long long)result->local_bytes,
         result->largest_group);
  (void)fflush(stdout);
}

int main(int count, char **argument) {
  static built result;
  char name[NAME];
  int failed = 0;
  if (count != 2 && count != 3) {
    (void)fprintf(stderr, "usage: driver_programs FOLDER [DEVICE] < NAMES\n");
    return 2;
  }
  const compiler c = open_compiler(argument[1], argument[2]);
  puts("program\tseconds\tregisters\tprivate_bytes\tlocal_bytes\tlargest_group");
  while (scanf("%199s", name) == 1) {
    build(&c, name, &result);
    write_bytes(&c, name, "log", result.log, strlen(result.log));
    if (result.code == CL_SUCCESS) {
      print_row(name, &result);
    } else {
      (void)fprintf(stderr, "%s does not build (OpenCL error %d)\n", name, (int)result.code);
      failed++;
    }
  }
  (void)clReleaseContext(c.context);
  return failed > 0;
}
