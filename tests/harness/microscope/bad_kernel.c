/*
 * Proves that detectors detect: runs a small kernel by name. "good" must end well. Every other name
 * is a fault that the detector (the microscope, Oclgrind) must report.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 16, GROUP = 8 };

typedef struct bad {
  const char *name, *source;
} bad;

#define HEAD                                                                                       \
  "typedef struct words { int last, step, zero[60]; } words;\n"                                    \
  "kernel void k(global const uint *from, ulong start, global uint *to, uint4 value,"              \
  " local uint *part, const words w) { const int i = (int)get_global_id(0); "                      \
  "const int l = (int)get_local_id(0); const int n = (int)get_local_size(0);\n"

static const bad kernels[] = {
    {"good", HEAD "part[l] = from[start + i]; barrier(CLK_LOCAL_MEM_FENCE);"
                  "to[i] = part[n - 1 - l] + value.z * (i == w.last) + w.step; }"},
    {"read_after", HEAD "to[i] = from[i + w.step]; part[l] = value.x; }"},
    {"read_before", HEAD "to[i] = from[i - w.step]; part[l] = value.x; }"},
    {"write_after", HEAD "to[i + w.step] = from[i]; part[l] = value.x; }"},
    {"write_before", HEAD "to[i - w.step] = from[i]; part[l] = value.x; }"},
    {"local_after", HEAD "part[l + w.step] = value.x; to[i] = part[l] + from[i]; }"},
    {"misaligned",
     HEAD "if (i < 2) *(global uint4 *)(to + i * w.step) = value; part[l] = from[i]; }"},
    {"overflow", HEAD "to[i] = (uint)(0x7fffffff - w.last + w.step + i); part[l] = from[i]; }"},
    {"race", HEAD "to[i / 2] = i + from[i]; part[l] = value.x; }"},
    {"race_of_equals", HEAD "to[i / 2] = value.x; part[l] = from[i]; }"},
    {"divergence", HEAD "if (i < w.last) { barrier(CLK_LOCAL_MEM_FENCE); } to[i] = from[i];"
                        "part[l] = value.x; }"}};

typedef struct words {
  cl_int last, step, zero[60];
} words;

typedef struct session {
  cl_context context;
  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem from, to;
} session;

static int fail(const char *what) {
  (void)fprintf(stderr, "%s failed\n", what);
  return 2;
}

static int open_session(session *s, const char *source) {
  cl_platform_id platform;
  cl_device_id device;
  cl_program program;
  cl_int code[5] = {0};
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
    return fail("finding a device");
  }
  s->context = clCreateContext(NULL, 1, &device, NULL, NULL, &code[0]);
  s->queue = clCreateCommandQueue(s->context, device, 0, &code[1]);
  program = clCreateProgramWithSource(s->context, 1, &source, NULL, &code[2]);
  if (code[0] || code[1] || code[2] ||
      clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) != CL_SUCCESS) {
    return fail("building");
  }
  s->kernel = clCreateKernel(program, "k", &code[0]);
  s->from = clCreateBuffer(s->context, CL_MEM_READ_WRITE, ITEMS * 4, NULL, &code[3]);
  s->to = clCreateBuffer(s->context, CL_MEM_READ_WRITE, ITEMS * 4, NULL, &code[4]);
  clReleaseProgram(program);
  return code[0] || code[3] || code[4] ? fail("creating") : 0;
}

static int run(session *s, cl_uint *result) {
  cl_uint input[ITEMS];
  const cl_ulong start = 0;
  const cl_uint value[4] = {1, 2, 1000, 4};
  const words last = {.last = ITEMS - 1, .step = 1};
  const size_t global = ITEMS, local = GROUP;
  for (cl_uint i = 0; i < ITEMS; i++) {
    input[i] = i * 3 + 1;
  }
  cl_int code =
      clEnqueueWriteBuffer(s->queue, s->from, CL_TRUE, 0, sizeof input, input, 0, NULL, NULL);
  code |= clSetKernelArg(s->kernel, 0, sizeof s->from, &s->from);
  code |= clSetKernelArg(s->kernel, 1, sizeof start, &start);
  code |= clSetKernelArg(s->kernel, 2, sizeof s->to, &s->to);
  code |= clSetKernelArg(s->kernel, 3, sizeof value, value);
  code |= clSetKernelArg(s->kernel, 4, GROUP * 4, NULL);
  code |= clSetKernelArg(s->kernel, 5, sizeof last, &last);
  code |= clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  code |= clEnqueueReadBuffer(s->queue, s->to, CL_TRUE, 0, ITEMS * 4, result, 0, NULL, NULL);
  return code != CL_SUCCESS ? fail("running") : 0;
}

static int check_good(const cl_uint *result) {
  for (cl_uint i = 0; i < ITEMS; i++) {
    const cl_uint mirrored = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
    if (result[i] != mirrored * 3 + 1 + 1 + (i == ITEMS - 1 ? 1000 : 0)) {
      (void)fprintf(stderr, "item %u is %u\n", i, result[i]);
      return 1;
    }
  }
  return 0;
}

int main(int count, char **words_given) {
  for (size_t i = 0; count == 2 && i < sizeof kernels / sizeof *kernels; i++) {
    if (strcmp(kernels[i].name, words_given[1]) != 0) {
      continue;
    }
    session s;
    cl_uint result[ITEMS] = {0};
    int status = open_session(&s, kernels[i].source);
    status = status != 0 ? status : run(&s, result);
    if (status == 0) {
      clReleaseMemObject(s.from);
      clReleaseMemObject(s.to);
      clReleaseKernel(s.kernel);
      clReleaseCommandQueue(s.queue);
      clReleaseContext(s.context);
    }
    return status == 0 && i == 0 ? check_good(result) : status;
  }
  return fail("reading the name of a kernel");
}
